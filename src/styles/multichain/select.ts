import type { ApiEnum, ApiInputValue } from "../../schema/api-schema.ts";
import { enumType, input } from "./api-types.ts";
import type { Column } from "./tables.ts";

/** The arguments of every list of a table's rows, and of its aggregates. */
export function selectArguments(table: string): ApiInputValue[] {
  return [
    input("distinct_on", `[${table}_select_column!]`, "distinct select on columns"),
    input("limit", "Int", "limit the number of rows returned"),
    input("offset", "Int", "skip the first n rows. Use only with order_by"),
    input("order_by", `[${table}_order_by!]`, "sort the rows by one or more columns"),
    input("where", `${table}_bool_exp`, "filter the rows returned"),
  ];
}

/** An enum of column names: `Stream_select_column`, and the narrower ones of aggregate predicates. */
export function columnEnum(name: string, description: string, columns: readonly Column[]): ApiEnum {
  return enumType(
    name,
    description,
    columns.map((column) => ({ name: column.name, description: "column name" })),
  );
}
