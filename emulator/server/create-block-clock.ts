/** Counts the blocks that chains get after the start. */
export type BlockClock = {
  /** How many blocks a chain has more than at the start. */
  readonly newBlocks: (chainId: number) => number;
  /**
   * Lets a chain, or every chain, have this many more blocks.
   *
   * @throws RangeError for what is not a whole number from 0; no chain loses blocks.
   */
  readonly advance: (blocks: number, chainId?: number) => void;
};

export type BlockClockOptions = {
  /** Whether chains grow by the clock. They never do by themselves otherwise, so that answers stay the same. */
  readonly live: boolean;
  /** The clock, in milliseconds since the epoch; asked only for chains that grow by it. */
  readonly now: () => number;
  /** The time between two blocks of a chain. */
  readonly secondsPerBlock: (chainId: number) => number;
};

/** Creates the clock of an emulator that starts now. */
export function createBlockClock({ live, now, secondsPerBlock }: BlockClockOptions): BlockClock {
  const start = live ? now() : 0;
  const advanced = new Map<number, number>();
  let everywhere = 0;
  /** A clock that is set back takes no block away. */
  let latest = start;

  function grown(chainId: number): number {
    latest = Math.max(latest, now());
    return Math.floor((latest - start) / 1000 / secondsPerBlock(chainId));
  }

  return {
    newBlocks: (chainId) => everywhere + (advanced.get(chainId) ?? 0) + (live ? grown(chainId) : 0),
    advance: (blocks, chainId) => {
      if (!Number.isSafeInteger(blocks) || blocks < 0) {
        throw new RangeError(`A chain cannot grow by ${blocks} blocks: it takes a whole number from 0.`);
      }
      if (chainId === undefined) everywhere += blocks;
      else advanced.set(chainId, (advanced.get(chainId) ?? 0) + blocks);
    },
  };
}
