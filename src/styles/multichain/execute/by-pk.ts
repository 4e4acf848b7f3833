import type { Row } from "../../../model/rows.ts";
import { baseTypeName } from "../../../utils/type-expression.ts";
import type { Column, Table } from "./catalog.ts";
import { compareKeys, type Key } from "./keys.ts";
import type { Scope } from "./scope.ts";
import type { SelectedField } from "./selection.ts";

/** Plans `T_by_pk`: the row with these key columns. Neither the row cap nor any filter applies (C.1). */
export function planPrimaryKey(scope: Scope, table: Table, { args }: SelectedField): () => Row | undefined {
  const wanted = args.map(({ name, type, value, path }) => {
    const column = table.columns.get(name) as Column;
    return { column, key: column.kind.operand(scope, value, baseTypeName(type), path) };
  });
  const matches = (row: Row): boolean => wanted.every(({ column, key }) => holds(row, column, key));
  const id = wanted.find(({ column }) => column.field === "id");
  if (!id || !table.matching) return () => table.rows().find(matches);
  const stored = id.key === null ? undefined : id.column.kind.stored(id.key);
  return () => {
    const row = stored === undefined ? undefined : table.find(String(stored));
    return row !== undefined && matches(row) ? row : undefined;
  };
}

function holds(row: Row, { field, kind }: Column, key: Key | null): boolean {
  const value = row[field] ?? null;
  return value !== null && key !== null && compareKeys(kind.key(value), key) === 0;
}
