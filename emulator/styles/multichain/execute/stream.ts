import { baseTypeName } from "../../../../src/dialects/api-schema.ts";
import { type Entry, enumValue, listItems, objectEntries } from "./coerce.ts";
import { planLimit } from "./collection.ts";
import { planCondition } from "./filter.ts";
import { messages } from "./messages.ts";
import { planRow } from "./row-object.ts";
import type { Scope } from "./scope.ts";
import { argument, type SelectedField, selectionOf } from "./select.ts";
import type { Column, Table } from "./table.ts";

/** Checks a `T_stream` (B.2), which is refused over HTTP like any subscription, but not before it is validated. */
export function checkStream(scope: Scope, table: Table, selected: SelectedField): void {
  const size = argument(selected, "batch_size");
  if (size) planLimit(size);
  const cursor = argument(selected, "cursor");
  const columns = cursor
    ? listItems(scope, cursor).flatMap((item) => cursorColumns(scope, table, cursor, item))
    : [];
  if (columns.length === 0) throw messages.cursorMissing(`${selected.path}.args`);
  if (columns.length > 1) throw messages.cursorsMany(`${selected.path}.args`);
  const where = argument(selected, "where");
  if (where) planCondition(scope, table, where.value, where.path);
  planRow(scope, table, selectionOf(selected));
}

/** The columns a cursor starts from. A cursor that is null counts for nothing. */
function cursorColumns(
  scope: Scope,
  table: Table,
  { type }: Entry,
  { value, path }: Pick<Entry, "value" | "path">,
): string[] {
  if (value.kind === "null") return [];
  return objectEntries(scope, value, baseTypeName(type), path).flatMap((entry) => {
    if (entry.name === "ordering") {
      if (entry.value.kind !== "null") enumValue(scope, entry.value, baseTypeName(entry.type), entry.path);
      return [];
    }
    return objectEntries(scope, entry.value, baseTypeName(entry.type), entry.path).map((initial) => {
      const { kind } = table.columns.get(initial.name) as Column;
      if (initial.value.kind !== "null") {
        kind.operand(scope, initial.value, baseTypeName(initial.type), initial.path);
      }
      return initial.name;
    });
  });
}
