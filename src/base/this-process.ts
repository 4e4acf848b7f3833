import { hostname } from "node:os";
import { hash, shortHash } from "./hash.ts";

/** This process, as another one may know it; the host is a short hash of its name. */
export type ProcessId = { readonly host: string; readonly process: number };

/** Who is running this. */
export function thisProcess(): ProcessId {
  return { host: shortHash(hash(hostname())), process: process.pid };
}

/** Whether a process runs; null when it is on another machine, whose processes nobody here can ask for. */
export function isRunning(id: ProcessId): boolean | null {
  if (id.host !== thisProcess().host) return null;
  try {
    process.kill(id.process, 0);
    return true;
  } catch (error) {
    // One that belongs to another user runs, too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
