import { buildSchema, type FragmentDefinitionNode, Kind, type OperationDefinitionNode, parse } from "graphql";
import { describe, expect, it } from "vitest";
import type { StyleName } from "../../../src/dialects/surface.ts";
import { readStylePage } from "../../../src/operations/portable/read-list.ts";

const ROW = "type Stream { id: ID! subgraphId: String! symbol: String asset: Stream }";
const SCHEMAS = {
  subgraph: buildSchema(`${ROW} type Query { streams: [Stream!]! stream: Stream }`),
  multichain: buildSchema(`${ROW} type Query { Stream: [Stream!]! Stream_by_pk: Stream }`),
};

function page(style: StyleName, text: string) {
  const { definitions } = parse(text);
  const node = definitions.find(
    (one): one is OperationDefinitionNode => one.kind === Kind.OPERATION_DEFINITION,
  );
  const fragments = definitions.filter(
    (one): one is FragmentDefinitionNode => one.kind === Kind.FRAGMENT_DEFINITION,
  );
  if (!node) throw new Error("There is no operation.");
  return readStylePage({ node, fragments, schema: SCHEMAS[style] }, style, {
    cursors: { Stream: "subgraphId" },
  });
}

const HEAD = "query Q($n: Int!, $after: BigInt = 0, $id: ID = 0, $int: Int = 0, $other: Boolean!)";
const PAGE = { first: "n", column: "subgraphId", direction: "asc", after: "after", afterType: "BigInt" };
const SUB = "streams(first: $n, orderBy: subgraphId, where: { subgraphId_gt: $after })";
const MULTI = "Stream(limit: $n, order_by: { subgraphId: asc }, where: { subgraphId: { _gt: $after } })";

describe("readStylePage", () => {
  it.each<[style: StyleName, body: string, want: object]>([
    ["subgraph", `{ ${SUB} { subgraphId } }`, { ...PAGE, key: "streams" }],
    ["subgraph", `{ rows: ${SUB} { ...F } } fragment F on Stream { subgraphId }`, { ...PAGE, key: "rows" }],
    [
      "subgraph",
      "{ streams(first: $n, orderBy: id, orderDirection: desc, where: { and: [{ symbol: 1 }, { id_lt: $id }] }) { id } }",
      { ...PAGE, key: "streams", column: "id", direction: "desc", after: "id", afterType: "ID" },
    ],
    [
      "subgraph",
      "{ streams(first: $n, where: { id_gt: $id }) { id } }",
      { ...PAGE, key: "streams", column: "id", after: "id", afterType: "ID" },
    ],
    ["multichain", `{ ${MULTI} { subgraphId } }`, { ...PAGE, key: "Stream" }],
    [
      "multichain",
      "{ s: Stream(limit: $n, order_by: [{ id: desc }, { symbol: asc }], where: { _and: { id: { _lt: $int } } }) { id } }",
      { ...PAGE, key: "s", column: "id", direction: "desc", after: "int", afterType: "Int" },
    ],
  ])("recognizes a paged list: %s %s", (style, body, want) => {
    expect(page(style, `${HEAD} ${body}`)).toEqual(want);
  });

  it.each<[style: StyleName, body: string]>([
    ["subgraph", `{ ${SUB} { id } }`],
    ["subgraph", `{ ${SUB} { subgraphId: id } }`],
    ["subgraph", `{ ${SUB} { subgraphId @include(if: $other) } }`],
    ["subgraph", `{ ${SUB} @skip(if: $other) { subgraphId } }`],
    ["subgraph", `{ ${SUB} { subgraphId } other: streams { id } }`],
    ["subgraph", `{ ${SUB.replace("first: $n", "first: 5")} { subgraphId } }`],
    ["subgraph", `{ ${SUB.replace("first: $n", "first: $n, skip: 5")} { subgraphId } }`],
    ["subgraph", `{ ${SUB.replace("_gt", "_gte")} { subgraphId } }`],
    ["subgraph", `{ ${SUB.replace("_gt", "_lt")} { subgraphId } }`],
    ["subgraph", `{ ${SUB.replace("{ subgraphId_gt", "{ symbol: $after, subgraphId_gt")} { subgraphId } }`],
    [
      "subgraph",
      `{ ${SUB.replace("{ subgraphId_gt: $after }", "{ or: [{ subgraphId_gt: $after }] }")} { subgraphId } }`,
    ],
    ["subgraph", `{ ${SUB.replaceAll("subgraphId", "symbol")} { symbol } }`],
    ["subgraph", `{ ${SUB.replace("$after", "$int")} { subgraphId } }`],
    ["subgraph", `{ ${SUB.replace("streams(", "stream(")} { subgraphId } }`],
    ["multichain", `{ ${MULTI.replace("limit: $n", "limit: $n, offset: 1")} { subgraphId } }`],
    ["multichain", `{ ${MULTI.replace("limit: $n", "limit: $n, distinct_on: symbol")} { subgraphId } }`],
    ["multichain", `{ ${MULTI.replace("limit: $n", "limit: 1000")} { subgraphId } }`],
    [
      "multichain",
      `{ ${MULTI.replace("{ subgraphId: asc }", "[{ symbol: asc }, { subgraphId: asc }]")} { subgraphId } }`,
    ],
    ["multichain", `{ ${MULTI.replace("asc", "asc_nulls_first")} { subgraphId } }`],
    ["multichain", `{ ${MULTI.replace("order_by: { subgraphId: asc }, ", "")} { subgraphId } }`],
    [
      "multichain",
      `{ ${MULTI.replace("{ subgraphId: { _gt: $after } }", "{ _or: { subgraphId: { _gt: $after } } }")} { subgraphId } }`,
    ],
    ["multichain", `{ ${MULTI.replace("Stream(", "Stream_by_pk(")} { subgraphId } }`],
  ])("error: returns null for: %s %s", (style, body) => {
    expect(page(style, `${HEAD} ${body}`)).toBeNull();
  });

  it("error: returns null if the variable of the cursor has no default or is null by default", () => {
    for (const type of ["BigInt!", "BigInt", "BigInt = null"]) {
      expect(page("subgraph", `query Q($n: Int!, $after: ${type}) { ${SUB} { subgraphId } }`)).toBeNull();
    }
  });
});
