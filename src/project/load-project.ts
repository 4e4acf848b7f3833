import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, extname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readText, requireFile } from "../base/disk/read-tree.ts";
import { ConfigError } from "../base/errors/config-error.ts";
import { LockflowError } from "../base/errors/lockflow-error.ts";
import { BUILD_ID } from "../base/version.ts";
import type { Config } from "./config.ts";
import { parseConfig } from "./parse-config.ts";
import { type Project, resolveProject } from "./project.ts";
import { requireOutputInside } from "./require-output-inside.ts";

/** The file names of a configuration, in order of precedence. */
export const CONFIG_NAMES = [
  "lockflow.config.ts",
  "lockflow.config.js",
  "lockflow.config.mjs",
  "lockflow.config.json",
] as const;

/** Loads the project of the file that `findConfig` finds; without one the folder is a project with every default. */
export async function loadProject(directory: string, path?: string): Promise<Project> {
  const file = findConfig(directory, path);
  if (file === null) return checkedProject({}, resolve(directory));
  return checkedProject(await loadConfig(file), dirname(file));
}

/** Loads what a configuration file says, and resolves nothing. */
export async function loadConfig(file: string): Promise<Config> {
  return parseConfig(await readConfig(file, false), basename(file));
}

/** Loads the project of a folder at once, for whoever cannot wait; nothing in the configuration may wait then either. */
export function loadProjectNow(directory: string): Project {
  const file = findConfig(directory, undefined);
  if (file === null) return checkedProject({}, resolve(directory));
  return checkedProject(parseConfig(readConfigNow(file), basename(file)), dirname(file));
}

/** Loads a configuration again that may have changed since, with everything it imports. */
export async function reloadProject(file: string): Promise<Project> {
  return checkedProject(parseConfig(await readConfig(file, true), basename(file)), dirname(file));
}

/** Resolves a configuration whose folders are those of a disk. */
export function checkedProject(config: Config, root: string): Project {
  const project = resolveProject(config, root);
  requireOutputInside(project);
  return project;
}

/** The absolute path of the configuration that `path` names, or of the nearest one from a folder upwards; else null. */
export function findConfig(directory: string, path: string | undefined): string | null {
  if (path !== undefined) {
    const file = resolve(directory, path);
    if (existsSync(file) && statSync(file).isFile()) return file;
    throw new ConfigError({
      code: "CONFIG_NOT_FOUND",
      sentence: `There is no configuration file "${path}".`,
      hint: `without --config, ${CONFIG_NAMES.join(", ")} are looked for in the current folder.`,
    });
  }
  for (let folder = resolve(directory); ; folder = dirname(folder)) {
    const name = CONFIG_NAMES.find((candidate) => existsSync(join(folder, candidate)));
    if (name !== undefined) return join(folder, name);
    if (folder === dirname(folder)) return null;
  }
}

/** @param isAgain whether what Node keeps of modules it has loaded is passed over. */
async function readConfig(file: string, isAgain: boolean): Promise<unknown> {
  requireFile(file);
  try {
    if (extname(file) === ".json") return JSON.parse((await readText(file)) ?? "");
    if (isAgain || /\.[cm]?ts$/.test(file)) {
      const jiti = createLoader(!isAgain);
      if (/\.[cm]?ts$/.test(file)) return await unwrapDefault(await jiti.import(file));
      // It would leave JavaScript to Node, which never loads a module again.
      const options = { filename: file, async: true, forceTranspile: true } as const;
      return await unwrapDefault(await jiti.evalModule((await readText(file)) ?? "", options));
    }
    return await unwrapDefault(await import(pathToFileURL(file).href));
  } catch (cause) {
    throw unloadable(file, cause, "");
  }
}

function readConfigNow(file: string): unknown {
  requireFile(file);
  try {
    const text = readFileSync(file, "utf8");
    if (extname(file) === ".json") return JSON.parse(text.replace(/^\uFEFF/, ""));
    const value = unwrapDefault(
      createLoader(true).evalModule(text, { filename: file, forceTranspile: true }),
    );
    if (value instanceof Promise) throw new Error("it exports a promise.");
    return value;
  } catch (cause) {
    throw unloadable(
      file,
      cause,
      " Here it is loaded without waiting, so that it cannot `await` at its top level.",
    );
  }
}

/** Only TypeScript pays for the loader; imported, its CommonJS would first be searched for export names. */
function createLoader(moduleCache: boolean) {
  const { createJiti } = createRequire(import.meta.url)("jiti") as typeof import("jiti");
  return createJiti(import.meta.url, { alias: { lockflow: ownEntry() }, moduleCache });
}

function unloadable(file: string, cause: unknown, note: string): LockflowError {
  if (cause instanceof LockflowError) return cause;
  const reason = cause instanceof Error ? cause.message.split("\n")[0] : String(cause);
  return new ConfigError({
    code: "CONFIG_UNREADABLE",
    sentence: `${basename(file)} could not be loaded: ${reason}`,
    hint: `the file has to be valid and to export its configuration as default.${note}`,
    cause,
  });
}

/** What a module exports. Whoever forgets the word would otherwise get every default instead of what the file says. */
function unwrapDefault(module: unknown): unknown {
  if (typeof module !== "object" || module === null) return module;
  if ("default" in module) return module.default;
  if (Object.keys(module).length === 0) throw new Error("it exports nothing.");
  return module;
}

/** `import { defineConfig } from "lockflow"` has to work in a clone and in a global install alike. */
function ownEntry(): string {
  const entry =
    BUILD_ID === null ? new URL("./config.ts", import.meta.url).href : import.meta.resolve("lockflow");
  return fileURLToPath(entry);
}
