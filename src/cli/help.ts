import { capitalize } from "../base/text.ts";
import { BUILT_IN_PROTOCOLS } from "../project/protocols.ts";
import { renderRows, wrapBehind } from "../report/terminal.ts";
import { COMMAND_GROUPS, COMMANDS, type Command } from "./commands.ts";
import { flagOf } from "./option.ts";

/** Renders the help of the program: its commands by group. */
export function renderHelp(): string {
  const protocols = BUILT_IN_PROTOCOLS.map(capitalize).join(" and ");
  const groups = COMMAND_GROUPS.flatMap((group) => {
    const rows = COMMANDS.filter((command) => command.group === group).map(({ name, summary }) => ({
      name,
      description: summary,
    }));
    return ["", group, ...renderRows(rows, { names: NAME_WIDTH, all: WIDTH })];
  });
  return [
    "lockflow <command> [options]",
    "",
    ...wrap(
      `Typed GraphQL operations and an endpoint manifest for the ${protocols} indexers, and for your own, in both of their dialects.`,
    ),
    ...groups,
    "",
    ...wrap(
      "`lockflow <command> --help` shows the options of a command. If no host is configured, commands use an emulator on this machine, except `drift` in CI.",
    ),
    "",
    ...wrap("Exit codes: 0 clean, 1 findings to act on, 2 could not run, 3 inconclusive (too few answers)."),
    "",
  ].join("\n");
}

/** Renders the help of one command. */
export function renderCommandHelp({ name, summary, description, positional, options }: Command): string {
  const named = Object.entries(options).map(([option, { value, description }]) => ({
    name: `--${flagOf(option)}${value === null ? "" : ` <${value}>`}`,
    description,
  }));
  const rows = [...named, { name: "--help", description: "show this help" }];
  return [
    `lockflow ${name}${renderPositional(positional)} [options]`,
    "",
    ...wrap(`${capitalize(summary)}.`),
    ...(description ? wrap(description) : []),
    "",
    "Options",
    ...renderRows(rows, {
      names: Math.min(MAX_OPTION_WIDTH, Math.max(...rows.map(({ name }) => name.length))),
      all: WIDTH,
    }),
    "",
  ].join("\n");
}

function renderPositional(positional: Command["positional"]): string {
  if (positional === undefined) return "";
  const { name, least = 1, most = 1 } = positional;
  const shown = `<${name}>${most > 2 ? "…" : ""}`;
  return least === 0 ? ` [${shown}]` : ` ${shown}`;
}

function wrap(text: string): string[] {
  return wrapBehind("", text, WIDTH);
}

const WIDTH = 100;
const NAME_WIDTH = Math.max(...COMMANDS.map(({ name }) => name.length));
const MAX_OPTION_WIDTH = 32;
