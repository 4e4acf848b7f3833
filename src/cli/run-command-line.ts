import { parseArgs } from "node:util";
import { withoutCommands } from "../base/clean-text.ts";
import { LockflowError, UsageError } from "../base/errors.ts";
import { VERSION } from "../base/own-package.ts";
import { capitalize, nearestName } from "../base/text.ts";
import { BUILT_IN_PROTOCOLS } from "../project/protocols.ts";
import { renderTable } from "../report/terminal.ts";
import { COMMANDS, type Command } from "./commands.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import { flagOf, type Option } from "./option.ts";

/** What a command line runs in: a context that no command was chosen for yet. */
export type Surroundings = Omit<CommandContext, "positionals" | "asIs">;

/**
 * Runs a command line. Every error ends here: a `LockflowError` as its message, any other as a bug with its stack.
 *
 * @param args the arguments after the program's name.
 */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const out = (text: string) => surroundings.out(withoutCommands(text));
  const err = (text: string) => surroundings.err(withoutCommands(text));
  try {
    const line = parseCommandLine(args, COMMANDS);
    if (line.kind === "run") {
      const asIs = { out: surroundings.out, err: surroundings.err };
      const { command, options, positionals } = line;
      return await command.run({ ...surroundings, out, err, asIs, positionals }, options);
    }
    if (line.kind === "version") out(`${VERSION}\n`);
    else out(line.command ? renderCommandHelp(line.command) : renderHelp(COMMANDS));
    return 0;
  } catch (error) {
    if (error instanceof LockflowError) err(`lockflow: ${withoutControls(error.message)}\n`);
    else {
      err("lockflow: this is a bug in Lockflow. Please report it with these lines:\n");
      err(`${error instanceof Error ? error.stack : String(error)}\n`);
    }
    return 2;
  }
}

/** A file's name may hold what moves a terminal's cursor, and a message has lines of its own. */
function withoutControls(message: string): string {
  return message.replaceAll(/(?!\n)[\p{Cc}\p{Cf}]/gu, " ");
}

/** What a command line asks for. */
export type CommandLine =
  | { readonly kind: "help"; readonly command: Command | null }
  | { readonly kind: "version" }
  | ({ readonly kind: "run"; readonly command: Command } & Arguments);

/** What stands behind the name of a command. */
type Arguments = {
  /** By the names of the command's table. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
};

/**
 * Parses the arguments after the program's name. A flag that is not known, or stands where it is not, is an
 * error: taken for nothing, a mistyped `check` flag would turn a check into something else.
 *
 * @throws UsageError
 */
export function parseCommandLine(args: readonly string[], commands: readonly Command[]): CommandLine {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name === "--help" || name === "-h") {
    const topic = name === "help" ? rest[0] : undefined;
    return { kind: "help", command: topic === undefined ? null : findCommand(topic, commands) };
  }
  if (name === "--version" || name === "-v") return { kind: "version" };
  const command = findCommand(name, commands);
  if (rest.includes("--help") || rest.includes("-h")) return { kind: "help", command };
  return { kind: "run", command, ...parseArguments(command, rest) };
}

function findCommand(name: string, commands: readonly Command[]): Command {
  const command = commands.find((candidate) => candidate.name === name);
  if (command) return command;
  const nearest = nearestName(
    name,
    commands.map((candidate) => candidate.name),
  );
  throw new UsageError({
    sentence: name.startsWith("-")
      ? `A command has to come before "${name}".`
      : `There is no command "${name}".`,
    hint: nearest ? `did you mean "lockflow ${nearest}"?` : "run `lockflow --help` for the commands.",
  });
}

function parseArguments(command: Command, args: readonly string[]): Arguments {
  const hint = `run \`lockflow ${command.name} --help\` for its options.`;
  const options = Object.entries(command.options).map(([name, option]) => ({
    ...option,
    name,
    flag: flagOf(name),
  }));
  const known = options.map(({ flag }) => flag);
  for (const arg of args) {
    const flag = /^--?([^=]+)/.exec(arg)?.[1];
    if (flag === undefined || (known.includes(flag) && arg.startsWith("--"))) continue;
    if (arg === "--" || /^-\d/.test(arg)) continue;
    const nearest = nearestName(flag, known);
    throw new UsageError({
      sentence: `"lockflow ${command.name}" has no option "${arg.split("=")[0]}".`,
      hint: nearest ? `did you mean "--${nearest}"? Otherwise ${hint}` : hint,
    });
  }
  const { values, positionals } = splitArguments(args, options, hint);
  requirePositionals(command, positionals, hint);
  const parsed = options.map(({ name, flag, parse }) => [name, parse(values[flag], `--${flag}`)]);
  return { options: Object.fromEntries(parsed), positionals };
}

function splitArguments(
  args: readonly string[],
  options: readonly (Option & { readonly flag: string })[],
  hint: string,
) {
  try {
    return parseArgs({
      args: [...args],
      strict: true,
      allowPositionals: true,
      options: Object.fromEntries(
        options.map(({ flag, value, multiple }) => [
          flag,
          { type: value === null ? "boolean" : "string", multiple } as const,
        ]),
      ),
    });
  } catch (cause) {
    const message = cause instanceof Error ? (cause.message.split("\n")[0] ?? "") : String(cause);
    throw new UsageError({ sentence: `The options could not be read: ${message}`, hint });
  }
}

function requirePositionals({ name, positional }: Command, given: readonly string[], hint: string): void {
  const { least = 1, most = 1, noun = "a file" } = positional ?? { least: 0, most: 0 };
  if (given.length > most) {
    throw new UsageError({ sentence: `"lockflow ${name}" does not take "${given[most]}".`, hint });
  }
  if (given.length < least) {
    throw new UsageError({ sentence: `"lockflow ${name}" needs ${noun}: <${positional?.name}>.`, hint });
  }
}

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
