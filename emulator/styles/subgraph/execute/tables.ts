import { cached } from "../../../../src/base/collections.ts";
import { createMemo } from "../../create-memo.ts";
import type { Row, RowStore, RowValue } from "../../read-view.ts";
import type { OrderKey } from "./order.ts";
import type { SchemaIndex } from "./schema-index.ts";
import { type SortKey, sortRows } from "./sort-rows.ts";

/** A stored entity and its object type. */
export type Entry = { readonly type: string; readonly row: Row };

/** The rows of an indexer at one block, by object type. */
export type Tables = {
  readonly store: RowStore;
  /** The entity of a type or interface with this id. */
  readonly find: (type: string, id: string) => Entry | undefined;
  /** The rows of an object type whose field is, or as a list holds, this value. */
  readonly matching: (type: string, field: string, value: RowValue) => readonly Row[];
  /** All rows of an object type in ascending order. */
  readonly ordered: (type: string, order: OrderKey) => readonly Row[];
  /** Some rows of an object type in an order. */
  readonly sort: (type: string, order: OrderKey, rows: readonly Row[]) => readonly Row[];
  /** Some entities of several object types in one order. */
  readonly sortEntries: (order: OrderKey, entries: readonly Entry[]) => readonly Entry[];
};

/** Gives the tables of a store. What is made of a store is cached for as long as the store is. */
export type TableSource = (store: RowStore) => Tables;

/** Creates the source of the tables of all stores an executor meets. */
export function createTableSource(index: SchemaIndex): TableSource {
  const made = new WeakMap<RowStore, Tables>();
  return (store) => cached(made, store, () => createTables(store, index));
}

/** The orders cached of one store; each has a place for every row. */
const MOST_ORDERS = 32;

function createTables(store: RowStore, index: SchemaIndex): Tables {
  const orders = createMemo<string, readonly Row[]>(MOST_ORDERS);

  function find(type: string, id: string): Entry | undefined {
    for (const concrete of index.concreteTypes(type)) {
      const row = store.find(concrete, id);
      if (row) return { type: concrete, row };
    }
    return undefined;
  }

  function keyOf(type: string, { field, child, valueType }: OrderKey): SortKey {
    const idType = index.entity(type)?.attribute("id")?.valueType ?? "ID";
    const sortKey = (keysOf: SortKey["keysOf"]) => ({ keysOf, type: valueType, idType });
    if (child === null) return sortKey((row) => [row[field] ?? null]);
    const { base, derivedFrom } = index.entity(type)?.attribute(field) ?? { base: "", derivedFrom: null };
    if (derivedFrom === null) {
      return sortKey((row) => {
        const id = row[field] ?? null;
        return [id === null ? null : (find(base, String(id))?.row[child] ?? null)];
      });
    }
    const targets = index.concreteTypes(base);
    // Every table of an interface is joined, and of what comes together the first value counts.
    return sortKey((row) =>
      targets.reduce<readonly RowValue[]>(
        (values, target) => {
          const found = store.matching(target, derivedFrom, row["id"] ?? null);
          if (found.length === 0) return values;
          return values.flatMap((value) => found.map((other) => value ?? other[child] ?? null));
        },
        [null],
      ),
    );
  }

  function sortEntries(order: OrderKey, entries: readonly Entry[]): readonly Entry[] {
    const types = new Map(entries.map(({ type, row }) => [row, type]));
    const keys = new Map<string, SortKey>();
    const keyOfType = (type: string) => cached(keys, type, () => keyOf(type, order));
    const idType = entries[0] ? keyOfType(entries[0].type).idType : "ID";
    const sorted = sortRows([...types.keys()], {
      keysOf: (row) => keyOfType(types.get(row) ?? "").keysOf(row),
      type: order.valueType,
      idType,
    });
    return sorted.map((row) => ({ type: types.get(row) ?? "", row }));
  }

  return {
    store,
    find,
    matching: store.matching,
    ordered: (type, order) =>
      orders.get(`${type} ${order.field} ${order.child ?? ""}`, () =>
        sortRows(store.rows(type), keyOf(type, order)),
      ),
    sort: (type, order, rows) => sortRows(rows, keyOf(type, order)),
    sortEntries,
  };
}

/** The id of a row. */
export function idOf(row: Row): string {
  return String(row["id"]);
}
