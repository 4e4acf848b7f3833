import type { Row, RowStore, RowValue } from "../../model/rows.ts";

/**
 * Creates a store over tables by entity, all of whose rows were written at one block. The tables are made when a
 * row is first asked for.
 */
export function createRowStore(
  tables: () => ReadonlyMap<string, readonly Row[]>,
  writtenAt: number,
): RowStore {
  let made: ReadonlyMap<string, readonly Row[]> | undefined;
  const index = indexRows((entity) => {
    made ??= tables();
    return made.get(entity) ?? [];
  });
  return { ...index, writtenAt: () => writtenAt };
}

/**
 * One store over several, with their rows one after the other. No store is asked for an entity before the
 * union is.
 */
export function unionRowStore(stores: readonly RowStore[]): RowStore {
  const index = indexRows((entity) => stores.flatMap((store) => store.rows(entity)));
  return {
    ...index,
    writtenAt: (entity, id) =>
      stores.find((store) => store.find(entity, id) !== undefined)?.writtenAt(entity, id) ?? 0,
  };
}

/** Answers the three questions of a store, with an index per entity and field made at the first question. */
function indexRows(load: (entity: string) => readonly Row[]): Omit<RowStore, "writtenAt"> {
  const tables = new Map<string, readonly Row[]>();
  const ids = new Map<string, ReadonlyMap<RowValue, Row>>();
  const indexes = new Map<string, ReadonlyMap<RowValue, readonly Row[]>>();

  const rows = (entity: string) => memoize(tables, entity, () => load(entity));
  return {
    rows,
    find: (entity, id) => {
      const byId = memoize(ids, entity, () => new Map(rows(entity).map((row) => [row["id"] ?? null, row])));
      return byId.get(id);
    },
    matching: (entity, field, value) => {
      const index = memoize(indexes, `${entity}.${field}`, () => indexBy(rows(entity), field));
      return index.get(value) ?? [];
    },
  };
}

function indexBy(rows: readonly Row[], field: string): ReadonlyMap<RowValue, readonly Row[]> {
  const index = new Map<RowValue, Row[]>();
  for (const row of rows) {
    const value = row[field] ?? null;
    // A set, since a list that holds a value twice still is one row.
    for (const key of Array.isArray(value) ? new Set<RowValue>(value) : [value as RowValue]) {
      const found = index.get(key);
      if (found) found.push(row);
      else index.set(key, [row]);
    }
  }
  return index;
}

function memoize<V>(memory: Map<string, V>, key: string, make: () => V): V {
  let value = memory.get(key);
  if (value === undefined) {
    value = make();
    memory.set(key, value);
  }
  return value;
}
