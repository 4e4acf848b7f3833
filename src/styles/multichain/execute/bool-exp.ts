import type { Row } from "../../../model/rows.ts";
import { baseTypeName } from "../../../utils/type-expression.ts";
import { planAggregatePredicate } from "./aggregate-predicate.ts";
import type { Column, Relation, Table } from "./catalog.ts";
import { type Entry, listItems, objectEntries } from "./coerce.ts";
import { planComparison } from "./comparison.ts";
import type { Input } from "./input.ts";
import type { Stored } from "./kinds.ts";
import { relatedRow, relatedRows } from "./related.ts";
import type { Scope } from "./scope.ts";
import { allOf, anyOf, not, type Ternary } from "./ternary.ts";

/** A planned `where`. */
export type Condition = {
  readonly test: (row: Row) => Ternary;
  /** What every row that passes is known to hold, for an index to find it by. */
  readonly equalities: readonly Equality[];
};

export type Equality = { readonly field: string; readonly value: Stored };

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
      return certainly(anyOf(listItems(scope, entry).map((item) => nested(item).test)));
    case "_not": {
      const { test } = nested(entry);
      return certainly((row) => not(test(row)));
    }
  }
  const column = table.columns.get(name);
  if (column) return planColumn(scope, column, entry);
  const relation = table.relations.get(name);
  if (relation) return planRelation(scope, table, relation, value, path);
  return certainly(planAggregatePredicate(scope, table, entry));
}

function planColumn(scope: Scope, column: Column, { value, type, path }: Entry): Condition {
  const { test, equals } = planComparison(scope, column.kind, value, baseTypeName(type), path);
  return {
    test: (row) => test(row[column.field] ?? null),
    equalities: equals === undefined || !column.indexable ? [] : [{ field: column.field, value: equals }],
  };
}

/** A related row exists that satisfies the whole condition. */
function planRelation(scope: Scope, table: Table, relation: Relation, value: Input, path: string): Condition {
  const condition = planCondition(scope, scope.catalog.table(relation.target), value, path);
  if (relation.kind === "array") {
    const related = relatedRows(scope, table, relation.name);
    return certainly((row) => related(row).some((other) => condition.test(other) === true));
  }
  const related = relatedRow(scope, table, relation.name);
  return {
    test: (row) => {
      const other = related(row);
      return other !== undefined && condition.test(other) === true;
    },
    // To relate to the row of an id is to hold that id.
    equalities: condition.equalities.flatMap((equality) =>
      equality.field === "id" ? [{ field: relation.field, value: equality.value }] : [],
    ),
  };
}

function conjunction(conditions: readonly Condition[]): Condition {
  return {
    test: allOf(conditions.map((condition) => condition.test)),
    equalities: conditions.flatMap((condition) => condition.equalities),
  };
}

function certainly(test: (row: Row) => Ternary): Condition {
  return { test, equalities: [] };
}
