import type { Row, RowStore, RowValue } from "../../read-view.ts";
import type { Bound } from "./column-filter.ts";
import type { Holding } from "./data.ts";
import type { ColumnRange } from "./filter.ts";
import type { Stored } from "./kinds.ts";
import { type ColumnTerm, rowComparator, sortRows } from "./sort-rows.ts";

/**
 * Rows of a table in an order: those of a store that stays, sorted once, and the few that were written since. So
 * a page costs as much as its rows, though the head of a chain moves.
 */
export type OrderedRows = {
  readonly terms: readonly ColumnTerm[];
  readonly base: readonly Row[];
  /** By id the rows of `base` that are not what they were; null when all are. */
  readonly changed: ReadonlyMap<string, Row | null> | null;
  readonly more: readonly Row[];
};

/** Which rows of a table: all, or those that hold a value. */
export type RowSet = {
  readonly table: string;
  readonly holding: Holding | null;
};

/** Puts rows of a store in order; the order is kept with the store for the next page. */
export function orderedRows(store: RowStore, set: RowSet, terms: readonly ColumnTerm[]): OrderedRows {
  const { basis } = store;
  const base = sortedOnce(basis?.store ?? store, set, terms);
  const changed = basis?.changed(set.table);
  if (changed === undefined || changed.size === 0) return { terms, base, changed: null, more: [] };
  const more = [...changed.values()].filter((row) => row !== null).filter((row) => isIn(row, set));
  return { terms, base, changed, more: sortRows(more, terms) };
}

/** Visits the rows in order, those within the ranges for sure, until a visit says false. */
export function walkRows(
  { terms, base, changed, more }: OrderedRows,
  ranges: readonly ColumnRange[],
  visit: (row: Row) => boolean,
): void {
  const compare = rowComparator(terms);
  let [at, end] = spanOf(base, terms, ranges);
  let [moreAt, moreEnd] = spanOf(more, terms, ranges);
  for (; at < end; at++) {
    const row = base[at] as Row;
    if (changed?.has(String(row["id"]))) continue;
    for (; moreAt < moreEnd && compare(more[moreAt] as Row, row) < 0; moreAt++) {
      if (!visit(more[moreAt] as Row)) return;
    }
    if (!visit(row)) return;
  }
  for (; moreAt < moreEnd; moreAt++) if (!visit(more[moreAt] as Row)) return;
}

/** How many rows lie within the ranges, those that are not what they were included. */
export function countWithin({ base, more, terms }: OrderedRows, ranges: readonly ColumnRange[]): number {
  return [base, more].reduce((sum, rows) => {
    const [from, to] = spanOf(rows, terms, ranges);
    return sum + Math.max(0, to - from);
  }, 0);
}

type Span = readonly [from: number, to: number];

/** The part of the rows that the ranges of the first term leave, found by halving. */
function spanOf(rows: readonly Row[], [term]: readonly ColumnTerm[], ranges: readonly ColumnRange[]): Span {
  let [from, to] = [0, rows.length];
  if (term === undefined) return [from, to];
  const { field } = term.column;
  const heldBy = (row: Row): RowValue => row[field] ?? null;
  for (const { column, bounds } of ranges) {
    if (column !== term.column) continue;
    // What is bounded is not null.
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
      const place = findPlace(rows, (row) => isBeyond(heldBy(row), bound, starts, term));
      if (starts) from = Math.max(from, place);
      else to = Math.min(to, place);
    }
  }
  return [from, to];
}

/** Whether a row lies behind an end: inside for the end at which the range starts, outside for the other. */
function isBeyond(
  value: RowValue,
  { inclusive, orderOf }: Bound,
  starts: boolean,
  { descending, nullsFirst }: ColumnTerm,
): boolean {
  if (value === null) return !nullsFirst;
  const order = descending ? -orderOf(value as Stored) : orderOf(value as Stored);
  return starts === inclusive ? order >= 0 : order > 0;
}

/** The first place from which on a condition holds. */
function findPlace(rows: readonly Row[], holds: (row: Row) => boolean): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(rows[middle] as Row)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Sorted rows by store, for as long as the store lives. */
const SORTED = new WeakMap<RowStore, Map<string, readonly Row[]>>();

/** So many orders of one store are kept, those that were asked for last; clients use few. */
const MOST_SORTED = 24;

function sortedOnce(store: RowStore, set: RowSet, terms: readonly ColumnTerm[]): readonly Row[] {
  const orders = SORTED.get(store) ?? new Map<string, readonly Row[]>();
  SORTED.set(store, orders);
  const name = JSON.stringify([
    set.table,
    set.holding?.field,
    set.holding?.value,
    terms.map((term) => [term.column.field, term.descending, term.nullsFirst]),
  ]);
  const sorted = orders.get(name) ?? sortRows(rowsOf(store, set), terms);
  // The last asked for is the last to go.
  orders.delete(name);
  orders.set(name, sorted);
  const [oldest] = orders.keys();
  if (orders.size > MOST_SORTED && oldest !== undefined) orders.delete(oldest);
  return sorted;
}

function isIn(row: Row, { holding }: RowSet): boolean {
  if (holding === null) return true;
  const held = row[holding.field] ?? null;
  return Array.isArray(held) ? held.includes(holding.value) : held === holding.value;
}

function rowsOf(store: RowStore, { table, holding }: RowSet): readonly Row[] {
  return holding === null ? store.rows(table) : store.matching(table, holding.field, holding.value);
}
