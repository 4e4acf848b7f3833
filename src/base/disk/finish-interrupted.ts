import { relative, sep } from "node:path";
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
