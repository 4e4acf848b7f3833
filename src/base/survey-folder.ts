import { access, constants, readdir, realpath, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { FileError } from "./errors.ts";

/** Surveys a folder, or the nearest one above it that is there; `free` are bytes, null where the system does not tell. */
export async function surveyFolder(
  folder: string,
): Promise<{ readonly path: string; readonly isWritable: boolean; readonly free: number | null }> {
  const stats = await stat(folder).catch(() => null);
  if (stats === null && folder !== dirname(folder)) return surveyFolder(dirname(folder));
  const refusal = await access(folder, constants.W_OK).catch((error: unknown) => error);
  const disk = await statfs(folder).catch(() => null);
  return {
    path: folder,
    isWritable: stats?.isDirectory() === true && refusal === undefined,
    free: disk && disk.bavail * disk.bsize,
  };
}

/** The names of the files in a folder, links to files among them; none where nobody may look. */
export async function readFileNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map(({ name }) => name)
    .sort();
}

/** Where a path really leads; null where it leads nowhere. */
export function realPath(path: string): Promise<string | null> {
  return realpath(path).catch(() => null);
}

/** Whether an error says that there is no such file. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

/** The error for what is there and cannot be read. */
export function unreadable(path: string, cause: unknown, hint?: string): FileError {
  const { code, path: place } = cause as NodeJS.ErrnoException;
  return new FileError({
    code: "FILE_UNREADABLE",
    sentence: `${place ?? path} cannot be read (${code ?? "unknown reason"}).`,
    hint: hint ?? (code === "EISDIR" ? "it is a folder: name a file." : "check that it is readable for you."),
    cause,
  });
}
