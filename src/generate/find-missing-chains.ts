import { isOf } from "../project/surface.ts";
import type { FleetRow } from "../snapshots/fleet-record.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import type { OperationSet } from "./operation-set.ts";
import type { SchemaCache } from "./schema-cache.ts";
import { invalidOperations } from "./validate-operations.ts";

/**
 * Finds the chains that serve a variant of the snapshot for which an operation is not valid, by its name: operations that
 * are valid everywhere have none.
 *
 * @param sets operations of the snapshot's surface, which are valid for the snapshot itself.
 */
export function findMissingChains(
  sets: readonly OperationSet[],
  snapshot: Snapshot,
  rows: readonly FleetRow[],
  schemas: SchemaCache,
): ReadonlyMap<string, readonly string[]> {
  const missing = new Map<string, string[]>();
  const own = rows.filter(isOf(snapshot));
  for (const { path, text } of snapshot.variants) {
    const chains = own.filter((row) => row.snapshot === path).flatMap((row) => row.chains);
    if (chains.length === 0) continue;
    const served = schemas.graphql({ path, text });
    for (const { name } of sets.flatMap((one) => invalidOperations(one, served))) {
      missing.set(name, [...(missing.get(name) ?? []), ...chains]);
    }
  }
  return missing;
}
