import type { Block } from "../../styles/read-view.ts";
import { type ChainBlocks, chainBlocks } from "./chain-blocks.ts";
import { createRandom } from "./create-random.ts";

/** Which block a chain has at which time; blocks come at a steady pace. */
export type ChainClock = {
  readonly chainId: number;
  readonly secondsPerBlock: number;
  readonly startBlock: number;
  /** The first block whose rows can be read: a short time before the head. */
  readonly earliestBlock: number;
  /** The chain's newest block when the emulator starts. */
  readonly head: Block;
  /** The time of a block, in Unix seconds. */
  readonly timestampOf: (block: number) => number;
  readonly blockAt: ChainBlocks["blockAt"];
  /** The block with this hash; undefined when its rows cannot be read. */
  readonly findBlock: ChainBlocks["findBlock"];
};

/** 2025-08-01T00:00:00Z: every chain's head is less than 30 days after it. */
const HEADS_FROM = 1_754_006_400;
/** 2023-07-22: no chain was indexed earlier. */
const STARTS_FROM = 1_690_000_000;
const DAY = 86_400;

/** How many blocks before the first head still have their rows: some minutes of a fast chain, an hour of a slow one. */
const KEPT_BLOCKS = 500;

/** The clock of one chain, the same for both protocols. */
export function chainClock(seed: string, chainId: number): ChainClock {
  const random = createRandom(`${seed}:chain:${chainId}`);
  const secondsPerBlock = random.pick([1, 2, 3, 5, 12]);
  const startBlock = random.int(1_000_000, 200_000_000);
  const startTime = STARTS_FROM + random.int(0, 350 * DAY);
  const blocks = Math.floor((HEADS_FROM + random.int(0, 29 * DAY) - startTime) / secondsPerBlock);
  const timestampOf = (block: number) => startTime + (block - startBlock) * secondsPerBlock;
  const number = startBlock + blocks;
  const earliestBlock = number - KEPT_BLOCKS;
  const { blockAt, findBlock } = chainBlocks(seed, chainId, timestampOf);
  return {
    chainId,
    secondsPerBlock,
    startBlock,
    earliestBlock,
    head: blockAt(number),
    timestampOf,
    blockAt,
    findBlock: (hash) => {
      const block = findBlock(hash);
      return block && block.number >= earliestBlock ? block : undefined;
    },
  };
}
