import { describe, expect, it } from "vitest";
import type { ChainState, ReadView } from "../../../../emulator/styles/read-view.ts";
import type { Release } from "../../../../src/dialects/multichain/release.ts";
import { type Answer, CHAINS, createStore, failure, ids, ROWS, serve } from "./support.ts";

const store = createStore(ROWS);
const [ethereum, optimism] = CHAINS as readonly [ChainState, ChainState];

function at(head: number, chainHead = head): ReadView {
  const block = { ...ethereum.head, number: head, timestamp: 1_700_000_000 + head };
  return { store, chains: [{ ...ethereum, head: block, chainHead }, optimism] };
}

describe("a request uses one read view", () => {
  it("a request reads the view once for all its fields", () => {
    let asked = 0;
    const run = serve({
      now: () => {
        asked++;
        return at(200 + asked);
      },
    });
    const answer = run(
      "{ a: _meta { progressBlock } b: _meta { progressBlock } chain_metadata { block_height } }",
    );
    expect(asked).toBe(1);
    expect(answer.data).toEqual({
      a: [{ progressBlock: 201 }, { progressBlock: 16777301 }],
      b: [{ progressBlock: 201 }, { progressBlock: 16777301 }],
      chain_metadata: [{ block_height: 201 }, { block_height: 16777301 }],
    });
  });

  it("a request returns the rows of its view", () => {
    const grown = createStore({ ...ROWS, Watcher: [...(ROWS["Watcher"] ?? []), { id: "7", chainId: "7" }] });
    const stores = [store, grown, grown];
    const run = serve({ now: () => ({ ...at(200), store: stores.shift() ?? store }) });
    const query = "{ Watcher(order_by: {id: desc}) { id } }";
    expect([ids(run(query)), ids(run(query)), ids(run(query)), ids(run(query))]).toEqual([
      "10 1",
      "7 10 1",
      "7 10 1",
      "10 1",
    ]);
  });

  it("the order of rows is cached per store", () => {
    const rows = [
      { id: "1", chainId: "1" },
      { id: "3", chainId: "8" },
      { id: "9", chainId: "9" },
      { id: "2", chainId: "2" },
    ];
    const stores = [createStore({ Watcher: ["5", "1"].map((id) => ({ id, chainId: id })) })];
    const moved = createStore({ Watcher: rows });
    const run = serve({ now: () => ({ ...at(200), store: stores.shift() ?? moved }) });
    expect(ids(run("{ Watcher(order_by: {chainId: asc}) { id } }"))).toBe("1 5");
    const watchers = (args: string): string => ids(run(`{ Watcher(${args}) { id } }`));
    expect(watchers("order_by: {chainId: asc}")).toBe("1 2 3 9");
    expect(watchers("order_by: {chainId: desc}, limit: 2")).toBe("9 3");
    expect(watchers('order_by: {chainId: asc}, where: {chainId: {_gt: "1", _lte: "8"}}')).toBe("2 3");
    expect(watchers('order_by: {chainId: desc}, where: {chainId: {_gte: "2", _lt: "9"}}, offset: 1')).toBe(
      "2",
    );
  });
});

describe("health and sync", () => {
  const HEALTH = "{ _meta(limit: 1) { isReady readyAt progressBlock sourceBlock eventsProcessed } }";
  const health = (answer: Answer): unknown => (answer.data as { _meta: unknown[] })._meta[0];

  it("readyAt stays the same if the head advances or falls behind", () => {
    const views = [at(200), at(300), at(300, 400)];
    const run = serve({ release: "2.29", now: () => views.shift() ?? at(0) });
    const ready = { isReady: true, readyAt: "2023-11-14T22:16:40+00:00" };
    expect(health(run(HEALTH))).toEqual({
      ...ready,
      progressBlock: 200,
      sourceBlock: 200,
      eventsProcessed: 101,
    });
    expect(health(run(HEALTH))).toMatchObject({ ...ready, progressBlock: 300, sourceBlock: 300 });
    expect(health(run(HEALTH))).toMatchObject({ ...ready, progressBlock: 300, sourceBlock: 400 });
  });

  it("a chain is not ready until it is synced for the first time", () => {
    const views = [at(200, 250), at(260)];
    const run = serve({ now: () => views.shift() ?? at(0) });
    expect(health(run(HEALTH))).toMatchObject({ isReady: false, readyAt: null });
    expect(health(run(HEALTH))).toMatchObject({ isReady: true, readyAt: "2023-11-14T22:17:40+00:00" });
  });
});

describe("tables and columns per release", () => {
  const META = "{ _meta(where: {chainId: {_eq: 10}}) { eventsProcessed } }";
  const EVENTS = "{ chain_metadata(where: {chain_id: {_eq: 10}}) { num_events_processed } }";

  it.each<[Release, string, unknown]>([
    ["2.28", META, { _meta: [{ eventsProcessed: 16777297 }] }],
    ["2.31", META, { _meta: [{ eventsProcessed: 16777297 }] }],
    ["3.0", META, { _meta: [{ eventsProcessed: 16777296 }] }],
    ["2.27", EVENTS, { chain_metadata: [{ num_events_processed: 16777297 }] }],
    ["3.1", EVENTS, { chain_metadata: [{ num_events_processed: 16777296 }] }],
    ["3.8", "{ _meta(limit: 1) { ecosystem } }", { _meta: [{ ecosystem: "evm" }] }],
    [
      "3.12",
      "{ _meta(limit: 1) { progressBlockTime } }",
      { _meta: [{ progressBlockTime: "2024-01-15T12:34:56+00:00" }] },
    ],
    ["3.8", "{ chain_metadata(limit: 1) { ecosystem } }", { chain_metadata: [{ ecosystem: "evm" }] }],
    [
      "2.27",
      "{ chain_metadata_by_pk(chain_id: 10) { block_height } }",
      { chain_metadata_by_pk: { block_height: 16777301 } },
    ],
    ["2.27", "{ chain_metadata_by_pk(chain_id: 11) { block_height } }", { chain_metadata_by_pk: null }],
    [
      "2.27",
      "{ event_sync_state { chain_id block_number block_timestamp log_index is_pre_registering_dynamic_contracts } }",
      {
        event_sync_state: [
          {
            chain_id: 1,
            block_number: 250,
            block_timestamp: 1705322096,
            log_index: 0,
            is_pre_registering_dynamic_contracts: false,
          },
          {
            chain_id: 10,
            block_number: 16777301,
            block_timestamp: 1705322096,
            log_index: 0,
            is_pre_registering_dynamic_contracts: false,
          },
        ],
      },
    ],
    [
      "2.27",
      "{ end_of_block_range_scanned_data_by_pk(chain_id: 10, block_number: 16777301) { block_hash } }",
      { end_of_block_range_scanned_data_by_pk: { block_hash: "0x01" } },
    ],
    [
      "2.27",
      "{ persisted_state { id envio_version } }",
      { persisted_state: [{ id: 1, envio_version: "2.27.0" }] },
    ],
    [
      "2.27",
      "{ dynamic_contract_registry { id } raw_events { serial db_write_timestamp } }",
      { dynamic_contract_registry: [], raw_events: [] },
    ],
    ["2.28", "{ Depot(limit: 1) { db_write_timestamp } }", { Depot: [{ db_write_timestamp: null }] }],
    ["3.0", '{ raw_events_by_pk(serial: "9007199254740993") { serial } }', { raw_events_by_pk: null }],
  ])("%s answers %s", (release, query, want) => {
    expect(serve({ release })(query).data).toEqual(want);
  });

  it.each<[Release, string, string]>([
    ["2.27", "{ _meta { chainId } }", "field '_meta' not found in type: 'query_root'"],
    [
      "2.28",
      "{ chain_metadata_by_pk(chain_id: 1) { chain_id } }",
      "field 'chain_metadata_by_pk' not found in type: 'query_root'",
    ],
    ["2.28", "{ event_sync_state { chain_id } }", "field 'event_sync_state' not found in type: 'query_root'"],
    ["2.29", "{ Depot { db_write_timestamp } }", "field 'db_write_timestamp' not found in type: 'Depot'"],
    ["3.1", "{ _meta { ecosystem } }", "field 'ecosystem' not found in type: '_meta'"],
    ["3.10", "{ _meta { progressBlockTime } }", "field 'progressBlockTime' not found in type: '_meta'"],
    [
      "2.31",
      "{ raw_events(where: {event_id: {_eq: true}}) { serial } }",
      "parsing Scientific failed, expected Number, but encountered Boolean",
    ],
  ])("%s refuses %s", (release, query, message) => {
    expect(failure(serve({ release })(query))[0]).toBe(message);
  });

  it.each<[Release, unknown]>([
    ["2.29", [1, 20]],
    ["2.31", ["1", "20"]],
  ])("arrays of big numbers in %s", (release, want) => {
    const ask = serve({
      release,
      sdl: "type Box { id: ID! sides: [BigInt!]! }",
      aggregates: [],
      rows: { Box: [{ id: "b", sides: ["1", "20"] }] },
    });
    expect(ask("{ Box { sides } }").data).toEqual({ Box: [{ sides: want }] });
  });
});
