import { existsSync } from "node:fs";
import { join } from "node:path";
import type { OutputFile } from "../files/output-file.ts";
import { readText } from "../files/read-tree.ts";
import { writeFiles } from "../files/write-files.ts";
import { hash } from "../utils/hash.ts";
import { BUILD_ID } from "../version.ts";

/** What a finished generation leaves behind: which inputs gave which bytes. */
export type CachedGeneration = {
  readonly digest: string;
  /** SHA-256 by path, relative to the output folder. */
  readonly files: Readonly<Record<string, string>>;
};

/**
 * Reads what the last generation of a project left. It lives where npm keeps caches, never in the repository:
 * a fresh clone has none, so that committed files cannot vouch for themselves. A source checkout has none
 * either, because there the generator itself may have changed.
 */
export async function readGenerationCache(root: string): Promise<CachedGeneration | null> {
  if (BUILD_ID === null) return null;
  try {
    const text = await readText(join(root, CACHE_FOLDER, CACHE_FILE));
    if (text === null) return null;
    const cache = JSON.parse(text) as Partial<CachedGeneration & { readonly build: string }>;
    const isWhole =
      typeof cache.digest === "string" && typeof cache.files === "object" && cache.files !== null;
    return isWhole && cache.build === BUILD_ID ? (cache as CachedGeneration) : null;
  } catch {
    // A cache that cannot be read is no cache.
    return null;
  }
}

/** Leaves a finished generation for the next run, if the project has a place for caches. */
export async function writeGenerationCache(
  root: string,
  digest: string,
  files: readonly OutputFile[],
): Promise<void> {
  if (BUILD_ID === null || !existsSync(join(root, "node_modules"))) return;
  const cache: CachedGeneration & { readonly build: string } = {
    build: BUILD_ID,
    digest,
    files: Object.fromEntries(files.map((file) => [file.path, hash(file.content)])),
  };
  try {
    await writeFiles(join(root, CACHE_FOLDER), [{ path: CACHE_FILE, content: JSON.stringify(cache) }]);
  } catch {
    // A read-only checkout works, only slower.
  }
}

const CACHE_FOLDER = "node_modules/.cache/lockflow";
const CACHE_FILE = "generation.json";
