import type { Row, RowValue } from "../../../../emulator/styles/read-view.ts";
import type { Column, EntityFacts } from "../../../emulator/agreement/facts.ts";
import type { Tables } from "../../../emulator/agreement/tables.ts";

type Facts = ReadonlyMap<string, EntityFacts>;

/**
 * Returns tables as they are on a chain: its id is in the column chainId and in the ids of rows and references,
 * so that no relation leaves the chain.
 */
export function putOnChain(tables: Tables, chain: number, facts: Facts): Tables {
  return new Map(
    [...tables].map(([name, rows]) => {
      const columns = facts.get(name)?.columns ?? [];
      return [name, rows.map((row) => putRow(row, columns, chain))];
    }),
  );
}

function putRow(row: Row, columns: readonly Column[], chain: number): Row {
  const values = columns.map((column): [string, RowValue] => {
    const value = row[column.name] ?? null;
    if (column.name === "chainId") return ["chainId", String(chain)];
    const isId = column.name === "id" || column.target !== null;
    return [column.name, isId && value !== null ? idOn(String(value), column, chain) : value];
  });
  return Object.fromEntries(values);
}

/** On chain 1, ids are those of the questions. */
function idOn(id: string, { kind }: Column, chain: number): string {
  if (chain === 1) return id;
  return kind === "Bytes" ? `${id}${String(chain).padStart(10, "0")}` : `${id}@${chain}`;
}

/** Joins the rows of several tables. */
export function joinTables(all: readonly Tables[]): Tables {
  const joined = new Map<string, Row[]>();
  for (const tables of all) {
    for (const [name, rows] of tables) joined.set(name, [...(joined.get(name) ?? []), ...rows]);
  }
  return joined;
}

/** Removes rows without a referrer from an entity whose chain follows only from its referrers. */
export function withoutLost(
  tables: Tables,
  entity: string,
  through: { readonly entity: string; readonly field: string },
): Tables {
  const found = new Set((tables.get(through.entity) ?? []).map((row) => row[through.field]));
  return new Map([...tables, [entity, (tables.get(entity) ?? []).filter(({ id }) => found.has(id))]]);
}
