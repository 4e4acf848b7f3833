import type { Row, RowValue } from "../../read-view.ts";
import { compareNullsLast, compareRows, type SortKey } from "./sort-rows.ts";

/**
 * Rows of one table in ascending order: those of a store that stays, but for the ones that were written since,
 * and these. So a store that differs by few rows costs as much as they.
 */
export type OrderedRows = {
  readonly key: SortKey;
  readonly base: readonly Row[];
  /** The ids of rows of `base` that are not what they were; null when all are. */
  readonly replaced: ReadonlyMap<string, Row | null> | null;
  readonly more: readonly Row[];
};

/** Which values of the key are wanted; a range has no nulls but for the one that asks for nothing else. */
export type KeyRange = {
  readonly lower: Bound | null;
  readonly upper: Bound | null;
  readonly nulls: boolean;
};

export type Bound = { readonly value: RowValue; readonly inclusive: boolean };

/** A part of ordered rows: places from and to, of `base` and of `more`. */
export type Part = { readonly base: Span; readonly more: Span };

type Span = readonly [from: number, to: number];

/** All of it. */
export function wholeOf({ base, more }: OrderedRows): Part {
  return { base: [0, base.length], more: [0, more.length] };
}

/** The part whose values lie in all of the ranges; found by halving, for a key that is a field of the row. */
export function partOf(rows: OrderedRows, ranges: readonly KeyRange[]): Part {
  return { base: spanOf(rows.base, rows.key, ranges), more: spanOf(rows.more, rows.key, ranges) };
}

/** How many rows lie in a part, replaced ones included. */
export function sizeOf({ base, more }: Part): number {
  return Math.max(0, base[1] - base[0]) + Math.max(0, more[1] - more[0]);
}

function spanOf(rows: readonly Row[], key: SortKey, ranges: readonly KeyRange[]): Span {
  let from = 0;
  let to = rows.length;
  for (const { lower, upper, nulls } of ranges) {
    const firstNull = findPlace(rows, (row) => key.keyOf(row) === null);
    if (nulls) from = Math.max(from, firstNull);
    else to = Math.min(to, firstNull);
    if (lower)
      from = Math.max(
        from,
        findPlace(rows, (row) => isAbove(key, row, lower, lower.inclusive)),
      );
    if (upper)
      to = Math.min(
        to,
        findPlace(rows, (row) => isAbove(key, row, upper, !upper.inclusive)),
      );
  }
  return [from, to];
}

function isAbove({ keyOf, type }: SortKey, row: Row, { value }: Bound, orEqual: boolean): boolean {
  const order = compareNullsLast(type, keyOf(row), value);
  return orEqual ? order >= 0 : order > 0;
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

/** Visits the rows of a part one after the other, until a visit says false. */
export function walkRows(
  { key, base, replaced, more }: OrderedRows,
  part: Part,
  descending: boolean,
  visit: (row: Row) => boolean,
): void {
  const step = descending ? -1 : 1;
  let [at, end] = descending ? [part.base[1] - 1, part.base[0] - 1] : part.base;
  let [moreAt, moreEnd] = descending ? [part.more[1] - 1, part.more[0] - 1] : part.more;
  // Spans can be empty with the ends swapped.
  if (part.base[0] >= part.base[1]) end = at;
  if (part.more[0] >= part.more[1]) moreEnd = moreAt;
  for (; at !== end; at += step) {
    const row = base[at] as Row;
    if (replaced?.has(String(row["id"]))) continue;
    while (moreAt !== moreEnd && compareRows(more[moreAt] as Row, row, key) * step < 0) {
      if (!visit(more[moreAt] as Row)) return;
      moreAt += step;
    }
    if (!visit(row)) return;
  }
  for (; moreAt !== moreEnd; moreAt += step) if (!visit(more[moreAt] as Row)) return;
}
