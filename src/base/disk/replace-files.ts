import { randomUUID } from "node:crypto";
import { accessSync, constants, lstatSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileError } from "../errors/file-error.ts";
import { hash } from "../hash.ts";
import { type Disk, readIfThere, replaceFile, unwritable } from "./disk.ts";
import { finishUnfinished, forget } from "./finish-unfinished.ts";
import { isMissing } from "./is-missing.ts";
import type { OutputFile } from "./output-file.ts";
import {
  type Owner,
  ownerNow,
  recordName,
  type Steps,
  temporaryOf,
  UNFINISHED_FOLDER,
} from "./unfinished-run.ts";

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
