import { fingerprint } from "../compare/fingerprint.ts";
import type { Project } from "../project/project.ts";
import { surfaceId } from "../project/surface.ts";
import { type CommittedSchemas, readCommittedSchemas } from "../snapshots/read-snapshots.ts";
import { compareSurface, type SurfaceComparison } from "./compare-surface.ts";
import { namesOf, observeRows } from "./observation.ts";
import { readOperations } from "./read-operations.ts";

/** What the deployments of one surface served, compared with its snapshot. */
export type FleetComparison = SurfaceComparison & {
  /** Names of the deployments whose schemas are known. */
  readonly deployments: readonly string[];
};

/** Compares what the deployments of every surface served when they last answered, from the snapshots. */
export async function compareFleets(
  project: Project,
  { snapshots, rows }: CommittedSchemas,
  exhaustiveEnums: boolean,
): Promise<FleetComparison[]> {
  const operations = await readOperations(project, snapshots);
  const fleets: FleetComparison[] = [];
  for (const snapshot of snapshots) {
    const observations = observeRows(rows, snapshot);
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
    fleets.push({ ...comparison, deployments: namesOf(observations) });
  }
  return fleets;
}

/** Fingerprints of what the snapshots themselves show of the fleets. */
export async function readShown(project: Project): Promise<ReadonlySet<string>> {
  const fleets = await compareFleets(project, await readCommittedSchemas(project), false);
  return new Set(fleets.flatMap(({ findings }) => findings.map(fingerprint)));
}
