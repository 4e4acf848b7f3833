import type { Row } from "../../read-view.ts";
import { compareKeys, type Key } from "./keys.ts";
import type { Column } from "./table.ts";

/** One thing rows are ordered by. */
export type OrderTerm = {
  readonly key: (row: Row) => Key | null;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  /** The column of the rows themselves, or null when the term reaches into a relationship. */
  readonly column: Column | null;
};

/** A copy of the rows in order; rows that tie stay in the order they came in. */
export function sortRows(rows: readonly Row[], terms: readonly OrderTerm[]): readonly Row[] {
  if (terms.length === 0) return rows;
  if (isOfColumns(terms)) return sortByColumns(rows, terms);
  // What reaches into relationships is looked up once a row.
  const keyed = rows.map((row) => ({ row, keys: terms.map((term) => term.key(row)) }));
  keyed.sort((a, b) => {
    for (const [index, term] of terms.entries()) {
      const order = compareNullable(term, a.keys[index] ?? null, b.keys[index] ?? null, compareKeys);
      if (order !== 0) return order;
    }
    return 0;
  });
  return keyed.map(({ row }) => row);
}

/** Sorts places by columns of values, which is much quicker than to ask the rows again and again. */
function sortByColumns(rows: readonly Row[], terms: readonly ColumnTerm[]): readonly Row[] {
  const comparators = terms.map((term) => {
    const { field, kind } = term.column;
    const values = rows.map((row) => row[field] ?? null);
    return (a: number, b: number) =>
      compareNullable(term, values[a] ?? null, values[b] ?? null, kind.compare);
  });
  const places = Uint32Array.from({ length: rows.length }, (_, index) => index);
  places.sort((a, b) => {
    for (const compare of comparators) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return a - b;
  });
  return Array.from(places, (place) => rows[place] as Row);
}

/** A term that needs nothing but the row. */
export type ColumnTerm = OrderTerm & { readonly column: Column };

export function isOfColumns(terms: readonly OrderTerm[]): terms is readonly ColumnTerm[] {
  return terms.every((term) => term.column !== null);
}

function compareNullable<T>(
  { descending, nullsFirst }: OrderTerm,
  a: T | null,
  b: T | null,
  compare: (a: T, b: T) => number,
): number {
  if (a === null || b === null) {
    if (a === b) return 0;
    return (a === null) === nullsFirst ? -1 : 1;
  }
  return descending ? compare(b, a) : compare(a, b);
}
