import type { Row } from "../../styles/read-view.ts";
import type { Accounts, Asset } from "./build-assets.ts";
import type { ChainClock } from "./chain-clock.ts";
import type { Batches } from "./create-batches.ts";
import type { EventLog } from "./create-event-log.ts";
import type { Random } from "./create-random.ts";
import type { Stream } from "./stream.ts";

/** The parts of the simulation of one protocol on one chain. */
export type SimulationState = {
  readonly random: Random;
  readonly clock: ChainClock;
  readonly log: EventLog;
  readonly batches: Batches;
  readonly accounts: Accounts;
  readonly assets: readonly Asset[];
};

/** The simulation of a protocol's streams, of type `S`. */
export type StreamSimulation<S extends Stream> = {
  /** Opens the streams of one transaction; `after` is the number of earlier streams. */
  readonly open: (creation: Creation, after: number) => S[];
  /** Simulates an event of a stream. Returns false if nothing happens. */
  readonly simulateEvent: (stream: S, block: number) => boolean;
  readonly streamRow: (stream: S) => Row;
  /** The rows of other entities that are created with a stream, by entity. */
  readonly partRows: ReadonlyMap<string, (stream: S) => Row[]>;
};

/** A transaction that creates streams. */
export type Creation = {
  readonly block: number;
  readonly size: number;
  /** The share of the chain's history before it, in percent; contract releases follow it. */
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
  // So that the newest streams have had time for events.
  const last = clock.head.number - 1000;
  const blocks = sizes.map(() => random.int(first, last)).sort((a, b) => a - b);
  return sizes.map((size, index) => {
    const block = blocks[index] as number;
    return { block, size, progress: Math.floor(((block - first) * 100) / (last - first + 1)) };
  });
}

/** A plan, and the sizes of the creations that were moved to later blocks. */
type SplitPlan = { readonly history: readonly Creation[]; readonly laterSizes: readonly number[] };

/** At most this many streams, or this share of few, are opened after the first block with readable rows. */
const MOST_LATER = 16;
const LATER_PART = 8;

/** Moves the last creations of a plan into the blocks with readable rows. */
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
