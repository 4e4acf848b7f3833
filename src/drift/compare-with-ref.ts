import { join } from "node:path";
import { readAtRef } from "../base/disk/read-at-ref.ts";
import { findDifferences } from "../compare/find-differences.ts";
import type { Project } from "../project/project.ts";
import { STYLE_NAMES } from "../project/vocabulary.ts";
import type { Finding } from "../report/finding.ts";
import type { OperationReport } from "../report/report.ts";
import { canonicalize } from "../schema/canonicalize.ts";
import { locateCoordinates } from "../schema/locate-coordinates.ts";
import { parseSdl } from "../schema/parse-sdl.ts";
import { readFleetRecord, readSnapshot } from "../snapshots/read-snapshots.ts";
import { snapshotPath } from "../snapshots/snapshot.ts";
import { styles } from "../styles/index.ts";
import { compareFleet } from "./compare-fleet.ts";
import { readAssessedOperations } from "./read-assessed-operations.ts";

/** What the snapshots of the working tree mean to its operations, beside those of a git ref. */
export type RefComparison = {
  readonly findings: readonly Finding[];
  readonly operations: readonly OperationReport[];
};

/**
 * Compares every snapshot with what it was at a git ref: whether the operations still mean the same by the types of
 * what they select, of their variables, and by the defaults they rely on. A snapshot that was not there at the ref
 * takes nothing from anybody.
 *
 * @throws FileError when git does not have the ref.
 */
export async function compareWithRef(
  project: Project,
  ref: string,
  exhaustiveEnums: boolean,
): Promise<RefComparison> {
  const outputRoot = join(project.root, project.output);
  const rows = await readFleetRecord(outputRoot);
  const findings: Finding[] = [];
  const reports: OperationReport[] = [];
  for (const protocol of project.protocols) {
    for (const name of STYLE_NAMES) {
      const path = `${project.output}/${snapshotPath({ protocol, style: name })}`;
      const before = await readAtRef(project.root, ref, path);
      const snapshot = await readSnapshot(outputRoot, { protocol, style: name });
      if (snapshot === null) continue;
      const operations = await readAssessedOperations(project, protocol, name);
      const style = styles[name];
      const { output } = project;
      const { text } = snapshot.base;
      // What the findings do to them is told from the findings.
      reports.push(
        ...compareFleet({ snapshot, style, rows, operations, exhaustiveEnums, output }).operations,
      );
      if (before === null || before === text) continue;
      const { findings: found } = findDifferences({
        before: schemaOf(before, `${ref}:${path}`),
        after: schemaOf(text, path),
        style,
        where: { protocol, style: name, deployments: [] },
        operations,
        placeOf: locateCoordinates(text, path),
        fix: null,
        exhaustiveEnums,
      });
      for (const finding of found) findings.push(finding);
    }
  }
  return { findings, operations: reports };
}

function schemaOf(text: string, place: string) {
  return canonicalize(parseSdl(text, place));
}
