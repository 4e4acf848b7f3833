import { readAtRef } from "../../base/git.ts";
import { findDifferences } from "../../compare/find-differences.ts";
import { observeRows } from "../../compare/observation.ts";
import { reportOperations } from "../../compare/report-operations.ts";
import type { DiffOptions } from "../../compare/severity-rules.ts";
import { canonicalize } from "../../dialects/canonicalize.ts";
import { styles } from "../../dialects/index.ts";
import { locateCoordinates } from "../../dialects/locate.ts";
import { isOf } from "../../dialects/surface.ts";
import type { Project } from "../../project/project.ts";
import type { Finding } from "../../report/finding.ts";
import type { OperationReport } from "../../report/report.ts";
import { readCommittedSchemas } from "../../workspace/read-snapshots.ts";
import { parseSnapshot, parseSnapshotText, snapshotPath } from "../../workspace/snapshot.ts";
import { readOperations } from "../../workspace/workspace.ts";

/** What a git ref shows beside the snapshots. */
export type ComparisonWithRef = {
  readonly findings: readonly Finding[];
  readonly operations: readonly OperationReport[];
};

/**
 * Compares every snapshot with what it was at a git ref: whether the operations still mean the same. A snapshot that
 * was not there at the ref takes nothing from anybody.
 *
 * @throws FileError when git does not have the ref.
 */
export async function compareWithRef(
  project: Project,
  ref: string,
  { exhaustiveEnums }: DiffOptions,
): Promise<ComparisonWithRef> {
  const { rows, snapshots } = await readCommittedSchemas(project);
  const allOperations = await readOperations(project, snapshots, snapshots);
  const findings: Finding[] = [];
  const reports: OperationReport[] = [];
  for (const surface of project.surfaces) {
    const { protocol, style } = surface;
    const path = `${project.output}/${snapshotPath(surface)}`;
    const before = await readAtRef(project.root, ref, path);
    const snapshot = snapshots.find(isOf(surface));
    if (snapshot === undefined) continue;
    const operations = allOperations.get(surface.id) ?? [];
    // Their impact follows from the findings.
    reports.push(...reportOperations(operations, observeRows(rows, snapshot), surface));
    const { text } = snapshot.base;
    if (before === null || before === text) continue;
    const { findings: found } = findDifferences({
      before: canonicalize(parseSnapshotText({ path: `${ref}:${path}`, text: before })),
      after: parseSnapshot(snapshot.base),
      style: styles[style],
      where: { protocol, style, deployments: [] },
      operations,
      placeOf: locateCoordinates(text, path),
      fix: null,
      exhaustiveEnums,
    });
    for (const finding of found) findings.push(finding);
  }
  return { findings, operations: reports };
}
