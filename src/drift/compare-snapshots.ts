import { fingerprint } from "../compare/fingerprint.ts";
import { parityFindings } from "../compare/parity-findings.ts";
import type { Project } from "../project/project.ts";
import { surfaceId } from "../project/surface.ts";
import type { ProtocolParity } from "../report/render-parity.ts";
import { type CommittedSchemas, readCommittedSchemas } from "../snapshots/read-snapshots.ts";
import type { ReportedRun } from "./baseline/parse-reported-run.ts";
import { compareStyles } from "./compare-styles.ts";
import { compareSurface, type SurfaceComparison } from "./compare-surface.ts";
import { observeRows } from "./observation.ts";
import { type OperationsBySurface, readOperations } from "./read-operations.ts";

/** What the snapshots tell without anybody being asked. */
type SnapshotComparison = ReportedRun & {
  readonly parities: readonly ProtocolParity[];
  readonly fleets: readonly SurfaceComparison[];
  readonly operations: OperationsBySurface;
};

/** Compares the styles of every protocol with each other, and every fleet with its snapshot. */
export async function compareSnapshots(
  project: Project,
  known: CommittedSchemas,
  exhaustiveEnums: boolean,
): Promise<SnapshotComparison> {
  const parities = compareStyles(project.protocols, known.snapshots);
  const { fleets, answered, operations } = await compareFleets(project, known, exhaustiveEnums);
  return {
    findings: [
      ...parities.flatMap((parity) => parityFindings(parity, parity.protocol)),
      ...fleets.flatMap(({ findings }) => findings),
    ],
    parities,
    fleets,
    operations,
    answered,
    categories: ["fleet", "parity"],
  };
}

/** Fingerprints of what the snapshots themselves show of the fleets. */
export async function readShown(project: Project): Promise<ReadonlySet<string>> {
  const { fleets } = await compareFleets(project, await readCommittedSchemas(project), false);
  return new Set(fleets.flatMap(({ findings }) => findings.map(fingerprint)));
}

/** Compares every fleet with its snapshot. */
export async function compareFleets(
  project: Project,
  { snapshots, rows }: CommittedSchemas,
  exhaustiveEnums: boolean,
): Promise<Pick<SnapshotComparison, "fleets" | "answered" | "operations">> {
  const operations = await readOperations(project, snapshots, snapshots);
  const answered = new Set<string>();
  const fleets: SurfaceComparison[] = [];
  for (const snapshot of snapshots) {
    const observations = observeRows(rows, snapshot);
    for (const { deployment } of observations) answered.add(deployment);
    const comparison = await compareSurface({
      snapshot,
      observations,
      absent: [],
      operations: operations.get(surfaceId(snapshot)) ?? [],
      exhaustiveEnums,
      isFleet: true,
      fixes: { difference: null, variant: null },
      output: project.output,
    });
    fleets.push(comparison);
  }
  return { fleets, answered, operations };
}
