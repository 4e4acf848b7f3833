import { describe, expect, it } from "vitest";
import { multichainProber } from "../../../src/dialects/multichain/probe.ts";
import type { Release } from "../../../src/dialects/multichain/release.ts";
import { derived, serve } from "../../emulator/styles/multichain/support.ts";

const CHAIN = { entity: "Watcher", field: "chainId" };
const ask = (options: Parameters<typeof derived>[0]) =>
  multichainProber.buildProbe(derived(options).schema, CHAIN);

const WATCHERS = "Watcher(limit: 1000) { id chainId }";
const META = "_meta(order_by: {chainId: asc}) { chainId progressBlock }";
const CHAIN_METADATA = "chain_metadata(order_by: {chain_id: asc}) { chain_id latest_processed_block }";

describe("the query of the probe", () => {
  it.each<readonly [string, Release, string]>([
    ["a release with _meta", "3.0", `{ ${WATCHERS} ${META} }`],
    ["a release before _meta", "2.27", `{ ${WATCHERS} ${CHAIN_METADATA} }`],
  ])("%s", (_name, release, want) => {
    expect(ask({ release }).query).toBe(want);
  });

  it.each([
    ["no Watcher type", "type Box { id: ID! }", `{ ${META} }`],
    ["a watcher without a chain id", "type Watcher { id: ID! }", `{ ${META} }`],
  ])("%s", (_name, sdl, want) => {
    expect(ask({ sdl, aggregates: [] }).query).toBe(want);
  });

  it.each<readonly [string, chain: string, fields: string, query: string]>([
    ["a table with any name", "Counter.network", "network: BigInt!", "Counter(limit: 1000) { id network }"],
    ["an id that is the chain id", "Counter.id", "total: Int!", "Counter(limit: 1000) { id }"],
    ["a 32-bit integer", "Counter.network", "network: Int!", "Counter(limit: 1000) { id network }"],
    ["a string", "Counter.network", "network: String", "Counter(limit: 1000) { id network }"],
    ["no list of chains", "Counter.network", "network: [Int!]!", ""],
    ["no reference", "Counter.network", "network: Other!", ""],
    ["no table if the name's case differs", "counter.network", "network: Int!", ""],
    ["the platform's own table only once", "_meta.chainId", "network: Int!", ""],
    ["no names that every object inherits", "__proto__.constructor", "network: Int!", ""],
  ])("selects %s", (_name, chain, fields, query) => {
    const [entity = "", field = ""] = chain.split(".");
    const sdl = `type Counter { id: ID! ${fields} } type Other { id: ID! }`;
    const { schema } = derived({ sdl, aggregates: [] });
    const question = multichainProber.buildProbe(schema, { entity, field });
    expect(question.query).toBe(`{ ${query === "" ? "" : `${query} `}${META} }`);
    const row = Object.fromEntries([
      ["id", "8453"],
      ["network", "8453"],
    ]);
    expect(question.parse({ Counter: [row], _meta: [] }).chainIds).toEqual(query === "" ? [] : [8453]);
  });

  it("requests only the progress if no field is known; it includes the chains", () => {
    const { query, parse } = multichainProber.buildProbe(derived({ release: "3.0" }).schema, null);
    expect(query).toBe(`{ ${META} }`);
    expect(parse({ Watcher: [{ chainId: 1 }], _meta: [{ chainId: 5 }] }).chainIds).toEqual([5]);
  });

  it("selects only __typename if the schema has no known tables", () => {
    const empty = {
      queryType: "Query",
      mutationType: null,
      subscriptionType: null,
      types: [],
      directives: [],
    };
    expect(multichainProber.buildProbe(empty, CHAIN).query).toBe("{ __typename }");
  });

  it.each<readonly [Release]>([["2.27"], ["3.0"], ["3.8"]])(
    "is answered by the emulated release %s",
    (release) => {
      const { query, parse } = ask({ release });
      const { data } = serve({ release })(query);
      expect(parse(data)).toEqual({
        chainIds: [1, 10],
        heads: [
          { chainId: 1, block: 250 },
          { chainId: 10, block: 16777301 },
        ],
        hasIndexingErrors: false,
        deployment: null,
      });
    },
  );
});

describe("parse of the probe", () => {
  const { parse } = ask({ release: "3.0" });

  it.each<readonly [string, unknown, readonly number[] | null, readonly (readonly [number, number])[]]>([
    [
      "watchers with string and number chain ids",
      { Watcher: [{ chainId: "1" }, { chainId: 10 }], _meta: [] },
      [1, 10],
      [],
    ],
    [
      "chain ids of watchers instead of the platform's table",
      { Watcher: [{ chainId: "1" }], _meta: [{ chainId: 5, progressBlock: 7 }] },
      [1],
      [[5, 7]],
    ],
    ["no watcher rows", { Watcher: [], _meta: [{ chainId: 5, progressBlock: 7 }] }, [], [[5, 7]]],
    ["only _meta", { _meta: [{ chainId: "5", progressBlock: "7" }] }, [5], [[5, 7]]],
    ["only chain_metadata", { chain_metadata: [{ chain_id: 5, latest_processed_block: 7 }] }, [5], [[5, 7]]],
    [
      "a chain without a block yet",
      { chain_metadata: [{ chain_id: 5, latest_processed_block: null }] },
      [5],
      [],
    ],
    ["a chain at block -1", { _meta: [{ chainId: 5, progressBlock: -1 }] }, [5], [[5, -1]]],
    ["no chain data", { __typename: "query_root" }, null, []],
    ["no data", null, null, []],
    ["a string", "data", null, []],
    ["a list", [1], null, []],
    ["tables that are not lists", { Watcher: { chainId: 1 }, _meta: "x" }, null, []],
    ["watchers that are not objects", { Watcher: [null, { chainId: "3" }] }, null, []],
    ["a watcher without a chain id", { Watcher: [{ chainId: "3" }, { id: "4" }] }, null, []],
    ["a chain id in hex", { Watcher: [{ chainId: "0x1" }] }, null, []],
    ["a chain id with a fraction", { Watcher: [{ chainId: 1.5 }] }, null, []],
    ["a chain id beyond the safe integers", { Watcher: [{ chainId: "9999999999999999" }] }, null, []],
    [
      "invalid watchers with a valid platform table",
      { Watcher: "x", _meta: [{ chainId: 5, progressBlock: 7 }] },
      null,
      [[5, 7]],
    ],
    [
      "invalid rows of the platform table",
      { _meta: [null, 1, { chainId: {} }, { chainId: 5, progressBlock: "x" }] },
      [5],
      [],
    ],
    ["inherited names", Object.create({ Watcher: [{ chainId: 1 }] }), null, []],
  ])("%s", (_name, data, chainIds, heads) => {
    expect(parse(data)).toEqual({
      chainIds,
      heads: heads.map(([chainId, block]) => ({ chainId, block })),
      hasIndexingErrors: false,
      deployment: null,
    });
  });
});

describe("text order", () => {
  const rows = (...texts: string[]) => texts.map((text) => ({ text }));
  const question = multichainProber.buildTextOrderProbe?.(derived({}).schema);

  it.each([
    ["capitals before small letters", rows("Z", "a"), [], "bytes"],
    ["letters without regard to case", rows("a", "Z"), [], "language"],
    ["greatest rows, which are in reverse order", [], rows("a", "Z"), "bytes"],
    ["texts in an order that fits both", rows("A", "b"), rows("d", "C"), "unknown"],
    ["texts in contradictory orders", rows("Z", "a", "Z"), [], "unknown"],
    // Only the first and the last text decide it.
    ["the ends of a table, capitals first", rows("B", "b"), rows("a", "A"), "bytes"],
    ["the ends of a table, by language", rows("a", "A"), rows("B", "b"), "language"],
    ["texts with punctuation, which are ignored", rows("Z", "a-b", "a b"), [], "unknown"],
    ["no rows", null, "text", "unknown"],
  ])("of %s", (_, least, greatest, want) => {
    expect(question?.parse({ t0_asc_nulls_last: least, t0_desc_nulls_last: greatest })).toBe(want);
  });
});
