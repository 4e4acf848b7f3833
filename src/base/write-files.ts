import { randomUUID } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join, resolve, sep } from "node:path";
import { kill, pid } from "node:process";
import { FileError } from "./errors.ts";
import { hash } from "./hash.ts";
import type { OutputFile } from "./output-file.ts";
import { unlessMissing } from "./read-files.ts";

/**
 * Writes and removes files. Each changed file is written beside its target first. Once all are on the disk, they are
 * renamed in one go, so that a full disk or a missing permission changes nothing. A file whose bytes would not change is
 * not touched. Folders that removals leave empty are removed too.
 *
 * @param root absolute path of the folder that files and removals are relative to.
 * @param disk what to write to; a test passes one that fails.
 * @throws FileError
 */
export async function writeFiles(
  root: string,
  files: readonly OutputFile[],
  { removals = [], disk = DISK }: { readonly removals?: readonly string[]; readonly disk?: Disk } = {},
): Promise<WriteSummary> {
  // Nothing in here awaits, so that runs in one process follow each other.
  const suffix = `.${PROCESS}-${randomUUID()}${TEMPORARY}`;
  const staged: StagedFile[] = [];
  const unchanged: string[] = [];
  let hasChanged = false;
  try {
    for (const { path, content } of files) {
      const target = join(root, path);
      const old = readIfThere(target);
      const bytes = Buffer.from(content);
      if (old !== null && bytes.equals(old)) {
        unchanged.push(path);
        continue;
      }
      const temporary = `${target}${suffix}`;
      staged.push({ path, target, temporary });
      disk.makeFolder(dirname(target));
      disk.write(temporary, bytes, old === null ? undefined : statSync(target).mode & 0o777);
    }
    const present = removals.map((path) => join(root, path)).filter((target) => readIfThere(target) !== null);
    for (const target of present) accessSync(dirname(target), constants.W_OK);

    for (const { temporary, target } of staged) {
      disk.rename(temporary, target);
      hasChanged = true;
    }
    for (const target of present) {
      disk.remove(target);
      hasChanged = true;
    }
  } catch (cause) {
    for (const { temporary } of staged) {
      try {
        disk.remove(temporary);
      } catch {
        // A later run removes it.
      }
    }
    const check = "check that the folder is writable for you and that the disk has room";
    const state = hasChanged
      ? "some files are new already, so run it again."
      : "the old files are as they were.";
    throw unwritable(root, cause as NodeJS.ErrnoException, `${check}; ${state}`);
  }
  removeEmptied(root, removals);
  await removeLeftovers(root, files);
  return { written: staged.map(({ path }) => path), unchanged, removed: removals };
}

/**
 * Writes one file that a user named. A device or a pipe, such as `/dev/stdout`, is written to and not replaced.
 *
 * @param path absolute.
 * @throws FileError
 */
export async function writeNamedFile(path: string, content: string): Promise<void> {
  const stats = unlessMissing(() => statSync(path));
  if (stats === null || stats.isFile() || stats.isDirectory()) {
    await writeFiles(dirname(path), [{ path: basename(path), content }]);
    return;
  }
  try {
    writeFileSync(path, content);
  } catch (cause) {
    throw unwritable(path, cause as NodeJS.ErrnoException, "name another file.");
  }
}

/** What writing did, as paths relative to the output folder. */
export type WriteSummary = {
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
  readonly removed: readonly string[];
};

type StagedFile = { readonly path: string; readonly target: string; readonly temporary: string };

/** The end of the names of temporary files. */
export const TEMPORARY = ".lockflow-tmp";

/** Removes the folders that removals left empty, up to the root. */
function removeEmptied(root: string, removals: readonly string[]): void {
  for (const path of removals) {
    try {
      for (let folder = dirname(path); folder !== "."; folder = dirname(folder))
        rmdirSync(join(root, folder));
    } catch {
      // It is not empty, or is already gone.
    }
  }
}

/** Identifies this process among those of all machines that may share a folder. */
const PROCESS = `${hash(hostname()).slice(0, 8)}-${pid}`;

/** Milliseconds after which a temporary file of another machine belongs to a killed run. */
const ABANDONED_AFTER = 60_000;

/** Removes temporary files of killed runs. Its own failures are ignored. */
async function removeLeftovers(root: string, files: readonly OutputFile[]): Promise<void> {
  const folders = new Set([root, ...files.map(({ path }) => dirname(join(root, path)))]);
  for (const folder of folders) {
    try {
      for (const name of await readdir(folder)) {
        if (!name.endsWith(TEMPORARY)) continue;
        const stats = await lstat(join(folder, name));
        const isAbandoned = isOfEndedProcess(name) || Date.now() - stats.mtimeMs > ABANDONED_AFTER;
        if (isAbandoned && !stats.isDirectory()) await rm(join(folder, name), { force: true });
      }
    } catch {
      // Another run removes them too, or the folder is not readable.
    }
  }
}

function isOfEndedProcess(name: string): boolean {
  const [, machine, id] = /\.([0-9a-f]{8})-(\d+)-[^.]*\.lockflow-tmp$/.exec(name) ?? [];
  if (machine === undefined || !PROCESS.startsWith(`${machine}-`)) return false;
  try {
    // Signal 0 only looks for the process.
    kill(Number(id), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** The operations that change a disk, so that a test can let each of them fail. */
export type Disk = {
  /** Creates a folder and its parents. */
  readonly makeFolder: (path: string) => void;
  /** @param mode the permissions of the file; undefined for those of a new file. */
  readonly write: (path: string, content: string | Uint8Array, mode: number | undefined) => void;
  /** Replaces a file in one step. */
  readonly rename: (from: string, to: string) => void;
  /** Removes a file, unless it is gone already. */
  readonly remove: (path: string) => void;
};

/** The errors of Windows while another program, such as a virus scanner, holds the file open. */
const BUSY: ReadonlySet<string | undefined> = new Set(["EPERM", "EACCES", "EBUSY"]);

/** Milliseconds. */
const BUSY_PAUSES = [10, 20, 50, 100, 200, 400];

/** The disk of this machine. */
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
};

/** Returns a rename that retries for about a second, because Windows refuses it for a file that is open elsewhere. */
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

/** Creates the error for a path that cannot be written. It names the target of a temporary file. */
export function unwritable(root: string, cause: NodeJS.ErrnoException, hint: string): FileError {
  const path = (cause.path ?? root).replace(/(\.[0-9a-f]{8}-[0-9a-f-]+)?\.lockflow-tmp$/, "");
  const sentence = `${path} cannot be written (${cause.code ?? cause.message}).`;
  return new FileError({ code: "FILE_UNWRITABLE", sentence, hint, cause });
}

/** Reads a file; null if it does not exist. A pipe or a device is an error: reading it may never end. */
function readIfThere(path: string): Buffer | null {
  return unlessMissing(() => {
    if (statSync(path).isFile()) return readFileSync(path);
    throw Object.assign(new Error("it is not a file"), { code: "EISDIR", path });
  });
}

/**
 * Requires that a path can be written, before a run spends time on the content: it is a writable file, or it is missing and
 * its folder is writable. A device or a pipe is refused, because writing would replace it.
 *
 * @param path absolute.
 * @param shownPath the path for messages.
 * @throws FileError
 */
export function requireWritable(path: string, shownPath: string): void {
  try {
    const stats = unlessMissing(() => statSync(path));
    if (stats !== null && !stats.isFile()) {
      throw new FileError({
        code: "FILE_UNWRITABLE",
        sentence: `${shownPath} is ${stats.isDirectory() ? "a folder" : "a device or a pipe, not a file"}.`,
        hint: stats.isDirectory()
          ? "name a file in it."
          : "name a file, or leave it out to write to standard output.",
      });
    }
    if (stats !== null) accessSync(path, constants.W_OK);
    else requireFolder(dirname(path));
  } catch (cause) {
    if (cause instanceof FileError) throw cause;
    throw unwritable(shownPath, cause as NodeJS.ErrnoException, "name another file.");
  }
}

/**
 * Returns the path that a symbolic link leads to, so that a rename replaces the file and not the link. Other paths are
 * returned unchanged, and so are links that cannot be followed.
 */
export function followLink(path: string): string {
  let target = path;
  try {
    // As many as Linux follows.
    for (let count = 0; count < 40; count++) {
      if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return target;
      target = resolve(dirname(target), readlinkSync(target));
    }
  } catch {
    // Writing explains what is wrong with the path.
  }
  return path;
}

/** Requires that the folder, or the nearest one that exists above it, is writable. */
function requireFolder(path: string): void {
  const stats = unlessMissing(() => statSync(path));
  if (stats === null) requireFolder(dirname(path));
  else if (stats.isDirectory()) accessSync(path, constants.W_OK | constants.X_OK);
  else throw Object.assign(new Error("it is not a folder"), { code: "ENOTDIR", path });
}
