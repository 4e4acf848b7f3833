import { describe, expect, it } from "vitest";
import { reverseOperation } from "../../src/ask/changes.ts";
import type { AnyPortableOperation } from "../../src/generate/portable/portable-operation.ts";

describe("reverseOperation", () => {
  it.each([
    ["an ascending list", "orderBy: subgraphId, orderDirection: asc, first: $first"],
    ["a list that is ascending by default", "orderBy: subgraphId, first: $first"],
  ])("orders the newest row first: %s", (_, args) => {
    const subgraph = `query All($first: Int!) { streams(${args}) { id actions(first: 2) { id } } }`;
    const reversed = reverseOperation({ subgraph } as AnyPortableOperation).subgraph;
    expect(reversed.replaceAll(/\s+/g, " ").trim()).toBe(
      "query All($first: Int!) { streams(orderBy: subgraphId, first: $first, orderDirection: desc) { id actions(first: 2) { id } } }",
    );
  });
});
