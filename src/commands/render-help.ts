import { renderTable } from "../report/render-table.ts";
import type { Command } from "./command.ts";

/** The help of one command. */
export function renderCommandHelp(command: Command): string {
  const positional = command.positional ? ` <${command.positional.name}>` : "";
  const options = Object.entries(command.options).map(([name, { value, description }]) => [
    `--${name}${value ? ` <${value}>` : ""}`,
    description,
  ]);
  return [
    `lockflow ${command.name}${positional} [options]`,
    "",
    `${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}.`,
    ...(command.description ? [command.description] : []),
    "",
    "Options",
    renderTable([...options, ["--help", "show this"]], "  "),
    "",
  ].join("\n");
}

/** The help of the program. */
export function renderHelp(commands: readonly Command[]): string {
  return [
    "lockflow <command> [options]",
    "",
    "Typed operations and an endpoint manifest for the Lockup and Flow indexers, in both GraphQL dialects.",
    "",
    "Commands",
    renderTable(
      commands.map(({ name, summary }) => [name, summary]),
      "  ",
    ),
    "",
    "`lockflow <command> --help` shows a command's options. Without a configured host, everything runs against an",
    "emulator on this machine.",
    "",
    "Exit codes: 0 clean, 1 findings, 2 could not run.",
    "",
  ].join("\n");
}
