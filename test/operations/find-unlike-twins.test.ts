import { describe, expect, it } from "vitest";
import { findUnlikeTwins } from "../../src/operations/find-unlike-twins.ts";
import { siblingOf } from "../generate/pitfalls/find-in.ts";

const find = (subgraph: string, multichain: string) =>
  findUnlikeTwins(siblingOf("multichain", multichain), siblingOf("subgraph", subgraph));

describe("operations of one name in both styles", () => {
  it.each<readonly [name: string, subgraph: string, multichain: string]>([
    ["the same shape", "query Q { streams { id } }", "query Q { streams: Stream { id } }"],
    [
      "the same shape with fragments, another order, other variables and directives",
      `query Q($x: Boolean!) { streams { ...F asset { id symbol } } }
fragment F on Stream { sender ... @include(if: $x) { id } asset { tags } }`,
      `query Q($n: Int!) { streams: Stream(limit: $n) { id sender asset { ...G } } }
fragment G on Asset { tags symbol id }`,
    ],
    [
      "the same shape with fragments on the query",
      "query Q { ...F ...F } fragment F on Query { a: streams { id } a: streams { sender } }",
      "query Q { ... on query_root { a: Stream { id sender } } }",
    ],
    ["different names", "query Q { streams { id } }", "query R { Stream { id } }"],
    [
      "queries of the indexer's progress",
      "query Health { _meta { block { number } } }",
      "query Health { chains: _meta { chainId progressBlock } }",
    ],
  ])("are accepted: %s", (_, subgraph, multichain) => {
    expect(find(subgraph, multichain)).toEqual([]);
  });

  it.each<readonly [name: string, subgraph: string, multichain: string, ...want: string[]]>([
    [
      "a key at the root",
      "query Q { streams { id } }",
      "query Q { Stream { id } }",
      "only multichain has Stream; only subgraph has streams",
    ],
    [
      "a nested key",
      "query Q { streams { id asset { id symbol } } }",
      "query Q { streams: Stream { id asset { id } sender } }",
      "only multichain has streams.sender; only subgraph has streams.asset.symbol",
    ],
    [
      "a list and an object",
      'query Q { stream(id: "1") { id } }',
      'query Q { stream: Stream(where: { id: { _eq: "1" } }) { id } }',
      "a list, an object or a value only in one of them: stream",
    ],
    [
      "an object and a value",
      "query Q { streams { id asset { id } } }",
      "query Q { streams: Stream { id asset: asset_id } }",
      "a list, an object or a value only in one of them: streams.asset",
    ],
    [
      "a list of values and a value",
      "query Q { a: assets { x: tags } }",
      "query Q { a: Asset { x: symbol } }",
      "a list, an object or a value only in one of them: a.x",
    ],
    [
      "more keys than are listed",
      "query Q { streams { a: id b: id c: id d: id e: id } }",
      "query Q { streams: Stream { id } }",
      "only multichain has streams.id; only subgraph has streams.a, streams.b, streams.c and more",
    ],
  ])("are reported if they differ by %s", (_, subgraph, multichain, said) => {
    expect(find(subgraph, `# why\n${multichain}`)).toMatchObject([
      {
        code: "operation/unlike-twins",
        severity: "risky",
        subject: "Q",
        message: `The results of "Q" differ between the styles: ${said}.`,
        place: { file: "multichain.graphql", line: 2, column: 7 },
        fix: "the other is subgraph.graphql:1:7: give both the same keys, by aliases, or give one another name.",
      },
    ]);
  });

  it("are accepted if one file has both styles", () => {
    const [one, other] = [
      siblingOf("multichain", "query Q { Stream { id } }", { path: "portable.graphql" }),
      siblingOf("subgraph", "query Q { streams { id } }", { path: "portable.graphql" }),
    ];
    expect(findUnlikeTwins(one, other)).toEqual([]);
  });

  it("are compared once per fragment, however often it is spread", () => {
    const chain = (last: string) =>
      Array.from({ length: 60 }, (_, at) => {
        const below =
          at === 59 ? last : `a: asset { streams { ...F${at + 1} } } b: asset { streams { ...F${at + 1} } }`;
        return `fragment F${at} on Stream { id ${below} }`;
      }).join("\n");
    const compare = (subgraph: string, multichain: string) =>
      find(
        `query Q { streams { ...F0 } }\n${chain(subgraph)}`,
        `query Q { streams: Stream { ...F0 } }\n${chain(multichain)}`,
      );
    expect(compare("", "")).toEqual([]);
    expect(compare("", "sender")).toHaveLength(1);
    expect(compare("sender", "")).toHaveLength(1);
  });
});
