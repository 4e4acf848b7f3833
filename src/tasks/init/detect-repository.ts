import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { LockflowError, UsageError } from "../../base/errors.ts";
import { isObject, parseJson } from "../../base/parse-json.ts";
import { requireFile } from "../../base/read-files.ts";
import { isMissing, unreadable } from "../../base/survey-folder.ts";
import {
  detectPackageManager,
  type Level,
  PACKAGE_MANAGERS,
  type PackageManager,
} from "../../workspace/package-manager.ts";

/** Looks at a package and the repository it is in. Nothing is run and nobody is asked. */
export async function detectRepository(
  directory: string,
  userAgent: string | undefined,
): Promise<Repository> {
  const folder = resolve(directory);
  const text = await readWholeText(join(folder, "package.json"));
  if (text === null) {
    throw new UsageError({
      sentence: `There is no package.json in ${folder}.`,
      hint: "run `lockflow init` in the folder of a package; `npm init -y` makes this one a package.",
    });
  }
  const own = parsePackage(text);
  const ancestors = await readAncestors(folder, own);
  const gitRoot = ancestors.find(({ names }) => names.has(".git"));
  const workspace = ancestors.findIndex(({ isWorkspaceRoot }) => isWorkspaceRoot);
  const within = gitRoot ? ancestors : ancestors.slice(0, Math.max(workspace, 0) + 1);
  const names = ancestors[0]?.names ?? new Set();
  const root = gitRoot?.folder ?? folder;
  const { packageManager, lockFile } = detectPackageManager(within, userAgent);
  const dependencies = new Set(within.flatMap((ancestor) => [...ancestor.dependencies]));
  return {
    folder,
    root,
    path: fromRoot(root, folder),
    package: own,
    dependencies,
    packageManager,
    lockFile: lockFile && fromRoot(root, join(within[lockFile.level]?.folder ?? folder, lockFile.name)),
    isPinned: within.some(({ packageManagerField }) => packageManagerField !== null),
    typescript: await detectTypeScript(folder, own.dependencies, dependencies),
    hasSourceFolder: names.has("src"),
    client: detectClient(own.dependencies),
    forge: gitRoot ? await detectForge(gitRoot) : "unknown",
    graphqlConfig: await readGraphqlConfig(folder, names, own),
    envExample: await readWholeText(join(folder, ".env.example")),
  };
}

/** Finds the package manager of a folder: npm if the folder is not a package, or a broken one. */
export async function findPackageManager(
  folder: string,
  userAgent: string | undefined,
): Promise<PackageManager> {
  try {
    return (await detectRepository(folder, userAgent)).packageManager;
  } catch (error) {
    if (error instanceof LockflowError) return PACKAGE_MANAGERS.npm;
    throw error;
  }
}

type Ancestor = Level & {
  readonly folder: string;
  readonly isWorkspaceRoot: boolean;
  readonly dependencies: ReadonlySet<string>;
};

/** The names under which GraphQL plugins look for a configuration. */
const GRAPHQL_CONFIG = /^(\.graphqlrc|graphql\.config|\.graphqlconfig)(\.[a-z]+)?$/;

/** The package's folder and all above it, as far as the repository's root or the disk's. */
async function readAncestors(start: string, own: Package): Promise<Ancestor[]> {
  const ancestors: Ancestor[] = [];
  for (let folder = start; ; folder = dirname(folder)) {
    const names = await readNames(folder);
    const found = folder === start ? own : await readPackageAbove(folder, names);
    ancestors.push({
      folder,
      names,
      packageManagerField: found?.packageManager ?? null,
      isWorkspaceRoot: names.has("pnpm-workspace.yaml") || found?.hasWorkspaces === true,
      dependencies: found?.dependencies ?? new Set(),
    });
    if (names.has(".git") || folder === dirname(folder)) return ancestors;
  }
}

/** A package.json above that is broken is not what the user works on: it is ignored, and is no error. */
async function readPackageAbove(folder: string, names: ReadonlySet<string>): Promise<Package | null> {
  if (!names.has("package.json")) return null;
  try {
    return parsePackage((await readWholeText(join(folder, "package.json"))) ?? "");
  } catch {
    return null;
  }
}

async function readGraphqlConfig(folder: string, names: ReadonlySet<string>, own: Package) {
  const name = [...names].sort().find((candidate) => GRAPHQL_CONFIG.test(candidate));
  if (name !== undefined) return { name, text: (await readWholeText(join(folder, name))) ?? "" };
  return own.hasGraphqlConfig ? { name: "package.json", text: own.text } : null;
}

async function detectForge({ folder, names }: Ancestor): Promise<Forge> {
  if (names.has(".github")) return "github";
  if (names.has(".gitlab-ci.yml")) return "gitlab";
  // In a worktree `.git` is a file, and what it leads to is not looked into.
  const config = await readWholeText(join(folder, ".git", "config"));
  if (/^\s*url\s*=.*\bgithub\.com[/:]/m.test(config ?? "")) return "github";
  return /^\s*url\s*=.*\bgitlab\b/m.test(config ?? "") ? "gitlab" : "unknown";
}

/** A path from the root with `/`, on every system. */
function fromRoot(root: string, path: string): string {
  return relative(root, path).replaceAll("\\", "/");
}

/** What to call the package: by its name, else by its folder's. */
export function nameOf({ folder, package: { name } }: Repository): string {
  return name ?? basename(folder);
}

/** What there is to see of the repository that Lockflow comes into. */
export type Repository = {
  /** Absolute path of the package's folder. */
  readonly folder: string;
  /** Absolute path of the folder that holds `.git`; the package's own where there is none. */
  readonly root: string;
  /** The package's folder from `root`, with `/`; empty when they are one. */
  readonly path: string;
  readonly package: Package;
  /** What the package and those above it in the repository depend on. */
  readonly dependencies: ReadonlySet<string>;
  readonly packageManager: PackageManager;
  /** The lock file from `root`, with `/`. */
  readonly lockFile: string | null;
  /** Whether package.json says which release of the package manager is meant. */
  readonly isPinned: boolean;
  readonly typescript: TypeScriptUse | null;
  readonly hasSourceFolder: boolean;
  readonly client: Client;
  readonly forge: Forge;
  /** A configuration for GraphQL plugins that is there already, with its text. */
  readonly graphqlConfig: { readonly name: string; readonly text: string } | null;
  readonly envExample: string | null;
};

/** Where a bundler resolves imports, they have no extension: not every one takes `.js` for `.ts`. */
export type TypeScriptUse = { readonly isBundled: boolean };

/** Where the repository is kept, and with it what runs its CI. */
export type Forge = "github" | "gitlab" | "unknown";

/** What is read of a package.json. */
export type Package = {
  /** Line ends, indentation and a byte order mark included. */
  readonly text: string;
  readonly name: string | null;
  readonly isCommonJs: boolean;
  /** Whether it says so, or the opposite. */
  readonly hasType: boolean;
  readonly scripts: Readonly<Record<string, string>>;
  /** Of every kind. */
  readonly dependencies: ReadonlySet<string>;
  readonly packageManager: string | null;
  readonly hasWorkspaces: boolean;
  /** Whether it holds a configuration for editors, under `graphql`. */
  readonly hasGraphqlConfig: boolean;
};

/** Parses a package.json. */
export function parsePackage(text: string): Package {
  const value = parsePackageText(text);
  if (!isObject(value)) {
    throw new UsageError({
      sentence: "package.json is not a package: it holds no object.",
      hint: "correct it, or move it away and run `npm init -y`. Nothing was written.",
    });
  }
  const scripts = value["scripts"] ?? {};
  if (!isObject(scripts))
    throw new UsageError({ sentence: '"scripts" of package.json is no object.', hint: HINT });
  return {
    text,
    name: textOf(value["name"]),
    isCommonJs: value["type"] !== "module",
    hasType: value["type"] !== undefined,
    scripts: Object.fromEntries(Object.entries(scripts).map(([name, script]) => [name, String(script)])),
    dependencies: new Set(
      DEPENDENCIES.flatMap((key) => (isObject(value[key]) ? Object.keys(value[key]) : [])),
    ),
    packageManager: textOf(value["packageManager"]),
    hasWorkspaces: value["workspaces"] !== undefined,
    hasGraphqlConfig: value["graphql"] !== undefined,
  };
}

const DEPENDENCIES = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

const HINT = "correct it and run the command again. Nothing was written.";

function parsePackageText(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    const reason = (cause as Error).message.split("\n")[0];
    throw new UsageError({ sentence: `package.json is not valid JSON: ${reason}`, hint: HINT });
  }
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** What bundles by rules of its own, without a look at TypeScript's: it finds no `.ts` where `.js` is written. */
const BUNDLING_FRAMEWORKS = ["next", "react-scripts", "gatsby", "webpack", "expo", "react-native"];

/** Tells how imports of a package in TypeScript are to be written, null of another; `own` are its own dependencies. */
export async function detectTypeScript(
  folder: string,
  own: ReadonlySet<string>,
  dependencies: ReadonlySet<string>,
): Promise<TypeScriptUse | null> {
  const file = join(folder, "tsconfig.json");
  const isThere = (await readWholeText(file)) !== null;
  // The compiler may only check the JavaScript, which is what a jsconfig.json is for.
  const isJavaScript = (await readWholeText(join(folder, "jsconfig.json"))) !== null;
  if (!isThere && (isJavaScript || !dependencies.has("typescript"))) return null;
  const { module = "", moduleResolution = "" } = await readOptions(file, []);
  if (/^node(16|18|20|next)$/.test(moduleResolution || module)) return { isBundled: false };
  const isBundled = moduleResolution === "bundler" || (moduleResolution === "" && module === "preserve");
  return { isBundled: isBundled || BUNDLING_FRAMEWORKS.some((name) => own.has(name)) };
}

/** The options that decide on modules, in lower case. */
type Options = { readonly module?: string; readonly moduleResolution?: string };

/** Reads them as the compiler does: what a file does not say is said by those that it extends, the last one first. */
async function readOptions(file: string, readers: readonly string[]): Promise<Options> {
  const value = parseJsonWithComments((await readWholeText(file).catch(() => null)) ?? "");
  if (readers.includes(file) || !isObject(value)) return {};
  const options = isObject(value["compilerOptions"]) ? value["compilerOptions"] : {};
  let found: Options = {};
  for (const base of [value["extends"]].flat()) {
    const path = typeof base === "string" ? await findBase(base, dirname(file)) : null;
    if (path !== null) found = { ...found, ...(await readOptions(path, [...readers, file])) };
  }
  for (const name of ["module", "moduleResolution"] as const) {
    const option = options[name];
    if (typeof option === "string") found = { ...found, [name]: option.toLowerCase() };
  }
  return found;
}

/** The file that `extends` names: a path, or a part of a package; null where there is none. */
async function findBase(name: string, folder: string): Promise<string | null> {
  const isPath = /^\.{0,2}\//.test(name);
  for (let above = folder; ; above = dirname(above)) {
    const path = isPath ? resolve(folder, name) : join(above, "node_modules", name);
    for (const candidate of [path, `${path}.json`, join(path, "tsconfig.json")]) {
      if ((await readWholeText(candidate).catch(() => null)) !== null) return candidate;
    }
    if (isPath || above === dirname(above)) return null;
  }
}

/** A broken file says nothing, as far as looking at it goes. */
function parseJsonWithComments(text: string): unknown {
  const plain = text
    .replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string?: string) => string ?? " ")
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, string?: string) => string ?? "");
  return parseJson(plain);
}

/** The library of a package that sends operations, or has those that `fetch` sends in its care. */
export type Client = {
  /** As package.json calls it; `fetch` where there is none. */
  readonly name: string;
  /** What an operation is handed to. */
  readonly sends: "graphql-request" | "apollo" | "urql" | "fetch";
};

const CLIENTS: readonly (readonly [pattern: RegExp, sends: Client["sends"]])[] = [
  [/^graphql-request$/, "graphql-request"],
  [/^@apollo\/client$/, "apollo"],
  [/^(urql|@urql\/core)$/, "urql"],
  [/^@tanstack\/[a-z]+-query$/, "fetch"],
  [/^swr$/, "fetch"],
];

/** Detects the client library of a package by its dependencies. */
export function detectClient(dependencies: ReadonlySet<string>): Client {
  for (const [pattern, sends] of CLIENTS) {
    const name = [...dependencies].find((dependency) => pattern.test(dependency));
    if (name !== undefined) return { name, sends };
  }
  return { name: "fetch", sends: "fetch" };
}

/** The names of what is in a folder; none where there is no such folder, or it lets nobody look. */
export async function readNames(folder: string): Promise<ReadonlySet<string>> {
  try {
    return new Set(await readdir(folder));
  } catch {
    return new Set();
  }
}

/** The text of a file as it is, line ends and byte order mark included; null when there is none. */
export async function readWholeText(path: string): Promise<string | null> {
  requireFile(path);
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw unreadable(path, cause, "check that it is a file, and readable for you. Nothing was written.");
  }
}

/** What is at a place that is to be written to: `outside` where a link on the way to it leads out of the root. */
export type Place = "free" | "taken" | "link" | "outside";

/** Tells what is at a path below `root`. */
export async function surveyPlace(root: string, path: string): Promise<Place> {
  const target = join(root, path);
  const entry = await lstat(target).catch(() => null);
  const folder = await realFolder(dirname(target));
  const way = relative(await realpath(root), folder);
  if (way === ".." || way.startsWith(`..${sep}`)) return "outside";
  if (entry === null) return "free";
  return entry.isSymbolicLink() ? "link" : "taken";
}

/** Where the nearest folder that is there really is. */
async function realFolder(folder: string): Promise<string> {
  const real = await realpath(folder).catch(() => null);
  if (real !== null || folder === dirname(folder)) return real ?? folder;
  return realFolder(dirname(folder));
}
