import type {
  ApiEnum,
  ApiField,
  ApiInputObject,
  ApiInputValue,
  ApiObject,
} from "../../../schema/api-schema.ts";
import { enumType, field, input, inputType, objectType } from "../../../schema/make-type.ts";
import { comparisonName } from "./comparison-exp.ts";
import { type Column, columnType, type Table } from "./tables.ts";

/** The descriptions of what authors did not describe, or cannot. */
export const OBJECT_RELATION_DESCRIPTION = "An object relationship";
export const ARRAY_RELATION_DESCRIPTION = "An array relationship";

/** The description of the object type of a table without a comment. */
export function rowTypeDescription(table: string): string {
  return `columns and relationships of "${table}"`;
}

/** The object type of a table's rows; `aggregatable` tables have public aggregates. */
export function rowType(table: Table, aggregatable: ReadonlySet<string>): ApiObject {
  return objectType(table.name, table.description ?? rowTypeDescription(table.name), [
    ...table.columns.map(columnField),
    // Nullable whatever the author wrote: no foreign key proves that the row exists.
    ...table.objectRelations.map(({ name, table: target }) =>
      field(name, target, OBJECT_RELATION_DESCRIPTION),
    ),
    ...table.arrayRelations.flatMap(({ name, table: target }) => {
      const args = selectArguments(target);
      const rows = field(name, `[${target}!]!`, ARRAY_RELATION_DESCRIPTION, args);
      if (!aggregatable.has(target)) return [rows];
      return [rows, field(`${name}_aggregate`, `${target}_aggregate!`, "An aggregate relationship", args)];
    }),
  ]);
}

function columnField(column: Column): ApiField {
  const isReachable = column.scalar === "jsonb" && !column.list;
  const args = isReachable ? [input("path", "String", "JSON select path")] : [];
  return field(column.name, `${columnType(column)}${column.nullable ? "" : "!"}`, column.description, args);
}

/** `Stream_bool_exp`, what `where` takes; comments of columns do not appear in it. */
export function boolExp(table: Table, aggregatable: ReadonlySet<string>): ApiInputObject {
  const name = `${table.name}_bool_exp`;
  return inputType(
    name,
    `Boolean expression to filter rows from the table "${table.name}". All fields are combined with a logical 'AND'.`,
    [
      input("_and", `[${name}!]`),
      input("_not", name),
      input("_or", `[${name}!]`),
      ...table.columns.map((column) => input(column.name, comparisonName(column))),
      ...[...table.objectRelations, ...table.arrayRelations].map((relation) =>
        input(relation.name, `${relation.table}_bool_exp`),
      ),
      ...table.arrayRelations
        .filter((relation) => aggregatable.has(relation.table))
        .map((relation) => input(`${relation.name}_aggregate`, `${relation.table}_aggregate_bool_exp`)),
    ],
  );
}

/** `Stream_order_by`. A list can be ordered by aggregates of its rows even where these are not public. */
export function orderBy(table: Table): ApiInputObject {
  return inputType(`${table.name}_order_by`, `Ordering options when selecting data from "${table.name}".`, [
    ...table.columns.map((column) => input(column.name, "order_by")),
    ...table.objectRelations.map((relation) => input(relation.name, `${relation.table}_order_by`)),
    ...table.arrayRelations.map((relation) =>
      input(`${relation.name}_aggregate`, `${relation.table}_aggregate_order_by`),
    ),
  ]);
}

/** The enum `order_by`: the directions. */
export const ORDER_BY = enumType("order_by", "column ordering options", [
  { name: "asc", description: "in ascending order, nulls last" },
  { name: "asc_nulls_first", description: "in ascending order, nulls first" },
  { name: "asc_nulls_last", description: "in ascending order, nulls last" },
  { name: "desc", description: "in descending order, nulls first" },
  { name: "desc_nulls_first", description: "in descending order, nulls first" },
  { name: "desc_nulls_last", description: "in descending order, nulls last" },
]);

/** An enum of column names: `Stream_select_column`, and the narrower ones of aggregate predicates. */
export function columnEnum(name: string, description: string, columns: readonly Column[]): ApiEnum {
  return enumType(
    name,
    description,
    columns.map((column) => ({ name: column.name, description: "column name" })),
  );
}

/** The fields of `query_root` that a table has; `subscription_root` has them too. */
export function queryFields(table: Table, aggregatable: ReadonlySet<string>): ApiField[] {
  const { name, primaryKey } = table;
  const args = selectArguments(name);
  const fields = [field(name, `[${name}!]!`, `fetch data from the table: "${name}"`, args)];
  if (aggregatable.has(name)) {
    const description = `fetch aggregated fields from the table: "${name}"`;
    fields.push(field(`${name}_aggregate`, `${name}_aggregate!`, description, args));
  }
  if (primaryKey.length > 0) {
    const description = `fetch data from the table: "${name}" using primary key columns`;
    const key = table.columns
      .filter((column) => primaryKey.includes(column.name))
      .map((column) => input(column.name, `${columnType(column)}!`, column.description));
    fields.push(field(`${name}_by_pk`, name, description, key));
  }
  return fields;
}

/** The arguments of every list of a table's rows, and of its aggregates. */
function selectArguments(table: string): ApiInputValue[] {
  return [
    input("distinct_on", `[${table}_select_column!]`, "distinct select on columns"),
    input("limit", "Int", "limit the number of rows returned"),
    input("offset", "Int", "skip the first n rows. Use only with order_by"),
    input("order_by", `[${table}_order_by!]`, "sort the rows by one or more columns"),
    input("where", `${table}_bool_exp`, "filter the rows returned"),
  ];
}

/** The field of `subscription_root` that streams a table. The items of `cursor` are nullable, though a null is of no use. */
export function streamField({ name }: Table): ApiField {
  const description = `fetch data from the table in a streaming manner: "${name}"`;
  return field(`${name}_stream`, `[${name}!]!`, description, [
    input("batch_size", "Int!", "maximum number of rows returned in a single batch"),
    input("cursor", `[${name}_stream_cursor_input]!`, "cursor to stream the results returned by the query"),
    input("where", `${name}_bool_exp`, "filter the rows returned"),
  ]);
}

/** `Stream_stream_cursor_input` and `Stream_stream_cursor_value_input`. */
export function streamCursorTypes({ name, columns }: Table): ApiInputObject[] {
  const value = `${name}_stream_cursor_value_input`;
  return [
    inputType(`${name}_stream_cursor_input`, `Streaming cursor of the table "${name}"`, [
      input("initial_value", `${value}!`, "Stream column input with initial value"),
      input("ordering", CURSOR_ORDERING.name, "cursor ordering"),
    ]),
    inputType(
      value,
      "Initial value of the column from where the streaming should start",
      columns.map((column) => input(column.name, columnType(column), column.description)),
    ),
  ];
}

/** The enum `cursor_ordering`. */
export const CURSOR_ORDERING = enumType("cursor_ordering", "ordering argument of a cursor", [
  { name: "ASC", description: "ascending ordering of the cursor" },
  { name: "DESC", description: "descending ordering of the cursor" },
]);
