import { accessSync, constants, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { FileError } from "../errors/file-error.ts";
import { unwritable } from "./disk.ts";
import { isMissing } from "./is-missing.ts";

/**
 * Makes sure that a file can be written before somebody works for it: that it is a file, or that nothing is there and the
 * folder takes one. What is no file, such as a device, would be replaced by one.
 *
 * @param path absolute.
 * @param shownPath what errors call it.
 * @throws FileError where it cannot.
 */
export function requireWritable(path: string, shownPath: string): void {
  try {
    const stats = statsOf(path);
    if (stats !== null && !stats.isFile()) {
      throw new FileError({
        code: "FILE_UNWRITABLE",
        sentence: `${shownPath} is ${stats.isDirectory() ? "a folder" : "no file, but a device or a pipe"}.`,
        hint: stats.isDirectory()
          ? "name a file in it."
          : "name a file; without one, standard output is written.",
      });
    }
    if (stats !== null) accessSync(path, constants.W_OK);
    else requireFolder(dirname(path));
  } catch (cause) {
    if (cause instanceof FileError) throw cause;
    throw unwritable(shownPath, cause as NodeJS.ErrnoException, "name another file.");
  }
}

/** The folder, or the next one above it that is there, has to take files. */
function requireFolder(path: string): void {
  const stats = statsOf(path);
  if (stats === null) requireFolder(dirname(path));
  else if (stats.isDirectory()) accessSync(path, constants.W_OK | constants.X_OK);
  else throw Object.assign(new Error("it is no folder"), { code: "ENOTDIR", path });
}

/** Null where nothing is. */
function statsOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
