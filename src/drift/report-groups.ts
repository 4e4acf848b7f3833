import { shortHash } from "../base/hash.ts";
import { groupFleet } from "../compare/group-fleet.ts";
import type { OfSurface } from "../project/surface.ts";
import type { GroupReport } from "../report/report.ts";
import { styles } from "../styles/index.ts";
import type { Recognized } from "../styles/style.ts";
import type { Observation } from "./observation.ts";

/** Builds what a report says of the deployments of one surface, by what they serve. */
export function reportGroups(
  observations: readonly Observation[],
  { protocol, style }: OfSurface,
): GroupReport[] {
  const recognized = new Map<string, Recognized>();
  for (const { hashes, schema } of observations) {
    if (!recognized.has(hashes.schema)) recognized.set(hashes.schema, styles[style].recognize(schema()));
  }
  const { groups } = groupFleet(
    observations.map(({ deployment, entities, hashes }) => ({
      deployment,
      entities,
      ...hashes,
      release: recognized.get(hashes.schema)?.release ?? null,
    })),
  );
  return groups.map(({ kind, entities, schema, release, deployments }) => ({
    id: shortHash(schema),
    protocol,
    style,
    entities: shortHash(entities),
    release,
    features: recognized.get(schema)?.features ?? [],
    kind,
    deployments,
  }));
}
