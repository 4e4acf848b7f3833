import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compilerArguments } from "../is-thorough.ts";
import { REPOSITORY } from "../repository.ts";
import type { Block } from "./parse-markdown.ts";

/** What a block may import as if it lay in the repository, or in a folder of it. */
const REACHABLE = "emulator examples generated node_modules operations scripts src test".split(" ");

const ENTRIES = {
  lockflow: ["src/index.ts"],
  "lockflow/codegen": ["src/codegen.ts"],
  "lockflow/emulator": ["emulator/index.ts"],
  "lockflow-operations": ["packages/operations/index.ts"],
  "lockflow-operations/amounts": ["packages/operations/amounts.ts"],
  "lockflow-operations/*": ["generated/*.ts"],
  // The alias that create-next-app writes.
  "@/generated/*": ["generated/*.ts"],
  "lockflow-graph-node": ["packages/graph-node/src/index.ts"],
};

/**
 * Type-checks blocks together, each as a module of its own, with the settings of the project; of those in JavaScript
 * the syntax alone. While the syntax of one is wrong, no other problem is reported.
 */
export function checkTypeScript(blocks: readonly Block[]): string[] {
  if (blocks.length === 0) return [];
  const root = realpathSync(mkdtempSync(join(tmpdir(), "lockflow docs ")));
  try {
    const folder = join(root, "blocks");
    mkdirSync(folder);
    writeFileSync(join(root, "package.json"), '{ "type": "module" }');
    writeFileSync(join(root, "tsconfig.json"), JSON.stringify(CONFIG));
    for (const name of REACHABLE) {
      for (const place of [root, folder]) symlinkSync(join(REPOSITORY, name), join(place, name));
    }
    for (const [index, { code, language, line, before = "" }] of blocks.entries()) {
      // The empty lines give the code the line numbers it has in its document.
      const text = `${before}${"\n".repeat(line - 1)}${code}\nexport {};\n`;
      writeFileSync(join(folder, `${index}.${language}`), text);
    }
    return compile(root).flatMap(({ place, code, message }) => {
      const [, index, line] = /^blocks\/(\d+)\.\w+\((\d+),\d+\)$/.exec(place) ?? [];
      if (isForeignPackage(code, message)) return [];
      return [`${index === undefined ? place : `${blocks[Number(index)]?.path}:${line}`} ${message}`];
    });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const CONFIG = {
  extends: join(REPOSITORY, "tsconfig.json"),
  compilerOptions: {
    typeRoots: [join(REPOSITORY, "node_modules/@types")],
    paths: Object.fromEntries(
      Object.entries(ENTRIES).map(([name, paths]) => [name, paths.map((path) => join(REPOSITORY, path))]),
    ),
    allowJs: true,
    jsx: "preserve",
    // An example shows what can be had, and need not use it.
    noUnusedLocals: false,
    noUnusedParameters: false,
  },
  include: ["blocks/*.ts", "blocks/*.tsx", "blocks/*.js"],
};

type Diagnostic = { readonly place: string; readonly code: number; readonly message: string };

function compile(root: string): Diagnostic[] {
  const args = [...compilerArguments("typescript-7"), "-p", root, "--pretty", "false"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  // What belongs to a message stands below it, indented.
  const diagnostics = stdout
    .replaceAll(/\n {2,}/g, " ")
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Diagnostic => {
      const [, place = "", code, message = line] = /^(?:(.*?): )?error TS(\d+): (.*)$/.exec(line) ?? [];
      return { place, code: Number(code), message };
    });
  if (stderr !== "" || (status === 0) !== (diagnostics.length === 0)) {
    throw new Error(`The compiler ended with ${status}:\n${stdout}${stderr}`);
  }
  return diagnostics;
}

/** Whether the problem is only that another package is not installed here: its exports are unknown then. */
function isForeignPackage(code: number, message: string): boolean {
  const name = /module '([^']+)'/.exec(message)?.[1] ?? "";
  return code === 2307 && /^(@[\w-]*\/)?[\w-]+/.test(name) && !/^(lockflow\b|@\/generated\/)/.test(name);
}
