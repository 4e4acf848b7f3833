import { baseTypeName } from "../../../src/dialects/api-schema.ts";
import type { Row, RowValue } from "../read-view.ts";
import {
  aggregateExtreme,
  aggregateNumber,
  correlate,
  countRows,
  isNumericOperator,
  sampleCovariance,
  tupleText,
} from "./aggregate.ts";
import { allOf, anyOf, type Bound, not, planComparison, type Ternary } from "./column-filter.ts";
import type { ColumnKind, Stored } from "./kinds.ts";
import { messages } from "./messages.ts";
import { ascending, sortRows } from "./order.ts";
import type { TypedValue } from "./query-value.ts";
import { SCALAR_KINDS } from "./scalar-kinds.ts";
import type { Column, Relation, Table } from "./schema-index.ts";
import { aggregatedRelation, relatedRow, relatedRows, type Scope } from "./scope.ts";
import { type Entry, enumValue, enumValues, listItems, objectEntries, strictBoolean } from "./variables.ts";

export type Condition = {
  readonly test: (row: Row) => Ternary;
  /** Values that all matching rows hold, for an index. */
  readonly lookups: readonly Lookup[];
  /** Bounds of all matching rows, for an order. */
  readonly bounds: readonly ColumnBound[];
};

/** The field holds one of these distinct values. */
type Lookup = { readonly field: string; readonly values: readonly Stored[] };

type ColumnBound = Bound & { readonly column: Column };

/** Plans a `T_bool_exp`: all its keys hold; `{}` is true. */
export function planCondition(scope: Scope, table: Table, input: TypedValue): Condition {
  return conjunction(objectEntries(scope, input).map((entry) => planEntry(scope, table, entry)));
}

function planEntry(scope: Scope, table: Table, entry: Entry): Condition {
  const { name } = entry;
  const nested = (item: TypedValue): Condition => planCondition(scope, table, item);
  switch (name) {
    case "_and":
      return conjunction(listItems(scope, entry).map(nested));
    case "_or":
      return disjunction(listItems(scope, entry).map(nested));
    case "_not": {
      const negated = nested(entry);
      return { test: (row) => not(negated.test(row)), lookups: [], bounds: [] };
    }
  }
  const column = table.columns.get(name);
  if (column) return planColumn(scope, column, entry);
  if (table.relations.has(name)) return planRelation(scope, table, entry);
  return { test: planAggregatePredicate(scope, table, entry), lookups: [], bounds: [] };
}

function planColumn(scope: Scope, column: Column, entry: Entry): Condition {
  const { field, kind, indexable } = column;
  const { test, values, bounds } = planComparison(scope, kind, entry);
  return {
    test: (row) => test(row[field] ?? null),
    lookups: values === null || !indexable ? [] : [{ field, values }],
    bounds: bounds.map((bound) => ({ ...bound, column })),
  };
}

/** True if a related row satisfies the whole condition. */
function planRelation(scope: Scope, table: Table, entry: Entry): Condition {
  const relation = table.relations.get(entry.name) as Relation;
  const condition = planCondition(scope, scope.index.table(relation.target), entry);
  const holds = (other: Row): boolean => {
    scope.budget.spend(1);
    return condition.test(other) === true;
  };
  if (relation.kind === "array") {
    const related = relatedRows(scope, table, relation.name);
    return { test: (row) => related(row).some(holds), lookups: [], bounds: [] };
  }
  const related = relatedRow(scope, table, relation.name);
  return {
    test: (row) => {
      const other = related(row);
      return other !== undefined && holds(other);
    },
    // Relating to a row means holding its id.
    lookups: condition.lookups
      .filter(({ field }) => field === "id")
      .map(({ values }) => ({ field: relation.field, values })),
    bounds: [],
  };
}

function conjunction(conditions: readonly Condition[]): Condition {
  return {
    test: allOf(conditions.map((condition) => condition.test)),
    lookups: conditions.flatMap((condition) => condition.lookups),
    bounds: conditions.flatMap((condition) => condition.bounds),
  };
}

function disjunction(conditions: readonly Condition[]): Condition {
  // A field that every part looks up can be looked up for all of them.
  const lookups = (conditions[0]?.lookups ?? []).flatMap(({ field }) => {
    const alike = conditions.map((condition) => condition.lookups.find((lookup) => lookup.field === field));
    if (alike.includes(undefined)) return [];
    return [{ field, values: [...new Set(alike.flatMap((lookup) => lookup?.values ?? []))] }];
  });
  return { test: anyOf(conditions.map((condition) => condition.test)), lookups, bounds: [] };
}

/** Plans `streams_aggregate: {count: …}` in a `where`: compares exactly one aggregate of the related rows. */
function planAggregatePredicate(scope: Scope, table: Table, entry: Entry): (row: Row) => boolean {
  const relation = aggregatedRelation(entry.name);
  const related = relatedRows(scope, table, relation);
  const target = scope.index.table(table.relations.get(relation)?.target ?? "");
  const entries = objectEntries(scope, entry);
  const [only] = entries.map((operator) => planOperator(scope, target, operator));
  if (only === undefined || entries.length > 1) throw messages.predicatesMany(entry.path);
  return (row) => {
    const rows = related(row);
    scope.budget.spend(rows.length);
    return only(rows);
  };
}

function planOperator(scope: Scope, target: Table, operator: Entry): (rows: readonly Row[]) => boolean {
  const parts = new Map(objectEntries(scope, operator).map((entry) => [entry.name, entry] as const));
  const compute = planComputation(scope, target, {
    operator: operator.name,
    distinct: parts.get("distinct"),
    columns: parts.get("arguments"),
  });
  const filter = parts.get("filter");
  const condition = filter && planCondition(scope, target, filter);
  // Required by the schema.
  const predicate = parts.get("predicate") as Entry;
  const scalar = baseTypeName(predicate.type).slice(0, -"_comparison_exp".length);
  const { test } = planComparison(scope, SCALAR_KINDS.get(scalar) as ColumnKind, predicate);
  return (rows) => {
    const counted = condition ? rows.filter((row) => condition.test(row) === true) : rows;
    return test(compute(counted)) === true;
  };
}

type Computation = {
  readonly operator: string;
  readonly distinct: Entry | undefined;
  readonly columns: Entry | undefined;
};

function planComputation(
  scope: Scope,
  target: Table,
  { operator, ...entries }: Computation,
): (rows: readonly Row[]) => RowValue {
  const distinct = entries.distinct ? strictBoolean(entries.distinct) : false;
  if (operator === "count") {
    const columns = entries.columns
      ? enumValues(scope, entries.columns).map((name) => column(target, name))
      : [];
    if (columns.length > 1) scope.postpone(messages.databaseFailed());
    return (rows) => countRows(rows, columns, distinct);
  }
  // Required by the schema for all but `count`.
  const required = entries.columns as Entry;
  if (operator === "corr" || operator === "covar_samp") {
    const pair = new Map(
      objectEntries(scope, required).map((entry) => [entry.name, column(target, enumValue(scope, entry))]),
    );
    const compute = operator === "corr" ? correlate : sampleCovariance;
    const x = pair.get("X") as Column;
    const y = pair.get("Y") as Column;
    return (rows) => compute(x, y, distinct ? distinctRows(rows, [x, y]) : rows);
  }
  const only = column(target, enumValue(scope, required));
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

/** The database sorts rows to remove duplicates, and adds floats in that order. */
function distinctRows(rows: readonly Row[], columns: readonly Column[]): readonly Row[] {
  const distinct = [...new Map(rows.map((row) => [tupleText(row, columns), row])).values()];
  return sortRows(distinct, columns.map(ascending));
}

function column(table: Table, name: string): Column {
  return table.columns.get(name) as Column;
}
