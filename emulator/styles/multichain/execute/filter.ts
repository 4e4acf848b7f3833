import { baseTypeName } from "../../../../src/dialects/api-schema.ts";
import type { Row } from "../../read-view.ts";
import { planAggregatePredicate } from "./aggregate-predicate.ts";
import { type Entry, listItems, objectEntries } from "./coerce.ts";
import { type Bound, byCost, type Effort, planComparison, totalEffort } from "./column-filter.ts";
import type { Stored } from "./kinds.ts";
import type { QueryValue } from "./query-value.ts";
import { relatedRow, relatedRows } from "./related.ts";
import type { Scope } from "./scope.ts";
import type { Column, Relation, Table } from "./table.ts";
import { allOf, anyOf, not, type Ternary } from "./ternary.ts";

/** A planned `where`. */
export type Condition = {
  readonly test: (row: Row) => Ternary;
  /** What every row that passes is known to hold, for an index to find it by. */
  readonly lookups: readonly Lookup[];
  /** Between what every row that passes is known to lie, for an order to find it by. */
  readonly ranges: readonly ColumnRange[];
} & Effort;

/** The field holds one of these values, no two of which are equal. */
export type Lookup = { readonly field: string; readonly values: readonly Stored[] };

export type ColumnRange = { readonly column: Column; readonly bounds: readonly Bound[] };

/** Plans a `T_bool_exp` (C.4): all its keys hold; `{}` is true. */
export function planCondition(scope: Scope, table: Table, input: QueryValue, path: string): Condition {
  const entries = objectEntries(scope, input, `${table.name}_bool_exp`, path);
  return conjunction(entries.map((entry) => planEntry(scope, table, entry)));
}

function planEntry(scope: Scope, table: Table, entry: Entry): Condition {
  const { name, value, path } = entry;
  const nested = (item: { readonly value: QueryValue; readonly path: string }): Condition =>
    planCondition(scope, table, item.value, item.path);
  switch (name) {
    case "_and":
      return conjunction(listItems(scope, entry).map(nested));
    case "_or":
      return disjunction(listItems(scope, entry).map(nested));
    case "_not": {
      const negated = nested(entry);
      return certainly((row) => not(negated.test(row)), negated);
    }
  }
  const column = table.columns.get(name);
  if (column) return planColumn(scope, column, entry);
  const relation = table.relations.get(name);
  if (relation) return planRelation(scope, table, relation, value, path);
  return certainly(planAggregatePredicate(scope, table, entry, planCondition), {
    cost: SUBQUERY,
    fragile: false,
  });
}

function planColumn(scope: Scope, column: Column, { value, type, path }: Entry): Condition {
  const { field, kind, indexable } = column;
  const comparison = planComparison(scope, kind, value, baseTypeName(type), path);
  const { test, values, bounds, cost, fragile } = comparison;
  return {
    test: (row) => test(row[field] ?? null),
    lookups: values === null || !indexable || fragile ? [] : [{ field, values }],
    ranges: bounds.length === 0 || fragile ? [] : [{ column, bounds }],
    cost,
    fragile,
  };
}

/** A related row exists that satisfies the whole condition. */
function planRelation(
  scope: Scope,
  table: Table,
  relation: Relation,
  value: QueryValue,
  path: string,
): Condition {
  const condition = planCondition(scope, scope.index.table(relation.target), value, path);
  const { lookups, fragile } = condition;
  const test = (other: Row): Ternary => {
    scope.budget.spend(1);
    return condition.test(other);
  };
  const effort = { cost: SUBQUERY, fragile };
  if (relation.kind === "array") {
    const related = relatedRows(scope, table, relation.name);
    return certainly((row) => related(row).some((other) => test(other) === true), effort);
  }
  const related = relatedRow(scope, table, relation.name);
  return {
    ...certainly((row) => {
      const other = related(row);
      return other !== undefined && test(other) === true;
    }, effort),
    // To relate to the row of an id is to hold that id.
    lookups: lookups.flatMap(({ field, values }) =>
      field === "id" ? [{ field: relation.field, values }] : [],
    ),
  };
}

/** Dearer than any comparison of the row's own values. */
const SUBQUERY = 1000;

function conjunction(conditions: readonly Condition[]): Condition {
  const [only] = conditions;
  if (only && conditions.length === 1) return only;
  const effort = totalEffort(conditions);
  const test = allOf(byCost(conditions).map((condition) => condition.test));
  // An index would keep rows from a test that the database asks of them, and that fails.
  if (effort.fragile) return certainly(test, effort);
  return {
    test,
    lookups: conditions.flatMap((condition) => condition.lookups),
    ranges: conditions.flatMap((condition) => condition.ranges),
    ...effort,
  };
}

function disjunction(conditions: readonly Condition[]): Condition {
  const test = anyOf(conditions.map((condition) => condition.test));
  const [first] = conditions;
  const effort = totalEffort(conditions);
  if (first === undefined || effort.fragile) return certainly(test, effort);
  // A field that each of them looks up can be looked up for all of them.
  const lookups = first.lookups.flatMap(({ field }) => {
    const each = conditions.map((condition) => condition.lookups.find((lookup) => lookup.field === field));
    if (each.includes(undefined)) return [];
    return [{ field, values: [...new Set(each.flatMap((lookup) => lookup?.values ?? []))] }];
  });
  return { test, lookups, ranges: [], ...effort };
}

function certainly(test: (row: Row) => Ternary, { cost, fragile }: Effort): Condition {
  return { test, lookups: [], ranges: [], cost, fragile };
}
