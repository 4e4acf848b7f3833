import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { FileError } from "../errors/file-error.ts";
import { compareCodeUnits } from "../utils/compare-code-units.ts";

/**
 * The paths of all files below a folder that end in one of `extensions`, relative to it, with `/`, in
 * code-unit order. A folder that does not exist has none.
 *
 * @throws FileError when the folder cannot be read.
 */
export async function readTree(folder: string, extensions: readonly string[]): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && extensions.some((extension) => entry.name.endsWith(extension)))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
      .sort(compareCodeUnits);
  } catch (cause) {
    if (isMissing(cause)) return [];
    throw unreadable(folder, cause);
  }
}

/**
 * A file's text with LF line ends and without a byte order mark; null when there is no such file.
 *
 * @throws FileError when it is there but cannot be read.
 */
export async function readText(path: string): Promise<string | null> {
  try {
    const text = await readFile(path, "utf8");
    return text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw unreadable(path, cause);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

function unreadable(path: string, cause: unknown): FileError {
  const reason = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown reason";
  return new FileError({
    code: "FILE_UNREADABLE",
    sentence: `${path} cannot be read (${reason}).`,
    hint: "check that it is readable for you.",
    cause,
  });
}
