import { parityFindings } from "../compare/parity-findings.ts";
import type { Project } from "../project/project.ts";
import type { Finding } from "../report/finding.ts";
import type { ProtocolParity } from "../report/render-parity.ts";
import type { CommittedSchemas } from "../snapshots/read-snapshots.ts";
import { compareFleets, type FleetComparison } from "./compare-fleets.ts";
import { compareStyles } from "./compare-styles.ts";

/** What the snapshots tell without anybody being asked. */
export type SnapshotComparison = {
  readonly findings: readonly Finding[];
  readonly parities: readonly ProtocolParity[];
  readonly fleets: readonly FleetComparison[];
  /** Names of the deployments whose schemas are known. */
  readonly answered: ReadonlySet<string>;
  /** Categories that were looked at. */
  readonly categories: readonly string[];
};

/** Compares the styles of every protocol with each other, and every fleet with its snapshot. */
export async function compareSnapshots(
  project: Project,
  known: CommittedSchemas,
  exhaustiveEnums: boolean,
): Promise<SnapshotComparison> {
  const parities = compareStyles(project.protocols, known.snapshots);
  const fleets = await compareFleets(project, known, exhaustiveEnums);
  return {
    findings: [
      ...parities.flatMap((parity) => parityFindings(parity, parity.protocol)),
      ...fleets.flatMap(({ findings }) => findings),
    ],
    parities,
    fleets,
    answered: new Set(fleets.flatMap(({ deployments }) => deployments)),
    categories: ["fleet", "parity"],
  };
}
