import type { Moment, Row, RowStore, RowValue } from "../../../model/rows.ts";
import type { PlatformRows } from "./platform-rows.ts";
import type { Table } from "./table.ts";

/** The rows of all tables at the one moment a request sees. */
export type Data = {
  readonly store: RowStore;
  readonly rows: (table: Table) => readonly Row[];
  readonly find: (table: Table, id: RowValue) => Row | undefined;
  /** The rows that hold a value; null when the table has no indexes. */
  readonly matching: (table: Table, field: string, value: RowValue) => readonly Row[] | null;
};

/** The rows whose field is a value. */
export type Holding = { readonly field: string; readonly value: RowValue };

/** Rows, and what all of them hold where that is what they are. */
export type RowsHolding = { readonly rows: readonly Row[]; readonly holding: Holding | null };

export function createData({ store, chains }: Moment, platformRows: PlatformRows): Data {
  return {
    store,
    rows: ({ isEntity, name }) => (isEntity ? store.rows(name) : platformRows(name, chains)),
    find: ({ isEntity, name }, id) => (isEntity ? findRow(store, name, id) : undefined),
    matching: ({ isEntity, name }, field, value) => {
      if (!isEntity) return null;
      if (field !== "id") return store.matching(name, field, value);
      const row = findRow(store, name, value);
      return row === undefined ? [] : [row];
    },
  };
}

/** By key, which for an id that is an `Int` is none of a store's. */
function findRow(store: RowStore, entity: string, id: RowValue): Row | undefined {
  return typeof id === "string" ? store.find(entity, id) : store.matching(entity, "id", id)[0];
}
