import type { Parity, ParityRow, Verdict } from "../model/parity.ts";
import type { Protocol } from "../model/vocabulary.ts";
import { baseTypeName } from "../utils/type-expression.ts";
import { renderTable } from "./render-table.ts";

/** The parity of one protocol. */
export type ProtocolParity = Parity & { readonly protocol: Protocol };

/**
 * Renders parities as JSON, versioned for the programs that read it.
 *
 * @param beside what else to tell at the top level.
 */
export function renderParityJson(
  parities: readonly ProtocolParity[],
  beside: Readonly<Record<string, unknown>> = {},
): string {
  const protocols = parities.map(({ protocol, counts, rows, renames, opaqueEnums, capabilities }) => ({
    protocol,
    counts,
    rows,
    renames,
    opaqueEnums,
    capabilities,
  }));
  return `${JSON.stringify({ version: 1, protocols, ...beside }, null, 2)}\n`;
}

/** Renders parities for people: what agrees as counts, what does not as rows. */
export function renderParityText(parities: readonly ProtocolParity[]): string {
  return parities.map(renderProtocol).join("\n\n");
}

function renderProtocol({ protocol, rows, counts }: ProtocolParity): string {
  const entities = rows.filter((row) => row.field === null);
  const shared = entities.filter((row) => row.verdict === "equal").map((row) => row.entity);
  const inShared = rows.filter((row) => row.field !== null && shared.includes(row.entity));
  const table = [
    ["entity", "field", "multichain", "subgraph", "verdict"],
    ...entities.filter((row) => row.verdict !== "equal").map((row) => entityCells(row, rows)),
    ...inShared.filter((row) => SHOWN.has(row.verdict)).map(fieldCells),
  ];
  const lines = [
    `${protocol}: multichain against subgraph`,
    `  ${shared.length} entities in both: ${shared.join(", ")}`,
    `  ${inShared.length} fields of theirs: ${counts.equal} equal, ${counts.mapped} mapped (another scalar for the same value), ${counts.nullability} of another nullability, ${counts.conflict} in conflict, ${count(inShared, "only-multichain")} only on multichain, ${count(inShared, "only-subgraph")} only on subgraph`,
    `  mapped: ${mappedPairs(inShared)}`,
  ];
  if (table.length > 1) lines.push("", renderTable(table, "  "));
  else lines.push("  Nothing else differs.");
  return lines.join("\n");
}

const SHOWN: ReadonlySet<Verdict> = new Set(["nullability", "conflict", "only-multichain", "only-subgraph"]);

function entityCells({ entity, verdict }: ParityRow, rows: readonly ParityRow[]): string[] {
  const fields = rows.filter((row) => row.entity === entity && row.field !== null).length;
  const side = `entity of ${fields} fields`;
  return [
    entity,
    "",
    verdict === "only-multichain" ? side : "–",
    verdict === "only-subgraph" ? side : "–",
    verdict,
  ];
}

function fieldCells({ entity, field, multichain, subgraph, verdict }: ParityRow): string[] {
  return [entity, field ?? "", multichain ?? "–", subgraph ?? "–", verdict];
}

function count(rows: readonly ParityRow[], verdict: Verdict): number {
  return rows.filter((row) => row.verdict === verdict).length;
}

function mappedPairs(rows: readonly ParityRow[]): string {
  const pairs = new Map<string, number>();
  for (const { verdict, multichain, subgraph } of rows) {
    if (verdict !== "mapped" || multichain === null || subgraph === null) continue;
    const pair = `${baseTypeName(multichain)} ↔ ${baseTypeName(subgraph)}`;
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  if (pairs.size === 0) return "none";
  return [...pairs].map(([pair, times]) => `${pair} (${times})`).join(", ");
}
