import { dirname, join, relative, resolve } from "node:path";
import { orNull, UsageError } from "../../base/errors.ts";
import { isObject } from "../../base/parse-json.ts";
import {
  detectPackageManager,
  type Level,
  PACKAGE_MANAGERS,
  type PackageManager,
} from "../../workspace/package-manager.ts";
import { detectTypeScript, hasBundler, type TypeScriptUse } from "./detect-typescript.ts";
import { readNames, readWholeText } from "./survey-disk.ts";

/** Detects the facts about a package and its repository from its files. */
export async function detectRepository(
  directory: string,
  userAgent: string | undefined,
): Promise<Repository> {
  const folder = resolve(directory);
  const text = await readWholeText(join(folder, "package.json"));
  if (text === null) {
    throw new UsageError({
      sentence: `There is no package.json in ${folder}.`,
      hint: "run `lockflow init` in the folder of a package; `npm init -y` creates one.",
    });
  }
  const manifest = parsePackage(text);
  const ancestors = await readAncestors(folder, manifest);
  const gitRoot = ancestors.find(({ names }) => names.has(".git"));
  const workspace = ancestors.findIndex(({ isWorkspaceRoot }) => isWorkspaceRoot);
  const within = gitRoot ? ancestors : ancestors.slice(0, Math.max(workspace, 0) + 1);
  const names = ancestors[0]?.names ?? new Set();
  const root = gitRoot?.folder ?? folder;
  const { packageManager, lockFile } = detectPackageManager(within, userAgent);
  const dependencies = new Set(within.flatMap((ancestor) => [...ancestor.dependencies]));
  const typescript = await detectTypeScript(folder, manifest, dependencies);
  return {
    folder,
    root,
    path: fromRoot(root, folder),
    package: manifest,
    dependencies,
    packageManager,
    lockFile: lockFile && fromRoot(root, join(within[lockFile.level]?.folder ?? folder, lockFile.name)),
    isPinned: within.some(({ packageManagerField }) => packageManagerField !== null),
    typescript,
    modules: detectModules(manifest, typescript),
    hasSourceFolder: names.has("src"),
    client: detectClient(manifest.dependencies),
    isOnGithub: gitRoot !== undefined && (await isOnGithub(gitRoot)),
    graphqlConfig: await readGraphqlConfig(folder, names, manifest),
    envExample: await readWholeText(join(folder, ".env.example")),
  };
}

/** Returns the package manager of a folder: npm without a valid package.json. */
export async function findPackageManager(
  folder: string,
  userAgent: string | undefined,
): Promise<PackageManager> {
  const repository = await orNull(() => detectRepository(folder, userAgent));
  return repository?.packageManager ?? PACKAGE_MANAGERS.npm;
}

/** Detects the module format of a package's own code. Bundlers take ES modules, whatever package.json says. */
function detectModules({ dependencies, type }: Package, typescript: TypeScriptUse | null): ModuleFormat {
  if (typescript?.isBundled || hasBundler(dependencies)) return "ES modules";
  if (type === null && typescript === null) return "unknown";
  return type === "module" ? "ES modules" : "CommonJS";
}

type Ancestor = Level & {
  readonly folder: string;
  readonly isWorkspaceRoot: boolean;
  readonly dependencies: ReadonlySet<string>;
};

/** The file names of configurations for GraphQL plugins. */
const GRAPHQL_CONFIG = /^(\.graphqlrc|graphql\.config|\.graphqlconfig)(\.[a-z]+)?$/;

/** Reads the package's folder and its parents, up to the root of the repository or the disk. */
async function readAncestors(start: string, manifest: Package): Promise<Ancestor[]> {
  const ancestors: Ancestor[] = [];
  for (let folder = start; ; folder = dirname(folder)) {
    const names = await readNames(folder);
    const ofFolder = folder === start ? manifest : await readPackageAbove(folder, names);
    ancestors.push({
      folder,
      names,
      packageManagerField: ofFolder?.packageManager ?? null,
      isWorkspaceRoot: names.has("pnpm-workspace.yaml") || ofFolder?.hasWorkspaces === true,
      dependencies: ofFolder?.dependencies ?? new Set(),
    });
    if (names.has(".git") || folder === dirname(folder)) return ancestors;
  }
}

/** Ignores a broken package.json above the folder: it belongs to another project. */
async function readPackageAbove(folder: string, names: ReadonlySet<string>): Promise<Package | null> {
  if (!names.has("package.json")) return null;
  try {
    return parsePackage((await readWholeText(join(folder, "package.json"))) ?? "");
  } catch {
    return null;
  }
}

async function readGraphqlConfig(folder: string, names: ReadonlySet<string>, manifest: Package) {
  const name = [...names].sort().find((candidate) => GRAPHQL_CONFIG.test(candidate));
  if (name !== undefined) return { name, text: (await readWholeText(join(folder, name))) ?? "" };
  return manifest.hasGraphqlConfig ? { name: "package.json", text: manifest.text } : null;
}

async function isOnGithub({ folder, names }: Ancestor): Promise<boolean> {
  if (names.has(".github")) return true;
  // In a worktree `.git` is a file, which is not followed.
  const config = await readWholeText(join(folder, ".git", "config"));
  return /\bgithub\.com[/:]/.test(config ?? "");
}

/** Returns a path from the root with `/`, on every system. */
function fromRoot(root: string, path: string): string {
  return relative(root, path).replaceAll("\\", "/");
}

/** The facts about a package and its repository. */
export type Repository = {
  /** Absolute path of the package's folder. */
  readonly folder: string;
  /** Absolute path of the folder with `.git`; the package's own if there is none. */
  readonly root: string;
  /** The package's folder from `root`, with `/`; empty if it is the root. */
  readonly path: string;
  readonly package: Package;
  /** The dependencies of the package and of the packages above it in the repository. */
  readonly dependencies: ReadonlySet<string>;
  readonly packageManager: PackageManager;
  /** The lock file from `root`, with `/`. */
  readonly lockFile: string | null;
  /** Whether package.json pins the version of the package manager. */
  readonly isPinned: boolean;
  readonly typescript: TypeScriptUse | null;
  readonly modules: ModuleFormat;
  readonly hasSourceFolder: boolean;
  readonly client: Client;
  /** Whether GitHub runs the CI of the repository. */
  readonly isOnGithub: boolean;
  /** The existing configuration for GraphQL plugins, with its text. */
  readonly graphqlConfig: { readonly name: string; readonly text: string } | null;
  readonly envExample: string | null;
};

/** The module format of code; unknown for JavaScript without a "type", where each file decides. */
type ModuleFormat = "ES modules" | "CommonJS" | "unknown";

/** The parsed package.json. */
export type Package = {
  /** The text of the file, including line ends and indentation. */
  readonly text: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly name: string | null;
  readonly type: "module" | "commonjs" | null;
  readonly scripts: Readonly<Record<string, string>>;
  /** Dependencies of every kind. */
  readonly dependencies: ReadonlySet<string>;
  readonly packageManager: string | null;
  readonly hasWorkspaces: boolean;
  /** Whether it contains a configuration for editors, under `graphql`. */
  readonly hasGraphqlConfig: boolean;
};

/** Parses a package.json. */
export function parsePackage(text: string): Package {
  const value = parsePackageText(text);
  if (!isObject(value)) {
    throw new UsageError({
      sentence: "package.json is not an object.",
      hint: "correct it, or move it away and run `npm init -y`. Nothing was written.",
    });
  }
  const type = value["type"];
  const scripts = value["scripts"] ?? {};
  if (!isObject(scripts))
    throw new UsageError({ sentence: '"scripts" in package.json is not an object.', hint: HINT });
  return {
    text,
    value,
    name: textOf(value["name"]),
    type: type === "module" || type === "commonjs" ? type : null,
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

/** The GraphQL client of a package, or the cache around its `fetch` calls. */
export type Client = {
  /** Its package; `fetch` if there is none. */
  readonly name: string;
  /** The function family that sends operations. */
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
