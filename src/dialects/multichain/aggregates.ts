import type { ApiEnum, ApiInputObject, ApiObject } from "../api-schema.ts";
import { field, input, inputType, objectType } from "../make-type.ts";
import { type Comparable, columnEnum, comparisonName } from "./table-types.ts";
import { type Column, columnType, RAW_BYTES, type Table } from "./tables.ts";

/** Derives `Stream_aggregate` and its parts, for a table with public aggregates. */
export function aggregateTypes(table: Table): ApiObject[] {
  const { name } = table;
  const available = operators(table);
  return [
    objectType(`${name}_aggregate`, `aggregated selection of "${name}"`, [
      field("aggregate", `${name}_aggregate_fields`),
      field("nodes", `[${name}!]!`),
    ]),
    objectType(`${name}_aggregate_fields`, `aggregate fields of "${name}"`, [
      field("count", "Int!", null, [
        input("columns", `[${name}_select_column!]`),
        input("distinct", "Boolean"),
      ]),
      ...available.map((operator) => field(operator.name, `${name}_${operator.name}_fields`)),
    ]),
    ...available.map((operator) =>
      objectType(
        `${name}_${operator.name}_fields`,
        `aggregate ${operator.name} on columns`,
        operator.columns.map((column) => field(column.name, operator.resultType(column), column.description)),
      ),
    ),
  ];
}

/** Derives `Action_aggregate_order_by` and its parts, for a table that is the target of an array relation. */
export function aggregateOrderBys(table: Table): ApiInputObject[] {
  const available = operators(table);
  return [
    inputType(`${table.name}_aggregate_order_by`, `order by aggregate values of table "${table.name}"`, [
      input("count", "order_by"),
      ...available.map(({ name }) => input(name, `${table.name}_${name}_order_by`)),
    ]),
    ...available.map(({ name, columns }) =>
      inputType(
        `${table.name}_${name}_order_by`,
        `order by ${name}() on columns of table "${table.name}"`,
        columns.map((column) => input(column.name, "order_by", column.description)),
      ),
    ),
  ];
}

/** An aggregate operator other than `count`, which takes any columns. */
type Operator = {
  readonly name: string;
  readonly takes: (column: Comparable) => boolean;
  readonly resultType: (column: Column) => string;
};

/** Returns the operators for which a table has columns. */
function operators({ columns }: Table) {
  return AGGREGATE_OPERATORS.map((operator) => ({
    ...operator,
    columns: columns.filter(operator.takes),
  })).filter((operator) => operator.columns.length > 0);
}

export const AGGREGATE_OPERATORS: readonly Operator[] = [
  ...["max", "min"].map((name) => ({ name, takes: isComparable, resultType: columnType })),
  { name: "sum", takes: isNumeric, resultType: columnType },
  ...["avg", "stddev", "stddev_pop", "stddev_samp", "var_pop", "var_samp", "variance"].map((name) => ({
    name,
    takes: isNumeric,
    resultType: () => "Float",
  })),
];

/** Hasura has `min` and `max` for every column but these, and for lists of any items. */
function isComparable({ scalar, list }: Comparable): boolean {
  return list || !(scalar === "Boolean" || scalar === "jsonb" || scalar === RAW_BYTES);
}

function isNumeric({ scalar, list }: Comparable): boolean {
  return !list && NUMERIC_SCALARS.has(scalar);
}

const NUMERIC_SCALARS: ReadonlySet<string> = new Set(["Float", "Int", "bigint", "float8", "numeric"]);

/** Derives the filter by aggregates of a list, `Action_aggregate_bool_exp`, and its parts. */
export function aggregatePredicates(table: Table): (ApiInputObject | ApiEnum)[] {
  const name = `${table.name}_aggregate_bool_exp`;
  const predicates = PREDICATES.flatMap((predicate) => {
    const columns = table.columns.filter((column) => takesColumn(predicate, column));
    return columns.length > 0 ? [{ ...predicate, columns }] : [];
  });
  return [
    inputType(name, null, [
      input("count", `${name}_count`),
      ...predicates.map(({ operator }) => input(operator, `${name}_${operator}`)),
    ]),
    predicateInput(table, "count", `[${table.name}_select_column!]`, "Int"),
    ...predicates.flatMap((predicate) => predicateTypes(table, predicate, predicate.columns)),
  ];
}

type Predicate = {
  readonly operator: string;
  /** The scalar of its columns and of its result. */
  readonly scalar: string;
  /** Takes two columns, X and Y. */
  readonly paired: boolean;
};

/** The predicates other than `count`. Of the numeric scalars, only `float8` has predicates, because types must match exactly. */
export const PREDICATES: readonly Predicate[] = [
  ...["bool_and", "bool_or"].map((operator) => ({ operator, scalar: "Boolean", paired: false })),
  ...["avg", "max", "min", "stddev_samp", "sum", "var_samp"].map((operator) => ({
    operator,
    scalar: "float8",
    paired: false,
  })),
  ...["corr", "covar_samp"].map((operator) => ({ operator, scalar: "float8", paired: true })),
];

/** Returns whether a predicate takes a column. */
export function takesColumn(predicate: Predicate, { scalar, list }: Comparable): boolean {
  return scalar === predicate.scalar && !list;
}

function predicateTypes(
  table: Table,
  { operator, scalar, paired }: Predicate,
  columns: readonly Column[],
): (ApiInputObject | ApiEnum)[] {
  const args = `${table.name}_aggregate_bool_exp_${operator}_arguments`;
  const choice = `${table.name}_select_column_${args}_columns`;
  return [
    predicateInput(table, operator, `${paired ? args : choice}!`, scalar),
    columnEnum(choice, `select "${args}_columns" columns of table "${table.name}"`, columns),
    ...(paired ? [inputType(args, null, [input("X", `${choice}!`), input("Y", `${choice}!`)])] : []),
  ];
}

function predicateInput(table: Table, operator: string, args: string, scalar: string): ApiInputObject {
  return inputType(`${table.name}_aggregate_bool_exp_${operator}`, null, [
    input("arguments", args),
    input("distinct", "Boolean"),
    input("filter", `${table.name}_bool_exp`),
    input("predicate", `${comparisonName({ scalar, list: false })}!`),
  ]);
}
