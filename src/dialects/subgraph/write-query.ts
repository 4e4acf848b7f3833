import type { QueryWriter, WrittenTest } from "../foreign-query.ts";
import { argumentNode } from "../make-node.ts";

/** Writes queries in the grammar of graph-node. */
export const subgraphWriter: QueryWriter = {
  filterName: ({ field, test, isNegated, ignoresCase }) => {
    const word = WORDS[test];
    if (test === "related") return `${field}_`;
    if (word === "") return isNegated ? `${field}_not` : field;
    return `${field}${isNegated ? "_not" : ""}_${word}${ignoresCase ? "_nocase" : ""}`;
  },
  orderName: (path) => (path.length > 2 ? null : path.join("__")),
  writeArguments: ({ id, filter, order, direction, first, skip }) =>
    [
      ["id", id] as const,
      ["where", filter] as const,
      ["orderBy", order] as const,
      ["orderDirection", direction] as const,
      ["first", first] as const,
      ["skip", skip] as const,
    ].flatMap(([name, value]) => (value === null ? [] : [argumentNode(name, value)])),
};

/** The ends of names in filters. */
const WORDS: Readonly<Record<WrittenTest["test"], string>> = {
  equal: "",
  null: "",
  related: "",
  greater: "gt",
  "greater-or-equal": "gte",
  less: "lt",
  "less-or-equal": "lte",
  in: "in",
  contains: "contains",
  "starts-with": "starts_with",
  "ends-with": "ends_with",
};
