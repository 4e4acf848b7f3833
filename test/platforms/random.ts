/** Choices from a seed. */
export type Random = {
  /** A whole number from 0 up to and without `end`. */
  readonly below: (end: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(from: readonly T[]) => T;
  /** An array of generated items, whose length is from `least` to `most`. */
  readonly some: <T>(least: number, most: number, make: (index: number) => T) => T[];
};

/** Creates choices from a seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    chance: (share) => next() < share,
    pick: <T>(from: readonly T[]) => {
      if (from.length === 0) throw new RangeError("There is nothing to choose from.");
      return from[below(from.length)] as T;
    },
    some: (least, most, make) =>
      Array.from({ length: least + below(most - least + 1) }, (_, index) => make(index)),
  };
}
