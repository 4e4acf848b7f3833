import { join } from "node:path";
import type { DiffOptions } from "../compare/diff-schemas.ts";
import { fingerprint } from "../compare/fingerprint.ts";
import type { Project } from "../project/project.ts";
import { STYLE_NAMES } from "../project/vocabulary.ts";
import { readFleetRecord, readSnapshot } from "../snapshots/read-snapshots.ts";
import { styles } from "../styles/index.ts";
import { compareFleet, type FleetComparison } from "./compare-fleet.ts";
import { readAssessedOperations } from "./read-assessed-operations.ts";

/**
 * Compares what the deployments of every protocol and style served when they last answered, from the snapshots.
 *
 * @param readOne how to read a snapshot: a protocol and style that lacks one is left out, or an error.
 */
export async function compareFleets(
  project: Project,
  readOne: typeof readSnapshot,
  { exhaustiveEnums }: DiffOptions,
): Promise<FleetComparison[]> {
  const outputRoot = join(project.root, project.output);
  const rows = await readFleetRecord(outputRoot);
  const fleets: FleetComparison[] = [];
  for (const protocol of project.protocols) {
    for (const name of STYLE_NAMES) {
      const snapshot = await readOne(outputRoot, { protocol, style: name });
      if (snapshot === null) continue;
      const operations = await readAssessedOperations(project, protocol, name);
      const { output } = project;
      fleets.push(compareFleet({ snapshot, style: styles[name], rows, operations, exhaustiveEnums, output }));
    }
  }
  return fleets;
}

/** Fingerprints of what the snapshots themselves show of the fleets. */
export async function readShown(project: Project): Promise<ReadonlySet<string>> {
  const fleets = await compareFleets(project, readSnapshot, { exhaustiveEnums: false });
  return new Set(fleets.flatMap(({ findings }) => findings.map(fingerprint)));
}
