import {
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { sep } from "node:path";
import { FileError } from "../errors/file-error.ts";
import { hash } from "../hash.ts";
import { isMissing } from "./is-missing.ts";

/** Everything that changes a disk, one function a change, so that a test can end a run after any of them. */
export type Disk = {
  /** With the folders above it. */
  readonly makeFolder: (path: string) => void;
  /** @param mode the permissions it gets; undefined for those of a new file. */
  readonly write: (path: string, content: string | Uint8Array, mode: number | undefined) => void;
  /** Puts a file, or a folder with what is in it, in the place of another in one step. */
  readonly rename: (from: string, to: string) => void;
  /** A file that is gone already is fine. */
  readonly remove: (path: string) => void;
  /** Fails unless the folder is empty. */
  readonly removeFolder: (path: string) => void;
};

/** What Windows says while another program, a virus scanner say, holds the file open. */
const BUSY: ReadonlySet<string | undefined> = new Set(["EPERM", "EACCES", "EBUSY"]);

/** Milliseconds. */
const BUSY_PAUSES = [10, 20, 50, 100, 200, 400];

/** The disk of this machine. Nothing here lets go of the thread, so that what belongs together happens together. */
export const DISK: Disk = {
  makeFolder: (path) => {
    mkdirSync(path, { recursive: true });
  },
  write: (path, content, mode) => {
    writeFileSync(path, content);
    if (mode !== undefined) chmodSync(path, mode);
  },
  rename: sep === "\\" ? retryWhileBusy(renameSync, sleep) : renameSync,
  remove: (path) => rmSync(path, { force: true, maxRetries: BUSY_PAUSES.length, retryDelay: 50 }),
  removeFolder: rmdirSync,
};

/** A renaming that is tried again for a while, as Windows refuses it for a file that is open elsewhere. */
export function retryWhileBusy(rename: Disk["rename"], pause: (ms: number) => void): Disk["rename"] {
  return (from, to) => {
    for (const milliseconds of BUSY_PAUSES) {
      try {
        return rename(from, to);
      } catch (error) {
        if (!BUSY.has((error as NodeJS.ErrnoException).code)) throw error;
        pause(milliseconds);
      }
    }
    return rename(from, to);
  };
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Puts a temporary file in the place of another. Whoever finishes a run may have done so a moment earlier. */
export function replaceFile(disk: Disk, temporary: string, target: string, after: string): void {
  try {
    disk.rename(temporary, target);
  } catch (error) {
    if (!isMissing(error) || hashOf(target) !== after) throw error;
  }
}

/** The error of a disk that did not take what it had to. A file under way is told by the name that it would get. */
export function unwritable(root: string, cause: NodeJS.ErrnoException, hint: string): FileError {
  const path = (cause.path ?? root).replace(/\.[^./\\]+\.lockflow-tmp$/, "");
  const sentence = `${path} cannot be written (${cause.code ?? cause.message}).`;
  return new FileError({ code: "FILE_UNWRITABLE", sentence, hint, cause });
}

/** The hash of a file's bytes; null when there is no such file. */
export function hashOf(path: string): string | null {
  const content = readIfThere(path);
  return content === null ? null : hash(content);
}

/** The bytes of a file; null when there is none. What is no file, and may never end, is not read. */
export function readIfThere(path: string): Buffer | null {
  try {
    if (!statSync(path).isFile()) {
      throw Object.assign(new Error("something else is in its place"), { code: "EISDIR", path });
    }
    return readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
