import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { hash, shortHash } from "../base/hash.ts";
import { buildId } from "../base/own-package.ts";
import { isObject } from "../base/parse-json.ts";
import { readText } from "../base/read-files.ts";

/** The caches of a project: the last generation, and the validity of operations. */
type CacheName = "generation" | "operations";

/**
 * Reads a cache of a project that an earlier run of the same build wrote; null if there is none. Caches are never in the
 * repository, because committed files cannot prove that they are current. A source checkout of Lockflow has no cache,
 * because its code may have changed.
 */
export async function readProjectCache(
  root: string,
  name: CacheName,
): Promise<Readonly<Record<string, unknown>> | null> {
  const folder = cacheFolder(root);
  if (buildId() === null || folder === null) return null;
  try {
    const cache: unknown = JSON.parse((await readText(join(folder, fileOf(root, name)))) ?? "null");
    return isObject(cache) && cache["build"] === buildId() ? cache : null;
  } catch {
    // An unreadable cache counts as missing.
    return null;
  }
}

/** Writes a cache for the next run, if the project has a cache folder. */
export async function writeProjectCache(root: string, name: CacheName, content: object): Promise<void> {
  const folder = cacheFolder(root);
  if (buildId() === null || folder === null) return;
  try {
    const { writeFiles } = await import("../base/write-files.ts");
    const text = JSON.stringify({ build: buildId(), ...content });
    await writeFiles(folder, [{ path: fileOf(root, name), content: text }]);
  } catch {
    // A read-only checkout works, only slower.
  }
}

/** Returns whether caches can be written for a project. */
export function hasCache(root: string): boolean {
  return buildId() !== null && cacheFolder(root) !== null;
}

/** Returns the cache folder of a project, which may not exist yet; null without a `node_modules` here or above. */
export function cacheFolder(root: string): string | null {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "node_modules"))) return join(folder, "node_modules", ".cache", "lockflow");
    if (folder === dirname(folder)) return null;
  }
}

function fileOf(root: string, name: CacheName): string {
  return `${name}-${shortHash(hash(root))}.json`;
}
