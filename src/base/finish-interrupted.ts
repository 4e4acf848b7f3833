import { existsSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { finishUnfinished } from "./finish-unfinished.ts";
import { DISK } from "./write-files.ts";

/** Finishes what interrupted runs had begun in these folders, with a notice of each that names it from `cwd`. */
export async function finishInterrupted(
  folders: readonly string[],
  cwd: string,
  notify: (notice: string) => void,
): Promise<void> {
  for (const folder of folders) {
    const finished = await finishUnfinished(folder, DISK);
    if (finished === null) continue;
    const name = `${relative(cwd, folder).replaceAll(sep, "/") || "."}/`;
    const end = finished.isWhole
      ? `: finished (${finished.count === 1 ? "one file" : `${finished.count} files`}).`
      : ", and some have changed since: they were left as they are. `lockflow check` tells what does not fit.";
    notify(`An earlier run was interrupted while it replaced files in ${name}${end}\n`);
  }
}

/** The folders that a run may have begun to replace files in: the output, and those up to the repository's root. */
export function unfinishedFolders(root: string, output: string): string[] {
  const above = [root];
  for (let folder = root; !existsSync(join(folder, ".git")); folder = dirname(folder)) {
    if (folder === dirname(folder)) return [join(root, output), root];
    above.push(dirname(folder));
  }
  return [join(root, output), ...above];
}
