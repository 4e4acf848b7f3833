import { describe, expect, it } from "vitest";
import { type OwnIndexer, startEmulator } from "../../../emulator/index.ts";
import { post } from "../support.ts";

const ENTITIES = `
  enum Kind { A B }
  interface Party { id: Bytes! name: String }
  type Stream @entity {
    id: ID! asset: Asset! kind: Kind! amount: BigInt! rate: BigDecimal at: Timestamp! related: [Asset!]!
  }
  type Asset implements Party @entity { id: Bytes! name: String streams: [Stream!]! @derivedFrom(field: "asset") }
`;
const FIRST = { id: "1", kind: "A", amount: "12345678901234567890" };
const ROWS = {
  Asset: [{ id: "0xAb", name: "x" }, { id: "0xcd" }],
  Stream: [
    { ...FIRST, asset: "0xAB", rate: "1.50", at: "2024-01-01", related: ["0xCD"] },
    { id: "2", asset: "0xee", kind: "B", amount: 5, at: "1700000000000000", related: [] },
  ],
};
const MULTICHAIN_ENTITIES = `
  enum Kind { A B }
  type Stream { id: ID! asset: Asset! kind: Kind! amounts: [BigInt!]! at: Timestamp! extra: Json }
  type Asset { id: Bytes! streams: [Stream!]! @derivedFrom(field: "asset") }
  type Count { id: Int! next: Count }
`.replace("id: Bytes!", "id: String!  bytes: Bytes");

const SUBGRAPH: OwnIndexer = { style: "subgraph", entities: ENTITIES };
const MULTICHAIN: OwnIndexer = { style: "multichain", entities: MULTICHAIN_ENTITIES, release: "envio-3.0" };

async function ask(indexer: OwnIndexer, query: string): Promise<unknown> {
  await using emulator = await startEmulator({ indexers: [indexer] });
  return (await post(emulator.endpoints[0]?.url ?? "", { query })).json();
}

describe("a custom indexer", () => {
  it("serves given rows of the platform's own tables in the multichain style", async () => {
    const event = {
      serial: "3",
      event_id: "9223372036854775807",
      params: [1, "x"],
      block_hash: "0x1",
      transaction_fields: { hash: "0x3" },
    };
    const block = { block_number: 7, block_timestamp: 8, block_fields: {} };
    const log = { chain_id: 1, event_name: "Made", log_index: 0, contract_name: "C", src_address: "0x2" };
    const base = { chain_id: 8453, block_height: 41, latest_processed_block: -1 };
    const ethereum = { chain_id: 1, block_height: 50, latest_processed_block: null };
    const rows = {
      Asset: [{ id: "a" }],
      _meta: [{ chainId: 8453, progressBlock: 40, readyAt: "2026-01-02T03:04:05Z", eventsProcessed: 7.5 }],
      chain_metadata: [ethereum, base],
      raw_events: [{ ...event, ...block, ...log }],
    };
    const query = `{
      _meta { chainId progressBlock readyAt eventsProcessed sourceBlock }
      chain_metadata(order_by: { chain_id: desc }) { chain_id block_height latest_processed_block }
      raw_events(where: { event_name: { _eq: "Made" } }) { serial event_id params block_hash transaction_fields }
      raw_events_by_pk(serial: 3) { block_hash }
      Asset { id }
    }`;
    const readyAt = "2026-01-02T03:04:05+00:00";
    expect(await ask({ ...MULTICHAIN, rows }, query)).toEqual({
      data: {
        _meta: [{ chainId: 8453, progressBlock: 40, readyAt, eventsProcessed: 7.5, sourceBlock: null }],
        chain_metadata: [base, ethereum],
        raw_events: [event],
        raw_events_by_pk: { block_hash: "0x1" },
        Asset: [{ id: "a" }],
      },
    });
  });

  it.each<[indexer: OwnIndexer, rows: object, message: RegExp]>([
    [
      MULTICHAIN,
      { raw_events: [{ serial: "1" }] },
      /raw_events\[0\]\.event_name: is missing, though its type is String!/,
    ],
    [MULTICHAIN, { _meta: [{ chain: 1 }] }, /_meta\[0\]: there is no field "chain"/],
    [MULTICHAIN, { persisted_state: [] }, /there is no entity "persisted_state"/],
    [SUBGRAPH, { raw_events: [] }, /there is no entity "raw_events"/],
  ])("error: %o with rows %j of the platform's own tables", async (indexer, rows, message) => {
    await expect(startEmulator({ indexers: [{ ...indexer, rows } as OwnIndexer] })).rejects.toMatchObject({
      code: "EMULATOR_ROWS_INVALID",
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ["two entities", "A", "type A @entity { id: ID! } type A @entity { id: ID! }"],
    ["an entity and an interface", "A", "type A @entity { id: ID! } interface A { x: Int }"],
    [
      "an entity and an aggregation",
      "T",
      `type D @entity(timeseries: true) { id: Int8! timestamp: Timestamp! }
       type T @entity @aggregation(source: "D", intervals: ["hour"]) {
         id: Int8! timestamp: Timestamp! n: Int! @aggregate(fn: "count")
       }`,
    ],
  ])(
    "is refused if %s have one name, because graph-node fails for every query",
    async (_, name, entities) => {
      const failure = `type ${name}_orderBy already exists in the input schema`;
      await expect(ask({ style: "subgraph", entities }, "{ __typename }")).rejects.toThrow(failure);
    },
  );

  it("is served alone, as a subgraph at a testing URL without a key", async () => {
    const indexers: OwnIndexer[] = [
      { ...SUBGRAPH, name: "mine" },
      { ...MULTICHAIN, name: "yours" },
    ];
    await using emulator = await startEmulator({ indexers });
    const served = emulator.endpoints.map(
      ({ deployment, style, environment, url }) =>
        `${deployment} ${style} ${environment} ${new URL(url).pathname}`,
    );
    expect(served).toEqual([
      "mine subgraph testing /testing/mine",
      expect.stringMatching(/^yours multichain production \/[0-9a-f]{7}\/v1\/graphql$/),
    ]);
  });

  it("answers as a subgraph", async () => {
    const query = `{
      streams(first: 1) { id asset { name } kind amount rate at related { id } }
      party(id: "0xAB") { __typename id name }
      assets(where: { name: null }) { id streams { id } }
      _meta { block { number } }
    }`;
    expect(await ask({ ...SUBGRAPH, rows: ROWS }, query)).toMatchObject({
      data: {
        streams: [
          { ...FIRST, asset: { name: "x" }, rate: "1.5", at: "1704067200000000", related: [{ id: "0xcd" }] },
        ],
        party: { __typename: "Asset", id: "0xab", name: "x" },
        assets: [{ id: "0xcd", streams: [] }],
        _meta: { block: { number: 1000 } },
      },
    });
  });

  it("answers as a multichain indexer", async () => {
    const unchanged = { id: "1", kind: "A", amounts: ["1"], extra: { a: [1] } };
    const rows = {
      Asset: [{ id: "0xAb", bytes: "0xAB" }],
      Stream: [{ ...unchanged, asset: "0xAb", at: "2024-01-01" }],
      Count: [{ id: 7, next: 8 }, { id: 8 }],
    };
    const query = `{
      Stream { id asset_id asset { bytes streams { id } } kind amounts at extra }
      Count_by_pk(id: 7) { next_id next { id } }
      Count(where: { id: { _eq: 8 } }) { next { id } }
      chain_metadata { chain_id }
    }`;
    const asset = { bytes: "0xAB", streams: [{ id: "1" }] };
    expect(await ask({ ...MULTICHAIN, rows, release: "envio-3.8", chainId: 137 }, query)).toEqual({
      data: {
        Stream: [{ ...unchanged, asset_id: "0xAb", asset, at: "2024-01-01T00:00:00+00:00" }],
        Count_by_pk: { next_id: 8, next: { id: 8 } },
        Count: [{ next: null }],
        chain_metadata: [{ chain_id: 137 }],
      },
    });
  });

  it("can be queried at past blocks if its rows are given per block", async () => {
    const rows = [
      { block: 100, rows: { Asset: [{ id: "0xaa", name: "x" }] } },
      { block: 110, rows: { Asset: [{ id: "0xaa", name: "y" }, { id: "0xbb" }] } },
      { block: 120, deleted: { Asset: ["0xBB"] } },
    ];
    const query = `{
      a: assets(block: { number: 105 }) { id name }
      b: assets(block: { number: 110 }) { id name }
      c: assets { id name }
      d: assets(where: { _change_block: { number_gte: 111 } }) { id }
      _meta { block { number } }
    }`;
    expect(await ask({ ...SUBGRAPH, rows }, query)).toEqual({
      data: {
        a: [{ id: "0xaa", name: "x" }],
        b: [
          { id: "0xaa", name: "y" },
          { id: "0xbb", name: null },
        ],
        c: [{ id: "0xaa", name: "y" }],
        d: [],
        _meta: { block: { number: 120 } },
      },
    });
  });

  it("has the given release and settings", async () => {
    const query =
      '{ __type(name: "Query") { fields { name } } a: __type(name: "Asset_filter") { inputFields { name } } }';
    const indexer = { ...SUBGRAPH, release: "graph-node-0.44", settings: { boolFilters: false } };
    const answer = JSON.stringify(await ask(indexer, query));
    expect(answer).toContain('"_logs"');
    expect(answer).not.toContain('"and"');
  });

  it("has no daily quota", async () => {
    await using emulator = await startEmulator({ indexers: [SUBGRAPH], dailyQueries: 1 });
    const { url } = emulator.endpoints[0] ?? { url: "" };
    for (const _ of [1, 2, 3]) {
      const answer = await post(url, { query: "{ assets { id } }" });
      expect(await answer.json()).toEqual({ data: { assets: [] } });
    }
  });

  it.each<[Partial<OwnIndexer>, RegExp]>([
    [{ entities: "type A { id: ID! }" }, /^Validation errors/],
    [{ rows: { Aset: [] } }, /^The value "rows" of "indexer" does not hold rows[\s\S]*"Asset"/],
    [{ release: "envio-3.8" }, /"envio-3.8", the release of "indexer", is not a release of its platform/],
    [{ name: "a/b" }, /"a\/b" cannot name an indexer/],
    [{ settings: { rowCap: 5 } }, /"indexer" has a setting "rowCap", which the subgraph style does not have/],
  ])("error: %j", async (indexer, want) => {
    await expect(startEmulator({ indexers: [{ ...SUBGRAPH, ...indexer }] })).rejects.toThrow(want);
  });

  it("error: two indexers with one name", async () => {
    const started = startEmulator({ indexers: [SUBGRAPH, SUBGRAPH] });
    await expect(started).rejects.toThrow('Two indexers are called "indexer"');
  });
});
