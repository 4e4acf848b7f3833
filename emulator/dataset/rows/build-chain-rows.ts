import { once } from "../../../src/base/once.ts";
import type { Protocol } from "../../../src/project/vocabulary.ts";
import { baseTables } from "./base-tables.ts";
import { baseWrittenAt } from "./base-written-at.ts";
import { buildAccounts } from "./build-accounts.ts";
import { type Asset, buildAssets } from "./build-assets.ts";
import { chainClock } from "./chain-clock.ts";
import type { Past, PastBooks } from "./chain-history.ts";
import type { ChainPace } from "./chain-pace.ts";
import { createBooks } from "./create-accounting.ts";
import { createBatches } from "./create-batches.ts";
import { createLedger, type Transaction } from "./create-event-log.ts";
import { createRandom, type Random } from "./create-random.ts";
import type { Tables, WrittenTables } from "./create-store-versions.ts";
import { flowLife } from "./flow/flow-simulation.ts";
import { lockupLife } from "./lockup/lockup-simulation.ts";
import { planCreations, splitPlan } from "./plan-creations.ts";
import { planEvents } from "./plan-events.ts";
import { liveOn } from "./simulate-later-blocks.ts";
import type { Life, World } from "./simulation.ts";
import type { Stream } from "./stream.ts";

/** What is made up for one protocol on one chain. */
export type ChainRows = {
  /** The rows by entity at the first block whose rows are kept. */
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

const BUILDERS: Readonly<Record<Protocol, (world: World, count: number, pace: ChainPace) => ChainRows>> = {
  lockup: (world, count, pace) => build(world, lockupLife(world), count, pace),
  flow: (world, count, pace) => build(world, flowLife(world), count, pace),
};

/** Builds the rows of one protocol on one chain, with all that happened before and will happen after them. */
export function buildChainRows({ seed, protocol, chainId, streams, pace }: ChainFacts): ChainRows {
  const clock = chainClock(seed, chainId);
  const { random, natural, assets } = beginWorld(seed, protocol, chainId);
  const ledger = createLedger(clock, random);
  const batches = createBatches(chainId);
  const world = { random, clock, ledger, batches, accounts: buildAccounts(seed), assets };
  return BUILDERS[protocol](world, streams ?? natural, pace);
}

/** The assets of a chain, which are known before anything else of it is. */
export function chainAssets(seed: string, protocol: Protocol, chainId: number): readonly Asset[] {
  return beginWorld(seed, protocol, chainId).assets;
}

function beginWorld(seed: string, protocol: Protocol, chainId: number) {
  const random: Random = createRandom(`${seed}:${protocol}:${chainId}`);
  const natural = random.int(180, 320);
  return { random, natural, assets: buildAssets(random, chainId) };
}

function build<S extends Stream>(world: World, life: Life<S>, count: number, pace: ChainPace): ChainRows {
  const { random, clock, ledger, batches } = world;
  const { past: creations, laterSizes } = splitPlan(planCreations(random, clock, count));
  const streams: S[] = [];
  for (const creation of creations) {
    const opened = life.open(creation, streams.length);
    streams.push(...opened);
    for (const stream of opened) {
      for (const block of planEvents(random, clock, creation.block, 5)) life.happen(stream, block);
    }
  }
  const { actions, transactions } = ledger.close();
  const past: Past<S> = {
    clock,
    streams,
    actions,
    transactions,
    batches: [...batches.batches()],
    // Made now, because batchers go on counting.
    batcherRows: batches.batcherRows(),
    books: once(() => enterAll(clock.chainId, transactions)),
  };
  return {
    tables: baseTables(past, life),
    writtenAt: baseWrittenAt(past),
    writesUntil: liveOn({ world, life, past, pace, laterSizes }),
  };
}

function enterAll(chainId: number, transactions: readonly Transaction[]): PastBooks {
  const books = createBooks(chainId);
  for (const transaction of transactions) books.enter(transaction);
  return { books, revenueRows: books.revenueRows(), userRows: books.userRows() };
}
