import type { EntityModel } from "../../schema/entity-model.ts";

/**
 * Finds why a deployment that graph-node takes answers every query with an error: two of its entities, interfaces and
 * aggregations have one name, and with it the types that are derived from them.
 */
export function findSubgraphBreakage({ definitions }: EntityModel): { name: string; reason: string } | null {
  const seen = new Set<string>();
  for (const kind of ["entity", "interface", "aggregation"] as const) {
    for (const { name } of definitions.filter((definition) => definition.kind === kind)) {
      if (seen.has(name)) return { name, reason: `type ${name}_orderBy already exists in the input schema` };
      seen.add(name);
    }
  }
  return null;
}
