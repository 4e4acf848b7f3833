import { randomUUID } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { FileError } from "./errors.ts";
import { finishUnfinished, forget } from "./finish-unfinished.ts";
import { hash } from "./hash.ts";
import { isMissing } from "./survey-folder.ts";
import {
  type Owner,
  ownerNow,
  recordName,
  type Steps,
  TEMPORARY,
  temporaryOf,
  UNFINISHED_FOLDER,
} from "./unfinished-run.ts";

/**
 * The one place that writes. All files change together or none does: each changed one is first written beside its target,
 * and once all are on disk they are renamed in one go, which the next run finishes if this one is killed. Runs at once end
 * as if one came after the other. A file whose bytes would not change is not touched. Folders that removals leave empty go
 * with them.
 *
 * @param root absolute path of the folder that files and removals are named from.
 */
export async function writeFiles(
  root: string,
  files: readonly OutputFile[],
  removals: readonly string[] = [],
): Promise<WriteSummary> {
  const summary = await replaceFiles(root, files, removals, DISK);
  removeEmptied(root, removals);
  await removeLeftovers(root, files);
  return summary;
}

/** Removes the folders in which nothing is left after removals, up to the root; nobody's file is touched. */
function removeEmptied(root: string, removals: readonly string[]): void {
  for (const path of removals) {
    try {
      for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
        DISK.removeFolder(join(root, folder));
      }
    } catch {
      // It holds something else, or is gone.
    }
  }
}

/** Milliseconds after which a file under way belongs to no run any more. */
const ABANDONED_AFTER = 60_000;

/** Tidies up after runs that were killed before they replaced anything; nothing that fails here is worth failing for. */
export async function removeLeftovers(root: string, files: readonly OutputFile[]): Promise<void> {
  const folders = new Set([root, ...files.map(({ path }) => dirname(join(root, path)))]);
  for (const folder of folders) {
    try {
      for (const name of await readdir(folder)) await removeLeftover(join(folder, name), name);
    } catch {
      // Another run is tidying up as well, or the folder lets nobody.
    }
  }
}

async function removeLeftover(path: string, name: string): Promise<void> {
  const isFolder = name.startsWith(`${UNFINISHED_FOLDER}.`);
  if (!isFolder && !name.endsWith(TEMPORARY)) return;
  const stats = await lstat(path);
  if (stats.isDirectory() !== isFolder || Date.now() - stats.mtimeMs <= ABANDONED_AFTER) return;
  await rm(path, { force: true, recursive: isFolder });
}

/** What writing did, as paths relative to the output folder. */
export type WriteSummary = {
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
  readonly removed: readonly string[];
};

/** How often a run begins anew because another has replaced files in the meantime. */
const MOST_ATTEMPTS = 50;

/** Replaces and removes files together. */
export async function replaceFiles(
  root: string,
  files: readonly OutputFile[],
  removals: readonly string[],
  disk: Disk,
): Promise<WriteSummary> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    await finishUnfinished(root, disk);
    const summary = tryToReplace(root, files, removals, disk);
    if (summary !== null) return summary;
  }
  const path = join(root, UNFINISHED_FOLDER);
  throw unwritable(
    root,
    Object.assign(new Error("it is in use"), { code: "EBUSY", path }),
    "let other runs end, and delete the folder if none is left; the old files are as they were.",
  );
}

/** A file that will be replaced, with what is needed to bring the old one back. */
type Staged = Steps["replaced"][number] & {
  readonly target: string;
  readonly temporary: string;
  readonly old: Old;
};

/** Null where there was no file. */
type Old = { readonly bytes: Uint8Array; readonly mode: number } | null;

type Run = {
  readonly root: string;
  readonly disk: Disk;
  readonly run: string;
  readonly staged: Staged[];
  readonly unchanged: string[];
  readonly removed: (Steps["removed"][number] & { readonly target: string; readonly old: Old })[];
  /** What each target was when it was looked at. */
  readonly stamps: Map<string, string>;
};

/** Nothing in here lets go of the thread. Null when another run was at it and all has to be looked at again. */
function tryToReplace(
  root: string,
  files: readonly OutputFile[],
  removals: readonly string[],
  disk: Disk,
): WriteSummary | null {
  const own = { run: randomUUID(), staged: [], unchanged: [], removed: [], stamps: new Map() };
  const run: Run = { root, disk, ...own };
  try {
    for (const file of files) stageFile(run, file);
    for (const path of removals) stageRemoval(run, path);
    // One renaming is all or nothing by itself.
    const takesTurn = files.length + removals.length > 1 && run.staged.length + run.removed.length > 0;
    const owner = takesTurn ? takeTurn(run) : null;
    if (takesTurn && owner === null) {
      discard(run);
      return null;
    }
    commit(run, owner);
  } catch (cause) {
    throw fail(run, cause as NodeJS.ErrnoException);
  }
  return { written: run.staged.map(({ path }) => path), unchanged: run.unchanged, removed: removals };
}

function stageFile({ root, disk, run, staged, unchanged, stamps }: Run, { path, content }: OutputFile): void {
  const target = join(root, path);
  stamps.set(target, stampOf(target));
  const old = readOld(target);
  const bytes = Buffer.from(content);
  if (old !== null && bytes.equals(old.bytes)) {
    unchanged.push(path);
    return;
  }
  const temporary = temporaryOf(root, path, run);
  const before = old === null ? null : hash(old.bytes);
  staged.push({ path, target, temporary, before, after: hash(bytes), old });
  disk.makeFolder(dirname(target));
  disk.write(temporary, bytes, old?.mode);
}

function stageRemoval({ root, removed, stamps }: Run, path: string): void {
  const target = join(root, path);
  stamps.set(target, stampOf(target));
  const old = readOld(target);
  // What is gone already needs no permission to go.
  if (old === null) return;
  accessSync(dirname(target), constants.W_OK);
  removed.push({ path, target, before: hash(old.bytes), old });
}

function readOld(path: string): Old {
  const bytes = readIfThere(path);
  return bytes === null ? null : { bytes, mode: statSync(path).mode & 0o777 };
}

/** Tells whether a file is still the one that was looked at: what replaced it has another number. */
function stampOf(path: string): string {
  try {
    const { dev, ino, size, mtimeNs } = lstatSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs].join(" ");
  } catch (error) {
    if (isMissing(error)) return "";
    throw error;
  }
}

/** Puts the record of a run where only one can be. Null when another run was first, or has been there since. */
function takeTurn({ root, disk, run, staged, removed, stamps }: Run): Owner | null {
  const owner = ownerNow(run);
  const place = join(root, UNFINISHED_FOLDER);
  const own = `${place}.${run}`;
  const record = {
    replaced: staged.map(({ path, before, after }) => ({ path, before, after })),
    removed: removed.map(({ path, before }) => ({ path, before })),
  };
  try {
    disk.makeFolder(own);
    disk.write(join(own, recordName(owner)), `${JSON.stringify(record, null, 2)}\n`, undefined);
    disk.rename(own, place);
  } catch (error) {
    quietly(() => disk.remove(join(own, recordName(owner))));
    quietly(() => disk.removeFolder(own));
    const isTaken = ["ENOTEMPTY", "EEXIST"].includes((error as NodeJS.ErrnoException).code ?? "");
    // It may be gone again by now.
    if (!isTaken && lstatSync(place, { throwIfNoEntry: false }) === undefined) throw error;
    // Windows puts nothing in the place of a folder, be it empty. One with a record is a run's, which is waited for.
    quietly(() => disk.removeFolder(place));
    return null;
  }
  if ([...stamps].every(([target, stamp]) => stampOf(target) === stamp)) return owner;
  forget(root, owner, disk);
  return null;
}

/** Tidies up as far as the disk lets it: what stays is removed by a later run. */
function quietly(step: () => void): void {
  try {
    step();
  } catch {
    // Nothing depends on it.
  }
}

function commit(run: Run, owner: Owner | null): void {
  const { root, disk, staged, removed } = run;
  const undo: (() => void)[] = [];
  try {
    for (const { target, temporary, after, old } of staged) {
      replaceFile(disk, temporary, target, after);
      undo.unshift(() => restore(disk, target, temporary, old));
    }
    for (const { target, path, old } of removed) {
      disk.remove(target);
      undo.unshift(() => restore(disk, target, temporaryOf(root, path, run.run), old));
    }
  } catch (cause) {
    try {
      for (const step of undo) step();
    } catch {
      throw new HalfDone(cause as NodeJS.ErrnoException);
    }
    if (owner !== null) forget(root, owner, disk);
    throw cause;
  }
  // Who comes next finds nothing left to do, and takes the record away.
  if (owner !== null) quietly(() => forget(root, owner, disk));
}

function restore(disk: Disk, target: string, temporary: string, old: Old): void {
  if (old === null) disk.remove(target);
  else {
    disk.write(temporary, old.bytes, old.mode);
    disk.rename(temporary, target);
  }
}

/** Neither could all files be replaced, nor those brought back that were. */
class HalfDone extends Error {
  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
  }
}

function fail(run: Run, cause: NodeJS.ErrnoException): FileError {
  // What is left lies beside its targets, for the next run to finish.
  if (cause instanceof HalfDone) {
    return unwritable(
      run.root,
      cause.cause as NodeJS.ErrnoException,
      "some files are new already and each is whole: set this right, and the next run finishes it.",
    );
  }
  discard(run);
  return unwritable(
    run.root,
    cause,
    "check that the folder is writable for you and that the disk has room; the old files are as they were.",
  );
}

function discard({ disk, staged }: Run): void {
  for (const { temporary } of staged) quietly(() => disk.remove(temporary));
}

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

/** A file as generation plans it. */
export type OutputFile = {
  /** Relative to the output folder, with `/`. */
  readonly path: string;
  readonly content: string;
};

/** What the first line of everything Lockflow writes holds. Only files that carry it are ever removed. */
export const GENERATED_MARK = "Generated by Lockflow";

/** Whether a text begins as what Lockflow writes does. */
export function isMarked(text: string | null): boolean {
  return text?.slice(0, 200).includes(GENERATED_MARK) === true;
}

/**
 * Makes sure that a file can be written before somebody works for it: that it is a file, or that nothing is there and the
 * folder takes one. What is no file, such as a device, would be replaced by one.
 *
 * @param path absolute.
 * @param shownPath what errors call it.
 * @throws FileError where it cannot.
 */
export function requireWritable(path: string, shownPath: string): void {
  try {
    const stats = statsOf(path);
    if (stats !== null && !stats.isFile()) {
      throw new FileError({
        code: "FILE_UNWRITABLE",
        sentence: `${shownPath} is ${stats.isDirectory() ? "a folder" : "no file, but a device or a pipe"}.`,
        hint: stats.isDirectory()
          ? "name a file in it."
          : "name a file; without one, standard output is written.",
      });
    }
    if (stats !== null) accessSync(path, constants.W_OK);
    else requireFolder(dirname(path));
  } catch (cause) {
    if (cause instanceof FileError) throw cause;
    throw unwritable(shownPath, cause as NodeJS.ErrnoException, "name another file.");
  }
}

/** The folder, or the next one above it that is there, has to take files. */
function requireFolder(path: string): void {
  const stats = statsOf(path);
  if (stats === null) requireFolder(dirname(path));
  else if (stats.isDirectory()) accessSync(path, constants.W_OK | constants.X_OK);
  else throw Object.assign(new Error("it is no folder"), { code: "ENOTDIR", path });
}

/** Null where nothing is. */
function statsOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
