import type { ApiField, ApiObject } from "../../schema/api-schema.ts";
import { field, input, objectType } from "./api-types.ts";
import { selectArguments } from "./select.ts";
import { type Column, columnType, type Table } from "./tables.ts";

/** The descriptions of what authors did not describe, or cannot. */
export const OBJECT_RELATION_DESCRIPTION = "An object relationship";
export const ARRAY_RELATION_DESCRIPTION = "An array relationship";

/** The description of the object type of a table without a comment. */
export function rowTypeDescription(table: string): string {
  return `columns and relationships of "${table}"`;
}

/**
 * The object type of a table's rows, `Stream`.
 *
 * @param aggregatable the tables whose aggregates are public.
 */
export function rowType(table: Table, aggregatable: ReadonlySet<string>): ApiObject {
  return objectType(table.name, table.description ?? rowTypeDescription(table.name), [
    ...table.columns.map(columnField),
    // Nullable whatever the author wrote: no foreign key proves that the row exists.
    ...table.objectRelations.map((relation) =>
      field(relation.name, relation.table, OBJECT_RELATION_DESCRIPTION),
    ),
    ...table.arrayRelations.flatMap((relation) => {
      const args = selectArguments(relation.table);
      const rows = field(relation.name, `[${relation.table}!]!`, ARRAY_RELATION_DESCRIPTION, args);
      if (!aggregatable.has(relation.table)) return [rows];
      const type = `${relation.table}_aggregate!`;
      return [rows, field(`${relation.name}_aggregate`, type, "An aggregate relationship", args)];
    }),
  ]);
}

function columnField(column: Column): ApiField {
  const type = `${columnType(column)}${column.nullable ? "" : "!"}`;
  const reachable = column.scalar === "jsonb" && !column.list;
  const args = reachable ? [input("path", "String", "JSON select path")] : [];
  return field(column.name, type, column.description, args);
}
