import { describe, expect, it } from "vitest";
import { type OwnIndexer, startEmulator } from "../../../emulator/index.ts";

const ENTITIES = `
  enum Kind { A B }
  interface Party { id: Bytes! name: String }
  type Stream @entity {
    id: ID! asset: Asset! kind: Kind! amount: BigInt! rate: BigDecimal at: Timestamp! related: [Asset!]!
  }
  type Asset implements Party @entity { id: Bytes! name: String streams: [Stream!]! @derivedFrom(field: "asset") }
`;
const ROWS = {
  Asset: [{ id: "0xAb", name: "x" }, { id: "0xcd" }],
  Stream: [
    {
      id: "1",
      asset: "0xAB",
      kind: "A",
      amount: "12345678901234567890",
      rate: "1.50",
      at: "2024-01-01",
      related: ["0xCD"],
    },
    { id: "2", asset: "0xee", kind: "B", amount: 5, at: "1700000000000000", related: [] },
  ],
};
const MULTICHAIN_ENTITIES = `
  enum Kind { A B }
  type Stream { id: ID! asset: Asset! kind: Kind! amounts: [BigInt!]! at: Timestamp! extra: Json }
  type Asset { id: Bytes! streams: [Stream!]! @derivedFrom(field: "asset") }
  type Count { id: Int! next: Count }
`.replace("id: Bytes!", "id: String!  bytes: Bytes");

async function ask(indexer: OwnIndexer, query: string): Promise<unknown> {
  await using emulator = await startEmulator({ indexers: [indexer] });
  const response = await fetch(emulator.endpoints[0]?.url ?? "", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  return response.json();
}

describe("a custom indexer", () => {
  it("serves given rows of the platform's own tables in the multichain style", async () => {
    const rows = {
      Asset: [{ id: "a" }],
      _meta: [{ chainId: 8453, progressBlock: 40, readyAt: "2026-01-02T03:04:05Z", eventsProcessed: 7.5 }],
      chain_metadata: [
        { chain_id: 1, block_height: 50, latest_processed_block: null },
        { chain_id: 8453, block_height: 41, latest_processed_block: -1 },
      ],
      raw_events: [
        {
          ...{ serial: "3", event_id: "9223372036854775807", chain_id: 1, event_name: "Made", log_index: 0 },
          ...{
            block_number: 7,
            block_timestamp: 8,
            block_hash: "0x1",
            contract_name: "C",
            src_address: "0x2",
          },
          ...{ block_fields: {}, transaction_fields: { hash: "0x3" }, params: [1, "x"] },
        },
      ],
    };
    const query = `{
      _meta { chainId progressBlock readyAt eventsProcessed sourceBlock }
      chain_metadata(order_by: { chain_id: desc }) { chain_id block_height latest_processed_block }
      raw_events(where: { event_name: { _eq: "Made" } }) { serial event_id params transaction_fields }
      raw_events_by_pk(serial: 3) { block_hash }
      Asset { id }
    }`;
    const release = "envio-3.0";
    const indexer: OwnIndexer = { style: "multichain", entities: MULTICHAIN_ENTITIES, rows, release };
    expect(await ask(indexer, query)).toEqual({
      data: {
        _meta: [
          {
            ...{ chainId: 8453, progressBlock: 40, readyAt: "2026-01-02T03:04:05+00:00" },
            ...{ eventsProcessed: 7.5, sourceBlock: null },
          },
        ],
        chain_metadata: [
          { chain_id: 8453, block_height: 41, latest_processed_block: -1 },
          { chain_id: 1, block_height: 50, latest_processed_block: null },
        ],
        raw_events: [
          {
            serial: "3",
            event_id: "9223372036854775807",
            params: [1, "x"],
            transaction_fields: { hash: "0x3" },
          },
        ],
        raw_events_by_pk: { block_hash: "0x1" },
        Asset: [{ id: "a" }],
      },
    });
  });

  it.each([
    [
      { raw_events: [{ serial: "1" }] },
      /raw_events\[0\]\.event_name: is missing, though its type is String!/,
    ],
    [{ _meta: [{ chain: 1 }] }, /_meta\[0\]: there is no field "chain"/],
    [{ persisted_state: [] }, /there is no entity "persisted_state"/],
  ])("error: rows %j of the platform's own tables", async (rows, message) => {
    await expect(
      startEmulator({
        indexers: [{ style: "multichain", entities: MULTICHAIN_ENTITIES, rows, release: "envio-3.0" }],
      }),
    ).rejects.toMatchObject({ code: "EMULATOR_ROWS_INVALID", message: expect.stringMatching(message) });
    await expect(
      startEmulator({ indexers: [{ style: "subgraph", entities: ENTITIES, rows: { raw_events: [] } }] }),
    ).rejects.toMatchObject({ code: "EMULATOR_ROWS_INVALID" });
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
  ])("returns the error of graph-node if %s have one name", async (_, name, entities) => {
    expect(await ask({ style: "subgraph", entities }, "{ __typename }")).toEqual({
      errors: [
        { message: `Store error: store error: type ${name}_orderBy already exists in the input schema` },
      ],
    });
  });

  it("is served alone, as a subgraph at a testing URL without a key", async () => {
    await using emulator = await startEmulator({
      indexers: [
        { style: "subgraph", entities: ENTITIES, name: "mine" },
        { style: "multichain", entities: MULTICHAIN_ENTITIES, name: "yours" },
      ],
    });
    expect(emulator.endpoints).toEqual([
      {
        deployment: "mine",
        style: "subgraph",
        environment: "testing",
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/testing\/mine$/),
      },
      {
        deployment: "yours",
        style: "multichain",
        environment: "production",
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\w+\/v1\/graphql$/),
      },
    ]);
  });

  it("answers as a subgraph", async () => {
    const query = `{
      streams(first: 1) { id asset { name } kind amount rate at related { id } }
      party(id: "0xAB") { __typename id name }
      assets(where: { name: null }) { id streams { id } }
      _meta { block { number } }
    }`;
    expect(await ask({ style: "subgraph", entities: ENTITIES, rows: ROWS }, query)).toMatchObject({
      data: {
        streams: [
          {
            id: "1",
            asset: { name: "x" },
            kind: "A",
            amount: "12345678901234567890",
            rate: "1.5",
            at: "1704067200000000",
            related: [{ id: "0xcd" }],
          },
        ],
        party: { __typename: "Asset", id: "0xab", name: "x" },
        assets: [{ id: "0xcd", streams: [] }],
        _meta: { block: { number: 1000 } },
      },
    });
  });

  it("answers as a multichain indexer", async () => {
    const rows = {
      Asset: [{ id: "0xAb", bytes: "0xAB" }],
      Stream: [{ id: "1", asset: "0xAb", kind: "A", amounts: ["1"], at: "2024-01-01", extra: { a: [1] } }],
      Count: [{ id: 7, next: 8 }, { id: 8 }],
    };
    const query = `{
      Stream { id asset_id asset { bytes streams { id } } kind amounts at extra }
      Count_by_pk(id: 7) { next_id next { id } }
      Count(where: { id: { _eq: 8 } }) { next { id } }
      chain_metadata { chain_id }
    }`;
    expect(
      await ask(
        { style: "multichain", entities: MULTICHAIN_ENTITIES, rows, release: "envio-3.8", chainId: 137 },
        query,
      ),
    ).toEqual({
      data: {
        Stream: [
          {
            id: "1",
            asset_id: "0xAb",
            asset: { bytes: "0xAB", streams: [{ id: "1" }] },
            kind: "A",
            amounts: ["1"],
            at: "2024-01-01T00:00:00+00:00",
            extra: { a: [1] },
          },
        ],
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
    expect(await ask({ style: "subgraph", entities: ENTITIES, rows }, query)).toEqual({
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
    const answer = JSON.stringify(
      await ask(
        {
          style: "subgraph",
          entities: ENTITIES,
          release: "graph-node-0.44",
          settings: { boolFilters: false },
        },
        query,
      ),
    );
    expect(answer).toContain('"_logs"');
    expect(answer).not.toContain('"and"');
  });

  it("has no daily quota", async () => {
    await using emulator = await startEmulator({
      indexers: [{ style: "subgraph", entities: ENTITIES }],
      dailyQueries: 1,
    });
    for (const _ of [1, 2, 3]) {
      const response = await fetch(emulator.endpoints[0]?.url ?? "", {
        method: "POST",
        body: '{ "query": "{ assets { id } }" }',
      });
      expect(await response.json()).toEqual({ data: { assets: [] } });
    }
  });

  it.each<[string, OwnIndexer[], RegExp]>([
    [
      "entities that its platform refuses",
      [{ style: "subgraph", entities: "type A { id: ID! }" }],
      /^Validation errors/,
    ],
    [
      "rows of an unknown entity",
      [{ style: "subgraph", entities: ENTITIES, rows: { Aset: [] } }],
      /^The value "rows" of "indexer" does not hold rows[\s\S]*"Asset"/,
    ],
    [
      "an unknown release",
      [{ style: "subgraph", entities: ENTITIES, release: "envio-3.8" }],
      /"envio-3.8", the release of "indexer", is none of graph-node's/,
    ],
    [
      "a name that is invalid in a URL",
      [{ style: "subgraph", entities: ENTITIES, name: "a/b" }],
      /"a\/b" cannot name an indexer/,
    ],
    [
      "a setting of the other style",
      [{ style: "subgraph", entities: ENTITIES, settings: { rowCap: 5 } }],
      /"indexer" has a setting "rowCap", which the subgraph style does not have/,
    ],
    [
      "two indexers with one name",
      [
        { style: "subgraph", entities: ENTITIES },
        { style: "subgraph", entities: ENTITIES },
      ],
      /Two indexers are called "indexer"/,
    ],
  ])("error: %s", async (_, indexers, want) => {
    await expect(startEmulator({ indexers })).rejects.toThrow(want);
  });
});
