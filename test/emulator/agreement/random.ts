import fc from "fast-check";

/** Random choices. The first option of each is the simplest: failing cases shrink to it. */
export type Random = {
  /** A whole number from 0 up to and without `end`. */
  readonly below: (end: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(from: readonly T[]) => T;
  /** Different items: at most `most`, and none only if `least` is 0. */
  readonly distinct: <T>(from: readonly T[], least: number, most: number) => T[];
  /** An array of generated items, whose length is from `least` to `most`. */
  readonly some: <T>(least: number, most: number, make: (index: number) => T) => T[];
  /** The result of one of the functions, chosen by weight. */
  readonly weighted: <T>(...options: readonly (readonly [weight: number, make: () => T])[]) => T;
};

/** Creates choices from a source of whole numbers. */
function createChoices(below: Random["below"]): Random {
  const pick: Random["pick"] = (from) => {
    if (from.length === 0) throw new RangeError("The list to pick from is empty.");
    return from[below(from.length)] as (typeof from)[number];
  };
  const some: Random["some"] = (least, most, make) =>
    Array.from({ length: least + below(most - least + 1) }, (_, index) => make(index));
  return {
    below,
    chance: (share) => below(1000) >= 1000 * (1 - share),
    pick,
    some,
    distinct: (from, least, most) => [...new Set(some(least, most, () => pick(from)))],
    weighted: (...options) => {
      let left = below(options.reduce((sum, [weight]) => sum + weight, 0));
      for (const [weight, make] of options) {
        if (left < weight) return make();
        left -= weight;
      }
      throw new RangeError("No option has a weight.");
    },
  };
}

/** Creates choices from a seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return createChoices((end) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  });
}

/** Returns the cases that a function makes of random choices. A failing case shrinks to fewer and smaller choices. */
export function drawn<T>(make: (random: Random) => T): fc.Arbitrary<T> {
  return new Drawn(make);
}

class Drawn<T> extends fc.Arbitrary<T> {
  readonly #make: (random: Random) => T;

  constructor(make: (random: Random) => T) {
    super();
    this.#make = make;
  }

  generate(random: fc.Random): fc.Value<T> {
    return this.#record((end) => random.nextInt(0, end - 1));
  }

  canShrinkWithoutContext(_: unknown): _ is T {
    return false;
  }

  shrink(_: T, choices: unknown): fc.Stream<fc.Value<T>> {
    return fc.stream(this.#smaller(choices as readonly number[]));
  }

  *#smaller(choices: readonly number[]): Generator<fc.Value<T>> {
    for (let size = choices.length; size > 0; size = Math.floor(size / 2)) {
      for (let at = 0; at < choices.length; at += size) yield this.#replay(choices.toSpliced(at, size));
    }
    for (const [at, choice] of choices.entries()) if (choice > 0) yield this.#replay(choices.with(at, 0));
  }

  /** After the last choice, all are 0. */
  #replay(choices: readonly number[]): fc.Value<T> {
    let at = 0;
    return this.#record((end) => (choices[at++] ?? 0) % end);
  }

  #record(below: Random["below"]): fc.Value<T> {
    const choices: number[] = [];
    const value = this.#make(
      createChoices((end) => {
        const choice = below(end);
        choices.push(choice);
        return choice;
      }),
    );
    // Without trailing zeros, every smaller case is really smaller, so that shrinking ends.
    return new fc.Value(value, choices.slice(0, choices.findLastIndex((choice) => choice > 0) + 1));
  }
}
