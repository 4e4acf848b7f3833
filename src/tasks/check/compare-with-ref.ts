import { findMergeBase } from "../../base/git.ts";
import { findDifferences } from "../../compare/find-differences.ts";
import { observeRows } from "../../compare/observation.ts";
import { reportOperations } from "../../compare/report-operations.ts";
import type { DiffOptions } from "../../compare/severity-rules.ts";
import { shareRenames } from "../../compare/share-renames.ts";
import { styles } from "../../dialects/index.ts";
import { locateCoordinates } from "../../dialects/locate.ts";
import type { OperationsBySurface } from "../../operations/operation-set.ts";
import { buildFileFinding } from "../../report/codes/files.ts";
import type { Finding } from "../../report/finding.ts";
import type { AgainstReport, OperationReport } from "../../report/report.ts";
import { readEarlierSnapshots } from "../../workspace/earlier-snapshots.ts";
import { snapshotPath } from "../../workspace/snapshot.ts";
import { parseSnapshot } from "../../workspace/snapshot-schema.ts";
import type { Workspace } from "../../workspace/workspace.ts";

/** The differences between the snapshots and those at a git ref. */
export type ComparisonWithRef = {
  readonly findings: readonly Finding[];
  readonly operations: readonly OperationReport[];
  readonly against: AgainstReport;
};

/**
 * Compares every snapshot with itself at the merge base of `HEAD` and a git ref, and reports the effect on the operations
 * of these. What the ref changed since is not a change of this branch.
 *
 * @throws FileError when git does not have the ref or the merge base.
 */
export async function compareWithRef(
  workspace: Workspace,
  operations: OperationsBySurface,
  { ref, exhaustiveEnums }: DiffOptions & { readonly ref: string },
): Promise<ComparisonWithRef> {
  const { project, fleet } = workspace;
  const { root, output, surfaces } = project;
  const commits = await findMergeBase(root, ref);
  const { base } = commits;
  const names = surfaces.map(({ id }) => id);
  const earlier = await readEarlierSnapshots(project, base, names);
  const findings: Finding[] = [];
  const reports: OperationReport[] = [];
  const compared: string[] = [];
  const changed = surfaces.flatMap((surface) => {
    const { id, protocol, style } = surface;
    const snapshot = workspace.snapshot(surface);
    const before = earlier.get(id);
    const path = `${output}/${snapshotPath(surface)}`;
    const where = { protocol, style, deployments: [] };
    if (snapshot === null || before === undefined) {
      if (snapshot !== null || before !== undefined) {
        const code = snapshot === null ? "snapshot/missing" : "snapshot/new";
        const place = { file: path, line: null, column: null };
        findings.push(buildFileFinding(code, [base], { place, where }));
      }
      return [];
    }
    compared.push(id);
    const ofSurface = operations.get(id) ?? [];
    // `judgeRun` adds the effect of the findings.
    reports.push(...reportOperations(ofSurface, observeRows(fleet, snapshot), surface));
    if (before.text === snapshot.base.text) return [];
    return [{ protocol, style, where, snapshot, path, before, operations: ofSurface }];
  });
  const differences = await shareRenames(changed, ({ style, snapshot, path, before, ...rest }, renames) =>
    findDifferences({
      ...rest,
      before: parseSnapshot({ path: `${base}:${before.path}`, text: before.text }),
      after: parseSnapshot(snapshot.base),
      style: styles[style],
      locate: locateCoordinates(snapshot.base.text, path),
      fix: null,
      exhaustiveEnums,
      renames,
    }),
  );
  findings.push(...differences.flatMap((difference) => difference.findings));
  return { findings, operations: reports, against: { ref, ...commits, compared } };
}
