import { baseTypeName } from "../../../../src/dialects/api-schema.ts";
import type { Row } from "../../read-view.ts";
import { aggregateExtreme, aggregateNumber, countRows, isNumericOperator } from "./aggregate.ts";
import { type Entry, enumValue, listItems, objectEntries } from "./coerce.ts";
import { parseDecimal } from "./decimal.ts";
import type { Key } from "./keys.ts";
import { inPlatformOrder } from "./platform-order.ts";
import type { QueryValue } from "./query-value.ts";
import { aggregatedRelation, relatedRow, relatedRows } from "./related.ts";
import type { Scope } from "./scope.ts";
import type { ColumnTerm, OrderTerm } from "./sort-rows.ts";
import type { Column, Table } from "./table.ts";

/** Plans an `order_by` (C.2), the first term first. */
export function planOrder(scope: Scope, table: Table, entry: Entry): OrderTerm[] {
  return listItems(scope, entry).flatMap((item) => planTerms(scope, table, item.value, item.path));
}

/** Ascending by a column, as `distinct_on` without an `order_by` has it. */
export function ascending(column: Column): ColumnTerm {
  return { key: columnKey(column), descending: false, nullsFirst: false, column };
}

/** Of several keys in one object the order is the platform's, not that of the document. */
function planTerms(scope: Scope, table: Table, input: QueryValue, path: string): OrderTerm[] {
  const entries = objectEntries(scope, input, `${table.name}_order_by`, path);
  return byName(entries).flatMap((entry) => planEntry(scope, table, entry));
}

function byName(entries: readonly Entry[]): Entry[] {
  return inPlatformOrder(entries, (entry) => entry.name);
}

function planEntry(scope: Scope, table: Table, entry: Entry): OrderTerm[] {
  const { name, value, path } = entry;
  const column = table.columns.get(name);
  if (column) return directed(scope, entry, columnKey(column), column);
  const relation = table.relations.get(name);
  if (!relation) return planAggregate(scope, table, entry);
  if (value.kind === "null") return [];
  const related = relatedRow(scope, table, name);
  return planTerms(scope, scope.index.table(relation.target), value, path).map((term) => ({
    ...term,
    key: (row) => {
      const other = related(row);
      return other === undefined ? null : term.key(other);
    },
    column: null,
  }));
}

/** Orders by aggregates of related rows, all of them: the row cap has no say here. */
function planAggregate(scope: Scope, table: Table, { name, value, type, path }: Entry): OrderTerm[] {
  if (value.kind === "null") return [];
  const relation = aggregatedRelation(name);
  const related = relatedRows(scope, table, relation);
  const target = scope.index.table(table.relations.get(relation)?.target ?? "");
  return byName(objectEntries(scope, value, baseTypeName(type), path)).flatMap((operator) => {
    if (operator.name === "count") {
      return directed(scope, operator, (row) => countRows(related(row), [], false), null);
    }
    if (operator.value.kind === "null") return [];
    const columns = objectEntries(scope, operator.value, baseTypeName(operator.type), operator.path);
    return byName(columns).flatMap((entry) => {
      const column = target.columns.get(entry.name) as Column;
      return directed(scope, entry, (row) => aggregateKey(operator.name, column, related(row)), null);
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

/** The term for a direction; a null direction orders nothing. */
function directed(
  scope: Scope,
  { value, type, path }: Entry,
  key: OrderTerm["key"],
  column: Column | null,
): OrderTerm[] {
  if (value.kind === "null") return [];
  const direction = enumValue(scope, value, baseTypeName(type), path);
  const descending = direction.startsWith("desc");
  const nullsFirst = direction === "desc" || direction.endsWith("_nulls_first");
  return [{ key, descending, nullsFirst, column }];
}

function columnKey(column: Column): OrderTerm["key"] {
  return (row) => {
    const value = row[column.field] ?? null;
    return value === null ? null : column.kind.key(value);
  };
}
