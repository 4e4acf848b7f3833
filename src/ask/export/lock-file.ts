import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { UsageError } from "../../base/errors.ts";
import { hash, shortHash } from "../../base/hash.ts";
import { readContent } from "../../base/read-files.ts";

/**
 * Takes a lock: a file with the id of this process. The lock of a process that has ended is replaced.
 *
 * @param path absolute.
 * @param shownPath the path of what is locked, in errors.
 * @returns a function that releases the lock.
 * @throws UsageError if a running process has it.
 */
export function takeLock(path: string, shownPath: string): () => void {
  const signature = `${HOST} ${process.pid} ${startOf(process.pid)}\n`;
  for (let attempt = 0; ; attempt++) {
    try {
      writeFileSync(path, signature, { flag: "wx" });
      return () => {
        if (readContent(path) === signature) rmSync(path, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const content = readContent(path);
    const holder = content === null ? null : holderOf(content);
    if (holder !== null || attempt > 9) {
      throw new UsageError({
        sentence: `${shownPath} is being written by ${holder ?? "another process"}.`,
        hint: `wait until it ends. If no other export runs, on no machine, delete ${path}.`,
      });
    }
    // Without content, the lock was just released, or it is a link to a missing file.
    if (content !== null) removeStale(path, content);
  }
}

/** Removes the lock of an ended process, unless another process has replaced it meanwhile. */
function removeStale(path: string, content: string): void {
  const aside = `${path}-${process.pid}`;
  try {
    renameSync(path, aside);
    // The renamed file may be the new lock of another process.
    if (readContent(aside) !== content) linkSync(aside, path);
  } catch {
    // Another process has removed it, or has a new lock already.
  }
  rmSync(aside, { force: true });
}

/** Returns the process of a lock for messages; null if it has ended. */
function holderOf(lock: string): string | null {
  const [, host, id = "", start = ""] = /^(\w+) (\d+) (\d*)\n$/.exec(lock) ?? [];
  // A process that was killed while it wrote its lock left a part of it.
  if (host === undefined) return null;
  if (host === HOST) {
    try {
      process.kill(Number(id), 0);
    } catch (error) {
      // The process of another user runs, too.
      if ((error as NodeJS.ErrnoException).code !== "EPERM") return null;
    }
    // Another program may have got the id since.
    if (start !== "" && start !== startOf(id)) return null;
  }
  return `process ${id}`;
}

const HOST = shortHash(hash(hostname()));

/** Returns when a process started, in ticks since the machine did; empty where the system does not say. */
function startOf(id: number | string): string {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, "utf8");
    // The name of the program, in brackets, may contain blanks.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}
