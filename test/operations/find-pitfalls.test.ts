import { describe, expect, it } from "vitest";
import { inShort, pitfallsOf, RAW_BYTES } from "../generate/pitfalls/find-in.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";

type Case = readonly [name: string, operations: string, ...want: string[]];

const find = (style: "subgraph" | "multichain", text: string) => pitfallsOf(style, text).map(inShort).sort();

describe("a list without a page size", () => {
  it.each<Case>([
    ["at the root", "query Q { streams { id } }", "1:11 no-page-size"],
    ["with null as the page size", "query Q { streams(first: null) { id } }", "1:11 no-page-size"],
    ["with a page size", "query Q { streams(first: 7) { id } }"],
    ["with a required variable", "query Q($n: Int!) { streams(first: $n) { id } }"],
    ["with a variable that has a default", "query Q($n: Int = 7) { streams(first: $n) { id } }"],
    ["with an optional variable", "query Q($n: Int) { streams(first: $n) { id } }", "1:20 no-page-size"],
    [
      "with a variable that is null by default",
      "query Q($n: Int = null) { streams(first: $n) { id } }",
      "1:27 no-page-size",
    ],
    ["in a single row", "query Q { stream(id: 1) { id\n  actions { id } } }", "2:3 no-page-size"],
    ["in a list", "query Q { streams { actions { id } } }", "1:11 no-page-size", "1:21 no-page-size"],
    [
      "in fragments, reported once with the lines of the fragments",
      `query Q { ...Root } query R { stream(id: 1) { ...F } ...Root }
fragment Root on Query {
  a: streams { ...F } }
fragment F on Stream {
  ... on Stream { actions { id } } }`,
      "3:3 no-page-size",
      "5:19 no-page-size",
    ],
    ["of scalars", "query Q { assets(first: 1) { tags } }"],
    ["of the metadata of the platform", "query Q { _meta { block { number } } __schema { types { name } } }"],
    ["of an entity with one row per chain", "query Q { watchers { chainId } }"],
    ["of a row by its id", 'query Q { streams(where: { id: "a" }) { id } }'],
    [
      "of a row by its cursor",
      "query Q($n: BigInt) { streams(where: { and: [{ subgraphId: $n }] }) { id } }",
    ],
    [
      "of a row by its id, inside or",
      'query Q { streams(where: { or: [{ id: "a" }] }) { id } }',
      "1:11 no-page-size",
    ],
    ["of rows with the id null", "query Q { streams(where: { id: null }) { id } }", "1:11 no-page-size"],
    ["of rows by a short list of ids", 'query Q { streams(where: { id_in: ["a", "b"] }) { id } }'],
    [
      "of rows by a list of more ids than the default page size",
      `query Q { streams(where: { id_in: ${JSON.stringify(Array.from({ length: 101 }, String))} }) { id } }`,
      "1:11 no-page-size",
    ],
    [
      "of rows by a variable list of ids",
      "query Q($ids: [String!]) { streams(where: { id_in: $ids }) { id } }",
      "1:28 no-page-size",
    ],
  ])("of a subgraph, %s", (_, text, ...want) => {
    expect(find("subgraph", text)).toEqual(want);
  });

  it.each<Case>([
    ["at the root", "query Q { Stream { id } }", "1:11 no-page-size"],
    ["with a page size above the limit of graph-node", "query Q { Stream(limit: 5000) { id } }"],
    ["with an optional variable", "query Q($n: Int) { Stream(limit: $n) { id } }", "1:20 no-page-size"],
    ["in a single row", 'query Q { Stream_by_pk(id: "1") { actions { id } } }', "1:35 no-page-size"],
    ["in a subscription", "subscription S { Stream { id } }", "1:18 no-page-size"],
    ["of scalars", "query Q { Asset(limit: 1) { tags } }"],
    ["of the metadata of the platform", "query Q { _meta { chainId } chain_metadata { chain_id } }"],
    ["of an entity with one row per chain", "query Q { Watcher { chainId } }"],
    ["of a row by its id", 'query Q { Stream(where: { _and: { id: { _eq: "a" } } }) { id } }'],
    [
      "of rows by a variable list of ids",
      "query Q($ids: [String!]!) { Stream(where: { id: { _in: $ids } }) { id } }",
    ],
    [
      "of all rows except one id",
      'query Q { Stream(where: { id: { _neq: "a" } }) { id } }',
      "1:11 no-page-size",
    ],
    ["in an aggregate with only a count", "query Q { Stream_aggregate { aggregate { count } } }"],
    [
      "in an aggregate with nodes",
      "query Q { Stream_aggregate { ... { ...F } } } fragment F on Stream_aggregate { nodes { id } }",
      "1:11 no-page-size",
    ],
    ["in an aggregate with nodes and a page size", "query Q { Stream_aggregate(limit: 5) { nodes { id } } }"],
  ])("of a multichain endpoint, %s", (_, text, ...want) => {
    expect(find("multichain", text)).toEqual(want);
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
    ["first at its limits", "query Q { a: streams(first: 1) { id } b: streams(first: 1000) { id } }"],
    ["first above them", "query Q { streams(first: 1001) { id } }", "1:26 first-range"],
    ["first zero", "query Q { streams(first: 0) { id } }", "1:26 first-range"],
    [
      "first of a nested list",
      "query Q { stream(id: 1) { actions(first: 5000) { id } } }",
      "1:42 first-range",
    ],
    [
      "first by the default of a variable, reported once",
      "query Q($n: Int = 2000) { a: streams(first: $n) { id } b: streams(first: $n) { id } }",
      "1:19 first-range",
    ],
    [
      "first in a fragment, by the default of each operation's variable",
      `query Q($n: Int! = 2000) { ...F } query R($n: Int! = 3000) { ...F } query S($n: Int! = 9) { ...F }
fragment F on Query { streams(first: $n) { id } }`,
      "1:20 first-range",
      "1:54 first-range",
    ],
    ["skip at its limit", "query Q { streams(first: 1, skip: 5000) { id } }"],
    ["skip above it", "query Q { streams(first: 1, skip: 5001) { id } }", "1:35 skip-range"],
    ["skip below zero", "query Q { streams(first: 1, skip: -1) { id } }", "1:35 skip-range"],
    [
      "skip by the default of a variable",
      "query Q($s: Int = 6000) { streams(first: 1, skip: $s, orderBy: timestamp) { id } }",
      "1:19 skip-range",
    ],
  ])("%s", (_, text, ...want) => {
    expect(find("subgraph", text)).toEqual(want);
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
    ["without an order", "query Q($s: Int!) { streams(first: 9, skip: $s) { id } }", "1:45 skip-walk"],
    [
      "in the order of the cursor",
      "query Q($s: Int) { streams(first: 9, skip: $s, orderBy: subgraphId, orderDirection: desc) { id } }",
      "1:44 skip-walk",
    ],
    [
      "in the order of the id",
      "query Q($s: Int) { assets(first: 9, skip: $s, orderBy: id) { id } }",
      "1:43 skip-walk",
    ],
    ["in another order", "query Q($s: Int) { streams(first: 9, skip: $s, orderBy: timestamp) { id } }"],
    [
      "in another order, with the largest page size",
      "query Q($s: Int, $n: Int = 1000) { streams(first: $n, skip: $s, orderBy: timestamp) { id } }",
      "1:61 skip-walk",
    ],
    [
      "in the order of a variable",
      "query Q($s: Int, $o: Stream_orderBy) { streams(first: 9, skip: $s, orderBy: $o) { id } }",
    ],
    ["with a literal number", "query Q { streams(first: 9, skip: 90) { id } }"],
    [
      "after a cursor",
      "query Q($s: Int, $a: BigInt) { streams(first: 9, skip: $s, where: { and: [{ subgraphId_gt: $a }] }) { id } }",
    ],
    [
      "of a nested list",
      "query Q($s: Int) { stream(id: 1) { actions(first: 9, skip: $s) { id } } }",
      "1:60 skip-walk",
    ],
  ])("of a subgraph, %s", (_, text, ...want) => {
    expect(find("subgraph", text)).toEqual(want);
  });

  it.each<Case>([
    ["without an order", "query Q($s: Int!) { Stream(limit: 9, offset: $s) { id } }", "1:46 skip-walk"],
    [
      "in the order of the cursor",
      "query Q($s: Int!) { Stream(limit: 9, offset: $s, order_by: [{ subgraphId: asc }, { id: asc }]) { id } }",
      "1:46 skip-walk",
    ],
    [
      "in another order",
      "query Q($s: Int!) { Stream(limit: 9, offset: $s, order_by: { timestamp: asc }) { id } }",
    ],
    [
      "in the order of distinct_on",
      "query Q($s: Int!) { Stream(limit: 9, offset: $s, distinct_on: [sender]) { id } }",
    ],
    [
      "in the order of a variable",
      "query Q($s: Int!, $d: order_by, $o: [Stream_order_by!]) { a: Stream(limit: 9, offset: $s, order_by: [{ timestamp: $d }]) { id } b: Stream(limit: 9, offset: $s, order_by: $o) { id } }",
    ],
    [
      "after a cursor",
      "query Q($s: Int!, $a: numeric) { Stream(limit: 9, offset: $s, where: { subgraphId: { _gt: $a } }) { id } }",
    ],
  ])("of a multichain endpoint, %s", (_, text, ...want) => {
    expect(find("multichain", text)).toEqual(want);
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

describe("text in a filter of bytes", () => {
  const where = (filter: string) => `query Q { Stream(limit: 1, where: ${filter}) { id } }`;
  const findRaw = (text: string) => pitfallsOf("multichain", text, RAW_BYTES).map(inShort).sort();

  it.each<Case>([
    ["in a filter", where('{ sender: { _eq: "0xab" } }'), "1:52 text-as-bytes"],
    [
      "in a list",
      where(String.raw`{ sender: { _in: ["0xab", "\\xab", "0XAB"] } }`),
      "1:53 text-as-bytes",
      "1:70 text-as-bytes",
    ],
    [
      "in the default of a variable",
      'query Q($s: bytea = "0xab") { Stream(limit: 1, where: { sender: { _eq: $s } }) { id } }',
      "1:21 text-as-bytes",
    ],
    ["but not for text in the form of bytes", where(String.raw`{ sender: { _eq: "\\xab" } }`)],
    ["but not for a text column", where('{ id: { _eq: "0xab" } }')],
  ])("is reported %s", (_, text, ...want) => {
    expect(findRaw(text)).toEqual(want);
  });

  it("has a fix with the form of bytes", () => {
    expect(pitfallsOf("multichain", where('{ sender: { _eq: "0xAB" } }'), RAW_BYTES)).toMatchObject([
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
  const where = (filter: string) => `query Q { Stream(limit: 1, where: ${filter}) { id } }`;

  it.each<Case>([
    ["in a filter", where('{ sender: { _eq: "0xAb" } }'), "1:52 upper-case-hex"],
    [
      "in a list",
      where('{ sender: { _in: ["0xab", "0xAB", "0XAB"] } }'),
      "1:61 upper-case-hex",
      "1:69 upper-case-hex",
    ],
    ["in one value for a list", where('{ sender: { _in: "0xAB" } }'), "1:52 upper-case-hex"],
    ["in a filter of a relation", where('{ asset: { id: { _neq: "0xAB" } } }'), "1:58 upper-case-hex"],
    ["in an id", 'query Q { Stream_by_pk(id: "0xAB") { id } }', "1:28 upper-case-hex"],
    ["in a pattern", where('{ sender: { _like: "0xAB" } }'), "1:54 upper-case-hex"],
    ["in a case-insensitive pattern", where('{ sender: { _ilike: "0xAB", _niregex: "0xAB" } }')],
    ["in lower case", where('{ sender: { _eq: "0xab" } }')],
    ["in text that is not hex", where('{ sender: { _eq: "0xABg" }, id: { _eq: "AB" } }')],
    ["in a number", where('{ timestamp: { _eq: "0xAB" } }')],
    [
      "in the default of a variable",
      'query Q($s: String = "0xAB") { Stream(limit: 1, where: { sender: { _eq: $s } }) { id } }',
      "1:22 upper-case-hex",
    ],
    [
      "in the default of a list variable that is used twice",
      'query Q($s: [String!] = ["0xAB"]) { Stream(limit: 1, where: { sender: { _in: $s, _nin: $s } }) { id } }',
      "1:26 upper-case-hex",
    ],
    [
      "in the default of a filter variable",
      'query Q($w: Stream_bool_exp = { sender: { _eq: "0xAB" } }) { Stream(limit: 1, where: $w) { id } }',
      "1:48 upper-case-hex",
    ],
    [
      "in the default of a variable of a case-insensitive pattern",
      'query Q($s: String = "0xAB") { Stream(limit: 1, where: { sender: { _ilike: $s } }) { id } }',
    ],
  ])("of a multichain endpoint, %s", (_, text, ...want) => {
    expect(find("multichain", text)).toEqual(want);
  });

  it("are not reported for subgraphs, which compare bytes", () => {
    expect(find("subgraph", 'query Q { streams(first: 1, where: { sender: "0xAB" }) { id } }')).toEqual([]);
  });

  it("have a fix in lower case, and a message of limited length", () => {
    const [short, long] = ["AB", "AB".repeat(5000)].flatMap((digits) =>
      pitfallsOf("multichain", where(`{ sender: { _eq: "0x${digits}" } }`)),
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
    [
      "a variable",
      "query Q($ids: [String!]!) { streams(first: 1, where: { id_not_in: $ids }) { id } }",
      "1:67 empty-exclusion",
    ],
    [
      "in a filter of a relation",
      "query Q($ids: [ID!]!) { streams(first: 1, where: { or: [{ asset_: { id_not_in: $ids } }] }) { id } }",
      "1:80 empty-exclusion",
    ],
    [
      "an empty default",
      "query Q($ids: [String!]! = []) { streams(first: 1, where: { id_not_in: $ids }) { id } }",
      "1:72 empty-exclusion",
    ],
    [
      "an empty list",
      "query Q { streams(first: 1, where: { id_not_in: [] }) { id } }",
      "1:49 empty-exclusion",
    ],
    ["a list with a value", 'query Q { streams(first: 1, where: { id_not_in: ["a"] }) { id } }'],
    [
      "a list of variables",
      "query Q($id: String!) { streams(first: 1, where: { id_not_in: [$id] }) { id } }",
    ],
    [
      "a default",
      'query Q($ids: [String!]! = [""]) { streams(first: 1, where: { id_not_in: $ids }) { id } }',
    ],
    [
      "a variable that includes values",
      "query Q($ids: [String!]!) { streams(first: 1, where: { id_in: $ids }) { id } }",
    ],
    [
      "the default of a filter",
      "query Q($w: Stream_filter = { id_not_in: [] }) { streams(first: 1, where: $w) { id } }",
      "1:42 empty-exclusion",
    ],
  ])("of a subgraph, %s", (_, text, ...want) => {
    expect(find("subgraph", text)).toEqual(want);
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
