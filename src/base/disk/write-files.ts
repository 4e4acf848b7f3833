import { lstat, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DISK } from "./disk.ts";
import type { OutputFile } from "./output-file.ts";
import { replaceFiles, type WriteSummary } from "./replace-files.ts";
import { TEMPORARY, UNFINISHED_FOLDER } from "./unfinished-run.ts";

export type { WriteSummary } from "./replace-files.ts";

/**
 * The one place that writes. All files change together or none does: each changed one is first written beside its target,
 * and once all are on disk they are renamed in one go, which the next run finishes if this one is killed. Runs at once end
 * as if one came after the other. A file whose bytes would not change is not touched. Folders that removals leave empty go
 * with them.
 *
 * @param root absolute path of the folder that files and removals are named from.
 */
export async function writeFiles(
  root: string,
  files: readonly OutputFile[],
  removals: readonly string[] = [],
): Promise<WriteSummary> {
  const summary = await replaceFiles(root, files, removals, DISK);
  removeEmptied(root, removals);
  await removeLeftovers(root, files);
  return summary;
}

/** Removes the folders in which nothing is left after removals, up to the root; nobody's file is touched. */
function removeEmptied(root: string, removals: readonly string[]): void {
  for (const path of removals) {
    try {
      for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
        DISK.removeFolder(join(root, folder));
      }
    } catch {
      // It holds something else, or is gone.
    }
  }
}

/** Milliseconds after which a file under way belongs to no run any more. */
const ABANDONED_AFTER = 60_000;

/** Tidies up after runs that were killed before they replaced anything; nothing that fails here is worth failing for. */
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
