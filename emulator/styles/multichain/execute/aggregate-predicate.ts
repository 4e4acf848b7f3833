import { baseTypeName } from "../../../../src/dialects/api-schema.ts";
import type { Row, RowValue } from "../../read-view.ts";
import {
  aggregateExtreme,
  aggregateNumber,
  correlate,
  countRows,
  isNumericOperator,
  sampleCovariance,
  tupleText,
} from "./aggregate.ts";
import { type Entry, enumValue, enumValues, objectEntries, strictBoolean } from "./coerce.ts";
import { planComparison } from "./column-filter.ts";
import type { ColumnKind } from "./kinds.ts";
import { messages } from "./messages.ts";
import { ascending } from "./order.ts";
import type { QueryValue } from "./query-value.ts";
import { aggregatedRelation, relatedRows } from "./related.ts";
import { SCALAR_KINDS } from "./scalar-kinds.ts";
import type { Scope } from "./scope.ts";
import { sortRows } from "./sort-rows.ts";
import type { Column, Table } from "./table.ts";
import type { Ternary } from "./ternary.ts";

/** Plans the condition that related rows have to meet to be counted. */
type PlanCondition = (
  scope: Scope,
  table: Table,
  input: QueryValue,
  path: string,
) => { readonly test: (row: Row) => Ternary };

/**
 * Plans `streams_aggregate: {count: …}` in a `where` (B.9): an aggregate of the related rows, compared. It has to
 * be one, no more and no less.
 */
export function planAggregatePredicate(
  scope: Scope,
  table: Table,
  entry: Entry,
  planCondition: PlanCondition,
): (row: Row) => boolean {
  const relation = aggregatedRelation(entry.name);
  const related = relatedRows(scope, table, relation);
  const target = scope.index.table(table.relations.get(relation)?.target ?? "");
  const entries = objectEntries(scope, entry.value, baseTypeName(entry.type), entry.path);
  const [only] = entries.map((operator) => planOperator(scope, target, operator, planCondition));
  if (only === undefined || entries.length > 1) throw messages.predicatesMany(entry.path);
  return (row) => {
    const rows = related(row);
    scope.budget.spend(rows.length);
    return only(rows);
  };
}

function planOperator(
  scope: Scope,
  target: Table,
  operator: Entry,
  planCondition: PlanCondition,
): (rows: readonly Row[]) => boolean {
  const parts = new Map(
    objectEntries(scope, operator.value, baseTypeName(operator.type), operator.path).map(
      (entry) => [entry.name, entry] as const,
    ),
  );
  const compute = planComputation(scope, target, operator.name, parts);
  const filter = parts.get("filter");
  const condition = filter && planCondition(scope, target, filter.value, filter.path);
  // The schema requires a predicate, so there is one.
  const predicate = parts.get("predicate") as Entry;
  const typeName = baseTypeName(predicate.type);
  const { test } = planComparison(scope, predicateKind(typeName), predicate.value, typeName, predicate.path);
  return (rows) => {
    const counted = condition ? rows.filter((row) => condition.test(row) === true) : rows;
    return test(compute(counted)) === true;
  };
}

function planComputation(
  scope: Scope,
  target: Table,
  operator: string,
  parts: ReadonlyMap<string, Entry>,
): (rows: readonly Row[]) => RowValue {
  const distinctPart = parts.get("distinct");
  const distinct = distinctPart ? strictBoolean(distinctPart.value, distinctPart.path) : false;
  const given = parts.get("arguments");
  if (operator === "count") {
    const columns = given ? enumValues(scope, given).map((name) => column(target, name)) : [];
    if (columns.length > 1) scope.postpone(messages.databaseFailed());
    return (rows) => countRows(rows, columns, distinct);
  }
  // The schema requires arguments for all but `count`.
  const required = given as Entry;
  if (operator === "corr" || operator === "covar_samp") {
    const pair = new Map(
      objectEntries(scope, required.value, baseTypeName(required.type), required.path).map((entry) => [
        entry.name,
        column(target, enumValue(scope, entry.value, baseTypeName(entry.type), entry.path)),
      ]),
    );
    const compute = operator === "corr" ? correlate : sampleCovariance;
    const x = pair.get("X") as Column;
    const y = pair.get("Y") as Column;
    return (rows) => compute(x, y, distinct ? distinctRows(rows, [x, y]) : rows);
  }
  const only = column(target, enumValue(scope, required.value, baseTypeName(required.type), required.path));
  return (rows) => aggregateValue(operator, only, distinct ? distinctRows(rows, [only]) : rows);
}

function aggregateValue(operator: string, column: Column, rows: readonly Row[]): RowValue {
  if (operator === "max" || operator === "min") return aggregateExtreme(operator, column, rows);
  if (isNumericOperator(operator)) {
    const text = aggregateNumber(operator, column, rows);
    return text === null ? null : Number(text);
  }
  const values = rows.map((row) => row[column.field] ?? null).filter((value) => value !== null);
  if (values.length === 0) return null;
  return operator === "bool_and" ? values.every((value) => value === true) : values.includes(true);
}

/** The database sorts rows to find those that are alike, and adds floats up in that order. */
function distinctRows(rows: readonly Row[], columns: readonly Column[]): readonly Row[] {
  const distinct = [...new Map(rows.map((row) => [tupleText(row, columns), row])).values()];
  return sortRows(distinct, columns.map(ascending));
}

function predicateKind(comparisonName: string): ColumnKind {
  const scalar = comparisonName.slice(0, -"_comparison_exp".length);
  return SCALAR_KINDS.get(scalar) as ColumnKind;
}

function column(table: Table, name: string): Column {
  return table.columns.get(name) as Column;
}
