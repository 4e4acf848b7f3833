import type { Row } from "../read-view.ts";
import { aggregateExtreme, aggregateNumber, countRows, isNumericOperator } from "./aggregate.ts";
import { parseDecimal } from "./decimal.ts";
import { compareKeys, type Key } from "./keys.ts";
import { inPlatformOrder } from "./messages.ts";
import type { TypedValue } from "./query-value.ts";
import type { Column, Table } from "./schema-index.ts";
import { aggregatedRelation, relatedRow, relatedRows, type Scope } from "./scope.ts";
import { type Entry, enumValue, listItems, objectEntries } from "./variables.ts";

/** Plans an `order_by`, the first term first. */
export function planOrder(scope: Scope, table: Table, entry: Entry): OrderTerm[] {
  return listItems(scope, entry).flatMap((item) => planTerms(scope, table, item));
}

/** Ascending by a column, as for `distinct_on` without `order_by`. */
export function ascending(column: Column): ColumnTerm {
  return { key: columnKey(column), descending: false, nullsFirst: false, column };
}

/** Several keys of one object are in the platform's order, not the document's. */
function planTerms(scope: Scope, table: Table, input: TypedValue): OrderTerm[] {
  return byName(objectEntries(scope, input)).flatMap((entry) => planEntry(scope, table, entry));
}

function byName(entries: readonly Entry[]): Entry[] {
  return inPlatformOrder(entries, (entry) => entry.name);
}

function planEntry(scope: Scope, table: Table, entry: Entry): OrderTerm[] {
  const { name, value } = entry;
  const column = table.columns.get(name);
  if (column) return directed(scope, entry, { key: columnKey(column), column });
  const relation = table.relations.get(name);
  if (!relation) return planAggregate(scope, table, entry);
  if (value.kind === "null") return [];
  const related = relatedRow(scope, table, name);
  return planTerms(scope, scope.index.table(relation.target), entry).map((term) => ({
    ...term,
    key: (row) => {
      const other = related(row);
      return other === undefined ? null : term.key(other);
    },
    column: null,
  }));
}

/** Orders by aggregates of all related rows; the row cap does not apply. */
function planAggregate(scope: Scope, table: Table, entry: Entry): OrderTerm[] {
  if (entry.value.kind === "null") return [];
  const relation = aggregatedRelation(entry.name);
  const related = relatedRows(scope, table, relation);
  const target = scope.index.table(table.relations.get(relation)?.target ?? "");
  return byName(objectEntries(scope, entry)).flatMap((operator) => {
    if (operator.name === "count") {
      return directed(scope, operator, {
        key: (row) => countRows(related(row), [], false),
        column: null,
      });
    }
    if (operator.value.kind === "null") return [];
    return byName(objectEntries(scope, operator)).flatMap((entry) => {
      const column = target.columns.get(entry.name) as Column;
      return directed(scope, entry, {
        key: (row) => aggregateKey(operator.name, column, related(row)),
        column: null,
      });
    });
  });
}

function aggregateKey(operator: string, column: Column, rows: readonly Row[]): Key | null {
  if (isNumericOperator(operator)) {
    const text = aggregateNumber(operator, column, rows);
    if (text === null) return null;
    return column.kind.arithmetic === "exact" ? parseDecimal(text) : Number(text);
  }
  const extreme = aggregateExtreme(operator === "max" ? "max" : "min", column, rows);
  return extreme === null ? null : column.kind.key(extreme);
}

/** The term of a direction; a null direction does not order. */
function directed(scope: Scope, entry: Entry, by: Pick<OrderTerm, "key" | "column">): OrderTerm[] {
  if (entry.value.kind === "null") return [];
  const direction = enumValue(scope, entry);
  const descending = direction.startsWith("desc");
  const nullsFirst = direction === "desc" || direction.endsWith("_nulls_first");
  return [{ ...by, descending, nullsFirst }];
}

function columnKey(column: Column): OrderTerm["key"] {
  return (row) => {
    const value = row[column.field] ?? null;
    return value === null ? null : column.kind.key(value);
  };
}

export type OrderTerm = {
  readonly key: (row: Row) => Key | null;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  /** The column of the rows themselves; null if the term follows a relationship. */
  readonly column: Column | null;
};

/** A sorted copy of the rows; stable. */
export function sortRows(rows: readonly Row[], terms: readonly OrderTerm[]): readonly Row[] {
  if (terms.length === 0) return rows;
  if (isOfColumns(terms)) return sortByColumns(rows, terms);
  // Relationships are followed once per row.
  const keyed = rows.map((row) => ({ row, keys: terms.map((term) => term.key(row)) }));
  const comparators = terms.map((term) => nullable(term, compareKeys));
  keyed.sort((a, b) => {
    for (const [index, compare] of comparators.entries()) {
      const order = compare(a.keys[index] ?? null, b.keys[index] ?? null);
      if (order !== 0) return order;
    }
    return 0;
  });
  return keyed.map(({ row }) => row);
}

/** Sorts indices by columns of values, which is much faster than reading the rows in each comparison. */
function sortByColumns(rows: readonly Row[], terms: readonly ColumnTerm[]): readonly Row[] {
  const comparators = terms.map((term) => {
    const { field, kind } = term.column;
    const values = rows.map((row) => row[field] ?? null);
    const compare = nullable(term, kind.compare);
    return (a: number, b: number) => compare(values[a] ?? null, values[b] ?? null);
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

/** A term that reads only the row. */
export type ColumnTerm = OrderTerm & { readonly column: Column };

export function isOfColumns(terms: readonly OrderTerm[]): terms is readonly ColumnTerm[] {
  return terms.every((term) => term.column !== null);
}

function nullable<T>(
  { descending, nullsFirst }: OrderTerm,
  compare: (a: T, b: T) => number,
): (a: T | null, b: T | null) => number {
  return (a, b) => {
    if (a === null || b === null) {
      if (a === b) return 0;
      return (a === null) === nullsFirst ? -1 : 1;
    }
    return descending ? compare(b, a) : compare(a, b);
  };
}
