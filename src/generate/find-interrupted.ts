import { relative, sep } from "node:path";
import { unfinishedFolders } from "../base/finish-interrupted.ts";
import { readUnfinishedOnceQuiet } from "../base/finish-unfinished.ts";
import { unreadable } from "../base/survey-folder.ts";
import { findRemainder, type UnfinishedRun } from "../base/unfinished-run.ts";
import { buildFileFinding } from "../report/codes/files.ts";
import type { Finding } from "../report/finding.ts";
import type { ProjectFolders } from "./write-generation.ts";

/**
 * Finds the runs that were interrupted while they replaced files. The next command that writes finishes them.
 *
 * @throws FileError
 */
export async function findInterrupted(project: Pick<ProjectFolders, "root" | "output">): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const folder of unfinishedFolders(project.root, project.output)) {
    try {
      const unfinished = await readUnfinishedOnceQuiet(folder);
      const left = unfinished && describeRemainder(folder, unfinished);
      if (left === null) continue;
      const name = relative(project.root, folder).replaceAll(sep, "/") || ".";
      findings.push(
        buildFileFinding("generated/interrupted", [name, left], { subject: `${name}/`, place: null }),
      );
    } catch (cause) {
      const hint = "a run was interrupted while it replaced files: make them readable for you.";
      throw unreadable(folder, cause, hint);
    }
  }
  return findings;
}

/** Null when everything was done but taking the record away. */
function describeRemainder(folder: string, { owner, steps }: UnfinishedRun): string | null {
  const remainder = steps && findRemainder(folder, owner.run, steps);
  if (steps === null || remainder === null) return "some of them have changed since, and may not fit.";
  const left = remainder.replaced.length + remainder.removed.length;
  return left === 0
    ? null
    : `${left} of ${steps.replaced.length + steps.removed.length} are still as they were.`;
}
