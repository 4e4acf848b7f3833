import { baseTypeName } from "../../../../src/dialects/api-schema.ts";
import type { Row } from "../../read-view.ts";
import type { Key } from "./keys.ts";
import { keyText } from "./keys.ts";
import type { Scope } from "./scope.ts";
import type { SelectedField } from "./select.ts";
import type { Column, Table } from "./table.ts";

/** Plans `T_by_pk`: the row with these key columns. Neither the row cap nor any filter applies (C.1). */
export function planPrimaryKey(scope: Scope, table: Table, { args }: SelectedField): () => Row | undefined {
  const wanted = args.map(({ name, type, value, path }) => {
    const column = table.columns.get(name) as Column;
    return { column, key: column.kind.operand(scope, value, baseTypeName(type), path) };
  });
  const isWanted = (row: Row) => wanted.every(({ column, key }) => holds(row, column, key));
  const id = wanted.find(({ column }) => column.field === "id");
  if (!table.isEntity || id === undefined) return () => scope.data.rows(table).find(isWanted);
  return () => {
    const stored = id.key === null ? undefined : id.column.kind.stored(id.key);
    const row = stored === undefined ? undefined : scope.data.find(table, stored);
    return row !== undefined && isWanted(row) ? row : undefined;
  };
}

function holds(row: Row, { field, kind }: Column, key: Key | null): boolean {
  const value = row[field] ?? null;
  return value !== null && key !== null && keyText(kind.key(value)) === keyText(key);
}
