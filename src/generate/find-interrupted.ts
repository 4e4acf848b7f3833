import { relative, sep } from "node:path";
import { unfinishedFolders } from "../base/disk/finish-interrupted.ts";
import { readUnfinishedOnceQuiet } from "../base/disk/finish-unfinished.ts";
import { findRemainder, type UnfinishedRun } from "../base/disk/unfinished-run.ts";
import { FileError } from "../base/errors/file-error.ts";
import { buildFileFinding } from "../report/build-file-finding.ts";
import type { Finding } from "../report/finding.ts";
import type { ProjectFolders } from "./find-orphans.ts";

/**
 * Finds the runs that were interrupted while they replaced files: of what they wrote some is new and some is old.
 * Nothing is changed; the next command that reads or writes the project finishes them.
 *
 * @throws FileError
 */
export async function findInterrupted(project: Pick<ProjectFolders, "root" | "output">): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const folder of unfinishedFolders(project.root, project.output)) {
    const unfinished = await readUnfinishedOnceQuiet(folder).catch((cause) => unreadable(folder, cause));
    if (unfinished === null) continue;
    const left = describeRemainder(folder, unfinished);
    if (left === null) continue;
    const name = relative(project.root, folder).replaceAll(sep, "/") || ".";
    findings.push(
      buildFileFinding("generated/interrupted", [name, left], { subject: `${name}/`, place: null }),
    );
  }
  return findings;
}

/** Null when everything was done but taking the record away. */
function describeRemainder(folder: string, { owner, steps }: UnfinishedRun): string | null {
  try {
    const remainder = steps === null ? null : findRemainder(folder, owner.run, steps);
    if (steps === null || remainder === null) return "some of them have changed since, and may not fit.";
    const all = steps.replaced.length + steps.removed.length;
    const left = remainder.replaced.length + remainder.removed.length;
    if (left === 0) return null;
    return `${left} of ${all} are still as they were.`;
  } catch (cause) {
    return unreadable(folder, cause);
  }
}

function unreadable(folder: string, cause: unknown): never {
  const { code, path } = cause as NodeJS.ErrnoException;
  throw new FileError({
    code: "FILE_UNREADABLE",
    sentence: `${path ?? folder} cannot be read (${code ?? "unknown reason"}).`,
    hint: "a run was interrupted while it replaced files: make them readable for you.",
    cause,
  });
}
