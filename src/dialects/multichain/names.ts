import type { DerivedNames } from "../style.ts";
import { AGGREGATE_OPERATORS, PREDICATES } from "./aggregates.ts";

/** The role of an API type of a table. */
export type TypeRole =
  | { readonly kind: "row" | "filter" | "order" | "columns" | "cursor" | "cursor-value" }
  | { readonly kind: "aggregate" | "aggregate-fields" }
  | { readonly kind: "operator-fields"; readonly operator: string }
  /** The order of a parent by aggregates of its list. */
  | { readonly kind: "aggregate-order" }
  | { readonly kind: "operator-order"; readonly operator: string }
  /** The filter of a parent by aggregates of its list; the operator is null for the filter itself. */
  | { readonly kind: "predicate"; readonly operator: string | null }
  | { readonly kind: "predicate-columns"; readonly operator: string };

/** Returns the names of the API types that a table can have, in any release and with any setting. */
export function typesOf(table: string): readonly { readonly name: string; readonly role: TypeRole }[] {
  const predicate = `${table}_aggregate_bool_exp`;
  return [
    { name: table, role: { kind: "row" } },
    { name: `${table}_bool_exp`, role: { kind: "filter" } },
    { name: `${table}_order_by`, role: { kind: "order" } },
    { name: `${table}_select_column`, role: { kind: "columns" } },
    { name: `${table}_stream_cursor_input`, role: { kind: "cursor" } },
    { name: `${table}_stream_cursor_value_input`, role: { kind: "cursor-value" } },
    { name: `${table}_aggregate`, role: { kind: "aggregate" } },
    { name: `${table}_aggregate_fields`, role: { kind: "aggregate-fields" } },
    { name: `${table}_aggregate_order_by`, role: { kind: "aggregate-order" } },
    ...AGGREGATE_OPERATORS.flatMap(({ name: operator }) => [
      { name: `${table}_${operator}_fields`, role: { kind: "operator-fields", operator } as const },
      { name: `${table}_${operator}_order_by`, role: { kind: "operator-order", operator } as const },
    ]),
    { name: predicate, role: { kind: "predicate", operator: null } },
    { name: `${predicate}_count`, role: { kind: "predicate", operator: "count" } },
    ...PREDICATES.flatMap(({ operator }) => [
      { name: `${predicate}_${operator}`, role: { kind: "predicate", operator } as const },
      { name: `${predicate}_${operator}_arguments`, role: { kind: "predicate", operator } as const },
      {
        name: `${table}_select_column_${predicate}_${operator}_arguments_columns`,
        role: { kind: "predicate-columns", operator } as const,
      },
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
