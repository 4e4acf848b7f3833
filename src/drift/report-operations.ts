import { compareCodeUnits } from "../base/compare-code-units.ts";
import { groupBy } from "../base/group-by.ts";
import { operationsOnVariants } from "../compare/impact/operations-on-variants.ts";
import type { OfSurface } from "../project/surface.ts";
import type { OperationReport } from "../report/report.ts";
import type { Observation } from "./observation.ts";
import type { ListedOperation } from "./operation-cache.ts";
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
  surface: OfSurface,
): OperationReport[] {
  if (operations.length === 0) return [];
  const variants = [...groupBy(observations, ({ hashes }) => hashes.schema)].flatMap(([hash, same]) => {
    const deployments = same.map(({ deployment }) => deployment);
    return same.slice(0, 1).map(({ schema }) => ({ hash, schema: schema(), deployments }));
  });
  const reaches = operationsOnVariants(operations, variants);
  return operations.map(({ name, place: { file, line }, isPortable }, index) => {
    const { deployments = [], refused = [] } = reaches[index] ?? {};
    const missing = refused.flatMap((one) => one.deployments);
    const operation = { name, file, line, ...(isPortable && { portable: true as const }) };
    return reportOne(operation, surface, chainsOf(deployments), chainsOf(missing));
  });

  function chainsOf(deployments: readonly string[]): string[] {
    const names = new Set(deployments);
    return sortedChains(observations.filter(({ deployment }) => names.has(deployment)));
  }
}

/** Builds the same of operations that are known to be valid by all that is observed. */
export function reportValid(
  operations: readonly ListedOperation[],
  observations: readonly Observation[],
  surface: OfSurface,
): OperationReport[] {
  const chains = sortedChains(observations);
  return operations.map((operation) => reportOne(operation, surface, chains, []));
}

function reportOne(
  { name, file, line, portable }: ListedOperation,
  { protocol, style }: OfSurface,
  chains: readonly string[],
  missing: readonly string[],
): OperationReport {
  return {
    name,
    protocol,
    style,
    file,
    line,
    impact: "unaffected",
    chains,
    missing,
    ...(portable && { portable }),
  };
}

function sortedChains(observations: readonly Observation[]): string[] {
  return [...new Set(observations.flatMap(({ chains }) => chains))].sort(compareCodeUnits);
}
