import type { Row, RowStore, RowValue } from "../../../model/rows.ts";
import { compareValues } from "./scalars.ts";
import type { Attribute, SchemaIndex } from "./schema-index.ts";

/** A stored entity and its object type. */
export type Entry = { readonly type: string; readonly row: Row };

/** By what a collection is ordered, ascending; ties are by `id`. */
export type OrderKey = {
  /** Names the order; equal names are equal orders. */
  readonly name: string;
  readonly attribute: Attribute;
  /** For `ref__f`, the field of the referred entity. */
  readonly child: Attribute | null;
};

/**
 * The rows of an indexer by type, an interface being the rows of all its implementers, in any order. Orders
 * are made when first asked for and kept.
 */
export type Tables = {
  readonly find: (type: string, id: string) => Entry | undefined;
  readonly matching: (type: string, field: string, value: RowValue) => readonly Entry[];
  /** All entries in this order. */
  readonly ordered: (type: string, order: OrderKey) => readonly Entry[];
  /** Some entries of the type in this order. */
  readonly sort: (type: string, order: OrderKey, entries: readonly Entry[]) => readonly Entry[];
};

export function createTables(store: RowStore, index: SchemaIndex): Tables {
  const orders = new Map<string, readonly Entry[]>();
  const ranks = new Map<string, ReadonlyMap<string, number>>();

  function ordered(type: string, order: OrderKey): readonly Entry[] {
    const key = `${type} ${order.name}`;
    const known = orders.get(key);
    if (known) return known;
    const keyed = entriesOf(type).map((entry) => ({
      entry,
      key: orderValue(entry, order),
      id: idOf(entry.row),
    }));
    const keyType = (order.child ?? order.attribute).valueType;
    const idType = index.entity(type)?.attribute("id")?.valueType ?? "ID";
    keyed.sort((a, b) => compareNullsLast(keyType, a.key, b.key) || compareValues(idType, a.id, b.id));
    const made = keyed.map(({ entry }) => entry);
    orders.set(key, made);
    return made;
  }

  function entriesOf(type: string): Entry[] {
    return index
      .concreteTypes(type)
      .flatMap((concrete) => store.rows(concrete).map((row) => ({ type: concrete, row })));
  }

  function orderValue({ row }: Entry, { attribute, child }: OrderKey): RowValue {
    if (child === null) return row[attribute.name] ?? null;
    const target = reference(row, attribute);
    return target?.row[child.name] ?? null;
  }

  function reference(row: Row, attribute: Attribute): Entry | undefined {
    if (attribute.derivedFrom !== null) {
      return matching(attribute.base, attribute.derivedFrom, row["id"] ?? null)[0];
    }
    const id = row[attribute.name];
    return id === null || id === undefined ? undefined : find(attribute.base, String(id));
  }

  function find(type: string, id: string): Entry | undefined {
    for (const concrete of index.concreteTypes(type)) {
      const row = store.find(concrete, id);
      if (row) return { type: concrete, row };
    }
    return undefined;
  }

  function matching(type: string, field: string, value: RowValue): readonly Entry[] {
    return index
      .concreteTypes(type)
      .flatMap((concrete) => store.matching(concrete, field, value).map((row) => ({ type: concrete, row })));
  }

  function sort(type: string, order: OrderKey, entries: readonly Entry[]): readonly Entry[] {
    if (entries.length < 2) return entries;
    const rank = rankOf(type, order);
    return entries
      .map((entry) => ({ entry, rank: rank.get(idOf(entry.row)) ?? 0 }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ entry }) => entry);
  }

  /** The place of every entry by id: ids are unique, also across the implementers of an interface. */
  function rankOf(type: string, order: OrderKey): ReadonlyMap<string, number> {
    const key = `${type} ${order.name}`;
    const known = ranks.get(key);
    if (known) return known;
    const made = new Map(ordered(type, order).map((entry, rank) => [idOf(entry.row), rank]));
    ranks.set(key, made);
    return made;
  }

  return { find, matching, ordered, sort };
}

/** The id of a row. */
export function idOf(row: Row): string {
  return String(row["id"]);
}

function compareNullsLast(type: string, a: RowValue, b: RowValue): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareValues(type, a, b);
}
