import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { isMissing, requireFile, unreadable } from "../../base/read-files.ts";

/** The names of what is in a folder; none where there is no such folder, or it lets nobody look. */
export async function readNames(folder: string): Promise<ReadonlySet<string>> {
  try {
    return new Set(await readdir(folder));
  } catch {
    return new Set();
  }
}

/** The text of a file as it is, line ends and byte order mark included; null when there is none. */
export async function readWholeText(path: string): Promise<string | null> {
  requireFile(path);
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw unreadable(path, cause, "check that it is a file, and readable for you. Nothing was written.");
  }
}

/** What is at a place that is to be written to: `outside` where a link on the way to it leads out of the root. */
export type Place = "free" | "taken" | "link" | "outside";

/** Tells what is at a path below `root`. */
export async function surveyPlace(root: string, path: string): Promise<Place> {
  const target = join(root, path);
  const entry = await lstat(target).catch(() => null);
  const folder = await realFolder(dirname(target));
  const way = relative(await realpath(root), folder);
  if (way === ".." || way.startsWith(`..${sep}`)) return "outside";
  if (entry === null) return "free";
  return entry.isSymbolicLink() ? "link" : "taken";
}

/** Where the nearest folder that is there really is. */
export async function realFolder(folder: string): Promise<string> {
  const real = await realpath(folder).catch(() => null);
  if (real !== null || folder === dirname(folder)) return real ?? folder;
  return realFolder(dirname(folder));
}
