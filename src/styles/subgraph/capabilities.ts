import { isList } from "../../base/type-expression.ts";
import type { ApiSchema } from "../../schema/api-schema.ts";
import { fieldsOf } from "../../schema/fields-of.ts";
import type { Capabilities } from "../style.ts";

/** Finds what a schema of graph-node lets clients ask: what shows in it, in the words of its dialect (A.5 to A.8). */
export function findSubgraphCapabilities(schema: ApiSchema): Capabilities {
  const suffixes = new Set<string>();
  const names = new Set<string>();
  let [relations, lists, nested, listFields] = [false, false, false, false];
  const order = new Set(
    schema.types.flatMap((type) =>
      type.kind === "ENUM" && type.name.endsWith("_orderBy") ? [type.name] : [],
    ),
  );
  for (const type of schema.types) {
    if (type.kind === "ENUM" && order.has(type.name)) {
      nested ||= type.values.some(({ name }) => name.indexOf("__", 1) > 0);
    }
    if (type.kind === "OBJECT" && type.name !== schema.queryType) {
      listFields ||= type.fields.some(({ args }) => args.some(({ name }) => name === "first"));
    }
    if (type.kind !== "INPUT_OBJECT" || !type.name.endsWith("_filter")) continue;
    for (const field of type.fields) {
      names.add(field.name);
      relations ||= field.name.endsWith("_") && field.type.endsWith("_filter");
      lists ||= field.name.endsWith("_contains") && isList(field.type);
      const operator = OPERATOR.exec(field.name)?.[0];
      if (operator !== undefined) suffixes.add(operator);
    }
  }
  const roots = fieldsOf(schema, schema.queryType);
  const takes = (argument: string) => roots.some(({ args }) => args.some(({ name }) => name === argument));
  const operators = (wanted: readonly string[]) =>
    wanted
      .filter((suffix) => suffixes.has(suffix))
      .map((suffix) => `…${suffix}`)
      .join(" ") || null;
  const some = (shows: boolean, words: string) => (shows ? words : null);
  const filters = takes("where");
  return {
    "one by id": some(takes("id"), "(id:)"),
    "filter: equal": some(filters, "bare, …_not"),
    "filter: order": operators(["_gt", "_gte", "_lt", "_lte"]),
    "filter: in a list": operators(["_in", "_not_in"]),
    "filter: null": some(filters, "bare: null, …_not: null"),
    "filter: text": operators(["_contains", "_contains_nocase", "_starts_with", "_ends_with"]),
    "filter: lists": some(lists, "…_contains, …_not_contains"),
    "filter: relations": some(relations, "…_: { … }"),
    "filter: and": some(names.has("and"), "and"),
    "filter: or": some(names.has("or"), "or, beside no other filter"),
    "filter: not": null,
    "filter: changed since": some(names.has("_change_block"), "_change_block"),
    "order: one field": some(order.size > 0, "orderBy, orderDirection"),
    "order: several fields": null,
    "order: field of a relation": some(nested, "orderBy: relation__field"),
    page: some(takes("first"), "first (100 unless given), skip"),
    "page: of a list field": some(listFields, "first (100 unless given), skip"),
    distinct: null,
    aggregates: null,
    "roll-ups by interval": some(takes("interval"), "(interval:)"),
    search: some(takes("text"), "(text:)"),
    "time travel": some(takes("block"), "(block:)"),
    "live updates": some(schema.subscriptionType !== null, "subscription"),
    "progress and health": some(
      roots.some(({ name }) => name === "_meta"),
      "_meta",
    ),
  };
}

const OPERATOR = /_(?:gte?|lte?|in|not_in|contains(?:_nocase)?|starts_with|ends_with)$/;
