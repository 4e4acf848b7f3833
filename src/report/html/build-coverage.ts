import { cached, compareCodeUnits } from "../../base/collections.ts";
import { displayText } from "../../base/text.ts";
import { groupBySurface, surfaceId } from "../../dialects/surface.ts";
import { operationsByPlace } from "../describe-finding.ts";
import type { OperationReport, Report } from "../report.ts";
import { type Cell, WORST_FIRST } from "./cell.ts";
import type { CoverageData, CoverageRow } from "./page-data.ts";

/** Builds where operations are valid: by the schemas, and by what findings that are not accepted do to them. */
export function buildCoverage(
  report: Report,
  chainsOf: ReadonlyMap<string, readonly string[]>,
): CoverageData {
  // Where operations were compared, the same is told with what the findings do to them.
  const operations = report.operations.length > 0 ? report.operations : (report.snapshots?.operations ?? []);
  const chains = [
    ...new Set([
      ...[...chainsOf.values()].flat(),
      ...operations.flatMap((operation) => [...operation.chains, ...operation.missing]),
    ]),
  ].sort(compareCodeUnits);
  const hits = collectHits(report, chainsOf);
  const surfaces = groupBySurface(operations, (operation) => operation).map((own) =>
    own
      .map((operation) => buildRow(operation, chains, hits.get(keyOf(operation, operation.name))))
      .sort((a, b) => worstOf(a) - worstOf(b)),
  );
  // Each begins with its worst: sorting keeps the order of those that are as bad.
  return { chains, rows: surfaces.sort(([a], [b]) => worstOf(a) - worstOf(b)).flat() };
}

function buildRow(
  operation: OperationReport,
  chains: readonly string[],
  hits: Hits | undefined,
): CoverageRow {
  const { name, protocol, style, file, line, portable } = operation;
  const valid = new Set(operation.chains);
  const missing = new Set(operation.missing);
  const cells = chains.map((chain): Cell => {
    if (!valid.has(chain) && !missing.has(chain)) return "n";
    if (missing.has(chain) || hits?.broken.has(chain) || hits?.broken.has(EVERYWHERE)) return "b";
    return hits?.atRisk.has(chain) || hits?.atRisk.has(EVERYWHERE) ? "r" : "v";
  });
  return {
    name: displayText(name, []),
    protocol,
    style,
    surface: surfaceId(operation),
    file: displayText(file, []),
    line,
    isPortable: portable === true,
    cells: cells.join(""),
  };
}

/** The chains on which an operation is hit. */
type Hits = { readonly broken: Set<string>; readonly atRisk: Set<string> };

/** Stands for all chains: the finding is about the snapshot itself. */
const EVERYWHERE = "";

function collectHits(
  { findings }: Report,
  chainsOf: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, Hits> {
  const hits = new Map<string, Hits>();
  for (const finding of findings) {
    if (finding.accepted) continue;
    for (const { where, operations } of operationsByPlace(finding)) {
      if (where === null) continue;
      const chains = where.deployments.flatMap((name) => chainsOf.get(name) ?? []);
      const hit = where.deployments.length === 0 ? [EVERYWHERE] : chains;
      for (const { name, impact } of operations) {
        const own = cached(hits, keyOf(where, name), (): Hits => ({ broken: new Set(), atRisk: new Set() }));
        for (const chain of hit) (impact === "broken" ? own.broken : own.atRisk).add(chain);
      }
    }
  }
  return hits;
}

function keyOf(of: Parameters<typeof surfaceId>[0], name: string): string {
  return `${surfaceId(of)} ${name}`;
}

/** The rank of its worst cell, from 0. */
function worstOf(row: CoverageRow | undefined): number {
  return WORST_FIRST.findIndex((cell) => row?.cells.includes(cell));
}
