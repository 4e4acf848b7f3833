import { utf8 } from "../../../src/base/bytes.ts";
import { hash } from "../../../src/base/hash.ts";

/** The longest hex text, a hash, as ASCII. Decoding bytes is far faster than writing numbers, or adding texts. */
const text = utf8(`0x${"0".repeat(64)}`);
const DIGITS = utf8("0123456789abcdef");
const DECODER = new TextDecoder();

/** A stream of random numbers, determined by its seed. */
export type Random = {
  /** An integer from `min` to `max`, both included. */
  readonly int: (min: number, max: number) => number;
  /** True in `percent` of a hundred cases. */
  readonly chance: (percent: number) => boolean;
  readonly pick: <T>(items: readonly T[]) => T;
  /** One of the items, with the likelihood of the weight at its index. */
  readonly pickWeighted: <T>(items: readonly T[], weights: readonly number[]) => T;
  /** This many random bytes as lower-case `0x…`: a multiple of 4, at most 32. */
  readonly hex: (bytes: number) => string;
};

/**
 * Creates a generator (sfc32) from a hash of the text. It uses integer arithmetic only, so that every machine and
 * release of Node gives the same rows.
 */
export function createRandom(seed: string): Random {
  return createGenerator(...wordsOf(seed)).random;
}

/** Rounds until every number depends on the whole seed. */
const WARM_UP = 4;

/**
 * Creates a generator that restarts for any two numbers. Made for many small draws: the text is hashed once, and each
 * call reuses the one returned object.
 */
export function createRandoms(seed: string): (first: number, second: number) => Random {
  const [a, b, c, counter] = wordsOf(seed);
  const { random, startAt } = createGenerator(a, b, c, counter);
  return (first, second) => {
    startAt(a ^ scatter(first), b ^ scatter(second ^ a), c, counter);
    for (let round = 0; round < WARM_UP; round++) random.int(0, 1);
    return random;
  };
}

/** Spreads neighbouring numbers over 32 bits. */
export function scatter(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

type Words = [a: number, b: number, c: number, counter: number];

function wordsOf(seed: string): Words {
  const digest = hash(seed);
  const word = (at: number) => Number.parseInt(digest.slice(at, at + 8), 16) | 0;
  return [word(0), word(8), word(16), word(24)];
}

type Generator = { readonly random: Random; readonly startAt: (...words: Words) => void };

function createGenerator(...[a, b, c, counter]: Words): Generator {
  function next(): number {
    const result = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + result;
    c |= 0;
    return result >>> 0;
  }

  const int = (min: number, max: number) => min + (next() % (max - min + 1));
  const random: Random = {
    int,
    chance: (percent) => int(1, 100) <= percent,
    pick: (items) => items[int(0, items.length - 1)] as (typeof items)[number],
    pickWeighted: (items, weights) => {
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      let left = int(1, total);
      for (let place = 0; place < items.length; place++) {
        left -= weights[place] ?? 0;
        if (left <= 0) return items[place] as (typeof items)[number];
      }
      throw new RangeError("The list to pick from is empty.");
    },
    hex: (bytes) => {
      let at = 2;
      for (let word = 0; word < bytes; word += 4) {
        const value = next();
        for (let shift = 28; shift >= 0; shift -= 4) text[at++] = DIGITS[(value >>> shift) & 15] ?? 0;
      }
      return DECODER.decode(text.subarray(0, at));
    },
  };

  return {
    random,
    startAt: (...words) => {
      [a, b, c, counter] = words;
    },
  };
}
