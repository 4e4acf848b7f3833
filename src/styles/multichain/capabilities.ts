import type { ApiField, ApiSchema } from "../../schema/api-schema.ts";
import { fieldsOf } from "../../schema/fields-of.ts";
import type { Capabilities } from "../style.ts";

/** Finds what a schema of the platform lets clients ask: what shows in it, in the words of its dialect. */
export function findMultichainCapabilities(schema: ApiSchema): Capabilities {
  const operators = new Set<string>();
  const arrays = new Set<string>();
  const expressions = new Set<string>();
  let relations = false;
  let nested = false;
  for (const type of schema.types) {
    if (type.kind !== "INPUT_OBJECT") continue;
    const into = type.name.endsWith("_array_comparison_exp")
      ? arrays
      : type.name.endsWith("_comparison_exp")
        ? operators
        : type.name.endsWith("_bool_exp")
          ? expressions
          : null;
    for (const field of type.fields) {
      into?.add(field.name);
      if (into === expressions && !field.name.startsWith("_")) relations ||= field.type.endsWith("_bool_exp");
      if (type.name.endsWith("_order_by")) nested ||= field.type.endsWith("_order_by");
    }
  }
  const roots = fieldsOf(schema, schema.queryType);
  const live = fieldsOf(schema, schema.subscriptionType);
  const takes = (argument: string) => roots.some(({ args }) => args.some(({ name }) => name === argument));
  const listed = (names: ReadonlySet<string>, wanted: readonly string[]) =>
    wanted.filter((name) => names.has(name)).join(" ") || null;
  const some = (shows: boolean, words: string) => (shows ? words : null);
  return {
    "one by id": some(hasSuffix(roots, "_by_pk"), "…_by_pk(id:)"),
    "filter: equal": listed(operators, ["_eq", "_neq"]),
    "filter: order": listed(operators, ["_gt", "_gte", "_lt", "_lte"]),
    "filter: in a list": listed(operators, ["_in", "_nin"]),
    "filter: null": listed(operators, ["_is_null"]),
    "filter: text": listed(operators, ["_like", "_ilike", "_similar", "_regex", "_iregex"]),
    "filter: lists": listed(arrays, ["_contains", "_contained_in"]),
    "filter: relations": some(relations, "nested; of a list any row"),
    "filter: and": listed(expressions, ["_and"]),
    "filter: or": listed(expressions, ["_or"]),
    "filter: not": listed(expressions, ["_not"]),
    "filter: changed since": null,
    "order: one field": some(takes("order_by"), "order_by"),
    "order: several fields": some(takes("order_by"), "order_by: […], with the place of nulls"),
    "order: field of a relation": some(nested, "order_by: { relation: { … } }"),
    page: some(takes("limit"), "limit, offset"),
    "page: of a list field": some(takes("limit"), "limit, offset"),
    distinct: some(takes("distinct_on"), "distinct_on"),
    aggregates: some(hasSuffix(roots, "_aggregate"), "…_aggregate"),
    "roll-ups by interval": null,
    search: null,
    "time travel": null,
    "live updates": some(hasSuffix(live, "_stream"), "subscription, …_stream"),
    "progress and health":
      ["_meta", "chain_metadata"].filter((name) => roots.some((root) => root.name === name)).join(", ") ||
      null,
  };
}

function hasSuffix(fields: readonly ApiField[], suffix: string): boolean {
  return fields.some(({ name }) => name.endsWith(suffix));
}
