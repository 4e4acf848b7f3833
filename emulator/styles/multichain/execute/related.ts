import type { Row } from "../../read-view.ts";
import type { RowsHolding } from "./data.ts";
import type { Scope } from "./scope.ts";
import type { Relation, Table } from "./table.ts";

/** Follows an object relationship; undefined for a reference that is null or leads nowhere. */
export function relatedRow(scope: Scope, table: Table, name: string): (row: Row) => Row | undefined {
  const { target, field } = relationOf(table, name);
  const related = scope.index.table(target);
  return (row) => {
    const id = row[field] ?? null;
    return id === null ? undefined : scope.data.find(related, id);
  };
}

/** Follows an array relationship, in the order the rows were written. */
export function relatedRows(scope: Scope, table: Table, name: string): (row: Row) => readonly Row[] {
  const related = relatedSet(scope, table, name);
  return (row) => related(row).rows;
}

/** Follows an array relationship to the rows and to what they have in common. */
export function relatedSet(scope: Scope, table: Table, name: string): (row: Row) => RowsHolding {
  const { target, field } = relationOf(table, name);
  const related = scope.index.table(target);
  return (row) => {
    const value = row["id"] ?? null;
    return { rows: scope.data.matching(related, field, value) ?? [], holding: { field, value } };
  };
}

/** The array relationship whose aggregates a field `streams_aggregate` is about. */
export function aggregatedRelation(name: string): string {
  return name.slice(0, -"_aggregate".length);
}

function relationOf(table: Table, name: string): Relation {
  const relation = table.relations.get(name);
  if (!relation) throw new TypeError(`The table "${table.name}" has no relationship "${name}".`);
  return relation;
}
