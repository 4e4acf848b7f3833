import { once } from "../../../src/base/collections.ts";
import type { Protocol } from "../../../src/dialects/surface.ts";
import { baseTables } from "./base-tables.ts";
import { baseWrittenAt } from "./base-written-at.ts";
import { buildAccounts } from "./build-accounts.ts";
import { type Asset, buildAssets } from "./build-assets.ts";
import { chainClock } from "./chain-clock.ts";
import type { ChainHistory, HistoryAccounting } from "./chain-history.ts";
import type { ChainPace } from "./chain-pace.ts";
import { createAccounting } from "./create-accounting.ts";
import { createBatches } from "./create-batches.ts";
import { createEventLog, type Transaction } from "./create-event-log.ts";
import { createRandom, type Random } from "./create-random.ts";
import type { Tables, WrittenTables } from "./create-store-versions.ts";
import { flowSimulation } from "./flow/flow-simulation.ts";
import { lockupSimulation } from "./lockup/lockup-simulation.ts";
import { planCreations, splitPlan } from "./plan-creations.ts";
import { planEvents } from "./plan-events.ts";
import { simulateLaterBlocks } from "./simulate-later-blocks.ts";
import type { SimulationState, StreamSimulation } from "./simulation.ts";
import type { Stream } from "./stream.ts";

/** What is made up for one protocol on one chain. */
export type ChainRows = {
  /** The rows by entity at the first block whose rows can be read. */
  readonly tables: Tables;
  readonly writtenAt: WrittenTables["baseWrittenAt"];
  /** What happens from that block on. */
  readonly writesUntil: WrittenTables["writesUntil"];
};

/** What a chain's rows depend on. */
export type ChainFacts = {
  readonly seed: string;
  readonly protocol: Protocol;
  readonly chainId: number;
  /** How many streams there are at the chain's first head; null lets the seed decide, from 180 to 320. */
  readonly streams: number | null;
  /** In which blocks something happens. */
  readonly pace: ChainPace;
};

const BUILDERS: Readonly<
  Record<Protocol, (state: SimulationState, count: number, pace: ChainPace) => ChainRows>
> = {
  lockup: (state, count, pace) => build(state, lockupSimulation(state), count, pace),
  flow: (state, count, pace) => build(state, flowSimulation(state), count, pace),
};

/** Builds the rows of one protocol on one chain, with all that happened before and will happen after them. */
export function buildChainRows({ seed, protocol, chainId, streams, pace }: ChainFacts): ChainRows {
  const clock = chainClock(seed, chainId);
  const { random, natural, assets } = startSimulation(seed, protocol, chainId);
  const log = createEventLog(clock, random);
  const batches = createBatches(chainId);
  const state = { random, clock, log, batches, accounts: buildAccounts(seed), assets };
  const builder = BUILDERS[protocol];
  if (builder === undefined) throw new TypeError(`There are no rows of ${protocol}.`);
  return builder(state, streams ?? natural, pace);
}

/** The assets of a chain, which are known before anything else of it is. */
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
  count: number,
  pace: ChainPace,
): ChainRows {
  const { random, clock, log, batches } = state;
  const { history: creations, laterSizes } = splitPlan(planCreations(random, clock, count));
  const streams: S[] = [];
  for (const creation of creations) {
    const opened = simulation.open(creation, streams.length);
    streams.push(...opened);
    for (const stream of opened) {
      for (const block of planEvents(random, clock, creation.block, 5))
        simulation.simulateEvent(stream, block);
    }
  }
  const { actions, transactions } = log.flush();
  const history: ChainHistory<S> = {
    clock,
    streams,
    actions,
    transactions,
    batches: [...batches.batches()],
    // Made now, because batchers go on counting.
    batcherRows: batches.batcherRows(),
    accounting: once(() => addAll(clock.chainId, transactions)),
  };
  return {
    tables: baseTables(history, simulation),
    writtenAt: baseWrittenAt(history),
    writesUntil: simulateLaterBlocks({ state, simulation, history, pace, laterSizes }),
  };
}

function addAll(chainId: number, transactions: readonly Transaction[]): HistoryAccounting {
  const accounting = createAccounting(chainId);
  for (const transaction of transactions) accounting.add(transaction);
  return { accounting, revenueRows: accounting.revenueRows(), userRows: accounting.userRows() };
}
