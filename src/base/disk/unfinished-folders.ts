import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

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
