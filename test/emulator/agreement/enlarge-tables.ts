import type { Tables } from "./tables.ts";

/** The entity of the rich schema with every kind of field. */
const LARGE = "Ship";

/** Adds copies of one entity's rows, which differ only in their ids. */
export function enlargeTables(tables: Tables, count: number): Tables {
  const rows = tables.get(LARGE) ?? [];
  const copies = Array.from({ length: count - rows.length }, (_, index) => {
    const row = rows[index % rows.length];
    return { ...row, id: `${row?.["id"]}-${index}` };
  });
  return new Map([...tables, [LARGE, [...rows, ...copies]]]);
}
