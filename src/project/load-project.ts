import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { listSome } from "../base/clean-text.ts";
import { ConfigError, LockflowError, UsageError } from "../base/errors.ts";
import { buildId } from "../base/own-package.ts";
import { isMissing, readText, requireFile } from "../base/read-files.ts";
import { nearestName } from "../base/text.ts";
import { STYLE_NAMES, type StyleName } from "../dialects/surface.ts";
import { type Chain, findChain } from "./chain.ts";
import type { Config } from "./config.ts";
import type { Deployment } from "./deployment.ts";
import { evaluatePlainConfig } from "./evaluate-plain-config.ts";
import { parseConfig } from "./parse-config.ts";
import { type Project, requireOwnFolder, resolveProject } from "./project.ts";

/** The file names of a configuration, in order of precedence. */
export const CONFIG_NAMES = [
  "lockflow.config.ts",
  "lockflow.config.js",
  "lockflow.config.mjs",
  "lockflow.config.json",
] as const;

/** Loads the project of the file that `findConfig` finds; without one, the folder is a project with all defaults. */
export async function loadProject(directory: string, path?: string): Promise<Project> {
  const file = findConfig(directory, path);
  if (file === null) return checkedProject({}, resolve(directory));
  return checkedProject(await loadConfig(file), dirname(file));
}

/** Loads a configuration file without resolving it. */
export async function loadConfig(file: string): Promise<Config> {
  return parseConfig(await readConfig(file, false), basename(file));
}

/** Loads the project of a folder synchronously. The configuration must not use `await` at its top level. */
export function loadProjectNow(directory: string): Project {
  const file = findConfig(directory, undefined);
  if (file === null) return checkedProject({}, resolve(directory));
  return checkedProject(parseConfig(readConfigNow(file), basename(file)), dirname(file));
}

/**
 * Loads a configuration again, with everything it imports.
 *
 * @param onIdFile receives the absolute path of each file of ids before it is read.
 */
export async function reloadProject(file: string, onIdFile: (file: string) => void): Promise<Project> {
  return checkedProject(parseConfig(await readConfig(file, true), basename(file)), dirname(file), onIdFile);
}

/** Resolves a configuration, and checks the files and folders that it names. */
export function checkedProject(config: Config, root: string, onIdFile?: (file: string) => void): Project {
  const project = resolveProject(config, root, (path, place) => {
    const file = resolve(root, path);
    onIdFile?.(file);
    return readIdFile(file, path, place);
  });
  requireOutputInside(project);
  return project;
}

/** A table of all deployments has some kilobytes. */
const MOST_ID_BYTES = 1024 * 1024;

function readIdFile(file: string, path: string, place: string): string {
  try {
    requireFile(file);
    const bytes = readFileSync(file);
    if (bytes.length <= MOST_ID_BYTES) return bytes.toString("utf8");
  } catch (cause) {
    const reason = isMissing(cause) ? "which does not exist" : "which cannot be read";
    throw new ConfigError({
      code: "CONFIG_INVALID_VALUE",
      sentence: `"${place}" names "${path}", ${reason}.`,
      hint: "name a CSV or JSON file by its path from the configuration file.",
      cause,
    });
  }
  throw new ConfigError({
    code: "CONFIG_INVALID_VALUE",
    sentence: `"${place}" names "${path}", which is larger than 1 MB.`,
    hint: "name a file that has only the ids.",
  });
}

/**
 * Finds the configuration file that `path` names, or the nearest one in a folder and those above it.
 *
 * @returns its absolute path; null if there is none.
 * @throws ConfigError if `path` is not a file.
 */
export function findConfig(directory: string, path: string | undefined): string | null {
  if (path !== undefined) {
    const file = resolve(directory, path);
    if (existsSync(file) && statSync(file).isFile()) return file;
    throw new ConfigError({
      code: "CONFIG_NOT_FOUND",
      sentence: `There is no configuration file "${path}".`,
      hint: `without --config, the current folder and those above it are searched for ${CONFIG_NAMES.join(", ")}.`,
    });
  }
  for (let folder = resolve(directory); ; folder = dirname(folder)) {
    const name = CONFIG_NAMES.find((candidate) => existsSync(join(folder, candidate)));
    if (name !== undefined) return join(folder, name);
    if (folder === dirname(folder)) return null;
  }
}

/** @param isAgain whether to bypass the module cache of Node. */
async function readConfig(file: string, isAgain: boolean): Promise<unknown> {
  requireFile(file);
  try {
    if (extname(file) === ".json") return JSON.parse((await readText(file)) ?? "");
    if (isAgain || /\.[cm]?ts$/.test(file)) {
      const text = (await readText(file)) ?? "";
      const plain = evaluatePlainConfig(text, file);
      if (plain !== null) return plain.value;
      const jiti = createLoader(!isAgain);
      if (/\.[cm]?ts$/.test(file)) return await unwrapDefault(await jiti.import(file));
      // `import` would leave JavaScript to Node, which never reloads a module.
      const options = { filename: file, async: true, forceTranspile: true } as const;
      return await unwrapDefault(await jiti.evalModule(text, options));
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
    const plain = evaluatePlainConfig(text.replaceAll("\r\n", "\n"), file);
    if (plain !== null) return plain.value;
    const value = unwrapDefault(
      createLoader(true).evalModule(text, { filename: file, forceTranspile: true }),
    );
    if (value instanceof Promise) throw new Error("it exports a promise.");
    return value;
  } catch (cause) {
    throw unloadable(
      file,
      cause,
      " It is loaded synchronously here, so it must not `await` at its top level.",
    );
  }
}

/** Loads jiti only if it is needed, and with `require`, because Node would scan imported CommonJS for export names. */
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
    hint: `the file must be valid and have the configuration as its default export.${note}`,
    cause,
  });
}

/** Returns the default export of a module. An empty module is an error, because `export default` was probably forgotten. */
function unwrapDefault(module: unknown): unknown {
  if (typeof module !== "object" || module === null) return module;
  if ("default" in module) return module.default;
  if (Object.keys(module).length === 0) throw new Error("it exports nothing.");
  return module;
}

/** Returns the module for `import { defineConfig } from "lockflow"`, which has to work in a clone and a global install too. */
function ownEntry(): string {
  const entry =
    buildId() === null ? new URL("./config.ts", import.meta.url).href : import.meta.resolve("lockflow");
  return fileURLToPath(entry);
}

/** Options that select a project and a part of it, and override values of its configuration. */
export type ProjectOptions = Selection & {
  /** The folder in which the search for a configuration starts. */
  readonly cwd: string;
  /** The configuration file, relative to `cwd`. @default the nearest one in `cwd` or above it */
  readonly config?: string | undefined;
  /** The number of deployments that are requested at the same time, from 1 to 64. @default as configured */
  readonly concurrency?: number | undefined;
  /** The timeout of a request in milliseconds, at most 600000. @default as configured */
  readonly timeout?: number | undefined;
};

/** The folders of the files that a result names. */
export type ProjectPlace = {
  /** Absolute path of the project's folder. */
  readonly root: string;
  /** The folder of all generated files, relative to `root`. */
  readonly output: string;
};

/** Opens a project. Reads only its configuration. */
export async function openProject(options: ProjectOptions): Promise<Project> {
  const { cwd, config, concurrency, timeout } = options;
  const project = await loadProject(cwd, config);
  return {
    ...project,
    selected: selectDeployments(project, options),
    concurrency: requireInteger("concurrency", concurrency, 64) ?? project.concurrency,
    timeout: requireInteger("timeout", timeout, 600_000) ?? project.timeout,
  };
}

function requireInteger(name: string, value: number | undefined, most: number): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= most)) return value;
  throw new UsageError({ sentence: `"${name}" must be an integer from 1 to ${most}; got ${value}.` });
}

/** Throws if the output folder is outside of the project because of a link. It need not exist yet. */
export function requireOutputInside({ root, output }: Pick<Project, "root" | "output">): void {
  const way = relative(realPathOf(root), realPathOf(join(root, output))).replaceAll(sep, "/");
  if (way === "" || way === ".." || way.startsWith("../") || /^[A-Za-z]:/.test(way)) {
    throw new ConfigError({
      code: "CONFIG_INVALID_VALUE",
      sentence: `"output" must be a folder below the folder of the configuration, but a link in "${output}" leads out of it.`,
      hint: "replace the link with a folder, or move the configuration to the target of the link.",
    });
  }
  requireOwnFolder(way);
}

/** Resolves the links in a path, as far as it exists. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realPathOf(dirname(path)), path.slice(dirname(path).length));
  }
}

/** The part of a project that a run is about. */
export type Selection = {
  /** @default every protocol */
  readonly protocols?: readonly string[] | undefined;
  /** @default every style */
  readonly styles?: readonly StyleName[] | undefined;
  /** Keys or other names of chains. Selects the deployments that serve one of them. @default every chain */
  readonly chains?: readonly (string | number)[] | undefined;
};

/**
 * Selects the deployments of a project that a run is about.
 *
 * @throws UsageError for an unknown name, and if no deployment is selected.
 */
export function selectDeployments(
  { protocols, chains, deployments }: Pick<Project, "protocols" | "chains" | "deployments">,
  selection: Selection,
): readonly Deployment[] {
  const wanted = {
    protocol: unlessEmpty(selection.protocols)?.map((name) => find("protocol", name, protocols)),
    style: unlessEmpty(selection.styles)?.map((name) => find("style", name, STYLE_NAMES)),
    chains: unlessEmpty(selection.chains)?.map(
      (name) => findChain(String(name), chains) ?? find("chain", String(name), keysOf(chains)),
    ),
  };
  if (Object.values(wanted).every((names) => names === undefined)) return deployments;
  const selected = deployments.filter(
    ({ protocol, style, chains: served }) =>
      (wanted.protocol?.includes(protocol) ?? true) &&
      (wanted.style?.includes(style) ?? true) &&
      (wanted.chains?.some((key) => served.includes(key)) ?? true),
  );
  if (selected.length > 0) return selected;
  const listed = Object.values(wanted).flatMap((names) => (names === undefined ? [] : [names.join(" or ")]));
  throw new UsageError({
    sentence: `No deployment of the project matches ${listed.join(", ")}.`,
    hint:
      listed.length > 1
        ? "remove one of these selections."
        : `its deployments are on ${listSome([...new Set(deployments.flatMap(({ chains: served }) => served))].sort(), 12)}.`,
  });
}

/** Returns the active deployments of a project that a run is not about. */
export function leftOut({ deployments, selected }: Pick<Project, "deployments" | "selected">): Deployment[] {
  const names = new Set(selected.map(({ name }) => name));
  return deployments.filter(({ name, status }) => status !== "retired" && !names.has(name));
}

/** Returns undefined for an empty list, which is the value of a missing flag. */
function unlessEmpty<T>(names: readonly T[] | undefined): readonly T[] | undefined {
  return names?.length === 0 ? undefined : names;
}

function find<T extends string>(what: string, name: string, names: readonly T[]): T {
  const match = names.find((candidate) => candidate === name);
  if (match !== undefined) return match;
  const nearest = nearestName(name, names);
  throw new UsageError({
    sentence: `"${name}" is not a ${what} of this project.`,
    hint: nearest ? `did you mean "${nearest}"?` : `known: ${names.join(", ")}.`,
  });
}

function keysOf(chains: readonly Chain[]): string[] {
  return chains.map(({ key }) => key);
}
