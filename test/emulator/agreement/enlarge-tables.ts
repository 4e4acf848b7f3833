import type { Tables } from "./tables.ts";

/** The entity of the rich schema that has every kind of field. */
const LARGE = "Ship";

/** The same tables with many rows of one entity: copies that differ in nothing but their ids. */
export function enlargeTables(tables: Tables, count: number): Tables {
  const rows = tables.get(LARGE) ?? [];
  const copies = Array.from({ length: count - rows.length }, (_, index) => {
    const row = rows[index % rows.length];
    return { ...row, id: `${row?.["id"]}-${index}` };
  });
  return new Map([...tables, [LARGE, [...rows, ...copies]]]);
}
