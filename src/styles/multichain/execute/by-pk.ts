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
  const [only] = wanted;
  if (only?.column.field === "id" && wanted.length === 1 && table.matching) {
    const id = only.key === null ? undefined : only.column.kind.stored(only.key);
    return () => (id === undefined ? undefined : table.find(String(id)));
  }
  return () => table.rows().find((row) => wanted.every(({ column, key }) => holds(row, column, key)));
}

function holds(row: Row, { field, kind }: Column, key: Key | null): boolean {
  const value = row[field] ?? null;
  return value !== null && key !== null && compareKeys(kind.key(value), key) === 0;
}
