import { compareCodeUnits } from "../base/compare-code-units.ts";
import { groupBy } from "../base/group-by.ts";
import { operationsOnVariants } from "../compare/impact/operations-on-variants.ts";
import type { OfSurface } from "../project/surface.ts";
import type { OperationReport } from "../report/report.ts";
import type { Observation } from "./observation.ts";
import type { PlacedOperation } from "./read-operations.ts";

/**
 * Builds what a report says of the operations of one surface: on which chains they are valid. What findings do to
 * them is added when these are judged.
 *
 * @param observations what deployments serve; none where no deployment is known to serve what is compared.
 */
export function reportOperations(
  operations: readonly PlacedOperation[],
  observations: readonly Observation[],
  { protocol, style }: OfSurface,
): OperationReport[] {
  if (operations.length === 0) return [];
  const variants = [...groupBy(observations, ({ hashes }) => hashes.schema)].flatMap(([hash, same]) => {
    const deployments = same.map(({ deployment }) => deployment);
    return same.slice(0, 1).map(({ schema }) => ({ hash, schema: schema(), deployments }));
  });
  const chainsOf = new Map(observations.map(({ deployment, chains }) => [deployment, chains]));
  const chains = (names: readonly string[]) =>
    [...new Set(names.flatMap((name) => chainsOf.get(name) ?? []))].sort(compareCodeUnits);
  const reaches = operationsOnVariants(operations, variants);
  return operations.map(({ name, place }, index) => ({
    name,
    protocol,
    style,
    file: place.file,
    line: place.line,
    impact: "unaffected",
    chains: chains(reaches[index]?.deployments ?? []),
    missing: chains(reaches[index]?.refused.flatMap(({ deployments }) => deployments) ?? []),
  }));
}
