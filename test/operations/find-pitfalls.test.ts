import { describe, expect, it } from "vitest";
import { inShort, pitfallsOf, RAW_BYTES } from "../generate/pitfalls/find-in.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { readMarks } from "./read-marks.ts";

type Case = readonly [name: string, marked: string];
type Style = Parameters<typeof pitfallsOf>[0];

const find = (style: Style, text: string) => pitfallsOf(style, text).map(inShort).sort();

/** Expects a pitfall at each mark of an operation, which is `query Q` by default. */
function expectPitfalls(style: Style, marked: string, code: string, of?: typeof RAW_BYTES): void {
  const { text, places } = readMarks(/^[({]/.test(marked) ? `query Q ${marked}` : marked);
  expect(pitfallsOf(style, text, of).map(inShort).sort()).toEqual(places.map((at) => `${at} ${code}`).sort());
}

describe("a list without a page size", () => {
  it.each<Case>([
    ["at the root", "{ ¦streams { id } }"],
    ["with null as the page size", "{ ¦streams(first: null) { id } }"],
    ["with a page size", "{ streams(first: 7) { id } }"],
    ["with a required variable", "($n: Int!) { streams(first: $n) { id } }"],
    ["with a variable that has a default", "($n: Int = 7) { streams(first: $n) { id } }"],
    ["with an optional variable", "($n: Int) { ¦streams(first: $n) { id } }"],
    ["with a variable that is null by default", "($n: Int = null) { ¦streams(first: $n) { id } }"],
    ["in a single row", "{ stream(id: 1) { id\n  ¦actions { id } } }"],
    ["in a list", "{ ¦streams { ¦actions { id } } }"],
    [
      "in fragments, reported once with the lines of the fragments",
      `{ ...Root } query R { stream(id: 1) { ...F } ...Root }
fragment Root on Query {
  ¦a: streams { ...F } }
fragment F on Stream {
  ... on Stream { ¦actions { id } } }`,
    ],
    ["of scalars", "{ assets(first: 1) { tags } }"],
    ["of the metadata of the platform", "{ _meta { block { number } } __schema { types { name } } }"],
    ["of an entity with one row per chain", "{ watchers { chainId } }"],
    ["of a row by its id", '{ streams(where: { id: "a" }) { id } }'],
    ["of a row by its cursor", "($n: BigInt) { streams(where: { and: [{ subgraphId: $n }] }) { id } }"],
    ["of a row by its id, inside or", '{ ¦streams(where: { or: [{ id: "a" }] }) { id } }'],
    ["of rows with the id null", "{ ¦streams(where: { id: null }) { id } }"],
    ["of rows by a short list of ids", '{ streams(where: { id_in: ["a", "b"] }) { id } }'],
    [
      "of rows by a list of more ids than the default page size",
      `{ ¦streams(where: { id_in: ${JSON.stringify(Array.from({ length: 101 }, String))} }) { id } }`,
    ],
    ["of rows by a variable list of ids", "($ids: [String!]) { ¦streams(where: { id_in: $ids }) { id } }"],
  ])("of a subgraph, %s", (_, marked) => {
    expectPitfalls("subgraph", marked, "no-page-size");
  });

  it.each<Case>([
    ["at the root", "{ ¦Stream { id } }"],
    ["with a page size above the limit of graph-node", "{ Stream(limit: 5000) { id } }"],
    ["with an optional variable", "($n: Int) { ¦Stream(limit: $n) { id } }"],
    ["in a single row", '{ Stream_by_pk(id: "1") { ¦actions { id } } }'],
    ["in a subscription", "subscription S { ¦Stream { id } }"],
    ["of scalars", "{ Asset(limit: 1) { tags } }"],
    ["of the metadata of the platform", "{ _meta { chainId } chain_metadata { chain_id } }"],
    ["of an entity with one row per chain", "{ Watcher { chainId } }"],
    ["of a row by its id", '{ Stream(where: { _and: { id: { _eq: "a" } } }) { id } }'],
    [
      "of rows by a variable list of ids",
      "($ids: [String!]!) { Stream(where: { id: { _in: $ids } }) { id } }",
    ],
    ["of all rows except one id", '{ ¦Stream(where: { id: { _neq: "a" } }) { id } }'],
    ["in an aggregate with only a count", "{ Stream_aggregate { aggregate { count } } }"],
    [
      "in an aggregate with nodes",
      "{ ¦Stream_aggregate { ... { ...F } } } fragment F on Stream_aggregate { nodes { id } }",
    ],
    ["in an aggregate with nodes and a page size", "{ Stream_aggregate(limit: 5) { nodes { id } } }"],
  ])("of a multichain endpoint, %s", (_, marked) => {
    expectPitfalls("multichain", marked, "no-page-size");
  });

  it("has a message with the number of returned rows, and a fix", () => {
    expect(pitfallsOf("subgraph", "query Q { a: streams { id } }")).toMatchObject([
      {
        severity: "risky",
        layer: "operation",
        subject: "Q",
        message: '"a" has no page size, so it returns the first 100 rows.',
        fix: 'write "first", as in `first: 1000`, and request the next page as long as a page is full.',
      },
    ]);
    expect(pitfallsOf("multichain", "query Q($n: Int) { Stream(limit: $n) { id } }")).toMatchObject([
      {
        message:
          '"$n" is optional; without it, "Stream" returns every row, up to the row cap of the indexer.',
        fix: "declare it `$n: Int! = 1000`, and request the next page as long as a page is full.",
      },
    ]);
  });
});

describe("a first or skip out of range", () => {
  it.each<Case>([
    ["first at its limits", "{ a: streams(first: 1) { id } b: streams(first: 1000) { id } }"],
    ["first above them", "{ streams(first: ¦1001) { id } }"],
    ["first zero", "{ streams(first: ¦0) { id } }"],
    ["first of a nested list", "{ stream(id: 1) { actions(first: ¦5000) { id } } }"],
    [
      "first by the default of a variable, reported once",
      "($n: Int = ¦2000) { a: streams(first: $n) { id } b: streams(first: $n) { id } }",
    ],
    [
      "first in a fragment, by the default of each operation's variable",
      `($n: Int! = ¦2000) { ...F } query R($n: Int! = ¦3000) { ...F } query S($n: Int! = 9) { ...F }
fragment F on Query { streams(first: $n) { id } }`,
    ],
  ])("%s", (_, marked) => {
    expectPitfalls("subgraph", marked, "first-range");
  });

  it.each<Case>([
    [
      "skip at its limits",
      "{ a: streams(first: 1, skip: 0) { id } b: streams(first: 1, skip: 5000) { id } }",
    ],
    ["skip above it", "{ streams(first: 1, skip: ¦5001) { id } }"],
    ["skip below zero", "{ streams(first: 1, skip: ¦-1) { id } }"],
    [
      "skip by the default of a variable",
      "($s: Int = ¦6000) { streams(first: 1, skip: $s, orderBy: timestamp) { id } }",
    ],
  ])("%s", (_, marked) => {
    expectPitfalls("subgraph", marked, "skip-range");
  });

  it("is not reported for multichain", () => {
    expect(find("multichain", "query Q { Stream(limit: 2000, offset: 9000) { id } }")).toEqual([]);
  });

  it("has a message with the limits of graph-node", () => {
    expect(
      pitfallsOf("subgraph", "query Q($n: Int = 2000) { streams(first: $n, skip: 6000) { id } }"),
    ).toMatchObject([
      {
        severity: "risky",
        message: '"$n" is 2000 by default, but graph-node accepts only 1 to 1000.',
      },
      {
        severity: "risky",
        message: '"skip" is 6000, but a hosted graph-node accepts only 0 to 5000.',
      },
    ]);
  });
});

describe("paging by skip", () => {
  it.each<Case>([
    ["without an order", "($s: Int!) { streams(first: 9, skip: ¦$s) { id } }"],
    [
      "in the order of the cursor",
      "($s: Int) { streams(first: 9, skip: ¦$s, orderBy: subgraphId, orderDirection: desc) { id } }",
    ],
    ["in the order of the id", "($s: Int) { assets(first: 9, skip: ¦$s, orderBy: id) { id } }"],
    ["in another order", "($s: Int) { streams(first: 9, skip: $s, orderBy: timestamp) { id } }"],
    [
      "in another order, with the largest page size",
      "($s: Int, $n: Int = 1000) { streams(first: $n, skip: ¦$s, orderBy: timestamp) { id } }",
    ],
    [
      "in the order of a variable",
      "($s: Int, $o: Stream_orderBy) { streams(first: 9, skip: $s, orderBy: $o) { id } }",
    ],
    ["with a literal number", "{ streams(first: 9, skip: 90) { id } }"],
    [
      "after a cursor",
      "($s: Int, $a: BigInt) { streams(first: 9, skip: $s, where: { and: [{ subgraphId_gt: $a }] }) { id } }",
    ],
    ["of a nested list", "($s: Int) { stream(id: 1) { actions(first: 9, skip: ¦$s) { id } } }"],
  ])("of a subgraph, %s", (_, marked) => {
    expectPitfalls("subgraph", marked, "skip-walk");
  });

  it.each<Case>([
    ["without an order", "($s: Int!) { Stream(limit: 9, offset: ¦$s) { id } }"],
    [
      "in the order of the cursor",
      "($s: Int!) { Stream(limit: 9, offset: ¦$s, order_by: [{ subgraphId: asc }, { id: asc }]) { id } }",
    ],
    ["in another order", "($s: Int!) { Stream(limit: 9, offset: $s, order_by: { timestamp: asc }) { id } }"],
    [
      "in the order of distinct_on",
      "($s: Int!) { Stream(limit: 9, offset: $s, distinct_on: [sender]) { id } }",
    ],
    [
      "in the order of a variable",
      "($s: Int!, $d: order_by, $o: [Stream_order_by!]) { a: Stream(limit: 9, offset: $s, order_by: [{ timestamp: $d }]) { id } b: Stream(limit: 9, offset: $s, order_by: $o) { id } }",
    ],
    [
      "after a cursor",
      "($s: Int!, $a: numeric) { Stream(limit: 9, offset: $s, where: { subgraphId: { _gt: $a } }) { id } }",
    ],
  ])("of a multichain endpoint, %s", (_, marked) => {
    expectPitfalls("multichain", marked, "skip-walk");
  });

  it("has a fix with the cursor to use", () => {
    expect(pitfallsOf("subgraph", "query Q($s: Int!) { streams(first: 9, skip: $s) { id } }")).toMatchObject([
      {
        severity: "cosmetic",
        message: '"streams" is paged by "$s", although "subgraphId" is a cursor.',
        fix: 'order by "subgraphId", and continue with `where: { subgraphId_gt: $after }`: the database reads every skipped row, and a hosted graph-node refuses more than 5000.',
      },
    ]);
  });
});

const where = (filter: string) => `{ Stream(limit: 1, where: ${filter}) { id } }`;

describe("text in a filter of bytes", () => {
  it.each<Case>([
    ["in a filter", where('{ sender: { _eq: ¦"0xab" } }')],
    ["in a list", where(String.raw`{ sender: { _in: [¦"0xab", "\\xab", ¦"0XAB"] } }`)],
    [
      "in the default of a variable",
      '($s: bytea = ¦"0xab") { Stream(limit: 1, where: { sender: { _eq: $s } }) { id } }',
    ],
    ["but not for text in the form of bytes", where(String.raw`{ sender: { _eq: "\\xab" } }`)],
    ["but not for a text column", where('{ id: { _eq: "0xab" } }')],
  ])("is reported %s", (_, marked) => {
    expectPitfalls("multichain", marked, "text-as-bytes", RAW_BYTES);
  });

  it("has a fix with the form of bytes", () => {
    expect(
      pitfallsOf("multichain", `query Q ${where('{ sender: { _eq: "0xAB" } }')}`, RAW_BYTES),
    ).toMatchObject([
      {
        code: "operation/text-as-bytes",
        severity: "risky",
        message: '"0xAB" is compared as text, so it does not match stored bytes.',
        fix: String.raw`write "\\xab".`,
      },
    ]);
  });
});

describe("upper-case hex digits", () => {
  it.each<Case>([
    ["in a filter", where('{ sender: { _eq: ¦"0xAb" } }')],
    ["in a list", where('{ sender: { _in: ["0xab", ¦"0xAB", ¦"0XAB"] } }')],
    ["in one value for a list", where('{ sender: { _in: ¦"0xAB" } }')],
    ["in a filter of a relation", where('{ asset: { id: { _neq: ¦"0xAB" } } }')],
    ["in an id", '{ Stream_by_pk(id: ¦"0xAB") { id } }'],
    ["in a pattern", where('{ sender: { _like: ¦"0xAB" } }')],
    ["in a case-insensitive pattern", where('{ sender: { _ilike: "0xAB", _niregex: "0xAB" } }')],
    ["in lower case", where('{ sender: { _eq: "0xab" } }')],
    ["in text that is not hex", where('{ sender: { _eq: "0xABg" }, id: { _eq: "AB" } }')],
    ["in a number", where('{ timestamp: { _eq: "0xAB" } }')],
    [
      "in the default of a variable",
      '($s: String = ¦"0xAB") { Stream(limit: 1, where: { sender: { _eq: $s } }) { id } }',
    ],
    [
      "in the default of a list variable that is used twice",
      '($s: [String!] = [¦"0xAB"]) { Stream(limit: 1, where: { sender: { _in: $s, _nin: $s } }) { id } }',
    ],
    [
      "in the default of a filter variable",
      '($w: Stream_bool_exp = { sender: { _eq: ¦"0xAB" } }) { Stream(limit: 1, where: $w) { id } }',
    ],
    [
      "in the default of a variable of a case-insensitive pattern",
      '($s: String = "0xAB") { Stream(limit: 1, where: { sender: { _ilike: $s } }) { id } }',
    ],
  ])("of a multichain endpoint, %s", (_, marked) => {
    expectPitfalls("multichain", marked, "upper-case-hex");
  });

  it("are not reported for subgraphs, which compare bytes", () => {
    expect(find("subgraph", 'query Q { streams(first: 1, where: { sender: "0xAB" }) { id } }')).toEqual([]);
  });

  it("have a fix in lower case, and a message of limited length", () => {
    const [short, long] = ["AB", "AB".repeat(5000)].flatMap((digits) =>
      pitfallsOf("multichain", `query Q ${where(`{ sender: { _eq: "0x${digits}" } }`)}`),
    );
    expect(short).toMatchObject({
      severity: "risky",
      message: '"0xAB" is compared as text, so it does not match addresses stored in lower case.',
      fix: 'write "0xab".',
    });
    expect(long?.message.length).toBeLessThan(200);
  });
});

describe("excluding the values of a list that may be empty", () => {
  it.each<Case>([
    ["a variable", "($ids: [String!]!) { streams(first: 1, where: { id_not_in: ¦$ids }) { id } }"],
    [
      "in a filter of a relation",
      "($ids: [ID!]!) { streams(first: 1, where: { or: [{ asset_: { id_not_in: ¦$ids } }] }) { id } }",
    ],
    ["an empty default", "($ids: [String!]! = []) { streams(first: 1, where: { id_not_in: ¦$ids }) { id } }"],
    ["an empty list", "{ streams(first: 1, where: { id_not_in: ¦[] }) { id } }"],
    ["a list with a value", '{ streams(first: 1, where: { id_not_in: ["a"] }) { id } }'],
    ["a list of variables", "($id: String!) { streams(first: 1, where: { id_not_in: [$id] }) { id } }"],
    ["a default", '($ids: [String!]! = [""]) { streams(first: 1, where: { id_not_in: $ids }) { id } }'],
    [
      "a variable that includes values",
      "($ids: [String!]!) { streams(first: 1, where: { id_in: $ids }) { id } }",
    ],
    [
      "the default of a filter",
      "($w: Stream_filter = { id_not_in: ¦[] }) { streams(first: 1, where: $w) { id } }",
    ],
  ])("of a subgraph, %s", (_, marked) => {
    expectPitfalls("subgraph", marked, "empty-exclusion");
  });

  it("has a message with the rows that match an empty list, and is cosmetic on multichain", () => {
    expect(
      pitfallsOf(
        "subgraph",
        "query Q($ids: [String!]!) { streams(first: 1, where: { id_not_in: $ids }) { id } }",
      ),
    ).toMatchObject([
      { severity: "risky", message: '"$ids" may be an empty list; "id_not_in" then matches no row.' },
    ]);
    expect(
      pitfallsOf(
        "multichain",
        "query Q($ids: [String!]!) { Stream(limit: 1, where: { id: { _nin: $ids } }) { id } }",
      ),
    ).toMatchObject([
      { severity: "cosmetic", message: '"$ids" may be an empty list; "_nin" then matches every row.' },
    ]);
  });
});

describe("hostile operations", () => {
  it("are read once per fragment, however often it is spread", () => {
    // Each fragment spreads the next twice, so following all spreads would take 2^100 steps.
    const fragments = Array.from({ length: 100 }, (_, at) => {
      const below = at === 99 ? "actions { id }" : `...F${at + 1} ... { ...F${at + 1} }`;
      return `fragment F${at} on Stream { id ${below} }`;
    });
    const text = `query Q { stream(id: 1) { ...F0 } }\n${fragments.join("\n")}`;
    expect(find("subgraph", text)).toEqual(["101:29 no-page-size"]);
  });

  it.runIf(IS_THOROUGH)("may contain a list of any length", () => {
    const ids = JSON.stringify(Array.from({ length: 130_000 }, String));
    expect(
      find("multichain", `query Q { Stream(limit: 1, where: { id: { _nin: ${ids} } }) { id } }`),
    ).toEqual([]);
  });

  it("may use names of Object.prototype", () => {
    expect(find("subgraph", "query constructor { __proto__: streams { valueOf: id } }")).toEqual([
      "1:21 no-page-size",
    ]);
  });
});
