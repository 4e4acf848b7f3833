import type { DerivedNames } from "../style.ts";
import { AGGREGATE_OPERATORS, PREDICATES } from "./aggregates.ts";

/** An API type of a table, with the aggregate operator that it is for; null if it is for none or for all. */
export type TableType = { readonly name: string; readonly role: TypeRole; readonly operator: string | null };

type TypeRole =
  | "row"
  | "filter"
  | "order"
  | "columns"
  | "cursor"
  | "cursor-value"
  | "aggregate"
  | "aggregate-fields"
  | "operator-fields"
  // The orders of a parent by aggregates of its list, and the filters.
  | "aggregate-order"
  | "operator-order"
  | "predicate"
  | "predicate-columns";

/** Returns the API types that a table can have, in any release and with any setting. */
export function typesOf(table: string): readonly TableType[] {
  const type = (suffix: string, role: TypeRole, operator: string | null = null) => ({
    name: `${table}${suffix}`,
    role,
    operator,
  });
  const predicate = "_aggregate_bool_exp";
  const choice = `_select_column_${table}${predicate}`;
  return [
    type("", "row"),
    type("_bool_exp", "filter"),
    type("_order_by", "order"),
    type("_select_column", "columns"),
    type("_stream_cursor_input", "cursor"),
    type("_stream_cursor_value_input", "cursor-value"),
    type("_aggregate", "aggregate"),
    type("_aggregate_fields", "aggregate-fields"),
    type("_aggregate_order_by", "aggregate-order"),
    ...AGGREGATE_OPERATORS.flatMap(({ name }) => [
      type(`_${name}_fields`, "operator-fields", name),
      type(`_${name}_order_by`, "operator-order", name),
    ]),
    type(predicate, "predicate"),
    type(`${predicate}_count`, "predicate", "count"),
    ...PREDICATES.flatMap(({ operator }) => [
      type(`${predicate}_${operator}`, "predicate", operator),
      type(`${predicate}_${operator}_arguments`, "predicate", operator),
      type(`${choice}_${operator}_arguments_columns`, "predicate-columns", operator),
    ]),
  ];
}

/** Returns the names of the root fields that a table can have. */
export function rootFieldsOf(table: string) {
  return [
    { name: table, kind: "rows" },
    { name: `${table}_aggregate`, kind: "aggregate" },
    { name: `${table}_by_pk`, kind: "row" },
    { name: `${table}_stream`, kind: "stream" },
  ] as const;
}

/** Renames everything derived from an entity. Some names contain the name of the entity twice. */
export const renameMultichain: DerivedNames = (from, to) => {
  const rename = (namesOf: (table: string) => readonly { readonly name: string }[]) => {
    const after = namesOf(to);
    const names = new Map(namesOf(from).map(({ name }, index) => [name, after[index]?.name ?? null]));
    return (name: string) => names.get(name) ?? null;
  };
  return { type: rename(typesOf), rootField: rename(rootFieldsOf) };
};
