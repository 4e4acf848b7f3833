import { describe, expect, it } from "vitest";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { toGraphqlSchema } from "../../src/dialects/to-graphql-schema.ts";
import { findMisreadings } from "../../src/operations/find-misreadings.ts";
import { inShort, siblingOf } from "../generate/pitfalls/find-in.ts";

type Case = readonly [name: string, operations: string, ...want: string[]];

function findingsOf(style: StyleName, text: string, isCorrected = true) {
  const { set, schema } = siblingOf(style, text);
  return findMisreadings(set, schema, { pitfalls: styles[style].pitfalls, isCorrected });
}

const find = (style: StyleName, text: string) => findingsOf(style, text).map(inShort);

describe("misreadings of a subgraph", () => {
  it.each<Case>([
    [
      "a direction without an order",
      "query Q { assets(first: 1, orderDirection: desc) { id streams(first: 1, orderDirection: desc) { id } } }",
      "1:55 misread",
      "1:11 misread",
    ],
    [
      "a direction with an order that is null",
      "query Q($d: OrderDirection) { assets(first: 1, orderBy: null, orderDirection: $d) { id } }",
      "1:31 misread",
    ],
    [
      "a direction with an order",
      "query Q { assets(first: 1, orderBy: symbol, orderDirection: desc) { id } }",
    ],
    [
      "and beside or",
      'query Q { streams(first: 1, where: { and: [{ id: "a" }], or: [{ id: "b" }] }) { id } }',
      "1:36 misread",
    ],
    [
      "or inside and",
      'query Q { streams(first: 1, where: { and: [{ or: [{ id: "b" }] }, { id: "a" }] }) { id } }',
    ],
    [
      "a variable without a value",
      "query Q($a: Bytes, $n: BigInt, $first: Int, $w: Stream_filter) { streams(first: $first, where: { and: [{ sender: $a }, { timestamp_gt: $n }, $w] }) { id } }",
      "1:114 null-condition",
      "1:136 null-condition",
      "1:142 null-condition",
    ],
    [
      "a block without a value",
      "query Q($n: Int) { streams(first: 1, block: { number: $n }) { id } }",
      "1:55 null-condition",
    ],
    [
      "variables that have a value, or may be left out",
      "query Q($a: Bytes!, $n: BigInt = 1, $w: Stream_filter, $b: Block_height) { streams(first: 1, block: $b, where: { sender: $a, timestamp_gt: $n }) { id } assets(first: 1, where: { streams_: { canceled: true } }) { id streams(first: 1, where: $w) { id } } }",
    ],
    [
      "a variable that only one of two operations requires, in their fragment",
      "query A($a: Bytes!) { ...F } query B($a: Bytes) { ...F } fragment F on Query { streams(first: 1, where: { sender_not: $a }) { id } }",
      "1:119 null-condition",
    ],
    [
      "an object and a root without a field that is always requested",
      "query Q($x: Boolean!) { streams(first: 1) @include(if: $x) { id asset { ...F @include(if: $x) } } } fragment F on Asset { symbol }",
      "1:1 all-conditional",
      "1:65 all-conditional",
    ],
    [
      "an object with a field that is always requested",
      "query Q($x: Boolean!) { streams(first: 1) { id asset { id ...F @include(if: $x) } } } fragment F on Asset { symbol }",
    ],
  ])("%s", (_, text, ...want) => {
    expect(find("subgraph", text).sort()).toEqual(want.sort());
  });

  it.each<Case>([
    [
      "a condition of a spread",
      "query Q($x: Boolean!) { assets(first: 1) { id ...F @include(if: $x) } } fragment F on Asset { symbol }",
      "graph-node ignores `@include` of a spread.",
      "write `... on Asset @include(if: $x) { ...F }`.",
    ],
    [
      "a condition of __typename",
      "query Q($x: Boolean!) { assets(first: 1) { id __typename @skip(if: $x) } }",
      "graph-node ignores `@skip` of `__typename`.",
      "write `... on Asset @skip(if: $x) { __typename }`.",
    ],
    [
      "a list that may be null and has a default",
      'query Q($a: [String!] = ["a"]) { streams(first: 1, where: { id_in: $a }) { id } }',
      "A graph-node that validates operations refuses `[String!]` with a default.",
      'write `$a: [String!]! = ["a"]`.',
    ],
  ])("in code, %s", (_, text, message, fix) => {
    expect(findingsOf("subgraph", text)).toEqual([]);
    expect(findingsOf("subgraph", text, false)).toMatchObject([
      { code: "operation/misread", message, fix, subject: "Q" },
    ]);
  });
});

describe("a key of a filter that is read as another column than it seems", () => {
  const ENTITIES = `type Box @entity {
    id: ID! active: Boolean! active_not: Boolean! amount_in: Int! sum: Int! sum_not: Int! box: Box boxes: [Box!]!
  }`;
  const schema = toGraphqlSchema(styles.subgraph.deriver.derive(parseEntities(ENTITIES, "test.graphql"), {}));

  it.each([
    ["active_not: true", "active", "active_not"],
    ["amount_in: 1", "amount", "amount_in"],
    ["and: [{ box_: { active_not: true } }]", "active", "active_not"],
    ["sum_not_in: [1]", "sum", "sum_not"],
    ["sum_not_not: 1", "sum", "sum_not"],
  ])("is reported: %s", (filter, column, field) => {
    const key = /(\w+_(?:not|in)):/.exec(filter)?.[1];
    const { set } = siblingOf("subgraph", `query Q { boxes(first: 1, where: { ${filter} }) { id } }`, {
      schema,
    });
    const dialect = { pitfalls: styles.subgraph.pitfalls, isCorrected: true };
    expect(findMisreadings(set, schema, dialect)).toMatchObject([
      {
        code: "operation/misread",
        message: `graph-node reads \`${key}\` as a condition on \`${column}\`, not on \`${field}\`.`,
      },
    ]);
  });

  it.each([
    "active: true",
    "sum_gt: 1",
    "sum_not_gt: 1",
    "amount_in_gt: 1",
    "box_: { sum: 1 }",
    "boxes_contains: []",
  ])("and a key with one meaning is not: %s", (filter) => {
    const { set } = siblingOf("subgraph", `query Q { boxes(first: 1, where: { ${filter} }) { id } }`, {
      schema,
    });
    expect(findMisreadings(set, schema, { pitfalls: styles.subgraph.pitfalls, isCorrected: true })).toEqual(
      [],
    );
  });
});

describe("misreadings of a multichain indexer", () => {
  it.each<Case>([
    [
      "a variable without a value",
      "query Q($a: String, $b: Boolean, $w: Stream_bool_exp!) { Stream(limit: 1, where: { _and: [{ sender: { _eq: $a } }, { canceled: { _is_null: $b } }, $w] }) { id } }",
      "1:108 null-condition",
      "1:140 null-condition",
    ],
    [
      "an object without a field that is always requested, which is empty",
      "query Q($x: Boolean!) { Stream(limit: 1) { id @include(if: $x) } }",
    ],
  ])("%s", (_, text, ...want) => {
    expect(find("multichain", text).sort()).toEqual(want.sort());
  });

  it("in code, an order with two keys in one object", () => {
    const text = "query Q { Stream(limit: 1, order_by: { timestamp: desc, id: asc }) { id } }";
    expect(findingsOf("multichain", text)).toEqual([]);
    expect(findingsOf("multichain", text, false)).toMatchObject([
      {
        message: "Hasura orders by the keys of one object in an undefined sequence.",
        fix: "write `order_by: [{timestamp: desc}, {id: asc}]`.",
      },
    ]);
  });
});
