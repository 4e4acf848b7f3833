import { cached, once } from "../../../src/base/collections.ts";
import type { Row, RowValue } from "../../styles/read-view.ts";

/** The rows of one entity, each index of which is made at the first question that needs it. */
export type IndexedTable = {
  readonly rows: () => readonly Row[];
  readonly find: (id: string) => Row | undefined;
  /** The place of a row among `rows()`. */
  readonly position: (id: string) => number | undefined;
  /** The rows whose `field` is, or as a list holds, this value, in their order. */
  readonly matching: (field: string, value: RowValue) => readonly Row[];
};

/** Indexes a table, which is made when it is first asked for. */
export function indexTable(load: () => readonly Row[]): IndexedTable {
  const indexes = new Map<string, ReadonlyMap<RowValue, readonly Row[]>>();
  const rows = once(load);
  // An id can be a number; whoever looks for one has its text.
  const positions = once(() => new Map(rows().map((row, index) => [String(row["id"]), index])));
  const position = (id: string) => positions().get(id);
  const indexBy = (field: string) => indexRows(rows(), field);
  return {
    rows,
    position,
    find: (id) => {
      const index = position(id);
      return index === undefined ? undefined : rows()[index];
    },
    matching: (field, value) => cached(indexes, field, indexBy).get(value) ?? NONE,
  };
}

const NONE: readonly Row[] = [];

function indexRows(rows: readonly Row[], field: string): ReadonlyMap<RowValue, readonly Row[]> {
  const index = new Map<RowValue, Row[]>();
  for (const row of rows) {
    const held = row[field] ?? null;
    // A set, since a list that holds a value twice still is one row.
    for (const value of Array.isArray(held) ? new Set<RowValue>(held) : [held]) {
      const found = index.get(value);
      if (found) found.push(row);
      else index.set(value, [row]);
    }
  }
  return index;
}
