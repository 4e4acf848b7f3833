import type { ChainPace } from "../rows/chain-pace.ts";
import { createRandoms } from "../rows/create-random.ts";
import { countAt, type Growth, NO_GROWTH } from "./plan-growth.ts";
import type { RowPlan } from "./row-plan.ts";

/** What happens on a chain, block by block, known without making a row. */
export type Calendar = {
  /** All that happens up to a block, in order; more of it is known later. */
  readonly until: (block: number) => readonly ChainEvent[];
  /** The block of a generation, which has come. */
  readonly blockOf: (generation: number) => number;
};

/** A generation of rows is made, or one row changes. */
export type ChainEvent =
  | { readonly block: number; readonly kind: "generation"; readonly generation: number }
  | { readonly block: number; readonly kind: "change"; readonly entity: string; readonly index: number };

/** What a calendar depends on. */
export type CalendarOptions = {
  readonly plan: RowPlan;
  readonly growth: ReadonlyMap<string, Growth>;
  readonly pace: ChainPace;
  readonly seed: string;
  /** The block after which something happens. */
  readonly from: number;
  /** The chain's first head, and how many generations there are up to it. */
  readonly head: number;
  readonly generations: number;
};

/** After the first head, one event in so many makes a generation, and the others change rows. */
const CREATES = 8;

/** Creates the calendar of a chain. What happens depends on the blocks alone, not on how many are asked for at once. */
export function createCalendar(options: CalendarOptions): Calendar {
  const { plan, growth, pace, seed, from, head, generations } = options;
  const changeable = [...plan.entities.values()].filter(
    ({ isImmutable, fields }) => !isImmutable && [...fields.values()].some(({ mayChange }) => mayChange),
  );
  const randoms = createRandoms(`${seed}:events`);
  const eventsBeforeHead = pace.between(from, head).length;
  const events: ChainEvent[] = [];
  const made: number[] = [];
  let reached = from;
  let count = 0;

  function isGeneration(event: number): boolean {
    if (event > eventsBeforeHead) return (event - eventsBeforeHead) % CREATES === 0;
    const due = (at: number) => Math.floor((at * generations) / eventsBeforeHead);
    return due(event) > due(event - 1);
  }

  function addChange(block: number): void {
    if (changeable.length === 0) return;
    const random = randoms(block, count);
    const { name } = random.pick(changeable);
    const rows = countAt(growth.get(name) ?? NO_GROWTH, made.length);
    if (rows > 0) events.push({ block, kind: "change", entity: name, index: random.int(0, rows - 1) });
  }

  return {
    blockOf: (generation) => made[generation - 1] ?? from,
    until: (until) => {
      for (const block of pace.between(reached, until)) {
        if (isGeneration(++count)) {
          events.push({ block, kind: "generation", generation: made.push(block) });
        } else addChange(block);
      }
      reached = Math.max(reached, until);
      return events;
    },
  };
}
