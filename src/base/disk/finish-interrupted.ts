import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { DISK } from "./disk.ts";
import { finishUnfinished } from "./finish-unfinished.ts";

/**
 * Finishes what an interrupted run had begun in these folders, and tells so. Whoever reads a project's files first
 * makes sure that they belong together.
 *
 * @param cwd the folder that those it tells of are named from.
 * @param notify takes a line for each run that was finished.
 * @throws FileError
 */
export async function finishInterrupted(
  folders: readonly string[],
  cwd: string,
  notify: (notice: string) => void,
): Promise<void> {
  for (const folder of folders) {
    const finished = await finishUnfinished(folder, DISK);
    if (finished === null) continue;
    const name = `${relative(cwd, folder).replaceAll(sep, "/") || "."}/`;
    const { isWhole, count } = finished;
    notify(
      isWhole
        ? `An earlier run was interrupted while it replaced files in ${name}: finished (${count === 1 ? "one file" : `${count} files`}).\n`
        : `An earlier run was interrupted while it replaced files in ${name}, and some have changed since: they were left as they are. \`lockflow check\` tells what does not fit.\n`,
    );
  }
}

/**
 * The folders in which a run may have been interrupted while it replaced files of a project: its output folder, and
 * those from its own up to the repository's root, where `init` writes.
 *
 * @param root absolute path of the project's folder.
 * @param output relative to it.
 */
export function unfinishedFolders(root: string, output: string): string[] {
  const above = foldersUp(root);
  const top = above.findIndex((folder) => existsSync(join(folder, ".git")));
  return [join(root, output), ...above.slice(0, Math.max(top, 0) + 1)];
}

function foldersUp(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...foldersUp(parent)];
}
