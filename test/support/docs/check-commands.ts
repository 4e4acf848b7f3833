import { existsSync } from "node:fs";
import { join } from "node:path";
import { LockflowError } from "../../../src/base/errors.ts";
import { COMMANDS } from "../../../src/cli/commands.ts";
import { parseCommandLine } from "../../../src/cli/run-command-line.ts";
import { REPOSITORY, readRepositoryFile } from "../repository.ts";
import type { Block, Piece } from "./parse-markdown.ts";

/** The commands of scripts by name, and the files that a document shows, by path with an empty command. */
export type Scripts = Readonly<Record<string, string>>;

/** The scripts of this repository's package.json. */
export const SCRIPTS: Scripts = JSON.parse(readRepositoryFile("package.json")).scripts;

/**
 * Checks the commands of a block: in `console`, the lines that begin with `$ `; in a shell script, every line; in
 * YAML, what is run.
 */
export function checkCommands(block: Block, scripts: Scripts): string[] {
  return commandLines(block).flatMap(({ path, line, text }) =>
    splitCommands(text).flatMap((words) =>
      checkWords(words, scripts).map((problem) => `${path}:${line} ${problem}`),
    ),
  );
}

/** Checks a command that the text mentions: it may leave out what it needs, but what it has must exist. */
export function checkMention({ path, line, text }: Piece, scripts: Scripts): string[] {
  if (!/^(npx lockflow|lockflow|npm run) /.test(text) || /[<[{](command|script|name)|…|\.\.\./.test(text))
    return [];
  return splitCommands(text)
    .flatMap((words) => checkWords(words, scripts))
    .filter((problem) => !/ needs an? (file|code|report|operation|glob)\b/.test(problem))
    .map((problem) => `${path}:${line} ${problem}`);
}

/** The lines of a block; one that ends with a backslash goes on in the next. */
function commandLines({ path, line, language, code }: Block): Piece[] {
  return [...code.matchAll(/(?:.*\\\n)*.*/g)].flatMap(({ 0: row, index }) => {
    const text = commandOf(row.replaceAll("\\\n", " ").trim(), language);
    return text === null ? [] : [{ path, line: line + code.slice(0, index).split("\n").length - 1, text }];
  });
}

/** What a line of a block runs, if anything. */
function commandOf(line: string, language: string): string | null {
  if (language === "console") return line.startsWith("$ ") ? line.slice(2) : null;
  if (language !== "yaml") return line.replace(/^\$ /, "");
  return /(?:^|\s)run:\s*(.+)$/.exec(line)?.[1] ?? (/^(npm|npx|lockflow) /.test(line) ? line : null);
}

/** The words of each command of a line, without comments, redirections and variables set before it. */
function splitCommands(line: string): string[][] {
  const words = [
    ...line.matchAll(/"([^"]*)"|'([^']*)'|(\|\||&&|[|;])|\d?>&?\S*(?:\s+[^\s|;&>]+)?|(#.*)|([^\s|;&>]+)/g),
  ];
  const commands: string[][] = [[]];
  for (const [, double, single, separator, comment, plain] of words) {
    const word = double ?? single ?? plain;
    if (comment !== undefined) break;
    if (separator !== undefined) commands.push([]);
    else if (word !== undefined) commands.at(-1)?.push(word);
  }
  return commands
    .map((command) => command.slice(command.findIndex((word) => !/^\w+=/.test(word))))
    .filter((command) => command.length > 0);
}

function checkWords([program = "", ...args]: readonly string[], scripts: Scripts): string[] {
  if (program === "lockflow") return checkLockflow(args);
  if (program === "npx") return checkNpx(args, scripts);
  if (program === "npm") return checkNpm(args, scripts);
  if (program === "node" || program === "tsx") return checkFile(args, scripts);
  return [];
}

function checkLockflow(args: readonly string[]): string[] {
  try {
    parseCommandLine(args, COMMANDS);
    return [];
  } catch (error) {
    if (error instanceof LockflowError) return [error.sentence];
    throw error;
  }
}

function checkNpx(args: readonly string[], scripts: Scripts): string[] {
  const [program = "", ...rest] = args.filter((word, index) => !(word.startsWith("-") && index === 0));
  if (program === "lockflow") return checkLockflow(rest);
  if (program === "tsx") return checkFile(rest, scripts);
  return existsSync(join(REPOSITORY, "node_modules/.bin", program)) ? [] : [`npx has no "${program}" here.`];
}

function checkNpm([verb = "", ...rest]: readonly string[], scripts: Scripts): string[] {
  const name = verb === "run" ? rest.find((word) => !word.startsWith("-")) : verb;
  if (name === undefined || !["run", "start", "test"].includes(verb)) return [];
  const script = scripts[name];
  if (script === undefined) return [`package.json has no script "${name}".`];
  const separator = rest.indexOf("--");
  return separator === -1 ? [] : checkScript(script, rest.slice(separator + 1));
}

/** A script that runs the command line takes what the command takes. */
function checkScript(script: string, args: readonly string[]): string[] {
  const file = /^tsx (\S+)$/.exec(script)?.[1];
  if (file === "src/cli/main.ts") return checkLockflow(args);
  if (file === undefined)
    return /^lockflow /.test(script) ? checkLockflow([...script.split(" ").slice(1), ...args]) : [];
  const command = /splice\(2, 0, "(\w+)"\)/.exec(readRepositoryFile(file))?.[1];
  return command === undefined ? [] : checkLockflow([command, ...args]);
}

function checkFile(args: readonly string[], scripts: Scripts): string[] {
  const at = args.findIndex((word) => !word.startsWith("-"));
  const file = args[at];
  if (file === undefined || !/\.[cm]?[jt]s$/.test(file)) return [];
  const rest = args.slice(at + 1);
  if (/^(\.\/)?(dist\/cli\.js|src\/cli\.ts)$/.test(file)) return checkLockflow(rest);
  return scripts[file] === "" || existsSync(join(REPOSITORY, file)) ? [] : [`There is no file "${file}".`];
}
