import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { FileError } from "../errors/file-error.ts";

/**
 * Requires that there is a file at a path, or nothing, or a folder, which cannot be read and says so. To read a pipe would
 * be to wait for somebody who writes to it, and a device may have no end. What a shell handed over (`<(…)`, standard
 * input) is read: its writer has begun already.
 *
 * @throws FileError naming what is there.
 */
export async function requireFile(path: string): Promise<void> {
  if (HANDED_OVER.test(path)) return;
  const stats = await stat(path).catch(() => null);
  if (stats !== null && !stats.isFile() && !stats.isDirectory()) throw notAFile(path, stats);
}

const HANDED_OVER = /^\/(?:dev\/stdin|(?:dev|proc\/self)\/fd\/\d+)$/;

/** The error for what stands where a file should. */
export function notAFile(path: string, stats: Pick<Stats, "isFIFO" | "isSocket">): FileError {
  const kind = stats.isFIFO() ? "a pipe" : stats.isSocket() ? "a socket" : "a device";
  return new FileError({
    code: "FILE_UNREADABLE",
    sentence: `${path} is ${kind}, not a file.`,
    hint: "put a file in its place, with what was to be read.",
  });
}
