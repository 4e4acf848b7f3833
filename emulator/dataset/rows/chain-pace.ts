import { createRandom, scatter } from "./create-random.ts";

/** How many blocks there are to one in which something happens. */
const CELL = 4;

/** In which blocks something may happen on a chain, known without making up what. */
export type ChainPace = {
  /** The last such block up to a given one; the block it all started from while there is none. */
  readonly lastUntil: (block: number) => number;
  /** Those after one block, up to and with another, in order. */
  readonly between: (after: number, until: number) => number[];
};

/** The pace of a chain after the block `from`: one block in every four, at any place among the four. */
export function chainPace(seed: string, from: number): ChainPace {
  const salt = createRandom(`${seed}:pace`).int(0, 2 ** 31 - 1);
  const first = from + 1;
  const cellOf = (block: number) => Math.floor((block - first) / CELL);
  const eventOf = (cell: number) =>
    cell < 0 ? from : first + cell * CELL + (scatter((cell ^ salt) >>> 0) % CELL);
  return {
    lastUntil: (block) => {
      const cell = cellOf(Math.max(from, block));
      const event = eventOf(cell);
      return event <= block ? event : eventOf(cell - 1);
    },
    between: (after, until) => {
      const events: number[] = [];
      for (let cell = Math.max(0, cellOf(after)); cell <= cellOf(until); cell++) {
        const event = eventOf(cell);
        if (event > after && event <= until) events.push(event);
      }
      return events;
    },
  };
}
