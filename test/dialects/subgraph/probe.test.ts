import { describe, expect, test } from "vitest";
import { parseSdl } from "../../../src/dialects/parse-sdl.ts";
import { subgraphProber } from "../../../src/dialects/subgraph/probe.ts";
import { asker, serve } from "../../emulator/styles/subgraph/support.ts";

const CHAIN = { entity: "Watcher", field: "chainId" };

const WATCHER = "type Watcher @entity { id: String!  chainId: BigInt!  streamCounter: BigInt! }";
const META = "_meta { block { number } deployment hasIndexingErrors }";

describe("the query selects only fields that the schema has", () => {
  const QUERY = "type Query { watchers(first: Int): [Watcher!]! }";
  const WATCHERS = `{ ${META} watchers(first: 2) { id chainId } }`;

  test.each<[name: string, sdl: string, query?: string]>([
    [
      "watchers",
      `type Watcher { id: ID! chainId: BigInt! }
       type Query { watcher(id: ID!): Watcher watchers(skip: Int, first: Int): [Watcher!]! }`,
      WATCHERS,
    ],
    [
      "another plural",
      `type Watcher { id: ID! chainId: BigInt! } type Query { watcher_collection(first: Int): [Watcher!]! }`,
      WATCHERS.replace("watchers", "watcher_collection"),
    ],
    [
      "an additional search with a required text",
      `type Watcher { id: ID! chainId: BigInt! }
       type Query { a(text: String!, first: Int = 100): [Watcher!]! watchers(first: Int = 100): [Watcher!]! }`,
      WATCHERS,
    ],
    [
      "a list with the name of a platform field",
      `type Watcher { id: ID! chainId: BigInt! } type Query { _meta(first: Int): [Watcher!]! }`,
    ],
    ["a chain that is an object", `type Chain { id: ID! } type Watcher { id: ID! chainId: Chain! } ${QUERY}`],
    ["a chain that is an enum", `enum Chain { base } type Watcher { id: ID! chainId: Chain! } ${QUERY}`],
    ["a list of chains", `type Watcher { id: ID! chainId: [Int!]! } ${QUERY}`],
    ["a chain field with a required argument", `type Watcher { id: ID! chainId(of: Int!): Int! } ${QUERY}`],
    ["no Watcher type", "type Query { a: Int }"],
    [
      "blocks with timestamps",
      "type _Block_ { number: Int! timestamp: Int } type Query { a: Int }",
      `{ ${META.replace("number", "number timestamp")} }`,
    ],
    ["a watcher without a chain id", `type Watcher { id: ID! } ${QUERY}`],
    [
      "a watcher without a list query",
      "type Watcher { id: ID! chainId: BigInt! } type Query { watcher(id: ID!): Watcher }",
    ],
    ["a scalar named Watcher", `scalar Watcher ${QUERY}`],
  ])("%s", (_, sdl, query = `{ ${META} }`) =>
    expect(subgraphProber.buildProbe(parseSdl(sdl, "test"), CHAIN).query).toBe(query),
  );
});

describe("the chain id from any entity and any scalar", () => {
  test.each<[chain: string, type: string, value: string | number | null, want: readonly number[] | null]>([
    ["Counter.network", "BigInt!", "8453", [8453]],
    ["Counter.network", "Int!", 8453, [8453]],
    ["Counter.network", "Int8!", "8453", [8453]],
    ["Counter.network", "String", "8453", [8453]],
    ["Counter.network", "String", null, null],
    ["Counter.network", "String", "base", null],
    ["Counter.id", "String", "base", [8453]],
    ["Counter.nothing", "Int!", 8453, null],
    ["Nothing.network", "Int!", 8453, null],
    ["Query.counters", "Int!", 8453, null],
    ["__proto__.constructor", "Int!", 8453, null],
  ])("%s of type %s with the value %j", (chain, type, value, want) => {
    const [entity = "", field = ""] = chain.split(".");
    const sdl = `type Counter @entity { id: String! network: ${type} }`;
    const rows = { Counter: [{ id: "8453", network: value }] };
    const { query, parse } = subgraphProber.buildProbe(serve(sdl, rows).schema, { entity, field });
    const { data, errors } = asker(sdl, rows)(query);
    expect(errors).toBeUndefined();
    expect(parse(data)).toMatchObject({ chainIds: want, heads: [{ block: 10 }] });
  });

  test("is not requested if no chain field is configured", () => {
    const { query, parse } = subgraphProber.buildProbe(serve(WATCHER, {}).schema, null);
    expect(query).toBe(`{ ${META.replace("number", "number timestamp")} }`);
    expect(parse({ watchers: [{ chainId: "1" }] }).chainIds).toBeNull();
  });
});

describe("parse", () => {
  const { parse } = subgraphProber.buildProbe(serve(WATCHER, {}).schema, CHAIN);

  test("reads the answer of an emulated indexer", () => {
    const rows = { Watcher: [{ id: "8453", chainId: "8453", streamCounter: "1" }] };
    const ask = asker(WATCHER, rows);
    const { data } = ask(subgraphProber.buildProbe(serve(WATCHER, rows).schema, CHAIN).query);
    expect(parse(data)).toEqual({
      chainIds: [8453],
      heads: [{ chainId: null, block: 10, timestamp: 1_700_000_000 }],
      hasIndexingErrors: false,
      deployment: expect.stringMatching(/^Qm/),
    });
  });

  test.each<[timestamp: unknown, want: number | undefined]>([
    [1_700_000_000, 1_700_000_000],
    [null, undefined],
    ["1700000000", undefined],
    [0, undefined],
    [-1, undefined],
    [1.5, undefined],
    [8_640_000_000_000, undefined],
  ])("reads the block timestamp %j as %j", (timestamp, want) => {
    const { heads } = parse({ _meta: { block: { number: 7, timestamp } } });
    expect(heads).toEqual([{ chainId: null, block: 7, ...(want === undefined ? {} : { timestamp: want }) }]);
  });

  const meta = { block: { number: 7 }, hasIndexingErrors: false };
  const usual = {
    chainIds: null,
    heads: [{ chainId: null, block: 7 }],
    hasIndexingErrors: false,
    deployment: null,
  };

  test.each<[name: string, data: object, differing: object]>([
    ["no watchers field: the chain ids are null", { _meta: meta }, {}],
    ["no watcher rows: the chain ids are null", { _meta: meta, watchers: [] }, {}],
    [
      "watchers of two chains",
      { _meta: meta, watchers: [{ chainId: "1" }, { chainId: "10" }] },
      { chainIds: [1, 10] },
    ],
    [
      "chain ids that are numbers",
      { _meta: meta, watchers: [{ chainId: 8453 }, { chainId: "8453" }, { chainId: 2 ** 53 - 1 }] },
      { chainIds: [8453, 2 ** 53 - 1] },
    ],
    [
      "two watchers of one chain",
      { _meta: meta, watchers: [{ chainId: "1" }, { chainId: "1" }] },
      { chainIds: [1] },
    ],
    ["indexing errors", { _meta: { ...meta, hasIndexingErrors: true } }, { hasIndexingErrors: true }],
    ["no _meta", { watchers: [{ chainId: "1" }] }, { chainIds: [1], heads: [] }],
  ])("%s", (_, data, differing) => expect(parse(data)).toEqual({ ...usual, ...differing }));

  const nothing = { chainIds: null, heads: [], hasIndexingErrors: false, deployment: null };
  const hostile: readonly unknown[] = [
    null,
    undefined,
    "x",
    7,
    [],
    { _meta: null, watchers: null },
    { _meta: [], watchers: {} },
    { _meta: { block: { number: "7" }, hasIndexingErrors: "yes" }, watchers: [null] },
    { _meta: { block: { number: -1 } }, watchers: [{ chainId: -1 }] },
    ...[0, 1.5, 2 ** 53, 1e300, true].map((chainId) => ({ watchers: [{ chainId }] })),
    { _meta: { block: { number: 1.5 } }, watchers: [{ chainId: "1" }, { chainId: "0x1" }] },
    { watchers: [{ chainId: "99999999999999999999" }] },
    { watchers: [{ chainId: "9999999999999999" }] },
    { watchers: [{ chainId: "0" }] },
    JSON.parse('{"__proto__":{"_meta":{"block":{"number":7}}}}'),
  ];
  test.each(hostile.map((data) => [data]))("%j has no valid data", (data) => {
    expect(parse(data)).toEqual(nothing);
  });
});
