import type { ChainPace } from "../rows/chain-clock.ts";
import { createRandoms } from "../rows/create-random.ts";
import type { PlannedEntity, RowPlan } from "./row-plan.ts";

/**
 * How many rows an entity has on a chain. Rows are created in generations, one per block, so that rows that need each
 * other appear together. Generation 0 exists from the start.
 */
export type Growth = {
  /** Rows of generation 0. */
  readonly base: number;
  /** Rows of a generation with new rows. */
  readonly step: number;
  /** One in this many generations has new rows, the first included. */
  readonly every: number;
};

export function countAt({ base, step, every }: Growth, generation: number): number {
  return base + step * Math.ceil(generation / every);
}

/** How many rows there are before a generation; none before the first. */
export function countBefore(growth: Growth, generation: number): number {
  return generation === 0 ? 0 : countAt(growth, generation - 1);
}

export function generationOf({ base, step, every }: Growth, index: number): number {
  return index < base || step === 0 ? 0 : Math.floor((index - base) / step) * every + 1;
}

/** An entity that is referenced and has no references, such as a token, has a tenth of the rows. */
const FEW = 10;
const FEWEST = 3;
const RARELY = 8;

/** Levels above this one have no more rows than it. */
const TOP_LEVEL = 2;

/**
 * Plans how many rows each entity has.
 *
 * @param count how many rows a large entity has after the generation `until`; entities that refer to it may have twice as many.
 */
export function planGrowth(entities: RowPlan, count: number, until: number): ReadonlyMap<string, Growth> {
  const possible = findPossible(entities);
  const referredTo = new Set([...entities.values()].flatMap(referencesOf));
  const levels = levelsOf(entities);
  const growth = new Map<string, Growth>();
  for (const entity of entities.values()) growth.set(entity.name, growthOf(entity));
  matchPairs(entities, growth);
  return growth;

  function growthOf(entity: PlannedEntity): Growth {
    if (!possible.has(entity.name)) return NO_GROWTH;
    if (entity.isIdentity) return { base: 1, step: 0, every: 1 };
    const level = levels.get(entity.name) ?? 0;
    if (level > 0 || !referredTo.has(entity.name)) {
      const step = Math.max(1, level);
      return { base: Math.max(0, (count - until) * step), step, every: 1 };
    }
    const few = count === 0 ? 0 : Math.max(FEWEST, Math.floor(count / FEW));
    return { base: Math.max(0, few - Math.ceil(until / RARELY)), step: 1, every: RARELY };
  }
}

function referencesOf(entity: PlannedEntity): string[] {
  return [...entity.fields.values()].flatMap(({ source }) =>
    source.kind === "reference" ? source.targets : [],
  );
}

/** The entities that can have rows: those whose required references all have targets. */
function findPossible(entities: RowPlan): ReadonlySet<string> {
  const possible = new Set([...entities.values()].filter(({ rollUp }) => !rollUp).map(({ name }) => name));
  for (let before = -1; before !== possible.size; ) {
    before = possible.size;
    for (const { name, fields } of entities.values()) {
      const isStuck = [...fields.values()].some(
        ({ source, isNullable, isList }) =>
          source.kind === "reference" &&
          !isNullable &&
          !isList &&
          !source.targets.some((target) => possible.has(target)),
      );
      if (isStuck) possible.delete(name);
    }
  }
  return possible;
}

/** The longest path of references from an entity, up to the top level; circles are at the top. */
function levelsOf(entities: RowPlan): ReadonlyMap<string, number> {
  let levels: ReadonlyMap<string, number> = new Map();
  for (let round = 0; round < TOP_LEVEL; round++) {
    const below = levels;
    levels = new Map(
      [...entities.values()].map((entity) => {
        const others = referencesOf(entity).filter((target) => target !== entity.name);
        return [entity.name, Math.max(0, ...others.map((target) => 1 + (below.get(target) ?? 0)))];
      }),
    );
  }
  return levels;
}

/** Enough rounds for any chain of pairs; circles may stay unmatched. */
const MOST_ROUNDS = 20;

/** One-to-one references get the same number of rows on both sides, and no more than can be covered. */
function matchPairs(entities: RowPlan, growth: Map<string, Growth>): void {
  const pairs = [...entities.values()].flatMap(({ name, fields, id }) => [
    ...(id.twin === null ? [] : [{ name, targets: [id.twin], isExact: true }]),
    ...[...fields.values()].flatMap(({ source }) =>
      source.kind === "reference" && source.pairing !== "any"
        ? [{ name, targets: source.targets, isExact: source.pairing === "one-to-one" }]
        : [],
    ),
  ]);
  let isSettled = false;
  for (let round = 0; !isSettled && round < MOST_ROUNDS; round++) {
    isSettled = true;
    for (const { name, targets, isExact } of pairs) {
      const [target = name] = targets;
      const [rate, targetRate] = [growth.get(name) ?? NO_GROWTH, growth.get(target) ?? NO_GROWTH];
      if (targets.length > 1) {
        // An interface has the rows of all its implementers, which grow together.
        const all = targets.map((each) => ({ ...(growth.get(each) ?? NO_GROWTH), every: 1 }));
        for (const [index, each] of targets.entries()) set(each, all[index] ?? NO_GROWTH);
        set(name, {
          base: all.reduce((sum, { base }) => sum + base, 0),
          step: all.reduce((sum, { step }) => sum + step, 0),
          every: 1,
        });
        continue;
      }
      const both = {
        base: Math.min(rate.base, targetRate.base),
        step: Math.min(rate.step, targetRate.step),
        every: Math.max(rate.every, targetRate.every),
      };
      if (isExact) set(name, both);
      set(target, both);
    }
  }

  function set(name: string, to: Growth): void {
    const { base, step, every } = growth.get(name) ?? NO_GROWTH;
    if (base === to.base && step === to.step && every === to.every) return;
    growth.set(name, to);
    isSettled = false;
  }
}

export const NO_GROWTH: Growth = { base: 0, step: 0, every: 1 };

/** The events of a chain by block, known without generating rows. */
export type Calendar = {
  /** All events up to a block, in order; later calls may return more. */
  readonly until: (block: number) => readonly ChainEvent[];
  /** The block of a past generation. */
  readonly blockOf: (generation: number) => number;
};

/** A generation is created, or one row changes. */
type ChainEvent =
  | { readonly block: number; readonly kind: "generation"; readonly generation: number }
  | { readonly block: number; readonly kind: "change"; readonly entity: string; readonly index: number };

type CalendarOptions = {
  readonly plan: RowPlan;
  readonly growth: ReadonlyMap<string, Growth>;
  readonly pace: ChainPace;
  readonly seed: string;
  /** Events happen after this block. */
  readonly from: number;
  /** The chain's first head, and the number of generations up to it. */
  readonly head: number;
  readonly generations: number;
};

/** After the first head, one event in this many creates a generation; the others change rows. */
const CREATES = 8;

/** Creates the calendar of a chain. Events depend on the blocks alone, not on how many are requested at once. */
export function createCalendar(options: CalendarOptions): Calendar {
  const { plan, growth, pace, seed, from, head, generations } = options;
  const changeable = [...plan.values()].filter(
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
