import { Kind } from "graphql";
import type { Comparison, Pitfalls } from "../pitfalls.ts";
import { argumentValue } from "../values.ts";

/** The default and the maximum number of rows of a list, and the maximum number of skipped rows. */
export const SUBGRAPH_LIMITS = { rows: 100, mostRows: 1000, mostSkipped: 5000 };

/** The pitfalls of graph-node. */
export const SUBGRAPH_PITFALLS: Pitfalls = {
  size: {
    name: "first",
    range: { least: 1, most: SUBGRAPH_LIMITS.mostRows, by: "graph-node" },
    unsaid: SUBGRAPH_LIMITS.rows,
  },
  // graph-node has no default limit, but hosted nodes have this one.
  skip: { name: "skip", range: { least: 0, most: SUBGRAPH_LIMITS.mostSkipped, by: "a hosted graph-node" } },
  ownTypes: new Set(["_Meta_"]),
  orderOf: (list) => {
    const order = argumentValue(list, "orderBy");
    if (order === null) return [];
    return order.kind === Kind.ENUM ? [order.value] : null;
  },
  conjunction: "and",
  operandOf: ({ name, value }, column, comparison) =>
    SUFFIXES[comparison].some((suffix) => name.value === column + suffix) ? value : null,
  writeAfter: (cursor) => `${cursor}_gt: $after`,
  exclusion: { isOperator: (key) => key.endsWith("_not_in"), ofNothing: "no row" },
  // Addresses are bytes here. Ids may be text or bytes, but the type of their variables is `ID` for both.
  comparesCase: () => false,
  writeBytes: () => null,
};

const SUFFIXES: Readonly<Record<Comparison, readonly string[]>> = {
  equal: [""],
  in: ["_in"],
  order: ["_gt", "_gte", "_lt", "_lte"],
};
