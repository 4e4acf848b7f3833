import type { Budget } from "../../budget.ts";
import type { ReadView, Row, RowStore, RowValue } from "../../read-view.ts";
import type { PlatformRows } from "./platform-rows.ts";
import type { Table } from "./table.ts";

/** The rows of all tables in the read view of a request. */
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

/** @param budget of the request, for the rows that are found by an index; others are paid for one by one. */
export function createData({ store, chains }: ReadView, platformRows: PlatformRows, { spend }: Budget): Data {
  return {
    store,
    rows: ({ isEntity, name }) => (isEntity ? store.rows(name) : platformRows(name, chains)),
    find: ({ isEntity, name }, id) => {
      spend(1);
      return isEntity ? findRow(store, name, id) : undefined;
    },
    matching: ({ isEntity, name }, field, value) => {
      if (!isEntity) return null;
      if (field !== "id") {
        const rows = store.matching(name, field, value);
        spend(1 + rows.length / INDEXED);
        return rows;
      }
      const row = findRow(store, name, value);
      return row === undefined ? [] : [row];
    },
  };
}

/** So many rows that an index gives cost as much as one that is looked at. */
const INDEXED = 8;

/** By key, which for an id that is an `Int` is none of a store's. */
function findRow(store: RowStore, entity: string, id: RowValue): Row | undefined {
  return typeof id === "string" ? store.find(entity, id) : store.matching(entity, "id", id)[0];
}
