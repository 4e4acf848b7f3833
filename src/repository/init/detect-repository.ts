import { basename, dirname, join, relative, resolve } from "node:path";
import { UsageError } from "../../base/errors/usage-error.ts";
import { detectClient } from "./detect-client.ts";
import { detectPackageManager, type Level } from "./detect-package-manager.ts";
import { detectTypeScript } from "./detect-typescript.ts";
import { type Package, parsePackage } from "./parse-package.ts";
import type { Forge, Repository } from "./repository.ts";
import { readNames, readWholeText } from "./survey-disk.ts";

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
