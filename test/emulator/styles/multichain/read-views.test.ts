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
    const run = serve({ now: () => at(200 + ++asked) });
    const rows = [{ block: 201 }, { block: 16777301 }];
    const meta = "_meta { block: progressBlock }";
    expect(run(`{ a: ${meta} b: ${meta} c: chain_metadata { block: block_height } }`)).toEqual({
      data: { a: rows, b: rows, c: rows },
    });
    expect(asked).toBe(1);
  });

  it("a request returns the rows of its view", () => {
    const grown = createStore({ ...ROWS, Watcher: [...(ROWS["Watcher"] ?? []), { id: "7", chainId: "7" }] });
    const stores = [store, grown, grown];
    const run = serve({ now: () => ({ ...at(200), store: stores.shift() ?? store }) });
    const query = "{ Watcher(order_by: {id: desc}) { id } }";
    expect([1, 2, 3, 4].map(() => ids(run(query)))).toEqual(["10 1", "7 10 1", "7 10 1", "10 1"]);
  });

  it("the order of rows is cached per store", () => {
    const watchersOf = (chains: Record<string, string>) =>
      createStore({ Watcher: Object.entries(chains).map(([id, chainId]) => ({ id, chainId })) });
    const first = watchersOf({ 5: "5", 1: "1" });
    const moved = watchersOf({ 1: "1", 3: "8", 9: "9", 2: "2" });
    let store = first;
    const run = serve({ now: () => ({ ...at(200), store }) });
    const watchers = (args: string): string => ids(run(`{ Watcher(${args}) { id } }`));
    expect(watchers("order_by: {chainId: desc}")).toBe("5 1");
    store = moved;
    expect(watchers("order_by: {chainId: desc}")).toBe("9 3 2 1");
    expect(watchers("order_by: {chainId: desc}, limit: 2")).toBe("9 3");
    expect(watchers('order_by: {chainId: asc}, where: {chainId: {_gt: "1", _lte: "8"}}')).toBe("2 3");
    const range = 'where: {chainId: {_gte: "2", _lt: "9"}}';
    expect(watchers(`order_by: {chainId: desc}, ${range}, offset: 1`)).toBe("2");
  });
});

describe("health and sync", () => {
  const HEALTH = "{ _meta(limit: 1) { isReady readyAt progressBlock sourceBlock eventsProcessed } }";
  const health = (answer: Answer): unknown => (answer.data as { _meta: unknown[] })._meta[0];

  it("readyAt stays the same if the head advances or falls behind", () => {
    const views = [at(200), at(300), at(300, 400)];
    const run = serve({ release: "2.29", now: () => views.shift() ?? at(0) });
    const ready = { isReady: true, readyAt: "2023-11-14T22:16:40+00:00" };
    const first = { progressBlock: 200, sourceBlock: 200, eventsProcessed: 101 };
    expect(health(run(HEALTH))).toEqual({ ...ready, ...first });
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
  const META = "_meta(where: {chainId: {_eq: 10}}) { eventsProcessed }";
  const EVENTS = "chain_metadata(where: {chain_id: {_eq: 10}}) { num_events_processed }";
  const synced = (chain_id: number, block_number: number) => ({
    chain_id,
    block_number,
    block_timestamp: 1705322096,
    log_index: 0,
    is_pre_registering_dynamic_contracts: false,
  });

  it.each<[Release, string, unknown]>([
    ["2.28", META, [{ eventsProcessed: 16777297 }]],
    ["2.31", META, [{ eventsProcessed: 16777297 }]],
    ["3.0", META, [{ eventsProcessed: 16777296 }]],
    ["2.27", EVENTS, [{ num_events_processed: 16777297 }]],
    ["3.1", EVENTS, [{ num_events_processed: 16777296 }]],
    ["3.8", "_meta(limit: 1) { ecosystem }", [{ ecosystem: "evm" }]],
    ["3.12", "_meta(limit: 1) { progressBlockTime }", [{ progressBlockTime: "2024-01-15T12:34:56+00:00" }]],
    ["3.8", "chain_metadata(limit: 1) { ecosystem }", [{ ecosystem: "evm" }]],
    ["2.27", "chain_metadata_by_pk(chain_id: 10) { block_height }", { block_height: 16777301 }],
    ["2.27", "chain_metadata_by_pk(chain_id: 11) { block_height }", null],
    [
      "2.27",
      `event_sync_state { ${Object.keys(synced(1, 1)).join(" ")} }`,
      [synced(1, 250), synced(10, 16777301)],
    ],
    [
      "2.27",
      "end_of_block_range_scanned_data_by_pk(chain_id: 10, block_number: 16777301) { block_hash }",
      { block_hash: "0x01" },
    ],
    ["2.27", "end_of_block_range_scanned_data_by_pk(chain_id: 1, block_number: 1) { block_hash }", null],
    ["2.27", "persisted_state { id envio_version }", [{ id: 1, envio_version: "2.27.0" }]],
    ["2.27", "dynamic_contract_registry { id }", []],
    ["2.27", "raw_events { serial db_write_timestamp }", []],
    ["2.27", "Watcher(limit: 1) { db_write_timestamp }", [{ db_write_timestamp: null }]],
    ["2.28", "Depot(limit: 1) { db_write_timestamp }", [{ db_write_timestamp: null }]],
    ["3.0", 'raw_events_by_pk(serial: "9007199254740993") { serial }', null],
  ])("%s answers %s", (release, field, want) => {
    expect(serve({ release })(`{ rows: ${field} }`).data).toEqual({ rows: want });
  });

  it.each<[Release, string, string]>([
    ["2.27", "{ _meta { chainId } }", "field '_meta' not found in type: 'query_root'"],
    ["2.28", "{ chain_metadata_by_pk(chain_id: 1) { chain_id } }", "field 'chain_metadata_by_pk' not found"],
    ["2.28", "{ event_sync_state { chain_id } }", "field 'event_sync_state' not found in type: 'query_root'"],
    ["2.29", "{ Depot { db_write_timestamp } }", "field 'db_write_timestamp' not found in type: 'Depot'"],
    ["3.1", "{ _meta { ecosystem } }", "field 'ecosystem' not found in type: '_meta'"],
    ["3.10", "{ _meta { progressBlockTime } }", "field 'progressBlockTime' not found in type: '_meta'"],
    ["2.31", "{ raw_events(where: {event_id: {_eq: true}}) { serial } }", "parsing Scientific failed, "],
  ])("%s refuses %s", (release, query, message) => {
    expect(failure(serve({ release })(query))[0]).toMatch(message);
  });

  it.each<[Release, unknown]>([
    ["2.29", [1, 20]],
    ["2.31", ["1", "20"]],
  ])("arrays of big numbers in %s", (release, sides) => {
    const sdl = "type Box { id: ID! sides: [BigInt!]! }";
    const ask = serve({ release, sdl, aggregates: [], rows: { Box: [{ id: "b", sides: ["1", "20"] }] } });
    expect(ask('{ Box(where: {sides: {_contains: ["20"]}}) { sides } }').data).toEqual({ Box: [{ sides }] });
  });
});
