import type { Row, RowBasis, RowStore } from "../../read-view.ts";
import type { OrderKey } from "./order-key.ts";
import type { OrderedRows } from "./ordered-rows.ts";
import type { Attribute, SchemaIndex } from "./schema-index.ts";
import { type SortKey, sortRows } from "./sort-rows.ts";
import { idsOf } from "./stored-value.ts";

/** Gives the rows of a store in an order, which is made at the first question. */
export type OrderCache = {
  readonly ordered: (store: RowStore, type: string, order: OrderKey, key: SortKey) => OrderedRows;
};

/** The orders kept of one store, the last used; each has a place for every row. */
const MOST_ORDERS = 32;

/**
 * Creates the cache of orders, which go with their stores. A store that says what it is based on is given the
 * order of that one, and only the rows that differ are sorted: a head that moves costs what its blocks wrote.
 */
export function createOrderCache(
  index: SchemaIndex,
  orderedOf: (store: RowStore, type: string, order: OrderKey) => OrderedRows,
): OrderCache {
  const orders = new WeakMap<RowStore, Map<string, OrderedRows>>();

  function ordered(store: RowStore, type: string, order: OrderKey, key: SortKey): OrderedRows {
    const name = `${type} ${order.field} ${order.child ?? ""}`;
    let known = orders.get(store);
    if (known === undefined) {
      known = new Map();
      orders.set(store, known);
    }
    const before = known.get(name);
    if (before) {
      if (known.size > 1) {
        known.delete(name);
        known.set(name, before);
      }
      return before;
    }
    const made = derive(store, type, order, key) ?? sortAll(store, type, key);
    known.set(name, made);
    for (const oldest of known.keys()) {
      if (known.size <= MOST_ORDERS) break;
      known.delete(oldest);
    }
    return made;
  }

  /** The order made of that of the store's basis; null where too much differs. */
  function derive(store: RowStore, type: string, order: OrderKey, key: SortKey): OrderedRows | null {
    const { basis } = store;
    if (basis === undefined) return null;
    const replaced = replacedRows(store, basis, type, order);
    const under = orderedOf(basis.store, type, order);
    if (under.replaced !== null || replaced.size * 2 > under.base.length) return null;
    const more: Row[] = [];
    for (const row of replaced.values()) if (row !== null) more.push(row);
    return {
      key,
      base: under.base,
      replaced: replaced.size === 0 ? null : replaced,
      more: sortRows(more, key),
    };
  }

  /** The rows that differ from the basis, or whose value in the order may. */
  function replacedRows(
    store: RowStore,
    basis: RowBasis,
    type: string,
    { field, child }: OrderKey,
  ): ReadonlyMap<string, Row | null> {
    const changed = basis.changed(type);
    const attribute = child === null ? undefined : index.entity(type)?.attribute(field);
    if (attribute === undefined) return changed;
    const replaced = new Map(changed);
    const add = (row: Row | undefined) => {
      const id = row && String(row["id"]);
      if (id !== undefined && !replaced.has(id)) replaced.set(id, store.find(type, id) ?? null);
    };
    for (const target of index.concreteTypes(attribute.base)) {
      for (const [id, row] of basis.changed(target)) {
        for (const each of [row, basis.store.find(target, id)]) {
          if (each) for (const parent of referring(store, type, attribute, each)) add(parent);
        }
      }
    }
    return replaced;
  }

  return { ordered };
}

/** The rows of a type that refer to another row by a field. */
function referring(
  store: RowStore,
  type: string,
  { name, derivedFrom }: Attribute,
  to: Row,
): readonly (Row | undefined)[] {
  if (derivedFrom === null) return store.matching(type, name, to["id"] ?? null);
  return idsOf(to[derivedFrom]).map((id) => store.find(type, id));
}

function sortAll(store: RowStore, type: string, key: SortKey): OrderedRows {
  return { key, base: sortRows(store.rows(type), key), replaced: null, more: [] };
}
