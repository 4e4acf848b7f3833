import { describe, expect, it } from "vitest";
import { COMMANDS } from "../src/commands/index.ts";
import { judgingOptions } from "../src/commands/judged-run.ts";
import { parseCommandLine } from "../src/commands/parse-command-line.ts";
import { readRepositoryFile, readRepositoryTree } from "./support/repository.ts";

const RECIPES = Object.keys(readRepositoryTree("examples/ci")).sort();

describe("the recipes for CI", () => {
  it("are the two that the documentation names", () => {
    expect(RECIPES).toEqual(["check.yml", "drift.yml"]);
  });

  it.each(RECIPES)("%s is YAML of the plain kind, with the parts of a workflow", (name) => {
    const text = readRepositoryFile(`examples/ci/${name}`);
    expect(faultsOf(text)).toEqual([]);
    expect(topLevel(text)).toEqual(expect.arrayContaining(["name", "on", "permissions", "jobs"]));
    expect(text).toMatch(/^ {4}runs-on: ubuntu-latest$/m);
    expect(text).toMatch(/^ {4}timeout-minutes: \d+$/m);
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
  });

  it.each(RECIPES)("%s runs commands that there are", (name) => {
    const lines = commandsOf(readRepositoryFile(`examples/ci/${name}`));
    expect(lines.length).toBeGreaterThan(0);
    for (const args of lines) {
      const line = parseCommandLine(args, COMMANDS);
      if (line.kind !== "run") throw new Error(`${name} runs no command`);
      const { options, positional, positionals } = line;
      judgingOptions({ ...NOWHERE, options, positional, positionals });
      expect(`${line.command.name}.yml`).toBe(name);
    }
  });

  it.each(RECIPES)("%s lets no text of others into a shell", (name) => {
    const scripts = readRepositoryFile(`examples/ci/${name}`)
      .split("\n")
      .filter((line) => line.includes("${{"));
    // An expression in a script is pasted into it; in `env` and `if` it is not.
    expect(scripts.filter((line) => !/^ +[A-Z_]+: \$\{\{ [\w.]+ \}\}$/.test(line))).toEqual([]);
  });

  it.each<[name: string, text: string, want: string[]]>([
    ["nothing", "name: a\non:\n  push:\n", []],
    ["a tab", "name: a\n\ton: b\n", ["2: a tab"]],
    ["an odd indentation", "on:\n   push:\n", ["2: 3 blanks"]],
    ["a jump", "on:\n      push:\n", ["2: too deep"]],
    ["one key twice", "name: a\nname: b\n", ["2: name twice"]],
    ["no key", "name: a\nwhat\n", ["2: no key"]],
    ["a blank at the end", "name: a \n", ["1: a blank at the end"]],
    ["anything inside a script", "run: |\n  what\n     ever\n", []],
  ])("the check of the recipes sees %s", (_, text, want) => {
    expect(faultsOf(text)).toEqual(want);
  });
});

const NOWHERE = {
  cwd: "/",
  env: {},
  out: () => {},
  err: () => {},
  isTerminal: false,
  stopped: Promise.resolve(),
};

/** What is wrong with the form of a workflow: two blanks a level, a key or an item a line, scripts as they are. */
function faultsOf(text: string): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  let script: number | null = null;
  let previous = 0;
  for (const [index, line] of text.split("\n").entries()) {
    const at = (what: string) => faults.push(`${index + 1}: ${what}`);
    if (line.includes("\t")) at("a tab");
    else if (line !== line.trimEnd()) at("a blank at the end");
    const depth = /^ */.exec(line)?.[0].length ?? 0;
    if (script !== null && (line === "" || depth > script)) continue;
    script = null;
    if (line.trim() === "" || line.trim().startsWith("#") || line.includes("\t")) continue;
    if (depth % 2 === 1) at(`${depth} blanks`);
    else if (depth > previous + 4) at("too deep");
    previous = depth;
    const key = /^(- )?([\w-]+):( |$)/.exec(line.trim())?.[2];
    if (key === undefined && !line.trim().startsWith("- ")) at("no key");
    if (depth === 0 && key !== undefined && seen.has(key)) at(`${key} twice`);
    if (depth === 0 && key !== undefined) seen.add(key);
    if (/: \|$/.test(line)) script = depth;
  }
  return faults;
}

function topLevel(text: string): string[] {
  return [...text.matchAll(/^([\w-]+):/gm)].map((match) => match[1] ?? "");
}

/** The arguments of every `npx lockflow` in the scripts, as a shell without variables would split them. */
function commandsOf(text: string): string[][] {
  return [...text.matchAll(/npx lockflow ([^\n|]+)/g)].map((match) =>
    (match[1] ?? "").trim().replaceAll('"', "").split(/ +/),
  );
}
