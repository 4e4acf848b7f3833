import type { ChainClock } from "./chain-clock.ts";
import type { Random } from "./create-random.ts";

/**
 * Plans when something happens to a stream: up to `most` blocks in ascending order, all after its creation and
 * none after the first block whose rows can be read. No two are the same.
 */
export function planEvents(random: Random, clock: ChainClock, created: number, most: number): number[] {
  const blocks: number[] = [];
  for (let left = random.int(0, most); left > 0; left--) {
    const block = Math.min(random.int(created + 1, clock.head.number), clock.earliestBlock);
    if (!blocks.includes(block)) blocks.push(block);
  }
  return blocks.sort((a, b) => a - b);
}
