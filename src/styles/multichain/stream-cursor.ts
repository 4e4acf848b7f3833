import type { ApiInputObject, ApiInputValue } from "../../schema/api-schema.ts";
import { enumType, input, inputType } from "./api-types.ts";
import { columnType, type Table } from "./tables.ts";

/** The arguments of `Stream_stream`. The items of `cursor` are nullable, though a null is of no use. */
export function streamArguments(table: Table): ApiInputValue[] {
  return [
    input("batch_size", "Int!", "maximum number of rows returned in a single batch"),
    input(
      "cursor",
      `[${table.name}_stream_cursor_input]!`,
      "cursor to stream the results returned by the query",
    ),
    input("where", `${table.name}_bool_exp`, "filter the rows returned"),
  ];
}

/** `Stream_stream_cursor_input` and `Stream_stream_cursor_value_input`. */
export function streamCursorTypes(table: Table): ApiInputObject[] {
  const value = `${table.name}_stream_cursor_value_input`;
  return [
    inputType(`${table.name}_stream_cursor_input`, `Streaming cursor of the table "${table.name}"`, [
      input("initial_value", `${value}!`, "Stream column input with initial value"),
      input("ordering", "cursor_ordering", "cursor ordering"),
    ]),
    inputType(
      value,
      "Initial value of the column from where the streaming should start",
      table.columns.map((column) => input(column.name, columnType(column), column.description)),
    ),
  ];
}

/** The enum `cursor_ordering`. */
export const CURSOR_ORDERING = enumType("cursor_ordering", "ordering argument of a cursor", [
  { name: "ASC", description: "ascending ordering of the cursor" },
  { name: "DESC", description: "descending ordering of the cursor" },
]);
