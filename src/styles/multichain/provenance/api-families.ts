import { operandsOf, predicateScalar } from "../derive/aggregates.ts";

/** What an API type is to its table. */
export type Family =
  | { readonly kind: "row" | "filter" | "order" | "columns" | "cursor" | "cursor-value" }
  | { readonly kind: "aggregate" | "aggregate-fields" }
  | { readonly kind: "operator-fields"; readonly operator: string }
  /** How a parent is ordered by aggregates of its list. */
  | { readonly kind: "aggregate-order" }
  | { readonly kind: "operator-order"; readonly operator: string }
  /** How a parent is filtered by them; the operator is null for the filter itself. */
  | { readonly kind: "predicate"; readonly operator: string | null }
  | { readonly kind: "predicate-columns"; readonly operator: string };

/** What an API type is to a table by its suffix, such as `_bool_exp` (B.3 to B.9); null for none. */
export function familyOf(table: string, suffix: string): Family | null {
  const plain = PLAIN.get(suffix);
  if (plain !== undefined) return plain;
  const operator = suffix.startsWith("_") ? /^_(\w+?)_(fields|order_by)$/.exec(suffix) : null;
  if (operator?.[1] !== undefined && operandsOf(operator[1]) !== undefined) {
    return { kind: operator[2] === "fields" ? "operator-fields" : "operator-order", operator: operator[1] };
  }
  if (suffix.startsWith(PREDICATE)) {
    const predicate = suffix.slice(PREDICATE.length).replace(/_arguments$/, "");
    const isKnown = predicate === "count" || predicateScalar(predicate) !== undefined;
    return isKnown ? { kind: "predicate", operator: predicate } : null;
  }
  const choice = `_select_column_${table}${PREDICATE}`;
  if (!suffix.startsWith(choice) || !suffix.endsWith(CHOICE)) return null;
  const chosen = suffix.slice(choice.length, -CHOICE.length);
  return predicateScalar(chosen) === undefined ? null : { kind: "predicate-columns", operator: chosen };
}

const PLAIN: ReadonlyMap<string, Family> = new Map<string, Family>([
  ["", { kind: "row" }],
  ["_bool_exp", { kind: "filter" }],
  ["_order_by", { kind: "order" }],
  ["_select_column", { kind: "columns" }],
  ["_stream_cursor_input", { kind: "cursor" }],
  ["_stream_cursor_value_input", { kind: "cursor-value" }],
  ["_aggregate", { kind: "aggregate" }],
  ["_aggregate_fields", { kind: "aggregate-fields" }],
  ["_aggregate_order_by", { kind: "aggregate-order" }],
  ["_aggregate_bool_exp", { kind: "predicate", operator: null }],
]);

const PREDICATE = "_aggregate_bool_exp_";
const CHOICE = "_arguments_columns";
