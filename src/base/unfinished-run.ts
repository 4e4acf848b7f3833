import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { parseJson } from "./parse-json.ts";
import { isMissing } from "./survey-folder.ts";
import { isRunning, type ProcessId, thisProcess } from "./this-process.ts";
import { GENERATED_MARK, hashOf, readIfThere } from "./write-files.ts";

/** What a run is about to replace and remove, on disk for as long as that takes: a killed run is finished by the next. */
export type UnfinishedRun = {
  readonly owner: Owner;
  /** Null when the record cannot be read. */
  readonly steps: Steps | null;
};

/** Who replaces the files of a run: the run itself, or one that finishes it. */
export type Owner = ProcessId & {
  /** A name that no other run has. */
  readonly run: string;
  /** When it began, in milliseconds since 1970. */
  readonly since: number;
};

/** The folder of a run's record. It has one name, so that only one run at a time can have it. */
export const UNFINISHED_FOLDER = ".lockflow-unfinished";

/** The ending of files under way, after the name of their run. */
export const TEMPORARY = ".lockflow-tmp";

/** Where a run puts what will replace a file: beside it, so that both are on one file system. */
export function temporaryOf(root: string, path: string, run: string): string {
  return join(root, `${path}.${run}${TEMPORARY}`);
}

/** This process as the owner of a run, from now on. */
export function ownerNow(run: string): Owner {
  return { run, ...thisProcess(), since: Date.now() };
}

/** The name of the file that holds the record of a run: who has it is in the name, so that one renaming claims it. */
export function recordName({ run, host, process, since }: Owner): string {
  return `${[run, host, process, since].join(".")}.json`;
}

const RECORD = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([0-9a-f]{8})\.(\d{1,10})\.(\d{1,15})\.json$/;

/** The run that has not finished in a folder; null when there is none. */
export function readUnfinishedRun(root: string): UnfinishedRun | null {
  const folder = join(root, UNFINISHED_FOLDER);
  for (const name of namesIn(folder)) {
    const [, run, host, process, since] = RECORD.exec(name) ?? [];
    if (run === undefined || host === undefined) continue;
    const owner = { run, host, process: Number(process), since: Number(since) };
    try {
      // What lies in a repository may have come with it, so that nothing of it is taken on trust.
      const { success, output } = v.safeParse(STEPS, parseJson(readFile(join(folder, name))));
      return { owner, steps: success ? output : null };
    } catch (error) {
      // It has finished between the two looks.
      if (!isMissing(error)) throw error;
    }
  }
  return null;
}

/** What a folder holds; nothing when there is none. */
function namesIn(folder: string): string[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder).sort() : [];
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const HASH = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

/** A path that leads nowhere but below the folder. */
const BELOW = v.pipe(
  v.string(),
  v.check((path) => !/[\\\0:]/.test(path) && !path.split("/").some((part) => /^\.{0,2}$/.test(part))),
);

/** Paths are relative to the folder of the run, with `/`; a hash is of bytes, and null where there was no file. */
const STEPS = v.object({
  replaced: v.array(v.object({ path: BELOW, before: v.nullable(HASH), after: HASH })),
  removed: v.array(v.object({ path: BELOW, before: HASH })),
});

export type Steps = v.InferOutput<typeof STEPS>;

/** Replacing takes milliseconds: an owner that has been at it for longer is taken for dead, whoever has its number now. */
const LONGEST_REPLACING = 10_000;

/** Whether the owner of a run is still at it. */
export function isUnderWay(owner: Owner): boolean {
  return Math.abs(Date.now() - owner.since) <= LONGEST_REPLACING && isRunning(owner) !== false;
}

/** What is left to be done of a run; null when somebody has changed a file since, so that it cannot be finished. */
export function findRemainder(root: string, run: string, { replaced, removed }: Steps): Steps | null {
  const toReplace = replaced.filter(({ path, after }) => hashOf(join(root, path)) !== after);
  const toRemove = removed.filter(({ path }) => hashOf(join(root, path)) !== null);
  const isAsLeft =
    toReplace.every(
      ({ path, before, after }) =>
        hashOf(join(root, path)) === before && hashOf(temporaryOf(root, path, run)) === after,
    ) &&
    toRemove.every(({ path, before }) => hashOf(join(root, path)) === before && isOurs(join(root, path)));
  return isAsLeft ? { replaced: toReplace, removed: toRemove } : null;
}

/** Nothing but files of Lockflow's is ever removed. */
function isOurs(path: string): boolean {
  return readFile(path).slice(0, 200).includes(GENERATED_MARK);
}

/** What is no file, and may never end, is not read. */
function readFile(path: string): string {
  const bytes = readIfThere(path);
  if (bytes === null) throw Object.assign(new Error(`${path} is gone`), { code: "ENOENT" });
  return bytes.toString("utf8");
}
