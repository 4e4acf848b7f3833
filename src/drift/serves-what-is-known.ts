import type { Introspected } from "../fleet/outcome.ts";
import type { FleetRow } from "../snapshots/fleet-record.ts";

/** Whether a deployment serves what the fleet record says of it, descriptions included. */
export function servesWhatIsKnown(
  { deployment, reading: { hashes } }: Introspected,
  rows: ReadonlyMap<string, FleetRow>,
): boolean {
  const row = rows.get(deployment.name);
  return row !== undefined && row.schema === hashes.schema && row.docs === hashes.docs;
}
