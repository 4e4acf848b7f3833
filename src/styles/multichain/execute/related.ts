import type { Row } from "../../../model/rows.ts";
import type { Relation, Table } from "./catalog.ts";
import type { Scope } from "./scope.ts";

/** Follows an object relationship; undefined for a reference that is null or leads nowhere. */
export function relatedRow(scope: Scope, table: Table, name: string): (row: Row) => Row | undefined {
  const { target, field } = relationOf(table, name);
  const { find } = scope.catalog.table(target);
  return (row) => {
    const id = row[field] ?? null;
    return id === null ? undefined : find(String(id));
  };
}

/** Follows an array relationship, in the order the rows were written. */
export function relatedRows(scope: Scope, table: Table, name: string): (row: Row) => readonly Row[] {
  const { target, field } = relationOf(table, name);
  const { matching } = scope.catalog.table(target);
  return (row) => matching?.(field, row["id"] ?? null) ?? [];
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
