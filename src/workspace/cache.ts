import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { hash, shortHash } from "../base/hash.ts";
import { BUILD_ID } from "../base/own-package.ts";
import { isObject } from "../base/parse-json.ts";
import { readText } from "../base/read-files.ts";
import { writeFiles } from "../base/write-files.ts";

/** What the cache of a project keeps: what was generated, and what was found of operations. */
type CacheName = "generation" | "operations";

/**
 * Reads what an earlier run of the same build left for a project; null where there is nothing. It is never in the
 * repository, so that committed files cannot vouch for themselves; and never in a source checkout, where the code itself
 * may have changed.
 */
export async function readProjectCache(
  root: string,
  name: CacheName,
): Promise<Readonly<Record<string, unknown>> | null> {
  const folder = cacheFolder(root);
  if (BUILD_ID === null || folder === null) return null;
  try {
    const cache: unknown = JSON.parse((await readText(join(folder, fileOf(root, name)))) ?? "null");
    return isObject(cache) && cache["build"] === BUILD_ID ? cache : null;
  } catch {
    // An unreadable cache counts as missing.
    return null;
  }
}

/** Leaves something for the next run, if the project has a place for caches. */
export async function writeProjectCache(root: string, name: CacheName, content: object): Promise<void> {
  const folder = cacheFolder(root);
  if (BUILD_ID === null || folder === null) return;
  try {
    const text = JSON.stringify({ build: BUILD_ID, ...content });
    await writeFiles(folder, [{ path: fileOf(root, name), content: text }]);
  } catch {
    // A read-only checkout works, only slower.
  }
}

/** Whether something can be left for the next run of a project. */
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

function fileOf(root: string, name: CacheName): string {
  return `${name}-${shortHash(hash(root))}.json`;
}
