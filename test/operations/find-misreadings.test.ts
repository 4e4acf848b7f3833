import type { GraphQLSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { styles } from "../../src/dialects/index.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { toGraphqlSchema } from "../../src/dialects/to-graphql-schema.ts";
import { findMisreadings } from "../../src/operations/find-misreadings.ts";
import { inShort, siblingOf } from "../generate/pitfalls/find-in.ts";
import { readMarks } from "./read-marks.ts";

type Case = readonly [name: string, marked: string, code?: string];

function findingsOf(
  style: StyleName,
  text: string,
  isCorrected = true,
  given: { schema?: GraphQLSchema } = {},
) {
  const { set, schema } = siblingOf(style, text, given);
  return findMisreadings(set, schema, { pitfalls: styles[style].pitfalls, isCorrected });
}

/** Expects a misreading of the code at each mark of an operation, which is `query Q` by default. */
function expectMisreadings(style: StyleName, marked: string, code: string): void {
  const { text, places } = readMarks(/^[({]/.test(marked) ? `query Q ${marked}` : marked);
  const found = findingsOf(style, text).map(inShort);
  expect(found.sort()).toEqual(places.map((at) => `${at} ${code}`).sort());
}

describe("misreadings of a subgraph", () => {
  it.each<Case>([
    [
      "a direction without an order",
      "{ ¦assets(first: 1, orderDirection: desc) { id ¦streams(first: 1, orderDirection: desc) { id } } }",
      "misread",
    ],
    [
      "a direction with an order that is null",
      "($d: OrderDirection) { ¦assets(first: 1, orderBy: null, orderDirection: $d) { id } }",
      "misread",
    ],
    ["a direction with an order", "{ assets(first: 1, orderBy: symbol, orderDirection: desc) { id } }"],
    [
      "and beside or",
      '{ streams(first: 1, where: ¦{ and: [{ id: "a" }], or: [{ id: "b" }] }) { id } }',
      "misread",
    ],
    ["or inside and", '{ streams(first: 1, where: { and: [{ or: [{ id: "b" }] }, { id: "a" }] }) { id } }'],
    [
      "a variable without a value",
      "($a: Bytes, $n: BigInt, $first: Int, $w: Stream_filter) { streams(first: $first, where: { and: [{ sender: ¦$a }, { timestamp_gt: ¦$n }, ¦$w] }) { id } }",
      "null-condition",
    ],
    [
      "a block without a value",
      "($n: Int) { streams(first: 1, block: { number: ¦$n }) { id } }",
      "null-condition",
    ],
    [
      "variables that have a value, or may be left out",
      "($a: Bytes!, $n: BigInt = 1, $w: Stream_filter, $b: Block_height) { streams(first: 1, block: $b, where: { sender: $a, timestamp_gt: $n }) { id } assets(first: 1, where: { streams_: { canceled: true } }) { id streams(first: 1, where: $w) { id } } }",
    ],
    [
      "a variable that only one of two operations requires, in their fragment",
      "query A($a: Bytes!) { ...F } query B($a: Bytes) { ...F } fragment F on Query { streams(first: 1, where: { sender_not: ¦$a }) { id } }",
      "null-condition",
    ],
    [
      "an object and a root without a field that is always requested",
      "¦query Q($x: Boolean!) { streams(first: 1) @include(if: $x) { id ¦asset { ...F @include(if: $x) } } } fragment F on Asset { symbol }",
      "all-conditional",
    ],
    [
      "an object with a field that is always requested",
      "($x: Boolean!) { streams(first: 1) { id asset { id ...F @include(if: $x) } } } fragment F on Asset { symbol }",
    ],
  ])("%s", (_, marked = "", code = "") => {
    expectMisreadings("subgraph", marked, code);
  });

  it.each([
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
  const find = (filter: string) =>
    findingsOf("subgraph", `query Q { boxes(first: 1, where: { ${filter} }) { id } }`, true, { schema });

  it.each([
    ["active_not: true", "active", "active_not"],
    ["amount_in: 1", "amount", "amount_in"],
    ["and: [{ box_: { active_not: true } }]", "active", "active_not"],
    ["sum_not_in: [1]", "sum", "sum_not"],
    ["sum_not_not: 1", "sum", "sum_not"],
  ])("is reported: %s", (filter, column, field) => {
    const key = /(\w+_(?:not|in)):/.exec(filter)?.[1];
    const message = `graph-node reads \`${key}\` as a condition on \`${column}\`, not on \`${field}\`.`;
    expect(find(filter)).toMatchObject([{ code: "operation/misread", message }]);
  });

  it.each([
    "active: true",
    "sum_gt: 1",
    "sum_not_gt: 1",
    "amount_in_gt: 1",
    "box_: { sum: 1 }",
    "boxes_contains: []",
  ])("and a key with one meaning is not: %s", (filter) => {
    expect(find(filter)).toEqual([]);
  });
});

describe("misreadings of a multichain indexer", () => {
  it.each<Case>([
    [
      "a variable without a value",
      "($a: String, $b: Boolean, $w: Stream_bool_exp!) { Stream(limit: 1, where: { _and: [{ sender: { _eq: ¦$a } }, { canceled: { _is_null: ¦$b } }, $w] }) { id } }",
      "null-condition",
    ],
    [
      "an object without a field that is always requested, which is empty",
      "($x: Boolean!) { Stream(limit: 1) { id @include(if: $x) } }",
    ],
  ])("%s", (_, marked = "", code = "") => {
    expectMisreadings("multichain", marked, code);
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
