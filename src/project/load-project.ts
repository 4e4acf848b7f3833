import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { listSome } from "../base/clean-text.ts";
import { ConfigError, LockflowError, UsageError } from "../base/errors.ts";
import { BUILD_ID } from "../base/own-package.ts";
import { isMissing, readText, requireFile } from "../base/read-files.ts";
import { nearestName } from "../base/text.ts";
import { STYLE_NAMES, type StyleName } from "../dialects/surface.ts";
import { type Chain, findChain } from "./chain.ts";
import type { Config } from "./config.ts";
import type { Deployment } from "./deployment.ts";
import { parseConfig } from "./parse-config.ts";
import { type Project, requireOwnFolder, resolveProject } from "./project.ts";

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

/**
 * Loads a configuration again, with everything it imports.
 *
 * @param onIdFile receives the absolute path of each file of ids before it is read.
 */
export async function reloadProject(file: string, onIdFile: (file: string) => void): Promise<Project> {
  return checkedProject(parseConfig(await readConfig(file, true), basename(file)), dirname(file), onIdFile);
}

/** Resolves a configuration whose files and folders are on the disk. */
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

/** Which project is meant, what of it the run is about, and what of its configuration is overridden. */
export type ProjectOptions = Selection & {
  /** A folder: the project is that of its configuration, or of the nearest one above it. */
  readonly cwd: string;
  /** The configuration file, from `cwd`. @default the one that is found */
  readonly config?: string | undefined;
  /** Deployments asked at the same time, from 1 to 64. @default as configured */
  readonly concurrency?: number | undefined;
  /** Milliseconds a request may take, at most 600000. @default as configured */
  readonly timeout?: number | undefined;
};

/** Where the files are that a result names. */
export type ProjectPlace = {
  /** Absolute path of the project's folder. */
  readonly root: string;
  /** The folder of everything generated, from `root`. */
  readonly output: string;
};

/** Opens a project. Reads only its configuration. */
export async function openProject(options: ProjectOptions): Promise<Project> {
  const { cwd, config, concurrency, timeout } = options;
  const project = await loadProject(cwd, config);
  return {
    ...project,
    selected: selectDeployments(project, options),
    concurrency: wholeNumber("concurrency", concurrency, 64) ?? project.concurrency,
    timeout: wholeNumber("timeout", timeout, 600_000) ?? project.timeout,
  };
}

function wholeNumber(name: string, value: number | undefined, most: number): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= most)) return value;
  throw new UsageError({ sentence: `"${name}" is a whole number from 1 to ${most}, not ${value}.` });
}

/** Requires that the output folder, there or not yet, lies in the project: a link leads out of it as `..` does. */
export function requireOutputInside({ root, output }: Pick<Project, "root" | "output">): void {
  const way = relative(realPathOf(root), realPathOf(join(root, output))).replaceAll(sep, "/");
  if (way === "" || way === ".." || way.startsWith("../") || /^[A-Za-z]:/.test(way)) {
    throw new ConfigError({
      code: "CONFIG_INVALID_VALUE",
      sentence: `"output" must name a folder below the configuration's own, but a link leads from "${output}" out of it.`,
      hint: "name the folder that it leads to in a configuration there, or put a folder in the place of the link.",
    });
  }
  requireOwnFolder(way);
}

/** Where a path leads; for what is not there yet, where its nearest folder leads. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realPathOf(dirname(path)), path.slice(dirname(path).length));
  }
}

/** What one run is about, of all that a project reads. */
export type Selection = {
  /** @default every protocol */
  readonly protocols?: readonly string[] | undefined;
  /** @default every style */
  readonly styles?: readonly StyleName[] | undefined;
  /** Keys of chains, or other names they have; deployments that serve one of them are meant. @default every chain */
  readonly chains?: readonly (string | number)[] | undefined;
};

/**
 * The deployments of a project that a run is about.
 *
 * @throws UsageError for names that the project does not have, and where no deployment is left.
 */
export function selectDeployments(
  { protocols, chains, deployments }: Pick<Project, "protocols" | "chains" | "deployments">,
  selection: Selection,
): readonly Deployment[] {
  const wanted = {
    protocol: given(selection.protocols)?.map((name) => find("protocol", name, protocols)),
    style: given(selection.styles)?.map((name) => find("style", name, STYLE_NAMES)),
    chains: given(selection.chains)?.map(
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
    sentence: `The project has no deployment of ${listed.join(", ")}.`,
    hint:
      listed.length > 1
        ? "leave one of them out."
        : `its deployments are of ${listSome([...new Set(deployments.flatMap(({ chains: served }) => served))].sort(), 12)}.`,
  });
}

/** The active deployments of a project that a run is not about. */
export function leftOut({ deployments, selected }: Pick<Project, "deployments" | "selected">): Deployment[] {
  const names = new Set(selected.map(({ name }) => name));
  return deployments.filter(({ name, status }) => status !== "retired" && !names.has(name));
}

/** A flag that is not given is an empty list. */
function given<T>(names: readonly T[] | undefined): readonly T[] | undefined {
  return names?.length === 0 ? undefined : names;
}

function find<T extends string>(what: string, name: string, known: readonly T[]): T {
  const found = known.find((one) => one === name);
  if (found !== undefined) return found;
  const nearest = nearestName(name, known);
  throw new UsageError({
    sentence: `"${name}" is no ${what} of this project.`,
    hint: nearest ? `did you mean "${nearest}"?` : `known: ${known.join(", ")}.`,
  });
}

function keysOf(chains: readonly Chain[]): string[] {
  return chains.map(({ key }) => key);
}
