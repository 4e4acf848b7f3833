import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { OutputFile } from "../base/disk/output-file.ts";
import { readGeneratedText, readText } from "../base/disk/read-tree.ts";
import { writeFiles } from "../base/disk/write-files.ts";
import { hash, shortHash } from "../base/hash.ts";
import { isObject } from "../base/is-object.ts";
import { BUILD_ID } from "../base/version.ts";
import { readSchemaFiles } from "../snapshots/read-snapshots.ts";
import type { GenerationInputs } from "./generation-inputs.ts";
import { findOrphans, type ProjectFolders } from "./write-generation.ts";

/** What a finished generation leaves behind: which inputs gave which bytes. */
export type CachedGeneration = {
  readonly digest: string;
  /** SHA-256 by path, relative to the output folder. */
  readonly files: Readonly<Record<string, string>>;
  /** What was accepted when all of it was checked, as a hash; absent when it was only generated. */
  readonly baseline?: string;
  /** Whether some of the operations do not do what they seem to say; absent when none is known. */
  readonly hasPitfalls?: true;
};

/**
 * Reads what the last generation of a project left. It is never in the repository, so that committed files cannot vouch
 * for themselves; and never in a source checkout, where the generator itself may have changed.
 */
export async function readGenerationCache(root: string): Promise<CachedGeneration | null> {
  const folder = cacheFolder(root);
  if (BUILD_ID === null || folder === null) return null;
  try {
    const text = await readText(join(folder, cacheFile(root)));
    if (text === null) return null;
    const { build, ...cache } = JSON.parse(text) as Partial<CachedGeneration> & { readonly build?: string };
    const isWhole = typeof cache.digest === "string" && isObject(cache.files);
    return isWhole && build === BUILD_ID ? (cache as CachedGeneration) : null;
  } catch {
    // A cache that cannot be read is no cache.
    return null;
  }
}

/**
 * Leaves a finished generation for the next run, if the project has a place for caches.
 *
 * @param checked hashes by path that an earlier run vouches for; a file that has changed since has another.
 * @param told what is known beside: what was accepted when the snapshots were checked as well, and whether a check has
 * something to tell of the operations.
 */
export async function writeGenerationCache(
  root: string,
  digest: string,
  files: readonly OutputFile[],
  checked: Readonly<Record<string, string>>,
  told: Pick<CachedGeneration, "baseline" | "hasPitfalls">,
): Promise<void> {
  const folder = cacheFolder(root);
  if (BUILD_ID === null || folder === null) return;
  const cache: CachedGeneration & { readonly build: string } = {
    build: BUILD_ID,
    digest,
    files: { ...checked, ...Object.fromEntries(files.map((file) => [file.path, hash(file.content)])) },
    ...told,
  };
  try {
    await writeFiles(folder, [{ path: cacheFile(root), content: JSON.stringify(cache) }]);
  } catch {
    // A read-only checkout works, only slower.
  }
}

/** Whether a generation of a project can be left for the next run. */
export function hasCache(root: string): boolean {
  return BUILD_ID !== null && cacheFolder(root) !== null;
}

/** Where the cache of a project is, or would be; null without any `node_modules`, which may be a workspace's. */
export function cacheFolder(root: string): string | null {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "node_modules"))) return join(folder, "node_modules", ".cache", "lockflow");
    if (folder === dirname(folder)) return null;
  }
}

function cacheFile(root: string): string {
  return `generation-${shortHash(hash(root))}.json`;
}

/** Whether an earlier generation from these very inputs is on disk, byte for byte and with nothing beside it. */
export async function isCurrent(
  project: ProjectFolders,
  inputs: GenerationInputs,
  cache: CachedGeneration | null,
): Promise<boolean> {
  if (cache === null || cache.digest !== inputs.digest || inputs.findings.length > 0) return false;
  const paths = Object.keys(cache.files);
  const same = await Promise.all(
    paths.map(async (path) => {
      const text = await readGeneratedText(join(project.root, project.output, path));
      return text !== null && hash(text) === cache.files[path];
    }),
  );
  return same.every(Boolean) && (await findOrphans(project, paths)).length === 0;
}

/** Whether the snapshots on disk were checked as well, all of them and as they are. */
export async function isChecked(
  project: ProjectFolders,
  inputs: GenerationInputs,
  cache: CachedGeneration | null,
): Promise<boolean> {
  if (cache === null || !(await isCurrent(project, inputs, cache))) return false;
  const files = await readSchemaFiles(join(project.root, project.output));
  return files.every(({ path, content }) => cache.files[path] === hash(content));
}
