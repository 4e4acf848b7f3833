import { cached, memoize } from "../../../src/base/collections.ts";
import type { Row, RowStore, RowValue } from "../read-view.ts";
import { createMemo } from "../served-style.ts";
import { type Arguments, enumOf } from "./coerce.ts";
import { type ErrorEntry, messages, refuse } from "./messages.ts";
import { compareValues } from "./scalars.ts";
import type { EntityFacts, SchemaIndex } from "./schema-index.ts";

/** A stored entity and its object type. */
export type Entry = { readonly type: string; readonly row: Row };

/** The rows of an indexer at one block, by object type. */
export type Tables = {
  readonly store: RowStore;
  /** The entity of a type or interface with this id. */
  readonly find: (type: string, id: string) => Entry | undefined;
  /** The rows of an object type whose field is this value, or is a list with it. */
  readonly matching: (type: string, field: string, value: RowValue) => readonly Row[];
  /** All rows of an object type, ascending. */
  readonly ordered: (type: string, order: OrderKey) => readonly Row[];
  readonly sort: (type: string, order: OrderKey, rows: readonly Row[]) => readonly Row[];
  /** Sorts entities of several object types. */
  readonly sortEntries: (order: OrderKey, entries: readonly Entry[]) => readonly Entry[];
};

/** Returns the tables of a store; cached as long as the store is. */
export type TableSource = (store: RowStore) => Tables;

export function createTableSource(index: SchemaIndex): TableSource {
  return memoize((store) => createTables(store, index));
}

/** Cached orders per store; each has an entry for every row. */
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
    // All tables of an interface are joined, and the first value counts.
    return sortKey((row) =>
      targets.reduce<readonly RowValue[]>(
        (values, target) => {
          const related = store.matching(target, derivedFrom, row["id"] ?? null);
          if (related.length === 0) return values;
          return values.flatMap((value) => related.map((other) => value ?? other[child] ?? null));
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

export function idOf(row: Row): string {
  return String(row["id"]);
}

/** The sort key of rows: a value of each, and its id as tie breaker. */
type SortKey = {
  /** The values of a row; a row with several occurs once for each, as after a join. */
  readonly keysOf: (row: Row) => readonly RowValue[];
  /** The scalar of the values. */
  readonly type: string;
  /** The scalar of the ids. */
  readonly idType: string;
};

/** Sorts a copy of rows ascending, nulls last, ties by id. */
function sortRows(rows: readonly Row[], { keysOf, type, idType }: SortKey): readonly Row[] {
  const keyed = rows.flatMap((row) => keysOf(row).map((key) => ({ row, key })));
  keyed.sort(
    (a, b) =>
      compareNullsLast(type, a.key, b.key) ||
      compareNullsLast(idType, a.row["id"] ?? null, b.row["id"] ?? null),
  );
  return keyed.map(({ row }) => row);
}

/** Compares values of a scalar; null is the greatest. */
function compareNullsLast(type: string, a: RowValue, b: RowValue): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return compareValues(type, a, b);
}

/** Candidate rows of an object type that include all matching ones, found without a scan. */
export type Lookup = (type: string) => readonly Row[];

/** Looks up the rows whose field is one of these values, or is a list with one. */
export function valuesLookup({ store }: Tables, field: string, values: readonly RowValue[]): Lookup {
  const lookUp = (type: string, value: RowValue): readonly Row[] => {
    if (field !== "id") return store.matching(type, field, value);
    const row = store.find(type, String(value));
    return row ? [row] : [];
  };
  const [only, ...others] = new Set(values);
  if (only !== undefined && others.length === 0) return (type) => lookUp(type, only);
  // Cached: thousands of parents may run the same lookup.
  const rowsByType = new Map<string, readonly Row[]>();
  return (type) =>
    cached(rowsByType, type, () => [...new Set(values)].flatMap((value) => lookUp(type, value)));
}

/** The fewest rows that one of the lookups returns; null without lookups. */
export function lookUp(lookups: readonly Lookup[], type: string): readonly Row[] | null {
  let fewest: readonly Row[] | null = null;
  for (const lookup of lookups) {
    const rows = lookup(type);
    if (fewest === null || rows.length < fewest.length) fewest = rows;
  }
  return fewest;
}

/** The sort key of a collection, ascending; ties by `id`. */
type OrderKey = {
  readonly field: string;
  /** For `ref__f`, the field of the referenced entity. */
  readonly child: string | null;
  readonly valueType: string;
};

export type Order = {
  readonly key: OrderKey;
  /** Descending exactly reverses ascending: nulls first, and ties by `id` reversed. */
  readonly descending: boolean;
};

/** A list field, on `Query` or on an entity. */
export type ListField = {
  readonly entity: EntityFacts;
  readonly args: Arguments;
  /** Whether the list is inside another entity, and then whether there are ids to query: none need no query. */
  readonly below: "nothing" | "ids" | "no ids";
};

/**
 * Parses `orderBy` and `orderDirection`.
 *
 * @throws QueryError for a field the server cannot order by.
 */
export function readOrder(entity: EntityFacts, args: Arguments, index: SchemaIndex): Order {
  const orderBy = args.get("orderBy");
  if (orderBy?.kind !== "Enum") return defaultOrder(entity);
  const direction = args.get("orderDirection");
  const descending = direction?.kind === "Enum" && direction.value === "desc";
  // The server splits at `__` and uses the first two parts, even if a field's name contains `__`.
  const [field = "", child] = orderBy.value.split("__");
  const attribute = entity.attribute(field);
  if (attribute === undefined) return refuse(messages.noAttribute(entity.name, field));
  if (child === undefined) {
    if (attribute.list || attribute.kind !== "scalar") {
      refuse(messages.orderNotSupported(tableOf(entity, args), field));
    }
    return { key: { field, child: null, valueType: attribute.valueType }, descending };
  }
  const target = index.entity(attribute.base);
  if (target === undefined || target.kind === "aggregation") {
    return refuse(messages.unknownType(attribute.base));
  }
  const childAttribute = target.attribute(child);
  if (childAttribute === undefined) return refuse(messages.noAttribute(target.name, child));
  if (childAttribute.list || childAttribute.kind !== "scalar") {
    refuse(messages.orderNotSupported(target.name, child));
  }
  return { key: { field, child, valueType: childAttribute.valueType }, descending };
}

/** An aggregation has a table for each interval. */
function tableOf({ name, kind }: EntityFacts, args: Arguments): string {
  const interval = enumOf(args, "interval");
  return kind === "aggregation" && interval !== null ? `${name}_${interval}` : name;
}

/**
 * Refuses the orders by a field of a reference for which the server writes no SQL, or none that the database accepts:
 * any such order in a nested list, or with several types on both sides. An order by the `id` also fails with several
 * types on one side, except for a reference to types that are all immutable or all mutable, or from an immutable type.
 * The incomplete bucket cannot be added to a nested list, or in such an order.
 *
 * @param late gets the errors of the database, which come after all others.
 * @throws QueryError
 */
export function refuseJoin(
  { key: { field, child } }: Order,
  { entity, args, below }: ListField,
  { index, late }: { readonly index: SchemaIndex; readonly late: ErrorEntry[] },
): void {
  const nested = below !== "nothing";
  const addsBucket = enumOf(args, "current") === "include";
  if (child === null && nested && addsBucket) refuse(messages.store(NESTED_CURRENT));
  if (child === null) return;
  const sources = index.concreteTypes(entity.name);
  const targets = index.concreteTypes(entity.attribute(field)?.base ?? "");
  const isImmutable = (type: string) => index.entity(type)?.immutable === true;
  if (targets.length === 0) refuse(messages.nothingToOrderBy);
  if (nested) refuse(messages.store("SortKey::ChildKey cannot be used for parent ordering (yet)"));
  if (sources.length > 1 || addsBucket) {
    if (targets.length > 1 || addsBucket || child === "id") {
      late.push(messages.store('missing FROM-clause entry for table "i1"'));
    }
  } else if (child === "id" && !sources.some(isImmutable) && new Set(targets.map(isImmutable)).size > 1) {
    late.push(messages.store("COALESCE types int4range and integer cannot be matched"));
  }
}

const NESTED_CURRENT = "current aggregation bucket is not supported for Parent-linked nested queries";

/** The default order: by `id`, and newest first for an aggregation. */
function defaultOrder(entity: EntityFacts): Order {
  const timestamp = entity.kind === "aggregation" ? entity.attribute("timestamp") : undefined;
  return timestamp
    ? { key: { field: "timestamp", child: null, valueType: timestamp.valueType }, descending: true }
    : { key: idOrder(entity), descending: false };
}

export function idOrder(entity: EntityFacts): OrderKey {
  return { field: "id", child: null, valueType: entity.attribute("id")?.valueType ?? "ID" };
}
