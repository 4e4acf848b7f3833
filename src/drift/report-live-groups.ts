import { groupFleet } from "../compare/group-fleet.ts";
import type { Introspected } from "../fleet/outcome.ts";
import type { Where } from "../report/finding.ts";
import type { GroupReport } from "../report/report.ts";
import type { Recognized, Style } from "../styles/style.ts";
import { buildGroupReports } from "./build-group-reports.ts";

/** What a report says of the deployments of one protocol and style that answered, by what they serve. */
export function reportLiveGroups(
  answered: readonly Introspected[],
  style: Style,
  protocol: Where["protocol"],
): GroupReport[] {
  const recognized = new Map<string, Recognized>();
  for (const { reading } of answered) {
    const { schema } = reading.hashes;
    if (!recognized.has(schema)) recognized.set(schema, style.recognize(reading.schema));
  }
  const { groups } = groupFleet(
    answered.map(({ deployment, reading }) => ({
      deployment: deployment.name,
      entities: reading.entities,
      ...reading.hashes,
      release: recognized.get(reading.hashes.schema)?.release ?? null,
    })),
  );
  return buildGroupReports(groups, recognized, { protocol, style: style.name });
}
