import { describe, expect, it } from "vitest";
import { numbered, portRows, portText } from "./fixtures.ts";

const list = (given: string, fields = "id") => `query Q { Stream(${given}) { ${fields} } }`;
const of = (given: string, type: string) => `query Q($v: ${type}) { Stream(${given}, limit: 5) { id } }`;

type Rows = readonly (readonly [given: string, want: string])[];

/** Ports the documents of a table at once. */
const portTable = (rows: Rows, textOf: (given: string) => string) =>
  portRows(
    rows,
    ([given], at) => textOf(given).replace("query Q", `query Q${at}`),
    (at) => `src/q${at}.graphql`,
  );

const WHERES: Rows = [
  ['{ alias: { _eq: "a" } }', '{ alias: "a" }'],
  ['{ alias: { _neq: "a" } }', '{ alias_not: "a" }'],
  ["{ endTime: { _gte: 1, _lt: 2 } }", "{ endTime_gte: 1, endTime_lt: 2 }"],
  ['{ alias: { _in: ["a"], _nin: ["b"] } }', '{ alias_in: ["a"], alias_not_in: ["b"] }'],
  ["{ endTime: { _is_null: false } }", "{ endTime_not: null }"],
  ['{ category: { _eq: "Linear" } }', "{ category: Linear }"],
  ['{ asset_id: { _eq: "a" } }', '{ asset: "a" }'],
  ['{ asset: { symbol: { _eq: "A" } } }', '{ asset_: { symbol: "A" } }'],
  ['{ alias: { _ilike: "%a%" } }', '{ alias_contains_nocase: "a" }'],
  ['{ alias: { _like: "a%" } }', '{ alias_starts_with: "a" }'],
  ['{ alias: { _nlike: "%%a" } }', '{ alias_not_contains: "%%a" }'],
  ['{ sender: { _ilike: "0xAB" } }', '{ sender: "0xab" }'],
  ["{ _and: [{ canceled: { _eq: true } }, { endTime: { _gt: 1 } }] }", "{ canceled: true, endTime_gt: 1 }"],
  [
    '{ canceled: { _eq: true }, _or: [{ alias: { _eq: "a" } }, { endTime: { _gt: 1 } }] }',
    '{ and: [{ canceled: true }, { or: [{ alias: "a" }, { endTime_gt: 1 }] }] }',
  ],
  [
    '{ _or: [{ alias: { _eq: "a" }, chainId: { _eq: 1 } }, { chainId: { _eq: 1 }, endTime: { _gt: 1 } }] }',
    '{ or: [{ alias: "a" }, { endTime_gt: 1 }] }',
  ],
  ["{ _not: { endTime: { _gt: 1 } } }", "{ endTime_lte: 1 }"],
  [
    '{ _not: { alias: { _eq: "a" }, canceled: { _eq: true } } }',
    '{ or: [{ alias_not: "a" }, { canceled_not: true }] }',
  ],
  [
    '{ _and: [{ alias: { _neq: "a" } }, { alias: { _neq: "b" } }] }',
    '{ and: [{ alias_not: "a" }, { alias_not: "b" }] }',
  ],
];
const ORDERS: Rows = [
  ["order_by: { timestamp: desc }", "orderBy: timestamp, orderDirection: desc"],
  ["order_by: [{ endTime: asc }, { id: asc }]", "orderBy: endTime, orderDirection: asc"],
  ["order_by: [{ id: asc }, { alias: desc }]", "orderBy: id, orderDirection: asc"],
  ["order_by: [{ endTime: asc }, { id: asc }, { alias: asc }]", "orderBy: endTime, orderDirection: asc"],
  ["order_by: { asset: { symbol: asc } }", "orderBy: asset__symbol, orderDirection: asc"],
  ["order_by: { endTime: desc_nulls_first }", "orderBy: endTime, orderDirection: desc"],
  [
    "where: { chainId: { _in: [1] } }, distinct_on: [subgraphId], order_by: { subgraphId: desc }",
    "orderBy: subgraphId, orderDirection: desc",
  ],
  ["", ""],
];
const INEXACT: Rows = [
  ["query Q { Stream(limit: 5) { id } chain_metadata { chain_id } }", "port/root"],
  [list("distinct_on: [alias]"), "port/argument"],
  [
    list("where: { chainId: { _in: [1, 10] } }, distinct_on: [subgraphId], order_by: { subgraphId: desc }"),
    "port/argument",
  ],
  [of("where: $v", "Stream_bool_exp!"), "port/filter-variable"],
  [of("order_by: $v", "[Stream_order_by!]"), "port/order-variable"],
  [of("where: { alias: { _ilike: $v } }", "String!"), "port/pattern"],
  [list("order_by: [{ timestamp: desc }, { alias: asc }], limit: 5"), "port/order"],
  [list("order_by: { timestamp: desc, id: asc }, limit: 5"), "port/order"],
  [list("order_by: { endTime: desc_nulls_last }, limit: 5"), "port/order"],
  [list('where: { alias: { _regex: "a" } }, limit: 5'), "port/operator"],
  [list("where: { _not: { actions: { amount: { _gt: 1 } } } }"), "port/filter"],
  [list("limit: 5", "asset_id"), "port/field"],
  [list('where: { sender: { _eq: "0xAB" } }, limit: 5'), "port/bytes-case"],
  [
    "query Q { a: Stream(where: { chainId: { _eq: 1 } }) { id } b: Stream(where: { chainId: { _eq: 2 } }) { id } }",
    "port/chains-differ",
  ],
  [list("limit: 5000"), "portable/first-range"],
  [of("where: { alias: { _eq: $v } }", "String"), "port/not-exact"],
];
const wheres = portTable(WHERES, (where) => list(`where: ${where}, order_by: [{ id: asc }], limit: 5`));
const orders = portTable(ORDERS, (order) => list(`${order}, limit: 5, offset: 2`));
const inexact = portTable(INEXACT, (text) => text);

/** The arguments that the list of a portable operation has. */
function argumentsOf({ result, to, text }: Awaited<ReturnType<typeof portText>>): string {
  expect([result, to]).toEqual([
    "portable",
    expect.stringMatching(/^operations\/lockup\/portable\/q\d*\.graphql$/),
  ]);
  return /streams\((.*)\) \{/.exec(text)?.[1] ?? "";
}

describe("a multichain document", () => {
  it.each(numbered(WHERES))("%i: translates %s", async (at, _, want) => {
    expect(argumentsOf(await wheres(at))).toBe(`where: ${want}, orderBy: id, orderDirection: asc, first: 5`);
  });

  it.each(numbered(ORDERS))("%i: translates the order %j", async (at, _, want) => {
    expect(argumentsOf(await orders(at))).toBe(`${want === "" ? "" : `${want}, `}first: 5, skip: 2`);
  });

  it("has the row cap of the host without a limit", async () => {
    expect(argumentsOf(await portText(list("order_by: { id: asc }")))).toMatch(/, first: 1000$/);
  });

  it.each(numbered(INEXACT))("%i: does not translate what is not exact: %s", async (at, text, code) => {
    const ported = await inexact(at);
    expect(ported).toMatchObject({ result: "style", to: `operations/lockup/multichain/q${at}.graphql` });
    expect(ported.text).toBe(text.replace("query Q", `query Q${at}`));
    expect(ported.codes).toContain(code);
  });

  it("keeps keys, comments and fragments, and replaces the chain filter with an option", async () => {
    const { text, codes } = await portText(`# Mine.
query Mine($me: String!, $chain: numeric!, $dir: order_by = desc, $n: Int, $kinds: [category!]!) {
  mine: Stream(where: { sender: { _eq: $me }, chainId: { _in: [$chain] }, category: { _in: $kinds } }, order_by: [{ timestamp: $dir }, { id: $dir }], limit: $n) { ...Row }
  Asset_by_pk(id: "a") { symbol }
}
fragment Row on Stream { id actions(where: { block: { _gt: "1" } }, order_by: { id: asc }) { amount } }`);
    expect(text).toBe(`# Mine.
query Mine($me: Bytes!, $dir: OrderDirection = desc, $n: Int = 1000, $kinds: [Category!]!) {
  mine: streams(where: { sender: $me, category_in: $kinds }, orderBy: timestamp, orderDirection: $dir, first: $n) {
    ...Row
  }
  Asset_by_pk: asset(id: "a") {
    symbol
  }
}

fragment Row on Stream {
  id
  actions(where: { block_gt: "1" }, orderBy: id, orderDirection: asc, first: 1000) {
    amount
  }
}`);
    expect(codes).toContain("port/chain-option");
  });

  it("keeps comments at their selections, directives and defaults", async () => {
    const { text } = await portText(`query Q(
  # Who pays.
  $me: String! = "0xab"
  $all: Boolean! = false
) {
  # Newest first.
  Stream(
    where: { sender: { _eq: $me } } # of one account
    order_by: { timestamp: desc }
    limit: 5
  ) { # rows
    id # with the chain
    alias @include(if: $all)
    asset @skip(if: $all) { symbol
      # no decimals
    }
  }
}`);
    expect(text).toBe(`# Who pays.
query Q($me: Bytes! = "0xab", $all: Boolean! = false) {
  # Newest first.
  # of one account
  # rows
  Stream: streams(where: { sender: $me }, orderBy: timestamp, orderDirection: desc, first: 5) {
    # with the chain
    id
    alias @include(if: $all)
    asset @skip(if: $all) {
      # no decimals
      symbol
    }
  }
}`);
  });

  it("keeps a chain filter on a reference, and reports a query of all chains", async () => {
    const behind = await portText(
      'query Q($c: numeric!) { Stream(where: { asset: { chainId: { _eq: $c }, symbol: { _eq: "A" } } }, limit: 5) { id } }',
    );
    expect(behind.text).toContain('asset_: { chainId: $c, symbol: "A" }');
    const all = await portText(list("limit: 5"));
    expect(all.codes).toEqual(["port/order-open", "port/all-chains"]);
  });
});
