import { existsSync } from "node:fs";
import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { isMissing, requireFile, unreadable } from "../../base/read-files.ts";

/** Returns whether a path exists. */
export function isThere(path: string): boolean {
  return existsSync(path);
}

/** Reads the names in a folder; empty if it does not exist or is not readable. */
export async function readNames(folder: string): Promise<ReadonlySet<string>> {
  return new Set(await readdir(folder).catch(() => []));
}

/** Reads a text file without changes, including line ends and byte order mark; null if it does not exist. */
export async function readWholeText(path: string): Promise<string | null> {
  requireFile(path);
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw unreadable(path, cause, "check that it is a file that you can read. Nothing was written.");
  }
}

/** The state of a path to write: `outside` if a link on the path leads out of the root. */
export type Place = "free" | "taken" | "link" | "outside";

/** Returns the state of a path below `root`. */
export async function surveyPlace(root: string, path: string): Promise<Place> {
  const target = join(root, path);
  const entry = await lstat(target).catch(() => null);
  const folder = await realFolder(dirname(target));
  const way = relative(await realpath(root), folder);
  if (way === ".." || way.startsWith(`..${sep}`)) return "outside";
  if (entry === null) return "free";
  return entry.isSymbolicLink() ? "link" : "taken";
}

/** Returns the real path of a folder, or of its nearest existing parent. */
export async function realFolder(folder: string): Promise<string> {
  const real = await realpath(folder).catch(() => null);
  if (real !== null || folder === dirname(folder)) return real ?? folder;
  return realFolder(dirname(folder));
}
