import { type Dirent, readdirSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { compareCodeUnits } from "./collections.ts";
import { FileError } from "./errors.ts";
import { isMissing, unreadable } from "./survey-folder.ts";

/**
 * Lists the files below a folder that end in one of `extensions`: paths relative to it, with `/`, in code-unit order. A
 * folder that does not exist has none. Links are followed.
 *
 * @throws FileError for a link to a missing file, and for a folder that cannot be read.
 */
export function readTree(
  folder: string,
  extensions: readonly string[],
  isSkipped: (name: string) => boolean = () => false,
): string[] {
  const found: string[] = [];
  try {
    walk(folder, "", []);
  } catch (cause) {
    if (cause instanceof FileError) throw cause;
    throw unreadable(folder, cause);
  }
  return found.sort(compareCodeUnits);

  /** @param trail the real paths of the folders that led here. */
  function walk(path: string, prefix: string, trail: readonly string[]): void {
    const real = unlessMissing(() => realpathSync.native(path));
    // A link to a folder that holds the link: what is in it is found already, and would be found for ever.
    if (real === null || trail.some((passed) => `${passed}${sep}`.startsWith(`${real}${sep}`))) return;
    const entries = unlessMissing(() => readdirSync(path, { withFileTypes: true })) ?? [];
    for (const entry of entries) {
      const child = join(path, entry.name);
      const kind = kindOf(entry, child);
      if (kind === "folder" && !isSkipped(entry.name)) {
        walk(child, `${prefix}${entry.name}/`, [...trail, real]);
      }
      if (!extensions.some((extension) => entry.name.endsWith(extension))) continue;
      if (kind === "file") found.push(`${prefix}${entry.name}`);
      // Left out, it would be as if somebody had deleted it.
      if (kind === "other") requireFile(child);
    }
  }
}

/**
 * Reads a file that users name, with LF line ends and without a byte order mark; null when there is none. It waits for
 * the writer of a file that a shell hands over.
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

/** Reads a file as it is, with its line ends, to change a part of it. Throws the errors of the disk. */
export function readUnchanged(path: string): Promise<string> {
  return readFile(path, "utf8");
}

/**
 * Reads a file with LF line ends, because a checkout may have changed them; null when there is none. A byte order mark
 * stays: in a generated file it is an edit. Reading a local file blocks for less time than a thread takes to start.
 *
 * @throws FileError
 */
export function readContent(path: string): string | null {
  requireFile(path);
  try {
    return readFileSync(path, "utf8").replaceAll("\r\n", "\n");
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw unreadable(path, cause);
  }
}

function withoutMark(content: string | null): string | null {
  return content?.replace(/^\uFEFF/, "") ?? null;
}

/** What an entry is or, when it is a link, what it leads to. */
function kindOf(entry: Dirent, path: string): "file" | "folder" | "other" {
  let target: Pick<Dirent, "isFile" | "isDirectory"> = entry;
  if (entry.isSymbolicLink()) {
    // Emacs marks a file that is being edited by a link of such a name to nowhere.
    if (entry.name.startsWith(".#")) return "other";
    try {
      target = statSync(path);
    } catch (cause) {
      if (!isMissing(cause) && (cause as NodeJS.ErrnoException).code !== "ELOOP")
        throw unreadable(path, cause);
      throw new FileError({
        code: "FILE_UNREADABLE",
        sentence: `${path} is a link that leads nowhere.`,
        hint: "point it at what it should lead to, or delete it.",
        cause,
      });
    }
  }
  if (target.isDirectory()) return "folder";
  return target.isFile() ? "file" : "other";
}

function unlessMissing<T>(read: () => T): T | null {
  try {
    return read();
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw cause;
  }
}

/** Whether a folder of this name is a package manager's or a tool's: nothing in it is ours to judge. */
export function isForeignFolder(name: string): boolean {
  return name === "node_modules" || name.startsWith(".");
}

/**
 * Requires that what is at a path, if anything, can be read to its end: a pipe may have no writer, and a device no end.
 * What a shell handed over (`<(…)`, standard input) is read: its writer has begun already.
 */
export function requireFile(path: string): void {
  if (HANDED_OVER.test(path)) return;
  const stats = unlessUnreadable(path);
  if (stats === null || stats.isFile() || stats.isDirectory()) return;
  const kind = stats.isFIFO() ? "a pipe" : stats.isSocket() ? "a socket" : "a device";
  throw new FileError({
    code: "FILE_UNREADABLE",
    sentence: `${path} is ${kind}, not a file.`,
    hint: "put a file in its place, with what was to be read.",
  });
}

/** Null also for what nobody may look at: reading it tells why. */
function unlessUnreadable(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

const HANDED_OVER = /^\/(?:dev\/stdin|(?:dev|proc\/self)\/fd\/\d+)$/;
