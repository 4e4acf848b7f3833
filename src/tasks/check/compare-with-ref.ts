import { openGitTree } from "../../base/git.ts";
import { findDifferences } from "../../compare/find-differences.ts";
import { observeRows } from "../../compare/observation.ts";
import { reportOperations } from "../../compare/report-operations.ts";
import type { DiffOptions } from "../../compare/severity-rules.ts";
import { styles } from "../../dialects/index.ts";
import { locateCoordinates } from "../../dialects/locate.ts";
import type { OperationsBySurface } from "../../operations/operation-set.ts";
import type { Finding } from "../../report/finding.ts";
import type { OperationReport } from "../../report/report.ts";
import { snapshotPath } from "../../workspace/snapshot.ts";
import { parseSnapshot } from "../../workspace/snapshot-schema.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The differences between the snapshots and those at a git ref. */
export type ComparisonWithRef = {
  readonly findings: readonly Finding[];
  readonly operations: readonly OperationReport[];
};

/**
 * Compares every snapshot with itself at a git ref, and reports the effect on operations. A snapshot that did not exist
 * at the ref has no findings.
 *
 * @throws FileError when git does not have the ref.
 */
export async function compareWithRef(
  workspace: Workspace,
  operations: OperationsBySurface,
  { ref, exhaustiveEnums }: DiffOptions & { readonly ref: string },
): Promise<ComparisonWithRef> {
  const { project, fleet } = workspace;
  const { root, output, surfaces } = project;
  const paths = surfaces.map((surface) => `${output}/${snapshotPath(surface)}`);
  const earlier = await openGitTree(root, ref, paths);
  const findings: Finding[] = [];
  const reports: OperationReport[] = [];
  for (const surface of surfaces) {
    const { id, protocol, style } = surface;
    const snapshot = workspace.snapshot(surface);
    if (snapshot === null) continue;
    const own = operations.get(id) ?? [];
    // `judgeRun` adds the effect of the findings.
    reports.push(...reportOperations(own, observeRows(fleet, snapshot), surface));
    const path = `${output}/${snapshotPath(surface)}`;
    const before = earlier.read(path);
    if (before === null || before.text === snapshot.base.text) continue;
    const { findings: found } = findDifferences({
      before: parseSnapshot({ path: `${ref}:${path}`, text: before.text }),
      after: parseSnapshot(snapshot.base),
      style: styles[style],
      where: { protocol, style, deployments: [] },
      operations: own,
      locate: locateCoordinates(snapshot.base.text, path),
      fix: null,
      exhaustiveEnums,
    });
    for (const finding of found) findings.push(finding);
  }
  return { findings, operations: reports };
}
