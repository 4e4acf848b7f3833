import type { ApiInputObject, ApiInputValue } from "../../../schema/api-schema.ts";
import { input, inputType } from "../../../schema/make-type.ts";
import type { Column } from "./tables.ts";

/** What a comparison is made on: a scalar, or a list of it. */
export type Comparable = Pick<Column, "scalar" | "list">;

/** `numeric_comparison_exp`, `String_array_comparison_exp`. */
export function comparisonName({ scalar, list }: Comparable): string {
  return `${scalar}${list ? "_array" : ""}_comparison_exp`;
}

/** The input types that compare a column of this kind: the comparison itself and, for `jsonb`, its cast. */
export function comparisonTypes(comparable: Comparable): ApiInputObject[] {
  const { scalar, list } = comparable;
  const comparison = inputType(
    comparisonName(comparable),
    // Without the article that the description of a table's expression has.
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

/** An enum can have any name, so this is no look-up in an object. */
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
