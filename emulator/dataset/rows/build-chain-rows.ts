import { once } from "../../../src/base/collections.ts";
import type { Protocol } from "../../../src/dialects/surface.ts";
import type { Row } from "../../styles/read-view.ts";
import { type Asset, buildAccounts, buildAssets } from "./build-assets.ts";
import { type ChainClock, type ChainPace, chainClock } from "./chain-clock.ts";
import { createAccounting, paymentRow, sentRow } from "./create-accounting.ts";
import { batchRow, createBatches } from "./create-batches.ts";
import { createEventLog } from "./create-event-log.ts";
import { createRandom, type Random } from "./create-random.ts";
import type { Tables, WrittenTables } from "./create-store-versions.ts";
import { flowSimulation } from "./flow/flow-simulation.ts";
import { lockupSimulation } from "./lockup/lockup-simulation.ts";
import {
  type ChainHistory,
  changesStream,
  simulateLaterBlocks,
  watcherRow,
} from "./simulate-later-blocks.ts";
import { planCreations, type SimulationState, type StreamSimulation, splitPlan } from "./simulation.ts";
import type { Stream } from "./stream.ts";

type ChainRows = {
  /** The rows by entity at the first block with readable rows. */
  readonly tables: Tables;
  readonly writtenAt: WrittenTables["baseWrittenAt"];
  /** The events after that block. */
  readonly writesUntil: WrittenTables["writesUntil"];
};

type ChainFacts = {
  readonly seed: string;
  readonly protocol: Protocol;
  readonly chainId: number;
  /** Streams at the chain's first head; null lets the seed decide, from 180 to 320. */
  readonly streams: number | null;
  /** The time of the first head, in Unix seconds; null lets the seed decide. */
  readonly asOf?: number | null | undefined;
  /** The blocks with events. */
  readonly pace: ChainPace;
};

const BUILDERS: Readonly<Record<Protocol, (state: SimulationState, size: ChainSize) => ChainRows>> = {
  lockup: (state, size) => build(state, lockupSimulation(state), size),
  flow: (state, size) => build(state, flowSimulation(state), size),
};

type ChainSize = {
  /** Streams at the chain's first head. */
  readonly count: number;
  readonly pace: ChainPace;
};

/** Builds the rows of one protocol on one chain, with all earlier and later events. */
export function buildChainRows({ seed, protocol, chainId, streams, asOf, pace }: ChainFacts): ChainRows {
  const clock = chainClock(seed, chainId, asOf);
  const { random, natural, assets } = startSimulation(seed, protocol, chainId);
  const log = createEventLog(clock, random);
  const batches = createBatches(chainId);
  const state = { random, clock, log, batches, accounts: buildAccounts(seed), assets };
  const builder = BUILDERS[protocol];
  if (builder === undefined) throw new TypeError(`There are no rows of ${protocol}.`);
  return builder(state, { count: streams ?? natural, pace });
}

/** The assets of a chain, available before any other row. */
export function chainAssets(seed: string, protocol: Protocol, chainId: number): readonly Asset[] {
  return startSimulation(seed, protocol, chainId).assets;
}

function startSimulation(seed: string, protocol: Protocol, chainId: number) {
  const random: Random = createRandom(`${seed}:${protocol}:${chainId}`);
  const natural = random.int(180, 320);
  return { random, natural, assets: buildAssets(random, chainId) };
}

function build<S extends Stream>(
  state: SimulationState,
  simulation: StreamSimulation<S>,
  { count, pace }: ChainSize,
): ChainRows {
  const { random, clock, log, batches } = state;
  const { history: creations, laterSizes } = splitPlan(planCreations(random, clock, count));
  const streams: S[] = [];
  for (const creation of creations) {
    const opened = simulation.open(creation, streams.length);
    streams.push(...opened);
    for (const stream of opened) {
      for (const block of planEvents(random, clock, creation.block)) simulation.simulateEvent(stream, block);
    }
  }
  const { actions, transactions } = log.flush();
  const history: ChainHistory<S> = {
    clock,
    streams,
    actions,
    transactions,
    batches: [...batches.batches()],
    // Copied now: batchers keep counting.
    batcherRows: batches.batcherRows(),
    accounting: once(() => {
      const accounting = createAccounting(clock.chainId);
      for (const transaction of transactions) accounting.add(transaction);
      return { accounting, revenueRows: accounting.revenueRows(), userRows: accounting.userRows() };
    }),
  };
  return {
    tables: baseTables(history, simulation),
    writtenAt: baseWrittenAt(history),
    writesUntil: simulateLaterBlocks({ state, simulation, history, pace, laterSizes }),
  };
}

/** The rows of a history by entity. Each table is built anew on each request. */
function baseTables<S extends Stream>(history: ChainHistory<S>, simulation: StreamSimulation<S>): Tables {
  const { streams, actions, transactions, batches } = history;
  const { chainId } = history.clock;
  const makers = new Map<string, () => readonly Row[]>([
    ["Watcher", () => [watcherRow(chainId, actions.length, streams.length)]],
    ["Stream", () => streams.map(simulation.streamRow)],
    ["Action", () => actions],
    ["Batch", () => batches.map(batchRow)],
    ["Batcher", () => history.batcherRows],
    ["Revenue", () => history.accounting().revenueRows],
    [
      "RevenueTransaction",
      () =>
        transactions.filter(({ fee }) => fee !== null).map((transaction) => paymentRow(chainId, transaction)),
    ],
    ["User", () => history.accounting().userRows],
    ["UserTransaction", () => transactions.map((transaction) => sentRow(chainId, transaction))],
  ]);
  for (const [entity, rowsOf] of simulation.partRows) makers.set(entity, () => streams.flatMap(rowsOf));
  return { get: (entity) => makers.get(entity)?.() };
}

/** Returns the block at which each row of a history got its value; computed on first use. */
export function baseWrittenAt<S extends Stream>(history: ChainHistory<S>): WrittenTables["baseWrittenAt"] {
  const { streams, actions, batches, transactions, clock } = history;
  const streamsChanged = once(() => {
    const blocks = new Map<string, number>();
    for (const action of actions) {
      if (action.stream !== null && changesStream(action)) blocks.set(action.stream, Number(action.block));
    }
    return blocks;
  });
  const streamsCreated = once(() => new Map(streams.map(({ id, creation }) => [id, creation.block])));
  const assetsSeen = once(() => {
    const blocks = new Map<string, number>();
    for (const { asset, creation } of streams) {
      if (!blocks.has(asset.id)) blocks.set(asset.id, creation.block);
    }
    return blocks;
  });
  const batchersChanged = once(() => {
    const blocks = new Map<string, number>();
    for (const { position, batcher, creation } of batches) {
      if (position !== null) blocks.set(batcher.id, creation.block);
    }
    return blocks;
  });
  /** By user address: the first transaction, or the first without a claim after one with it. */
  const usersChanged = once(() => {
    const users = new Map<string, { block: number; onlyClaims: boolean }>();
    for (const { from, claim, block } of transactions) {
      const user = users.get(from);
      if (user === undefined) users.set(from, { block, onlyClaims: claim });
      else if (user.onlyClaims && !claim) users.set(from, { block, onlyClaims: false });
    }
    return users;
  });
  /** By the midnight of a day, in Unix seconds: the last payment. */
  const daysChanged = once(() => {
    const days = new Map<number, number>();
    for (const { timestamp, fee, block } of transactions) {
      if (fee !== null) days.set(timestamp - (timestamp % DAY), block);
    }
    return days;
  });
  const creationOf = (row: Row) => streamsCreated().get(String(row["stream"]));
  const known: Readonly<Record<string, (row: Row, position: number) => number | undefined>> = {
    Asset: ({ id }) => assetsSeen().get(String(id)),
    Watcher: () => Number(actions.at(-1)?.block ?? clock.startBlock),
    Stream: ({ id }) => streamsChanged().get(String(id)),
    Action: ({ block }) => Number(block),
    Batch: (_, position) => batches[position]?.creation.block,
    Batcher: ({ id }) => batchersChanged().get(String(id)),
    Segment: creationOf,
    Tranche: creationOf,
    Revenue: ({ dateTimestamp }) => daysChanged().get(Number(dateTimestamp) / MICROSECONDS),
    RevenueTransaction: ({ block }) => Number(block),
    User: ({ address }) => usersChanged().get(String(address))?.block,
    UserTransaction: ({ block }) => Number(block),
  };
  return (entity, row, position) => known[entity]?.(row, position) ?? clock.startBlock;
}

const DAY = 86_400;
const MICROSECONDS = 1_000_000;

const MOST_EVENTS = 5;

/**
 * Plans the blocks of a stream's events: up to five different blocks in ascending order, after its creation and not
 * after the first block with readable rows.
 */
export function planEvents(random: Random, clock: ChainClock, created: number): number[] {
  const blocks: number[] = [];
  for (let left = random.int(0, MOST_EVENTS); left > 0; left--) {
    const block = Math.min(random.int(created + 1, clock.head.number), clock.earliestBlock);
    if (!blocks.includes(block)) blocks.push(block);
  }
  return blocks.sort((a, b) => a - b);
}
