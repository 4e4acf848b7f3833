import type { ApiEnum, ApiField, ApiInputObject, ApiInputValue, ApiObject } from "../api-schema.ts";
import { enumType, field, input, inputType, objectType } from "../make-type.ts";
import { type Column, columnType, type Table } from "./tables.ts";

/** The descriptions of relations, which authors cannot describe. */
export const OBJECT_RELATION_DESCRIPTION = "An object relationship";
export const ARRAY_RELATION_DESCRIPTION = "An array relationship";

/** Returns the default description of the object type of a table. */
export function rowTypeDescription(table: string): string {
  return `columns and relationships of "${table}"`;
}

/** Derives the object type of a table's rows. `aggregatable` tables have public aggregates. */
export function rowType(table: Table, aggregatable: ReadonlySet<string>): ApiObject {
  return objectType(table.name, table.description ?? rowTypeDescription(table.name), [
    ...table.columns.map(columnField),
    // Always nullable, because without a foreign key the row may be missing.
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

/** Derives `Stream_bool_exp`, the type of `where`. It does not have the descriptions of columns. */
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

/** Derives `Stream_order_by`. Rows can be ordered by aggregates of a list even if these are not public. */
export function orderBy(table: Table): ApiInputObject {
  return inputType(`${table.name}_order_by`, `Ordering options when selecting data from "${table.name}".`, [
    ...table.columns.map((column) => input(column.name, "order_by")),
    ...table.objectRelations.map((relation) => input(relation.name, `${relation.table}_order_by`)),
    ...table.arrayRelations.map((relation) =>
      input(`${relation.name}_aggregate`, `${relation.table}_aggregate_order_by`),
    ),
  ]);
}

/** The enum of directions, `order_by`. */
export const ORDER_BY = enumType("order_by", "column ordering options", [
  { name: "asc", description: "in ascending order, nulls last" },
  { name: "asc_nulls_first", description: "in ascending order, nulls first" },
  { name: "asc_nulls_last", description: "in ascending order, nulls last" },
  { name: "desc", description: "in descending order, nulls first" },
  { name: "desc_nulls_first", description: "in descending order, nulls first" },
  { name: "desc_nulls_last", description: "in descending order, nulls last" },
]);

/** Derives an enum of column names: `Stream_select_column`, and the smaller ones of aggregate predicates. */
export function columnEnum(name: string, description: string, columns: readonly Column[]): ApiEnum {
  return enumType(
    name,
    description,
    columns.map((column) => ({ name: column.name, description: "column name" })),
  );
}

/** Derives the fields of a table in `query_root`, which `subscription_root` has too. */
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

/** Derives the arguments of lists of a table's rows and of its aggregates. */
function selectArguments(table: string): ApiInputValue[] {
  return [
    input("distinct_on", `[${table}_select_column!]`, "distinct select on columns"),
    input("limit", "Int", "limit the number of rows returned"),
    input("offset", "Int", "skip the first n rows. Use only with order_by"),
    input("order_by", `[${table}_order_by!]`, "sort the rows by one or more columns"),
    input("where", `${table}_bool_exp`, "filter the rows returned"),
  ];
}

/** Derives the field of `subscription_root` that streams a table. The items of `cursor` are nullable, although null is useless. */
export function streamField({ name }: Table): ApiField {
  const description = `fetch data from the table in a streaming manner: "${name}"`;
  return field(`${name}_stream`, `[${name}!]!`, description, [
    input("batch_size", "Int!", "maximum number of rows returned in a single batch"),
    input("cursor", `[${name}_stream_cursor_input]!`, "cursor to stream the results returned by the query"),
    input("where", `${name}_bool_exp`, "filter the rows returned"),
  ]);
}

/** Derives `Stream_stream_cursor_input` and `Stream_stream_cursor_value_input`. */
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

/** The type of a compared value: a scalar, or a list of it. */
export type Comparable = Pick<Column, "scalar" | "list">;

/** Returns the name of a comparison type: `numeric_comparison_exp`, `String_array_comparison_exp`. */
export function comparisonName({ scalar, list }: Comparable): string {
  return `${scalar}${list ? "_array" : ""}_comparison_exp`;
}

/** Derives the input types that compare a column: the comparison and, for `jsonb`, its cast. */
export function comparisonTypes(comparable: Comparable): ApiInputObject[] {
  const { scalar, list } = comparable;
  const comparison = inputType(
    comparisonName(comparable),
    // Unlike the description of a table's filter, this one has no article before "logical".
    `Boolean expression to compare columns of type "${scalar}". All fields are combined with logical 'AND'.`,
    list
      ? [...baseOperators(`[${scalar}!]`), ...arrayOperators(scalar)]
      : [...baseOperators(scalar), ...moreOperators(scalar)],
  );
  return !list && scalar === "jsonb" ? [comparison, JSONB_CAST] : [comparison];
}

function baseOperators(operand: string): ApiInputValue[] {
  return [
    input("_eq", operand),
    input("_gt", operand),
    input("_gte", operand),
    input("_in", `[${operand}!]`),
    input("_is_null", "Boolean"),
    input("_lt", operand),
    input("_lte", operand),
    input("_neq", operand),
    input("_nin", `[${operand}!]`),
  ];
}

function arrayOperators(scalar: string): ApiInputValue[] {
  return [
    input("_contained_in", `[${scalar}!]`, "is the array contained in the given array value"),
    input("_contains", `[${scalar}!]`, "does the array contain the given value"),
  ];
}

/** Returns the additional operators of a scalar. Enums may have any name, so a lookup in an object would not be safe. */
function moreOperators(scalar: string): readonly ApiInputValue[] {
  if (scalar === "String") return STRING_OPERATORS;
  return scalar === "jsonb" ? JSONB_OPERATORS : [];
}

const STRING_OPERATORS: readonly ApiInputValue[] = [
  input("_ilike", "String", "does the column match the given case-insensitive pattern"),
  input("_iregex", "String", "does the column match the given POSIX regular expression, case insensitive"),
  input("_like", "String", "does the column match the given pattern"),
  input("_nilike", "String", "does the column NOT match the given case-insensitive pattern"),
  input(
    "_niregex",
    "String",
    "does the column NOT match the given POSIX regular expression, case insensitive",
  ),
  input("_nlike", "String", "does the column NOT match the given pattern"),
  input("_nregex", "String", "does the column NOT match the given POSIX regular expression, case sensitive"),
  input("_nsimilar", "String", "does the column NOT match the given SQL regular expression"),
  input("_regex", "String", "does the column match the given POSIX regular expression, case sensitive"),
  input("_similar", "String", "does the column match the given SQL regular expression"),
];

const JSONB_OPERATORS: readonly ApiInputValue[] = [
  input("_cast", "jsonb_cast_exp"),
  input("_contained_in", "jsonb", "is the column contained in the given json value"),
  input("_contains", "jsonb", "does the column contain the given json value at the top level"),
  input("_has_key", "String", "does the string exist as a top-level key in the column"),
  input("_has_keys_all", "[String!]", "do all of these strings exist as top-level keys in the column"),
  input("_has_keys_any", "[String!]", "do any of these strings exist as top-level keys in the column"),
];

const JSONB_CAST = inputType("jsonb_cast_exp", null, [input("String", "String_comparison_exp")]);
