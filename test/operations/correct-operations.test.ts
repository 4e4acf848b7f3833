import { describe, expect, it } from "vitest";
import { styles } from "../../src/dialects/index.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { correctOperations } from "../../src/operations/correct-operations.ts";
import { printDocument } from "../../src/operations/print-document.ts";
import { siblingOf } from "../generate/pitfalls/find-in.ts";

/** Corrects the only operation of a text, and prints it in one line. */
function correct(style: StyleName, text: string): string {
  const { set, schema } = siblingOf(style, text);
  const corrected = correctOperations(set, schema, styles[style].pitfalls);
  const [operation] = corrected.operations;
  if (!operation) throw new TypeError("no operation");
  // The same nodes are in its files, from which the modules are generated.
  const definitions = corrected.files.flatMap(({ document }) => document.definitions);
  expect(definitions).toEqual(expect.arrayContaining([operation.node, ...operation.fragments]));
  for (const node of operation.fragments)
    expect(corrected.fragments.get(node.name.value)?.node).toBe(definitions.find((one) => one === node));
  return printDocument(operation.node, operation.fragments).replaceAll(/\s+/g, " ");
}

describe("an operation of a subgraph", () => {
  it.each([
    [
      "has the condition of a spread in a fragment around it",
      "query Q($x: Boolean!) { assets(first: 1) { id ...F @include(if: $x) } } fragment F on Asset { symbol }",
      "query Q($x: Boolean!) { assets(first: 1) { id ... on Asset @include(if: $x) { ...F } } } fragment F on Asset { symbol }",
    ],
    [
      "has two conditions of a spread in a fragment, also in fragments",
      "query Q($x: Boolean!) { ...R } fragment R on Query { assets(first: 1) { id ...F @skip(if: $x) @include(if: true) } } fragment F on Asset { symbol }",
      "query Q($x: Boolean!) { ...R } fragment F on Asset { symbol } fragment R on Query { assets(first: 1) { id ... on Asset @skip(if: $x) @include(if: true) { ...F } } }",
    ],
    [
      "has the condition of __typename in a fragment around it",
      "query Q($x: Boolean!) { assets(first: 1) { id a: __typename @skip(if: $x) } __typename @include(if: $x) }",
      "query Q($x: Boolean!) { assets(first: 1) { id ... on Asset @skip(if: $x) { a: __typename } } ... on Query @include(if: $x) { __typename } }",
    ],
    [
      "has required lists if they have a default",
      'query Q($a: [String!] = ["a"], $b: [String!] = null, $c: [String!]! = [], $n: Int = 1) { streams(first: $n, where: { id_in: $a }) { id } b: streams(first: 1, where: { and: [{ id_in: $b }, { id_in: $c }] }) { id } }',
      'query Q($a: [String!]! = ["a"], $b: [String!] = null, $c: [String!]! = [], $n: Int = 1) { streams(first: $n, where: { id_in: $a }) { id } b: streams(first: 1, where: { and: [{ id_in: $b }, { id_in: $c }] }) { id } }',
    ],
    [
      "keeps conditions that the node applies",
      "query Q($x: Boolean!) { assets(first: 1) { id symbol @include(if: $x) ... @skip(if: $x) { tags ...F } } } fragment F on Asset { symbol }",
      "query Q($x: Boolean!) { assets(first: 1) { id symbol @include(if: $x) ... @skip(if: $x) { tags ...F } } } fragment F on Asset { symbol }",
    ],
  ])("%s", (_, text, want) => {
    expect(correct("subgraph", text)).toBe(want);
  });
});

describe("an operation of a multichain indexer", () => {
  it.each([
    [
      "has one key in each object of an order",
      "query Q($d: order_by) { Stream(limit: 1, order_by: { timestamp: desc, asset: { symbol: asc, id: $d }, id: asc }) { id } }",
      "query Q($d: order_by) { Stream(limit: 1, order_by: [{ timestamp: desc }, { asset: { symbol: asc } }, { asset: { id: $d } }, { id: asc }]) { id } }",
    ],
    [
      "has one key in each object of a default order",
      "query Q($o: [Stream_order_by!] = [{ timestamp: desc, id: asc }]) { Stream(limit: 1, order_by: $o) { id } }",
      "query Q($o: [Stream_order_by!] = [{ timestamp: desc }, { id: asc }]) { Stream(limit: 1, order_by: $o) { id } }",
    ],
    [
      "keeps other orders and the conditions of spreads",
      "query Q($x: Boolean!) { Stream(limit: 1, order_by: { asset: { symbol: asc } }) { id ...F @include(if: $x) } } fragment F on Stream { timestamp }",
      "query Q($x: Boolean!) { Stream(limit: 1, order_by: { asset: { symbol: asc } }) { id ...F @include(if: $x) } } fragment F on Stream { timestamp }",
    ],
  ])("%s", (_, text, want) => {
    expect(correct("multichain", text)).toBe(want);
  });
});
