import { Kind, type ValueNode } from "graphql";
import type { Comparison, Pitfalls } from "../pitfalls.ts";
import { argumentValue } from "../values.ts";
import { RAW_BYTES } from "./tables.ts";

/** Where Hasura, as Envio sets it up, does not do what an operation seems to say. */
export const MULTICHAIN_PITFALLS: Pitfalls = {
  // A row cap is the operator's, and does not show in the schema.
  size: { name: "limit", range: null, unsaid: null },
  skip: { name: "offset", range: null },
  ownTypes: new Set(["_meta", "chain_metadata"]),
  orderOf: (list) => {
    // Rows that are told apart by columns come in their order.
    const order = argumentValue(list, "order_by") ?? argumentValue(list, "distinct_on");
    return order === null ? [] : columnsOf(order);
  },
  conjunction: "_and",
  operandOf: ({ name, value }, column, comparison) => {
    if (name.value !== column || value.kind !== Kind.OBJECT) return null;
    const entry = value.fields.find((field) => OPERATORS[comparison].includes(field.name.value));
    return entry?.value ?? null;
  },
  writeAfter: (cursor) => `${cursor}: { _gt: $after }`,
  exclusion: { isOperator: (key) => key === "_nin", ofNothing: "every row" },
  comparesCase: (scalar, operator) => scalar === "String" && !CASELESS.has(operator),
  writeBytes: (scalar, digits) => (scalar === RAW_BYTES ? `\\x${digits.toLowerCase()}` : null),
};

const OPERATORS: Readonly<Record<Comparison, readonly string[]>> = {
  equal: ["_eq"],
  in: ["_in"],
  order: ["_gt", "_gte", "_lt", "_lte"],
};

const CASELESS: ReadonlySet<string> = new Set(["_ilike", "_nilike", "_iregex", "_niregex"]);

/** The columns of an order that is written out; null where a part of it is a variable. */
function columnsOf(order: ValueNode): readonly string[] | null {
  if (order.kind === Kind.ENUM) return [order.value];
  if (order.kind === Kind.OBJECT) return order.fields.map(({ name }) => name.value);
  if (order.kind !== Kind.LIST) return null;
  const parts = order.values.map(columnsOf);
  return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
}
