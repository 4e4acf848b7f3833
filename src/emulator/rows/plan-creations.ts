import type { ChainClock } from "./chain-clock.ts";
import type { Random } from "./create-random.ts";

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
