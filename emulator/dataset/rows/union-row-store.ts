import { createMemo } from "../../styles/create-memo.ts";
import type { Row, RowStore } from "../../styles/read-view.ts";

/**
 * One store over several, with their rows one after the other. By id and by value it asks their own indexes and
 * copies nothing. The same stores give the same union.
 */
export function unionRowStore(stores: readonly RowStore[]): RowStore {
  const [first] = stores;
  if (first === undefined) return createUnion(stores);
  let known = unions.get(first);
  if (known === undefined) {
    known = [];
    unions.set(first, known);
  }
  let union = known.find((one) => isSame(one.stores, stores))?.union;
  if (union === undefined) {
    union = createUnion(stores);
    known.push({ stores, union });
    // While one chain grows and the first does not, unions of earlier stores pile up here.
    if (known.length > MOST_UNIONS) known.shift();
  }
  return union;
}

/** The unions that live, by their first store. */
const unions = new WeakMap<RowStore, { readonly stores: readonly RowStore[]; readonly union: RowStore }[]>();
const MOST_UNIONS = 8;

/** Arrays of all rows by their first part: a table that no store changed stays the same array. */
const joined = new WeakMap<
  readonly Row[],
  { readonly parts: readonly (readonly Row[])[]; readonly rows: readonly Row[] }
>();

/** Rows of several stores that hold a value are cached where they are many. */
const MANY = 64;
const MOST_MATCHES = 256;

function createUnion(stores: readonly RowStore[]): RowStore {
  const tables = new Map<string, readonly Row[]>();
  const matches = createMemo<string, readonly Row[]>(MOST_MATCHES);
  return {
    rows: (entity) => {
      let rows = tables.get(entity);
      if (rows === undefined) {
        rows = join(stores.map((store) => store.rows(entity)).filter((part) => part.length > 0));
        tables.set(entity, rows);
      }
      return rows;
    },
    find: (entity, id) => {
      for (const store of stores) {
        const row = store.find(entity, id);
        if (row) return row;
      }
      return undefined;
    },
    matching: (entity, field, value) => {
      const found: (readonly Row[])[] = [];
      let count = 0;
      for (const store of stores) {
        const part = store.matching(entity, field, value);
        if (part.length > 0) found.push(part);
        count += part.length;
      }
      const [only = []] = found;
      if (found.length < 2) return only;
      if (count < MANY) return found.flat();
      return matches.get(`${entity} ${field} ${typeof value} ${value}`, () => found.flat());
    },
    writtenAt: (entity, id) =>
      stores.find((store) => store.find(entity, id) !== undefined)?.writtenAt(entity, id) ?? 0,
  };
}

function join(parts: readonly (readonly Row[])[]): readonly Row[] {
  const [first] = parts;
  if (first === undefined || parts.length === 1) return first ?? [];
  const known = joined.get(first);
  if (known && isSame(known.parts, parts)) return known.rows;
  const rows = parts.flat();
  joined.set(first, { parts, rows });
  return rows;
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
