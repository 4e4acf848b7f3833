import { type ASTNode, Kind, type ValueNode } from "graphql";
import { typeExpression } from "../parse-sdl.ts";
import type { Comparison, Misreading, Pitfalls } from "../pitfalls.ts";
import { argumentValue } from "../values.ts";
import { RAW_BYTES } from "./tables.ts";

/** The pitfalls of Hasura as Envio configures it. */
export const MULTICHAIN_PITFALLS: Pitfalls = {
  // An operator may set a row cap, but the schema does not show it.
  size: { name: "limit", range: null, unsaid: null },
  skip: { name: "offset", range: null },
  ownTypes: new Set(["_meta", "chain_metadata"]),
  orderOf: (list) => {
    // Rows that are distinct by columns are in the order of these columns.
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
  misread,
  withoutValue: (object) => (object.endsWith("_comparison_exp") ? "refuses" : null),
  failsForNothing: false,
};

function misread(part: ASTNode): Misreading | null {
  const message = "Hasura orders by the keys of one object in an undefined sequence.";
  if (part.kind === Kind.ARGUMENT && part.name.value === "order_by") {
    const value = splitOrder(part.value);
    return value === null ? null : { message, corrected: { ...part, value } };
  }
  if (part.kind !== Kind.VARIABLE_DEFINITION || !part.defaultValue) return null;
  if (!/^\[\w+_order_by\b/.test(typeExpression(part.type))) return null;
  const defaultValue = splitOrder(part.defaultValue);
  return defaultValue === null ? null : { message, corrected: { ...part, defaultValue } };
}

/** Splits the objects of an order into objects of one key; null if all of them have one. */
function splitOrder<T extends ValueNode>(order: T): T | null {
  const objects: readonly ValueNode[] = order.kind === Kind.LIST ? order.values : [order];
  const values = objects.flatMap(splitKeys);
  // The values of a constant are constants.
  return values.length === objects.length ? null : ({ kind: Kind.LIST, values } as ValueNode as T);
}

function splitKeys(order: ValueNode): readonly ValueNode[] {
  if (order.kind !== Kind.OBJECT || order.fields.length === 0) return [order];
  return order.fields.flatMap((field) =>
    splitKeys(field.value).map((value): ValueNode => ({ ...order, fields: [{ ...field, value }] })),
  );
}

const OPERATORS: Readonly<Record<Comparison, readonly string[]>> = {
  equal: ["_eq"],
  in: ["_in"],
  order: ["_gt", "_gte", "_lt", "_lte"],
};

const CASELESS: ReadonlySet<string> = new Set(["_ilike", "_nilike", "_iregex", "_niregex"]);

/** Returns the columns of a literal order; null if a part of it is a variable. */
function columnsOf(order: ValueNode): readonly string[] | null {
  if (order.kind === Kind.ENUM) return [order.value];
  if (order.kind === Kind.OBJECT) return order.fields.map(({ name }) => name.value);
  if (order.kind !== Kind.LIST) return null;
  const parts = order.values.map(columnsOf);
  return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
}
