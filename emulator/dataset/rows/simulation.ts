import type { Row } from "../../styles/read-view.ts";
import type { Accounts, Asset } from "./build-assets.ts";
import type { ChainClock } from "./chain-clock.ts";
import type { Batches } from "./create-batches.ts";
import type { EventLog } from "./create-event-log.ts";
import type { Random } from "./create-random.ts";
import type { Stream } from "./stream.ts";

/** What one protocol's streams on one chain are made of. */
export type SimulationState = {
  readonly random: Random;
  readonly clock: ChainClock;
  readonly log: EventLog;
  readonly batches: Batches;
  readonly accounts: Accounts;
  readonly assets: readonly Asset[];
};

/** How the streams of a protocol are simulated. `S` is what a stream of it is. */
export type StreamSimulation<S extends Stream> = {
  /** Opens the streams of one transaction; `after` is how many there are. */
  readonly open: (creation: Creation, after: number) => S[];
  /** Lets something happen to a stream; false when nothing does this time. */
  readonly simulateEvent: (stream: S, block: number) => boolean;
  readonly streamRow: (stream: S) => Row;
  /** The rows of other entities that come into being with a stream, by entity. */
  readonly partRows: ReadonlyMap<string, (stream: S) => Row[]>;
};

/** One transaction that will create streams. */
export type Creation = {
  readonly block: number;
  /** How many streams it creates. */
  readonly size: number;
  /** How far along the chain's history it is, in percent: releases of the contracts follow one another by it. */
  readonly progress: number;
};

/** Plans the transactions that create `streams` streams, in order of block. One in six creates several. */
export function planCreations(random: Random, clock: ChainClock, streams: number): Creation[] {
  const sizes: number[] = [];
  for (let left = streams; left > 0; ) {
    const size = Math.min(left, random.chance(16) ? random.int(2, 6) : 1);
    sizes.push(size);
    left -= size;
  }
  const first = clock.startBlock;
  // The newest streams have had a little time for something to happen to them.
  const last = clock.head.number - 1000;
  const blocks = sizes.map(() => random.int(first, last)).sort((a, b) => a - b);
  return sizes.map((size, index) => {
    const block = blocks[index] as number;
    return { block, size, progress: Math.floor(((block - first) * 100) / (last - first + 1)) };
  });
}

/** A plan, and how many streams the creations have that were taken out of it to happen later. */
export type SplitPlan = { readonly history: readonly Creation[]; readonly laterSizes: readonly number[] };

/** At most this many streams, and of few streams this part, are opened after the first block whose rows can be read. */
const MOST_LATER = 16;
const LATER_PART = 8;

/** Takes the last few creations out of a plan: they happen within the short time whose rows can be read. */
export function splitPlan(plan: readonly Creation[]): SplitPlan {
  const streams = plan.reduce((sum, { size }) => sum + size, 0);
  let left = Math.min(MOST_LATER, Math.floor(streams / LATER_PART));
  let from = plan.length;
  for (let size = plan[from - 1]?.size; size !== undefined && size <= left; size = plan[from - 1]?.size) {
    left -= size;
    from -= 1;
  }
  return { history: plan.slice(0, from), laterSizes: plan.slice(from).map(({ size }) => size) };
}
