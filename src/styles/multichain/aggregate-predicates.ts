import type { ApiEnum, ApiInputObject } from "../../schema/api-schema.ts";
import { input, inputType } from "./api-types.ts";
import { comparisonName } from "./comparison-exp.ts";
import { columnEnum } from "./select.ts";
import type { Column, Table } from "./tables.ts";

/**
 * `Action_aggregate_bool_exp` and what it consists of: filters a parent by aggregates of its list. For a table
 * whose aggregates are public and which is the target of an array relation. None of these types is described.
 */
export function aggregatePredicates(table: Table): (ApiInputObject | ApiEnum)[] {
  const name = `${table.name}_aggregate_bool_exp`;
  const predicates = PREDICATES.flatMap((predicate) => {
    const columns = table.columns.filter(({ scalar, list }) => scalar === predicate.scalar && !list);
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
  /** The scalar of the columns it takes, which is also that of its result. */
  readonly scalar: string;
  /** Takes two columns, X and Y. */
  readonly paired: boolean;
};

/** Of the numeric scalars only `float8` has predicates: the server asks for the very type of the operator. */
const PREDICATES: readonly Predicate[] = [
  ...["bool_and", "bool_or"].map((operator) => ({ operator, scalar: "Boolean", paired: false })),
  ...["avg", "max", "min", "stddev_samp", "sum", "var_samp"].map((operator) => ({
    operator,
    scalar: "float8",
    paired: false,
  })),
  ...["corr", "covar_samp"].map((operator) => ({ operator, scalar: "float8", paired: true })),
];

/** The scalar of the columns a predicate takes; undefined for `count`, which takes any, and for no predicate. */
export function predicateScalar(operator: string): string | undefined {
  return PREDICATES.find((predicate) => predicate.operator === operator)?.scalar;
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
