import type { Tables } from "./tables.ts";

/** More than any executor goes through when there is a better way. */
const ROWS = 4000;

/** The entity of the rich schema that has every kind of field. */
const LARGE = "Ship";

/** The same tables with thousands of rows of one entity: copies that differ in nothing but their ids. */
export function enlargeTables(tables: Tables): Tables {
  const rows = tables.get(LARGE) ?? [];
  const copies = Array.from({ length: ROWS - rows.length }, (_, index) => {
    const row = rows[index % rows.length];
    return { ...row, id: `${row?.["id"]}-${index}` };
  });
  return new Map([...tables, [LARGE, [...rows, ...copies]]]);
}
