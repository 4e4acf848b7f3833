import { type ArgumentNode, type FieldNode, Kind, type ValueNode } from "graphql";
import { isList } from "../api-schema.ts";
import { argumentNode } from "../make-node.ts";
import type { AuthoredOperator, AuthoredTest, PagedList, PortableStyle } from "../portable-style.ts";

/** The default and the maximum number of rows of a list, and the maximum number of skipped rows. */
export const SUBGRAPH_LIMITS = { rows: 100, mostRows: 1000, mostSkipped: 5000 };

/** Reads portable operations, which are written in the smaller grammar of graph-node. */
export const portableSubgraph: PortableStyle = {
  kind: "authored",
  queries: {
    filterName: ({ field, test, isNegated, ignoresCase }) => {
      const name = test === "null" ? "equal" : test;
      const match = SUFFIXES.find(
        ([, operator]) =>
          operator.name === name && operator.isNegated === isNegated && operator.ignoresCase === ignoresCase,
      );
      if (match === undefined) throw new TypeError(`Unknown filter for "${test}".`);
      return field + match[0];
    },
    orderName: (path) => (path.length > 2 ? null : path.join("__")),
    writeArguments: ({ id, filter, order, direction, first, skip }) =>
      Object.entries({ id, where: filter, orderBy: order, orderDirection: direction, first, skip }).flatMap(
        ([name, value]) => (value === null ? [] : [argumentNode(name, value)]),
      ),
  },
  readPagedList,
  grammar: {
    readRoot: ({ type, args }) => {
      const takes = (name: string) => args.some((arg) => arg.name === name);
      if (!isList(type)) return takes("id") ? "lookup" : "other";
      return takes("where") && takes("orderBy") && !takes("interval") ? "list" : "other";
    },
    readArguments: ({ arguments: args = [] }) => {
      const others = new Map<string, ArgumentNode>(args.map((argument) => [argument.name.value, argument]));
      const take = (name: string) => {
        const argument = others.get(name) ?? null;
        others.delete(name);
        return argument;
      };
      return {
        id: take("id"),
        first: take("first"),
        skip: take("skip"),
        filter: take("where"),
        order: take("orderBy"),
        direction: take("orderDirection"),
        block: take("block"),
        errors: take("subgraphError"),
        others: [...others.values()],
      };
    },
    readFilterName,
    readFilterWord: (name) =>
      name === "and" || name === "or" ? name : name === "_change_block" ? "other" : null,
    isAmbiguous: (field) =>
      field === "and" ||
      field === "or" ||
      SUFFIXES.some(([suffix]) => suffix !== "" && field.endsWith(suffix) && field !== suffix),
    readOrder: (name) => {
      const [field = "", child] = name.split("__");
      return child === undefined || field === "" ? { field: name, child: null } : { field, child };
    },
    typeNames: { filter: (entity) => `${entity}_filter`, order: (entity) => `${entity}_orderBy` },
    limits: SUBGRAPH_LIMITS,
    height: { argument: "block", variable: "block", type: "Block_height" },
    progress: { root: "_meta", types: ["_Meta_", "_Block_"] },
  },
};

/** Returns every reading of a name in a filter. */
export function readFilterName(name: string): readonly AuthoredTest[] {
  return SUFFIXES.flatMap(([suffix, operator]) => {
    const field = name.slice(0, name.length - suffix.length);
    return name.endsWith(suffix) && field !== "" ? [{ field, operator }] : [];
  });
}

/** The suffixes of names in filters, and their operators. */
const SUFFIXES: readonly (readonly [suffix: string, operator: AuthoredOperator])[] = [
  ["", operator("equal")],
  ["_not", operator("equal", { isNegated: true })],
  ["_gt", operator("greater")],
  ["_gte", operator("greater-or-equal")],
  ["_lt", operator("less")],
  ["_lte", operator("less-or-equal")],
  ["_in", operator("in")],
  ["_not_in", operator("in", { isNegated: true })],
  ["_", operator("related")],
  ...(["contains", "starts_with", "ends_with"] as const).flatMap((word) => {
    const name = word.replace("_", "-") as "contains" | "starts-with" | "ends-with";
    return [
      [`_${word}`, operator(name)],
      [`_not_${word}`, operator(name, { isNegated: true })],
      [`_${word}_nocase`, operator(name, { ignoresCase: true })],
      [`_not_${word}_nocase`, operator(name, { isNegated: true, ignoresCase: true })],
    ] as const;
  }),
];

function operator(
  name: AuthoredOperator["name"],
  { isNegated = false, ignoresCase = false } = {},
): AuthoredOperator {
  return { name, isNegated, ignoresCase };
}

/** Reads a list that a cursor can page: with `first`, an order, and a filter of all rows by that column. */
function readPagedList({ arguments: args = [] }: FieldNode): PagedList | null {
  const values = new Map<string, ValueNode>(args.map(({ name, value }) => [name.value, value]));
  const first = values.get("first");
  const column = readWord(values.get("orderBy"), "id");
  const direction = readWord(values.get("orderDirection"), "asc");
  if (args.some(({ name }) => !PAGED.includes(name.value))) return null;
  if (first?.kind !== Kind.VARIABLE || column === null) return null;
  if (direction !== "asc" && direction !== "desc") return null;
  const after = findAfter(values.get("where"), `${column}_${direction === "asc" ? "gt" : "lt"}`);
  return after === null ? null : { first: first.name.value, column, direction, after };
}

const PAGED: readonly string[] = ["first", "orderBy", "orderDirection", "where", "block", "subgraphError"];

/** Returns a literal word, or the default; null for a variable. */
function readWord(value: ValueNode | undefined, otherwise: string): string | null {
  if (value === undefined) return otherwise;
  return value.kind === Kind.ENUM ? value.value : null;
}

/** Finds the variable that a column of all rows is compared with. */
function findAfter(filter: ValueNode | undefined, test: string): string | null {
  if (filter?.kind !== Kind.OBJECT) return null;
  for (const { name, value } of filter.fields) {
    if (name.value === "and") {
      for (const condition of value.kind === Kind.LIST ? value.values : [value]) {
        const after = findAfter(condition, test);
        if (after !== null) return after;
      }
    }
    if (name.value === test && value.kind === Kind.VARIABLE) return value.name.value;
  }
  return null;
}
