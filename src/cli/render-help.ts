import { capitalize } from "../base/identifier.ts";
import { BUILT_IN_PROTOCOLS } from "../project/protocols/built-in.ts";
import { renderTable } from "../report/render-table.ts";
import type { Command } from "./commands.ts";
import { flagOf } from "./option.ts";

/** The help of one command. */
export function renderCommandHelp(command: Command): string {
  const { name = "", least = 1, most = 1 } = command.positional ?? { most: 0 };
  const positional =
    most === 0 ? "" : ` ${least === 0 ? "[" : ""}<${name}>${most > 2 ? "…" : ""}${least === 0 ? "]" : ""}`;
  const options = Object.entries(command.options).map(([name, { value, description }]) => [
    `--${flagOf(name)}${value === null ? "" : ` <${value}>`}`,
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
    `Typed operations and an endpoint manifest for the indexers of ${BUILT_IN_PROTOCOLS.map(capitalize).join(", ")} and protocols of`,
    "your own, in both GraphQL dialects.",
    "",
    "Commands",
    renderTable(
      commands.map(({ name, summary }) => [name, summary]),
      "  ",
    ),
    "",
    "`lockflow <command> --help` shows a command's options. Without a configured host, everything runs against an",
    "emulator on this machine, except `drift` in CI.",
    "",
    "Exit codes: 0 clean, 1 findings to act on, 2 could not run, 3 inconclusive: too few endpoints answered.",
    "",
  ].join("\n");
}
