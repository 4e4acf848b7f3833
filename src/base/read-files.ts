import { type Dirent, readdirSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { access, constants, readdir, readFile, realpath, stat, statfs } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { compareCodeUnits } from "./collections.ts";
import { FileError } from "./errors.ts";

/**
 * Lists the files below a folder that end in one of `extensions`, by their paths from it, with `/`, in code-unit order.
 * The list is empty for a missing folder. Links are followed.
 *
 * @throws FileError for a link to a missing file, and for a folder that cannot be read.
 */
export function readTree(
  folder: string,
  extensions: readonly string[],
  isSkipped: (name: string) => boolean = () => false,
): string[] {
  const paths: string[] = [];
  walk(folder, "", []);
  return paths.sort(compareCodeUnits);

  /** @param trail the real paths of the folders above. */
  function walk(path: string, prefix: string, trail: readonly string[]): void {
    const real = readOrNull(path, () => realpathSync.native(path));
    // A link to a folder above it would be followed for ever.
    if (real === null || trail.some((passed) => `${passed}${sep}`.startsWith(`${real}${sep}`))) return;
    const entries = readOrNull(path, () => readdirSync(path, { withFileTypes: true })) ?? [];
    for (const entry of entries) {
      const child = join(path, entry.name);
      const kind = kindOf(entry, child);
      if (kind === "folder" && !isSkipped(entry.name)) {
        walk(child, `${prefix}${entry.name}/`, [...trail, real]);
      }
      if (!extensions.some((extension) => entry.name.endsWith(extension))) continue;
      if (kind === "file") paths.push(`${prefix}${entry.name}`);
      // To skip a pipe or a device would look as if the file had been deleted.
      if (kind === "other") requireFile(child);
    }
  }
}

/**
 * Reads a file that a user names, with LF line ends and without a byte order mark; null if it does not exist. For
 * `/dev/stdin` and `<(…)` it waits until the writer has finished.
 *
 * @throws FileError
 */
export async function readText(path: string): Promise<string | null> {
  if (!HANDED_OVER.test(path)) return withoutMark(readContent(path));
  try {
    return withoutMark((await readFile(path, "utf8")).replaceAll("\r\n", "\n"));
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw unreadable(path, cause);
  }
}

/** Reads a file with its own line ends, to change a part of it. Throws the errors of `node:fs`. */
export function readUnchanged(path: string): Promise<string> {
  return readFile(path, "utf8");
}

/**
 * Reads a file with LF line ends, because a checkout may have changed them; null if it does not exist. A byte order mark
 * stays, because in a generated file it is an edit. Synchronous, because that is faster for local files.
 *
 * @throws FileError
 */
export function readContent(path: string): string | null {
  requireFile(path);
  return readOrNull(path, () => readFileSync(path, "utf8").replaceAll("\r\n", "\n"));
}

/** The text of a file that may hold anything, or why it is not read. */
export type ForeignText =
  | { readonly text: string; readonly problem: null }
  | { readonly text: null; readonly problem: "missing" | "unreadable" | "too large" | "not text" };

/** Reads a file that may hold anything, with its own line ends. Pipes and devices are not opened. */
export function readForeignText(path: string, mostBytes: number): ForeignText {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { text: null, problem: "missing" };
    if (!stats.isFile()) return { text: null, problem: "unreadable" };
    if (stats.size > mostBytes) return { text: null, problem: "too large" };
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
    return text.includes("\0") ? { text: null, problem: "not text" } : { text, problem: null };
  } catch (error) {
    if (error instanceof TypeError) return { text: null, problem: "not text" };
    return { text: null, problem: isMissing(error) ? "missing" : "unreadable" };
  }
}

function withoutMark(content: string | null): string | null {
  return content?.replace(/^\uFEFF/, "") ?? null;
}

/** Classifies an entry, or the target of a link. */
function kindOf(entry: Dirent, path: string): "file" | "folder" | "other" {
  let target: Pick<Dirent, "isFile" | "isDirectory"> = entry;
  if (entry.isSymbolicLink()) {
    // Emacs marks a file that is being edited with a broken link of such a name.
    if (entry.name.startsWith(".#")) return "other";
    try {
      target = statSync(path);
    } catch (cause) {
      if (!isMissing(cause) && (cause as NodeJS.ErrnoException).code !== "ELOOP")
        throw unreadable(path, cause);
      throw new FileError({
        code: "FILE_UNREADABLE",
        sentence: `${path} is a broken link.`,
        hint: "correct its target, or delete it.",
        cause,
      });
    }
  }
  if (target.isDirectory()) return "folder";
  return target.isFile() ? "file" : "other";
}

/** Calls a function that reads a path; null if the path is missing. Other errors become a `FileError`. */
export function readOrNull<T>(path: string, read: () => T): T | null {
  try {
    return unlessMissing(read);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** Calls a function of `node:fs`; null if the path is missing. Throws its other errors. */
export function unlessMissing<T>(call: () => T): T | null {
  try {
    return call();
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw cause;
  }
}

/** Returns whether a folder belongs to a package manager or a tool, by its name. */
export function isForeignFolder(name: string): boolean {
  return name === "node_modules" || name.startsWith(".");
}

/**
 * Throws if a path is a pipe, a socket or a device, because reading it may never end. Accepts a missing file, and what a
 * shell passes (`<(…)`, standard input), because its writer has started already.
 */
export function requireFile(path: string): void {
  if (HANDED_OVER.test(path)) return;
  const stats = statsOrNull(path);
  if (stats === null || stats.isFile() || stats.isDirectory()) return;
  const kind = stats.isFIFO() ? "a pipe" : stats.isSocket() ? "a socket" : "a device";
  throw new FileError({
    code: "FILE_UNREADABLE",
    sentence: `${path} is ${kind}, not a file.`,
    hint: "replace it with a file.",
  });
}

/** Returns null for a missing or unreadable file. The error of reading it says more. */
function statsOrNull(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

const HANDED_OVER = /^\/(?:dev\/stdin|(?:dev|proc\/self)\/fd\/\d+)$/;

/** Returns facts about a folder, or the nearest existing one above it. `free` is in bytes; null if unknown. */
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

/** Lists the names of the files and links in a folder; empty if it is not readable. */
export async function readFileNames(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map(({ name }) => name)
    .sort();
}

/** Resolves all links in a path; null if it does not exist. */
export function realPath(path: string): Promise<string | null> {
  return realpath(path).catch(() => null);
}

/** Returns whether an error says that a file does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

/** Creates the error for a file or folder that exists and cannot be read. */
export function unreadable(path: string, cause: unknown, hint?: string): FileError {
  const { code, path: place } = cause as NodeJS.ErrnoException;
  return new FileError({
    code: "FILE_UNREADABLE",
    sentence: `${place ?? path} cannot be read (${code ?? "unknown reason"}).`,
    hint: hint ?? (code === "EISDIR" ? "it is a folder; name a file." : "check that you may read it."),
    cause,
  });
}
