import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { UsageError } from "../../base/errors.ts";
import { hash, shortHash } from "../../base/hash.ts";
import { isObject, parseJson } from "../../base/parse-json.ts";
import { isMissing } from "../../base/read-files.ts";

/**
 * Takes a lock: a file with the id of this process. The lock of a process that has ended is replaced.
 *
 * @param path absolute.
 * @param shownPath the path of what is locked, in errors.
 * @returns a function that releases the lock.
 * @throws UsageError if a running process has it.
 */
export function takeLock(path: string, shownPath: string): () => void {
  const own = `${JSON.stringify({ host: HOST, process: process.pid, start: startOf(process.pid) })}\n`;
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(path, own, { flag: "wx" });
      return () => {
        if (readLock(path) === own) rmSync(path, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const content = readLock(path);
    if (content === null) continue;
    if (isHeld(content) || attempt > 9) {
      const { process: id } = parseLock(content);
      throw new UsageError({
        sentence: `${shownPath} is being written by ${id === null ? "another process" : `process ${id}`}.`,
        hint: `wait until it ends. If no other export runs, on no machine, delete ${path}.`,
      });
    }
    removeStale(path, content);
  }
}

/** Removes the lock of an ended process, unless another process has replaced it meanwhile. */
function removeStale(path: string, content: string): void {
  const aside = `${path}-${process.pid}`;
  try {
    renameSync(path, aside);
    // The renamed file may be the new lock of another process.
    if (readLock(aside) !== content) linkSync(aside, path);
  } catch {
    // Another process has removed it, or has a new lock already.
  }
  rmSync(aside, { force: true });
}

/** Reads a lock; null without one. */
function readLock(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

type Lock = { readonly host: string | null; readonly process: number | null; readonly start: string | null };

function parseLock(text: string): Lock {
  const value = parseJson(text);
  const { host, process: id, start } = isObject(value) ? value : {};
  return {
    host: typeof host === "string" ? host : null,
    process: Number.isSafeInteger(id) ? Number(id) : null,
    start: typeof start === "string" ? start : null,
  };
}

/** Returns whether the process of a lock may still run. */
function isHeld(text: string): boolean {
  const { host, process: id, start } = parseLock(text);
  // A process that was killed while it wrote its lock left a part of it.
  if (host === null || id === null) return false;
  if (host !== HOST) return true;
  if (id === process.pid && start === startOf(id)) return true;
  try {
    process.kill(id, 0);
  } catch (error) {
    // The process of another user runs, too.
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  // Another program may have got the id since.
  return start === null || start === startOf(id);
}

const HOST = shortHash(hash(hostname()));

/** Returns when a process started, in ticks since the machine did; null where the system does not say. */
function startOf(id: number): string | null {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    // The name of the program, in brackets, may contain blanks.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}
