import { groupBy } from "../base/collections.ts";
import { baseTypeName } from "../dialects/api-schema.ts";
import type { ParityRow, ProtocolParity, Verdict } from "./outcome.ts";
import { renderTable } from "./terminal.ts";

/** Renders parities for people: equal fields as counts, differences as rows. */
export function renderParityText(parities: readonly ProtocolParity[]): string {
  return parities.map((parity) => [...renderCounts(parity), ...renderRows(parity)].join("\n")).join("\n\n");
}

/** Renders one line of counts per protocol, for output that shows the differences elsewhere. */
export function renderParityCounts(parities: readonly ProtocolParity[]): string {
  return parities
    .map((parity) => {
      const shared = sharedEntities(parity.rows).length;
      return `${parity.protocol}: both styles have ${shared} ${shared === 1 ? "entity" : "entities"}; ${countFields(parity)}`;
    })
    .join("\n");
}

function renderCounts(parity: ProtocolParity): string[] {
  const shared = sharedEntities(parity.rows);
  return [
    `${parity.protocol}: multichain against subgraph`,
    `  ${shared.length} entities in both: ${shared.join(", ")}`,
    `  ${countFields(parity)}`,
    `  mapped: ${mappedPairs(inSharedEntities(parity.rows))}`,
  ];
}

/** Counts the equal fields of shared entities, and the others by verdict. */
function countFields({ rows, counts }: ProtocolParity): string {
  const fields = inSharedEntities(rows);
  const count = (verdict: Verdict) => fields.filter((row) => row.verdict === verdict).length;
  const others = [
    { times: counts.nullability, words: "with different nullability" },
    { times: counts.conflict, words: "in conflict" },
    { times: count("only-multichain"), words: "only on multichain" },
    { times: count("only-subgraph"), words: "only on subgraph" },
  ];
  return [
    `their ${fields.length} fields: ${counts.equal} equal`,
    `${counts.mapped} mapped (a different scalar for the same value)`,
    ...others.filter(({ times }) => times > 0).map(({ times, words }) => `${times} ${words}`),
  ].join(", ");
}

function renderRows({ rows }: ProtocolParity): string[] {
  const table = [
    ["entity", "field", "multichain", "subgraph", "verdict"],
    ...rows
      .filter((row) => row.field === null && row.verdict !== "equal")
      .map((row) => entityCells(row, rows)),
    ...inSharedEntities(rows)
      .filter(({ verdict }) => verdict !== "equal" && verdict !== "mapped")
      .map((row) => [row.entity, row.field ?? "", row.multichain ?? "–", row.subgraph ?? "–", row.verdict]),
  ];
  return table.length > 1 ? ["", renderTable(table, "  ")] : ["  No other differences."];
}

function sharedEntities(rows: readonly ParityRow[]): string[] {
  return rows.filter((row) => row.field === null && row.verdict === "equal").map((row) => row.entity);
}

function inSharedEntities(rows: readonly ParityRow[]): ParityRow[] {
  const shared = new Set(sharedEntities(rows));
  return rows.filter((row) => row.field !== null && shared.has(row.entity));
}

function entityCells({ entity, verdict }: ParityRow, rows: readonly ParityRow[]): string[] {
  const fields = rows.filter((row) => row.entity === entity && row.field !== null).length;
  const side = (only: Verdict) => (verdict === only ? `entity of ${fields} fields` : "–");
  return [entity, "", side("only-multichain"), side("only-subgraph"), verdict];
}

function mappedPairs(rows: readonly ParityRow[]): string {
  const pairs = rows.flatMap(({ verdict, multichain, subgraph }) =>
    verdict !== "mapped" || multichain === null || subgraph === null
      ? []
      : [`${baseTypeName(multichain)} ↔ ${baseTypeName(subgraph)}`],
  );
  const groups = groupBy(pairs, (pair) => pair);
  return [...groups].map(([pair, { length }]) => `${pair} (${length})`).join(", ") || "none";
}
