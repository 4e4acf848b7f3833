import { cached, compareCodeUnits } from "../../../src/base/collections.ts";
import { groupBySurface, type OfSurface, surfaceId } from "../../../src/dialects/surface.ts";
import { operationsByPlace } from "../../../src/report/describe-finding.ts";
import type { OperationReport, Report } from "../../../src/report/types.ts";

/** The chains on which operations are valid. */
export type Coverage = {
  /** Keys in code-unit order. */
  readonly chains: readonly string[];
  /** By surface, the worst first; in each surface the worst first, then in code-unit order. */
  readonly rows: readonly CoverageRow[];
};

/** One operation of a surface, with its state on each chain. */
export type CoverageRow = { readonly operation: OperationReport; readonly states: readonly CoverageState[] };

/** The state of an operation on a chain; `none` if the chain does not serve its protocol and style. */
export type CoverageState = (typeof WORST_FIRST)[number];

const WORST_FIRST = ["broken", "risk", "valid", "none"] as const;

/** Reads where operations are valid: by the schemas, and by the effects of findings that are not accepted. */
export function readCoverage(report: Report, chainsOf: ReadonlyMap<string, readonly string[]>): Coverage {
  // If the run compared operations, those of the snapshots are the same without the effects of findings.
  const operations = report.operations.length > 0 ? report.operations : (report.snapshots?.operations ?? []);
  const chains = [
    ...new Set([
      ...[...chainsOf.values()].flat(),
      ...operations.flatMap((operation) => [...operation.chains, ...operation.missing]),
    ]),
  ].sort(compareCodeUnits);
  const hits = collectHits(report, chainsOf);
  const surfaces = groupBySurface(operations, (operation) => operation).map((group) =>
    group
      .map((operation): CoverageRow => {
        const hit = hits.get(keyOf(operation, operation.name));
        return { operation, states: chains.map((chain) => stateOn(chain, operation, hit)) };
      })
      .sort((a, b) => worstOf(a) - worstOf(b)),
  );
  // Each begins with its worst row; sorting keeps the order of equals.
  return { chains, rows: surfaces.sort(([a], [b]) => worstOf(a) - worstOf(b)).flat() };
}

function stateOn(chain: string, operation: OperationReport, hits: Hits | undefined): CoverageState {
  const isMissing = operation.missing.includes(chain);
  if (!isMissing && !operation.chains.includes(chain)) return "none";
  if (isMissing || hits?.broken.has(chain) || hits?.broken.has(EVERYWHERE)) return "broken";
  return hits?.atRisk.has(chain) || hits?.atRisk.has(EVERYWHERE) ? "risk" : "valid";
}

/** The chains on which an operation is hit. */
type Hits = { readonly broken: Set<string>; readonly atRisk: Set<string> };

/** Matches every chain, for findings about the snapshot itself. */
const EVERYWHERE = "";

function collectHits({ findings }: Report, chainsOf: ReadonlyMap<string, readonly string[]>) {
  const hits = new Map<string, Hits>();
  for (const finding of findings.filter(({ accepted }) => !accepted)) {
    for (const { where, operations } of operationsByPlace(finding)) {
      if (where === null) continue;
      const chains = where.deployments.flatMap((name) => chainsOf.get(name) ?? []);
      const hit = where.deployments.length === 0 ? [EVERYWHERE] : chains;
      for (const { name, impact } of operations) {
        const entry = cached(
          hits,
          keyOf(where, name),
          (): Hits => ({ broken: new Set(), atRisk: new Set() }),
        );
        for (const chain of hit) (impact === "broken" ? entry.broken : entry.atRisk).add(chain);
      }
    }
  }
  return hits;
}

function keyOf(of: OfSurface, name: string): string {
  return `${surfaceId(of)} ${name}`;
}

/** The rank of its worst state, from 0. */
function worstOf(row: CoverageRow | undefined): number {
  return WORST_FIRST.findIndex((state) => row?.states.includes(state));
}
