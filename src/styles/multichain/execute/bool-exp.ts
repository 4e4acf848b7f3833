import type { Row } from "../../../model/rows.ts";
import { baseTypeName } from "../../../utils/type-expression.ts";
import { planAggregatePredicate } from "./aggregate-predicate.ts";
import { type Entry, listItems, objectEntries } from "./coerce.ts";
import { type Bound, planComparison } from "./comparison.ts";
import type { Input } from "./input.ts";
import type { Stored } from "./kinds.ts";
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
};

/** The field holds one of these values, no two of which are equal. */
export type Lookup = { readonly field: string; readonly values: readonly Stored[] };

export type ColumnRange = { readonly column: Column; readonly bounds: readonly Bound[] };

/** Plans a `T_bool_exp` (C.4): all its keys hold; `{}` is true. */
export function planCondition(scope: Scope, table: Table, input: Input, path: string): Condition {
  const entries = objectEntries(scope, input, `${table.name}_bool_exp`, path);
  return conjunction(entries.map((entry) => planEntry(scope, table, entry)));
}

function planEntry(scope: Scope, table: Table, entry: Entry): Condition {
  const { name, value, path } = entry;
  const nested = (item: { readonly value: Input; readonly path: string }): Condition =>
    planCondition(scope, table, item.value, item.path);
  switch (name) {
    case "_and":
      return conjunction(listItems(scope, entry).map(nested));
    case "_or":
      return disjunction(listItems(scope, entry).map(nested));
    case "_not": {
      const { test } = nested(entry);
      return certainly((row) => not(test(row)));
    }
  }
  const column = table.columns.get(name);
  if (column) return planColumn(scope, column, entry);
  const relation = table.relations.get(name);
  if (relation) return planRelation(scope, table, relation, value, path);
  return certainly(planAggregatePredicate(scope, table, entry, planCondition));
}

function planColumn(scope: Scope, column: Column, { value, type, path }: Entry): Condition {
  const { field, kind, indexable } = column;
  const { test, values, bounds } = planComparison(scope, kind, value, baseTypeName(type), path);
  return {
    test: (row) => test(row[field] ?? null),
    lookups: values === null || !indexable ? [] : [{ field, values }],
    ranges: bounds.length === 0 ? [] : [{ column, bounds }],
  };
}

/** A related row exists that satisfies the whole condition. */
function planRelation(scope: Scope, table: Table, relation: Relation, value: Input, path: string): Condition {
  const { test, lookups } = planCondition(scope, scope.catalog.table(relation.target), value, path);
  if (relation.kind === "array") {
    const related = relatedRows(scope, table, relation.name);
    return certainly((row) => related(row).some((other) => test(other) === true));
  }
  const related = relatedRow(scope, table, relation.name);
  return {
    ...certainly((row) => {
      const other = related(row);
      return other !== undefined && test(other) === true;
    }),
    // To relate to the row of an id is to hold that id.
    lookups: lookups.flatMap(({ field, values }) =>
      field === "id" ? [{ field: relation.field, values }] : [],
    ),
  };
}

function conjunction(conditions: readonly Condition[]): Condition {
  const [only] = conditions;
  if (only && conditions.length === 1) return only;
  return {
    test: allOf(conditions.map((condition) => condition.test)),
    lookups: conditions.flatMap((condition) => condition.lookups),
    ranges: conditions.flatMap((condition) => condition.ranges),
  };
}

function disjunction(conditions: readonly Condition[]): Condition {
  const test = anyOf(conditions.map((condition) => condition.test));
  const [first] = conditions;
  if (first === undefined) return certainly(test);
  // A field that each of them looks up can be looked up for all of them.
  const lookups = first.lookups.flatMap(({ field }) => {
    const each = conditions.map((condition) => condition.lookups.find((lookup) => lookup.field === field));
    if (each.includes(undefined)) return [];
    return [{ field, values: [...new Set(each.flatMap((lookup) => lookup?.values ?? []))] }];
  });
  return { test, lookups, ranges: [] };
}

function certainly(test: (row: Row) => Ternary): Condition {
  return { test, lookups: [], ranges: [] };
}
