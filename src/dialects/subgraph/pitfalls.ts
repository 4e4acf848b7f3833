import { Kind } from "graphql";
import type { Comparison, Pitfalls } from "../pitfalls.ts";
import { argumentValue } from "../values.ts";

/** How many rows a list has where nobody says so, the most it can have, and the most it can pass over. */
export const SUBGRAPH_LIMITS = { rows: 100, mostRows: 1000, mostSkipped: 5000 };

/** Where graph-node does not do what an operation seems to say. */
export const SUBGRAPH_PITFALLS: Pitfalls = {
  size: {
    name: "first",
    range: { least: 1, most: SUBGRAPH_LIMITS.mostRows, by: "graph-node" },
    unsaid: SUBGRAPH_LIMITS.rows,
  },
  // Nodes have no limit of their own; those that others run for you have this one.
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
  // An address is bytes here. Of an id nobody can tell, because both kinds are given as `ID`.
  comparesCase: () => false,
  writeBytes: () => null,
};

const SUFFIXES: Readonly<Record<Comparison, readonly string[]>> = {
  equal: [""],
  in: ["_in"],
  order: ["_gt", "_gte", "_lt", "_lte"],
};
