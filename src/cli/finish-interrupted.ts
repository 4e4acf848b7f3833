import { relative, sep } from "node:path";
import { DISK } from "../base/disk/disk.ts";
import { finishUnfinished } from "../base/disk/finish-unfinished.ts";
import type { CommandContext } from "./command.ts";

/**
 * Finishes what an interrupted run had begun in these folders, and tells so. Whoever reads a project's files first
 * makes sure that they belong together.
 *
 * @throws FileError
 */
export async function finishInterrupted(
  folders: readonly string[],
  { cwd, err }: Pick<CommandContext, "cwd" | "err">,
): Promise<void> {
  for (const folder of folders) {
    const finished = await finishUnfinished(folder, DISK);
    if (finished === null) continue;
    const name = `${relative(cwd, folder).replaceAll(sep, "/") || "."}/`;
    const { isWhole, count } = finished;
    err(
      isWhole
        ? `An earlier run was interrupted while it replaced files in ${name}: finished (${count === 1 ? "one file" : `${count} files`}).\n`
        : `An earlier run was interrupted while it replaced files in ${name}, and some have changed since: they were left as they are. \`lockflow check\` tells what does not fit.\n`,
    );
  }
}
