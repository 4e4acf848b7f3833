import { describe, expect, test } from "vitest";
import { parseSdl } from "../../../src/schema/parse-sdl.ts";
import { subgraphProbe } from "../../../src/styles/subgraph/probe.ts";
import { asker, serve } from "../../emulator/styles/subgraph/execute/support.ts";

const WATCHER = "type Watcher @entity { id: String!  chainId: BigInt!  streamCounter: BigInt! }";
const META = "_meta { block { number } deployment hasIndexingErrors }";

describe("the query asks only for what the schema has", () => {
  const rows: readonly [name: string, sdl: string, query: string][] = [
    [
      "watchers",
      `type Watcher { id: ID! chainId: BigInt! } type Query { watcher(id: ID!): Watcher watchers(skip: Int, first: Int): [Watcher!]! }`,
      `{ ${META} watchers(first: 2) { id chainId } }`,
    ],
    [
      "another plural",
      `type Watcher { id: ID! chainId: BigInt! } type Query { watcher_collection(first: Int): [Watcher!]! }`,
      `{ ${META} watchers: watcher_collection(first: 2) { id chainId } }`,
    ],
    ["no watcher", `type Query { a: Int }`, `{ ${META} }`],
    [
      "blocks with times",
      `type _Block_ { number: Int! timestamp: Int } type Query { a: Int }`,
      `{ ${META.replace("number", "number timestamp")} }`,
    ],
    [
      "a watcher without a chain",
      `type Watcher { id: ID! } type Query { watchers(first: Int): [Watcher!]! }`,
      `{ ${META} }`,
    ],
    [
      "a watcher out of reach",
      `type Watcher { id: ID! chainId: BigInt! } type Query { watcher(id: ID!): Watcher }`,
      `{ ${META} }`,
    ],
    [
      "a scalar of that name",
      `scalar Watcher type Query { watchers(first: Int): [Watcher!]! }`,
      `{ ${META} }`,
    ],
  ];
  test.each(rows)("%s", (_, sdl, query) => expect(subgraphProbe.query(parseSdl(sdl, "test"))).toBe(query));
});

describe("the reading", () => {
  test("of a served indexer", () => {
    const rows = { Watcher: [{ id: "8453", chainId: "8453", streamCounter: "1" }] };
    const ask = asker(WATCHER, rows);
    const { data } = ask(subgraphProbe.query(serve(WATCHER, rows).schema));
    expect(subgraphProbe.parse(data)).toEqual({
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
  ])("of a block made at %j", (timestamp, want) => {
    const { heads } = subgraphProbe.parse({ _meta: { block: { number: 7, timestamp } } });
    expect(heads).toEqual([{ chainId: null, block: 7, ...(want === undefined ? {} : { timestamp: want }) }]);
  });

  const meta = { block: { number: 7 }, hasIndexingErrors: false };
  const heads = [{ chainId: null, block: 7 }];
  const rows: readonly [name: string, data: unknown, reading: object][] = [
    [
      "no watcher asked",
      { _meta: meta },
      { chainIds: null, heads, hasIndexingErrors: false, deployment: null },
    ],
    [
      "no watcher there",
      { _meta: meta, watchers: [] },
      { chainIds: null, heads, hasIndexingErrors: false, deployment: null },
    ],
    [
      "two chains",
      { _meta: meta, watchers: [{ chainId: "1" }, { chainId: "10" }] },
      { chainIds: [1, 10], heads, hasIndexingErrors: false, deployment: null },
    ],
    [
      "chain ids that are numbers",
      { _meta: meta, watchers: [{ chainId: 8453 }, { chainId: "8453" }, { chainId: 2 ** 53 - 1 }] },
      { chainIds: [8453, 2 ** 53 - 1], heads, hasIndexingErrors: false, deployment: null },
    ],
    [
      "one chain twice",
      { _meta: meta, watchers: [{ chainId: "1" }, { chainId: "1" }] },
      { chainIds: [1], heads, hasIndexingErrors: false, deployment: null },
    ],
    [
      "indexing errors",
      { _meta: { ...meta, hasIndexingErrors: true } },
      { chainIds: null, heads, hasIndexingErrors: true, deployment: null },
    ],
    [
      "no _meta",
      { watchers: [{ chainId: "1" }] },
      { chainIds: [1], heads: [], hasIndexingErrors: false, deployment: null },
    ],
  ];
  test.each(rows)("%s", (_, data, reading) => expect(subgraphProbe.parse(data)).toEqual(reading));

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
  test.each(hostile.map((data) => [data]))("%j is nothing", (data) => {
    expect(subgraphProbe.parse(data)).toEqual(nothing);
  });
});
