/** Starts the clock of the blocks that chains get, which is loaded only if they grow with time. */
export async function startBlockClock(seed: string, live: boolean, now: () => number): Promise<BlockClock> {
  if (!live) return createBlockClock({ live, now, secondsPerBlock: () => 1 });
  const { chainClock } = await import("../dataset/rows/chain-clock.ts");
  return createBlockClock({
    live,
    now,
    secondsPerBlock: (chainId) => chainClock(seed, chainId).secondsPerBlock,
  });
}

/** Counts the blocks that chains get after startup. */
type BlockClock = {
  /** The growth of a chain since the start, in blocks. */
  readonly newBlocks: (chainId: number) => number;
  /**
   * Adds this many blocks to a chain, or to every chain.
   *
   * @throws RangeError if the count is not a whole number from 0.
   */
  readonly advance: (blocks: number, chainId?: number) => void;
};

type BlockClockOptions = {
  /** Whether chains grow with the clock. Otherwise answers stay the same. */
  readonly live: boolean;
  /** The clock, in milliseconds since the epoch; used only for growing chains. */
  readonly now: () => number;
  readonly secondsPerBlock: (chainId: number) => number;
};

export function createBlockClock({ live, now, secondsPerBlock }: BlockClockOptions): BlockClock {
  const start = live ? now() : 0;
  const advanced = new Map<number, number>();
  let everywhere = 0;
  /** A clock that goes back removes no blocks. */
  let latest = start;

  function grown(chainId: number): number {
    latest = Math.max(latest, now());
    return Math.floor((latest - start) / 1000 / secondsPerBlock(chainId));
  }

  return {
    newBlocks: (chainId) => everywhere + (advanced.get(chainId) ?? 0) + (live ? grown(chainId) : 0),
    advance: (blocks, chainId) => {
      if (!Number.isSafeInteger(blocks) || blocks < 0) {
        throw new RangeError(`A chain cannot grow by ${blocks} blocks: the count must be an integer from 0.`);
      }
      if (chainId === undefined) everywhere += blocks;
      else advanced.set(chainId, (advanced.get(chainId) ?? 0) + blocks);
    },
  };
}
