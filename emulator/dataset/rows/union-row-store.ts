import { cached } from "../../../src/base/collections.ts";
import { createMemo } from "../../styles/create-memo.ts";
import type { Row, RowStore } from "../../styles/read-view.ts";

/** Rows that hold a value can be most of a table. */
const MOST_MATCHES = 256;

/** One store over several, with their rows one after the other. By id and by value it asks their own indexes. */
export function unionRowStore(stores: readonly RowStore[]): RowStore {
  const tables = new Map<string, readonly Row[]>();
  const matches = createMemo<string, readonly Row[]>(MOST_MATCHES);
  return {
    rows: (entity) => cached(tables, entity, () => joined(stores.map((store) => store.rows(entity)))),
    find: (entity, id) => {
      for (const store of stores) {
        const row = store.find(entity, id);
        if (row) return row;
      }
      return undefined;
    },
    matching: (entity, field, value) =>
      matches.get(`${entity} ${field} ${typeof value} ${value}`, () =>
        joined(stores.map((store) => store.matching(entity, field, value))),
      ),
    writtenAt: (entity, id) =>
      stores.find((store) => store.find(entity, id) !== undefined)?.writtenAt(entity, id) ?? 0,
  };
}

function joined(parts: readonly (readonly Row[])[]): readonly Row[] {
  const [only = [], ...others] = parts.filter((part) => part.length > 0);
  return others.length === 0 ? only : [only, ...others].flat();
}
