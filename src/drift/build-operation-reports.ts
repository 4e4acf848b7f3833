import { compareCodeUnits } from "../base/compare-code-units.ts";
import { operationsOnVariants, type SchemaVariant } from "../compare/impact/operations-on-variants.ts";
import type { Where } from "../report/finding.ts";
import type { OperationReport } from "../report/report.ts";
import type { PlacedOperation } from "./read-assessed-operations.ts";

/**
 * Builds what a report says of the operations of one protocol and style: on which chains they are valid. What findings
 * do to them is told when these are judged.
 *
 * @param variants the schemas, and who serves each; none where nobody is known to serve what is compared.
 * @param chainsOf the chains of each deployment, by its name.
 */
export function buildOperationReports(
  operations: readonly PlacedOperation[],
  variants: readonly SchemaVariant[],
  chainsOf: ReadonlyMap<string, readonly string[]>,
  { protocol, style }: Pick<Where, "protocol" | "style">,
): OperationReport[] {
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
