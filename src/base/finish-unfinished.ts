import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isMissing } from "./survey-folder.ts";
import {
  findRemainder,
  isUnderWay,
  type Owner,
  ownerNow,
  readUnfinishedRun,
  recordName,
  temporaryOf,
  UNFINISHED_FOLDER,
  type UnfinishedRun,
} from "./unfinished-run.ts";
import { type Disk, replaceFile, unwritable } from "./write-files.ts";

/** Whether all files of an interrupted run are new now, else one had changed since; and how many had still to be. */
export type Finished = { readonly isWhole: boolean; readonly count: number };

/** Finishes the run that was interrupted in a folder, null where none was. One that is still at it is waited for. */
export async function finishUnfinished(root: string, disk: Disk): Promise<Finished | null> {
  try {
    for (;;) {
      const unfinished = await readUnfinishedOnceQuiet(root);
      if (unfinished === null) {
        removeEmptyFolder(root, disk);
        return null;
      }
      const owner = claim(root, unfinished.owner, disk);
      if (owner !== null) return finish(root, { ...unfinished, owner }, disk);
    }
  } catch (cause) {
    throw unwritable(
      root,
      cause as NodeJS.ErrnoException,
      "an earlier run was interrupted while it replaced files. Make the folder writable for you: the next run finishes it.",
    );
  }
}

/** The run that is left to be finished in a folder once nobody is at it any more. */
export async function readUnfinishedOnceQuiet(root: string): Promise<UnfinishedRun | null> {
  for (;;) {
    const unfinished = readUnfinishedRun(root);
    if (unfinished === null || !isUnderWay(unfinished.owner)) return unfinished;
    await pause(POLL_EVERY);
  }
}

/** Milliseconds. */
const POLL_EVERY = 20;

/** Null when another run was first. */
function claim(root: string, from: Owner, disk: Disk): Owner | null {
  const owner = ownerNow(from.run);
  const folder = join(root, UNFINISHED_FOLDER);
  try {
    disk.rename(join(folder, recordName(from)), join(folder, recordName(owner)));
    return owner;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function finish(root: string, { owner, steps }: UnfinishedRun, disk: Disk): Finished | null {
  const remainder = steps === null ? null : findRemainder(root, owner.run, steps);
  if (remainder === null) {
    for (const { path } of steps?.replaced ?? []) disk.remove(temporaryOf(root, path, owner.run));
    forget(root, owner, disk);
    return { isWhole: false, count: 0 };
  }
  for (const { path, after } of remainder.replaced) {
    replaceFile(disk, temporaryOf(root, path, owner.run), join(root, path), after);
  }
  for (const { path } of remainder.removed) disk.remove(join(root, path));
  forget(root, owner, disk);
  const count = remainder.replaced.length + remainder.removed.length;
  return count === 0 ? null : { isWhole: true, count };
}

/** Takes the record of a run away. By then another run may have put its own there, which stays. */
export function forget(root: string, owner: Owner, disk: Disk): void {
  disk.remove(join(root, UNFINISHED_FOLDER, recordName(owner)));
  removeEmptyFolder(root, disk);
}

function removeEmptyFolder(root: string, disk: Disk): void {
  try {
    disk.removeFolder(join(root, UNFINISHED_FOLDER));
  } catch {
    // There is none, or another run has its record in it by now.
  }
}
