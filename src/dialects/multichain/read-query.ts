import { type FieldNode, Kind, type ObjectFieldNode, print, type ValueNode } from "graphql";
import {
  type QueryReader,
  type ReadFilter,
  type ReadOrder,
  type ReadTestName,
  Unreadable,
} from "../foreign-query.ts";
import { argumentNode, enumNode, listNode, objectNode } from "../make-node.ts";
import { argumentValue } from "../values.ts";
import { CHAIN_COLUMN } from "./tables.ts";

/** Reads queries in the grammar of Hasura. */
export const multichainReader: QueryReader = {
  readRoot: (name) =>
    name.endsWith(LOOKUP)
      ? { entity: name.slice(0, -LOOKUP.length), kind: "lookup" }
      : { entity: name, kind: "list" },
  readArguments: (field) => {
    const take = (name: string) => argumentValue(field, name);
    return {
      first: take("limit"),
      skip: take("offset"),
      filter: take("where"),
      order: take("order_by"),
      id: take("id"),
      chain: take(CHAIN_COLUMN.name),
      distinct: take("distinct_on"),
      others: (field.arguments ?? []).filter(({ name }) => !ARGUMENTS.has(name.value)),
    };
  },
  readFilter: (value) => readFilter(value, false),
  readOrder,
  readReference: (column) => (column.endsWith("_id") ? column.slice(0, -3) : null),
  completeOrder,
  isList: (names) => names.includes("order_by"),
  rowCap: 1000,
};

const LOOKUP = "_by_pk";

const ARGUMENTS: ReadonlySet<string> = new Set([
  "limit",
  "offset",
  "where",
  "order_by",
  "distinct_on",
  "id",
  CHAIN_COLUMN.name,
]);

/** @param isNegated whether the opposite is read. A comparison with null is neither true nor false, so De Morgan holds. */
function readFilter(value: ValueNode, isNegated: boolean): ReadFilter {
  if (value.kind === Kind.VARIABLE && !isNegated) return { kind: "given", value };
  if (value.kind === Kind.NULL) return { kind: isNegated ? "or" : "and", of: [] };
  if (value.kind !== Kind.OBJECT) throw new Unreadable("port/filter", `\`${print(value)}\` is not a filter.`);
  const of = value.fields.map((field) => readMember(field, isNegated));
  const [only] = of;
  return of.length === 1 && only !== undefined ? only : { kind: isNegated ? "or" : "and", of };
}

function readMember({ name: { value: name }, value }: ObjectFieldNode, isNegated: boolean): ReadFilter {
  switch (name) {
    case "_and":
    case "_or": {
      if (value.kind === Kind.VARIABLE) throw unreadable(name, value);
      const items = value.kind === Kind.LIST ? value.values : [value];
      const kind = (name === "_and") === isNegated ? "or" : "and";
      return { kind, of: items.map((item) => readFilter(item, isNegated)) };
    }
    case "_not":
      return readFilter(value, !isNegated);
  }
  if (value.kind !== Kind.OBJECT) throw unreadable(name, value);
  const isOfColumn =
    value.fields.length > 0 && value.fields.every((field) => OPERATOR.test(field.name.value));
  if (!isOfColumn) {
    if (!isNegated) return { kind: "related", field: name, of: readFilter(value, false) };
    throw new Unreadable(
      "port/filter",
      `Subgraphs cannot ask for rows without a related row, as \`_not\` does with \`${name}\`.`,
    );
  }
  const of = value.fields.map((field) => readTest(name, field, isNegated));
  const [only] = of;
  return of.length === 1 && only !== undefined ? only : { kind: isNegated ? "or" : "and", of };
}

/** The operators of columns. `_and`, `_or` and `_not` are of filters. */
const OPERATOR = /^_(?!(?:and|or|not)$)/;

function unreadable(name: string, value: ValueNode): Unreadable {
  return new Unreadable("port/filter", `\`${name}: ${print(value)}\` is not a filter that can be read.`);
}

function readTest(column: string, { name, value }: ObjectFieldNode, isOpposite: boolean): ReadFilter {
  const operator = OPERATORS.get(name.value);
  if (operator === undefined) {
    throw new Unreadable(
      "port/operator",
      `Subgraphs have no operator like \`${name.value}\` of \`${column}\`.`,
    );
  }
  const { test, isNegated = false, ignoresCase = false } = operator;
  if (test === "null") {
    if (value.kind !== Kind.BOOLEAN) {
      throw new Unreadable(
        "port/operator",
        `\`${column}: { _is_null: ${print(value)} }\` needs a literal true or false.`,
      );
    }
    return { kind: "test", column, test, isNegated: value.value === isOpposite, ignoresCase, value };
  }
  const opposite = isOpposite ? OPPOSITES.get(test) : undefined;
  if (opposite !== undefined) return { kind: "test", column, test: opposite, isNegated, ignoresCase, value };
  if (isOpposite && test === "has-all") {
    throw new Unreadable(
      "port/operator",
      `The opposite of \`${name.value}\` of \`${column}\` is not portable.`,
    );
  }
  return { kind: "test", column, test, isNegated: isNegated !== isOpposite, ignoresCase, value };
}

type Operator = {
  readonly test: ReadTestName;
  readonly isNegated?: boolean;
  readonly ignoresCase?: boolean;
};

const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ["_eq", { test: "equal" }],
  ["_neq", { test: "equal", isNegated: true }],
  ["_gt", { test: "greater" }],
  ["_gte", { test: "greater-or-equal" }],
  ["_lt", { test: "less" }],
  ["_lte", { test: "less-or-equal" }],
  ["_in", { test: "in" }],
  ["_nin", { test: "in", isNegated: true }],
  ["_like", { test: "like" }],
  ["_nlike", { test: "like", isNegated: true }],
  ["_ilike", { test: "like", ignoresCase: true }],
  ["_nilike", { test: "like", isNegated: true, ignoresCase: true }],
  ["_contains", { test: "has-all" }],
  ["_is_null", { test: "null" }],
]);

const OPPOSITES: ReadonlyMap<ReadTestName, ReadTestName> = new Map<ReadTestName, ReadTestName>([
  ["greater", "less-or-equal"],
  ["greater-or-equal", "less"],
  ["less", "greater-or-equal"],
  ["less-or-equal", "greater"],
]);

function readOrder(value: ValueNode): readonly ReadOrder[] {
  if (value.kind === Kind.VARIABLE) return [{ path: [], direction: value }];
  if (value.kind === Kind.NULL) return [];
  if (value.kind === Kind.LIST) return value.values.flatMap(readOrder);
  if (value.kind !== Kind.OBJECT) throw new Unreadable("port/order", `\`${print(value)}\` is not an order.`);
  if (value.fields.length > 1) {
    throw new Unreadable(
      "port/order",
      `\`${print(value)}\` has several columns in one object, which Hasura orders by in any sequence.`,
    );
  }
  return value.fields.flatMap(({ name, value: below }): ReadOrder[] => {
    if (below.kind === Kind.NULL) return [];
    // A variable is a direction: those of whole orders are given to the argument.
    if (below.kind === Kind.OBJECT) {
      return readOrder(below).map(({ path, direction }) => ({ path: [name.value, ...path], direction }));
    }
    return [{ path: [name.value], direction: readDirection(below) }];
  });
}

/** Nulls come last in ascending order, and first in descending order; other places of them are not portable. */
function readDirection(value: ValueNode): ValueNode {
  if (value.kind !== Kind.ENUM) return value;
  const [word = "", ...nulls] = value.value.split("_");
  const where = nulls.join("_");
  if (where === "" || where === (word === "asc" ? "nulls_last" : "nulls_first"))
    return enumNode(word, value.loc);
  throw new Unreadable("port/order", `Subgraphs cannot order by \`${value.value}\`.`);
}

function completeOrder(field: FieldNode): FieldNode {
  const order = argumentValue(field, "order_by");
  if (order?.kind === Kind.VARIABLE) return field;
  const terms = order === null ? [] : readOrder(order);
  if (terms.some(({ path }) => path.join() === "id")) return field;
  const last = terms.at(-1)?.direction ?? enumNode("asc", field.loc);
  const objects =
    order?.kind === Kind.LIST ? order.values : order === null || terms.length === 0 ? [] : [order];
  const all = listNode([...objects, objectNode([["id", last]], field.loc)], field.loc);
  const others = (field.arguments ?? []).filter(({ name }) => name.value !== "order_by");
  return { ...field, arguments: [...others, argumentNode("order_by", all)] };
}
