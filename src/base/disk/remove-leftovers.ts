import { lstat, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { OutputFile } from "./output-file.ts";
import { TEMPORARY, UNFINISHED_FOLDER } from "./unfinished-run.ts";

/** Milliseconds after which a file under way belongs to no run any more. */
const ABANDONED_AFTER = 60_000;

/**
 * Removes what runs left that were killed before they replaced anything. It only tidies up: the files are written by
 * then, so nothing that fails here is worth failing for.
 */
export async function removeLeftovers(root: string, files: readonly OutputFile[]): Promise<void> {
  const folders = new Set([root, ...files.map(({ path }) => dirname(join(root, path)))]);
  for (const folder of folders) {
    try {
      for (const name of await readdir(folder)) await removeLeftover(join(folder, name), name);
    } catch {
      // Another run is tidying up as well, or the folder lets nobody.
    }
  }
}

async function removeLeftover(path: string, name: string): Promise<void> {
  const isFolder = name.startsWith(`${UNFINISHED_FOLDER}.`);
  if (!isFolder && !name.endsWith(TEMPORARY)) return;
  const stats = await lstat(path);
  if (stats.isDirectory() !== isFolder || Date.now() - stats.mtimeMs <= ABANDONED_AFTER) return;
  await rm(path, { force: true, recursive: isFolder });
}
