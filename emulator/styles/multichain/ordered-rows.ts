import { cached } from "../../../src/base/collections.ts";
import type { Row, RowStore, RowValue } from "../read-view.ts";
import { createMemo, type Memo } from "../served-style.ts";
import type { Bound } from "./column-filter.ts";
import type { ColumnRange } from "./filter.ts";
import { type ColumnTerm, sortRows } from "./order.ts";
import type { Holding } from "./scope.ts";

type OrderedRows = { readonly terms: readonly ColumnTerm[]; readonly rows: readonly Row[] };

/** All rows of a table, or those that hold a value. */
type RowSet = {
  readonly table: string;
  readonly holding: Holding | null;
};

/** Cached orders per store; clients use few. */
const MOST_ORDERS = 24;

/** Sorted rows by store. */
const ORDERS = new WeakMap<RowStore, Memo<string, readonly Row[]>>();

const createOrders = () => createMemo<string, readonly Row[]>(MOST_ORDERS);

/** Sorts rows of a store; the order is cached with the store for the next page. */
export function orderedRows(store: RowStore, set: RowSet, terms: readonly ColumnTerm[]): OrderedRows {
  const { table, holding } = set;
  const orders = cached(ORDERS, store, createOrders);
  const name = JSON.stringify([
    table,
    holding?.field,
    holding?.value,
    terms.map((term) => [term.column.field, term.descending, term.nullsFirst]),
  ]);
  const rows = orders.get(name, () =>
    sortRows(
      holding === null ? store.rows(table) : store.matching(table, holding.field, holding.value),
      terms,
    ),
  );
  return { terms, rows };
}

/** Visits the rows in order, at least those within the ranges, until the callback returns false. */
export function walkRows(
  { terms, rows }: OrderedRows,
  ranges: readonly ColumnRange[],
  visit: (row: Row) => boolean,
): void {
  const [from, to] = spanOf(rows, terms, ranges);
  for (let at = from; at < to; at++) if (!visit(rows[at] as Row)) return;
}

export function countWithin({ rows, terms }: OrderedRows, ranges: readonly ColumnRange[]): number {
  const [from, to] = spanOf(rows, terms, ranges);
  return Math.max(0, to - from);
}

type Span = readonly [from: number, to: number];

/** Bisects the rows for the ranges of the first term. */
function spanOf(rows: readonly Row[], [term]: readonly ColumnTerm[], ranges: readonly ColumnRange[]): Span {
  let [from, to] = [0, rows.length];
  if (term === undefined) return [from, to];
  const { field } = term.column;
  const heldBy = (row: Row): RowValue => row[field] ?? null;
  for (const { column, bounds } of ranges) {
    if (column !== term.column) continue;
    // Bounds exclude nulls.
    if (term.nullsFirst)
      from = Math.max(
        from,
        findPlace(rows, (row) => heldBy(row) !== null),
      );
    else
      to = Math.min(
        to,
        findPlace(rows, (row) => heldBy(row) === null),
      );
    for (const bound of bounds) {
      const starts = (bound.side === "lower") !== term.descending;
      const isBeyond = beyond(bound, starts, term);
      const place = findPlace(rows, (row) => isBeyond(heldBy(row)));
      if (starts) from = Math.max(from, place);
      else to = Math.min(to, place);
    }
  }
  return [from, to];
}

/** Tests whether a value is beyond a bound: inside for the start of the range, outside for its end. */
function beyond(
  { inclusive, orderOf }: Bound,
  starts: boolean,
  { descending, nullsFirst }: ColumnTerm,
): (value: RowValue) => boolean {
  return (value) => {
    if (value === null) return !nullsFirst;
    const order = descending ? -orderOf(value) : orderOf(value);
    return starts === inclusive ? order >= 0 : order > 0;
  };
}

/** The first index from which on a condition holds. */
function findPlace(rows: readonly Row[], holds: (row: Row) => boolean): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(rows[middle] as Row)) high = middle;
    else low = middle + 1;
  }
  return low;
}
