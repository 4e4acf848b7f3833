import { parseArgs } from "node:util";
import { withoutCommands } from "../base/clean-text.ts";
import { LockflowError, UsageError } from "../base/errors.ts";
import { VERSION } from "../base/own-package.ts";
import { nearestName } from "../base/text.ts";
import { COMMANDS, type Command } from "./commands.ts";
import type { CommandContext, ExitCode } from "./context.ts";
import { flagOf, type Option } from "./option.ts";

/** The context of a command line, before its command is parsed. */
export type Surroundings = Omit<CommandContext, "positionals" | "asIs">;

/**
 * Runs a command line and returns its exit code. Prints a `LockflowError` as its message, and any other error as a bug
 * with its stack.
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
    else {
      const { renderCommandHelp, renderHelp } = await import("./help.ts");
      out(line.command ? renderCommandHelp(line.command) : renderHelp());
    }
    return 0;
  } catch (error) {
    if (error instanceof LockflowError) err(`lockflow: ${withoutControls(error.message)}\n`);
    else {
      err("lockflow: This is a bug in Lockflow. Please report it with these lines:\n");
      err(`${error instanceof Error ? error.stack : String(error)}\n`);
    }
    return 2;
  }
}

/** Replaces control characters except line ends: a file name in a message must not move the cursor of a terminal. */
function withoutControls(message: string): string {
  return message.replaceAll(/(?!\n)[\p{Cc}\p{Cf}]/gu, " ");
}

/** A parsed command line. */
export type CommandLine =
  | { readonly kind: "help"; readonly command: Command | null }
  | { readonly kind: "version" }
  | ({ readonly kind: "run"; readonly command: Command } & Arguments);

/** The arguments after the name of a command. */
type Arguments = {
  /** The values by the names of the command's table. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
};

/**
 * Parses the arguments after the program's name. An unknown or misplaced flag is an error: if it was ignored, a mistyped
 * flag of `check` would silently weaken the check.
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
    hint: nearest ? `did you mean "lockflow ${nearest}"?` : "run `lockflow --help` for the list of commands.",
  });
}

function parseArguments(command: Command, args: readonly string[]): Arguments {
  const hint = `run \`lockflow ${command.name} --help\` for its options.`;
  const options = Object.entries(command.options).map(([name, option]) => ({
    ...option,
    name,
    flag: flagOf(name),
  }));
  const flags = options.map(({ flag }) => flag);
  for (const arg of args) {
    const flag = /^--?([^=]+)/.exec(arg)?.[1];
    if (flag === undefined || (flags.includes(flag) && arg.startsWith("--"))) continue;
    if (arg === "--" || /^-\d/.test(arg)) continue;
    const [, instead] = Object.entries(command.removed ?? {}).find(([name]) => name === flag) ?? [];
    if (instead !== undefined) {
      const sentence = `--${flag} was removed from \`lockflow ${command.name}\`.`;
      throw new UsageError({ sentence, hint: instead });
    }
    const nearest = nearestName(flag, flags);
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
      args: joinNegative(args, options),
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
    throw new UsageError({ sentence: `Cannot parse the options: ${message}`, hint });
  }
}

/** Joins values such as `-7d` with their option: `parseArgs` takes them for options otherwise. */
function joinNegative(
  args: readonly string[],
  options: readonly (Option & { readonly flag: string })[],
): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1);
    const takesValue = options.some(({ flag, value }) => value !== null && before === `--${flag}`);
    if (/^-\d/.test(arg) && takesValue) joined.push(`${joined.pop()}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}

function requirePositionals({ name, positional }: Command, args: readonly string[], hint: string): void {
  const { least = 1, most = 1, noun = "a file" } = positional ?? { least: 0, most: 0 };
  if (args.length > most) {
    throw new UsageError({ sentence: `"lockflow ${name}" does not take "${args[most]}".`, hint });
  }
  if (args.length < least) {
    throw new UsageError({ sentence: `"lockflow ${name}" needs ${noun}: <${positional?.name}>.`, hint });
  }
}
