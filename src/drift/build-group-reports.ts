import { shortHash } from "../base/hash.ts";
import type { FleetGroup } from "../compare/group-fleet.ts";
import type { Where } from "../report/finding.ts";
import type { GroupReport } from "../report/report.ts";
import type { Recognized } from "../styles/style.ts";

/**
 * Builds what a report says of the groups of one protocol and style.
 *
 * @param recognized what each schema tells of its platform, by the hash of its shape.
 */
export function buildGroupReports(
  groups: readonly FleetGroup[],
  recognized: ReadonlyMap<string, Recognized>,
  { protocol, style }: Pick<Where, "protocol" | "style">,
): GroupReport[] {
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
