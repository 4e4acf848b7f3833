import type { ChainPace } from "../rows/chain-pace.ts";
import { createRandoms } from "../rows/create-random.ts";
import type { Write, WrittenTables } from "../rows/create-store-versions.ts";
import type { RollUps } from "./create-roll-ups.ts";
import type { MadeRow, RowMaker } from "./create-row-maker.ts";
import type { RowRenderer } from "./create-row-renderer.ts";
import { countAt, type Growth, NO_GROWTH } from "./plan-growth.ts";
import type { PlannedEntity, RowPlan } from "./row-plan.ts";

/** The most generations of rows between the first block whose rows can be read and the chain's first head. */
export const GENERATIONS = 15;
/** After that, one event in so many makes a generation, and the others change rows. */
const CREATES = 8;

/** What later blocks go on from. */
export type WriterOptions = {
  readonly plan: RowPlan;
  readonly growth: ReadonlyMap<string, Growth>;
  readonly maker: RowMaker;
  readonly renderer: RowRenderer;
  readonly rollUps: () => RollUps;
  readonly pace: ChainPace;
  readonly seed: string;
  /** The block after which rows are written. */
  readonly from: number;
  /** The chain's first head, and how many generations there are up to it. */
  readonly head: number;
  readonly generations: number;
  /** Is told the block of a generation before its rows are made. */
  readonly onGeneration: (block: number) => void;
};

/** Creates what writes rows block by block. What is written depends on the blocks alone, not on how many are asked for at once. */
export function createWriter(options: WriterOptions): WrittenTables["writesUntil"] {
  const { plan, growth, maker, renderer, rollUps, pace, seed, from, head, generations } = options;
  const entities = [...plan.entities.values()];
  const changeable = entities.filter(
    ({ isImmutable, fields }) => !isImmutable && [...fields.values()].some(({ mayChange }) => mayChange),
  );
  const sources = new Set(entities.flatMap(({ rollUp }) => (rollUp === null ? [] : [rollUp.source])));
  const randoms = createRandoms(`${seed}:events`);
  const eventsBeforeHead = pace.between(from, head).length;
  const changed = new Map<string, { readonly row: MadeRow; readonly version: number }>();
  let reached = from;
  let events = 0;
  let generation = 0;

  function write(block: number, entity: PlannedEntity, row: MadeRow): Write[] {
    if (!renderer.has(entity.name)) return [];
    const rendered = renderer.render(entity, row);
    return [{ block, entity: entity.name, id: String(rendered["id"]), row: rendered }];
  }

  function isGeneration(event: number): boolean {
    if (event > eventsBeforeHead) return (event - eventsBeforeHead) % CREATES === 0;
    const due = (at: number) => Math.floor((at * generations) / eventsBeforeHead);
    return due(event) > due(event - 1);
  }

  function makeGeneration(block: number): Write[] {
    const writes: Write[] = [];
    // What is there already has to be added up before what comes now.
    const rolling = sources.size > 0 ? rollUps() : null;
    options.onGeneration(block);
    generation++;
    for (const entity of entities) {
      const own = growth.get(entity.name) ?? NO_GROWTH;
      for (let index = countAt(own, generation - 1); index < countAt(own, generation); index++) {
        const row = maker.make(entity, index);
        writes.push(...write(block, entity, row));
        if (rolling === null || !sources.has(entity.name)) continue;
        for (const [rollUp, rolled] of rolling.add(entity.name, row))
          writes.push(...write(block, rollUp, rolled));
      }
    }
    return writes;
  }

  function changeRow(block: number): Write[] {
    const random = randoms(block, events);
    if (changeable.length === 0) return [];
    const entity = random.pick(changeable);
    const count = countAt(growth.get(entity.name) ?? NO_GROWTH, generation);
    if (count === 0) return [];
    const index = random.int(0, count - 1);
    const key = `${entity.name} ${index}`;
    const before = changed.get(key) ?? { row: maker.make(entity, index), version: 0 };
    const version = before.version + 1;
    const row = maker.change(entity, before.row, index, version);
    changed.set(key, { row, version });
    return write(block, entity, row);
  }

  return (until) => {
    const blocks = pace.between(reached, until);
    reached = Math.max(reached, until);
    return blocks.flatMap((block) => (isGeneration(++events) ? makeGeneration(block) : changeRow(block)));
  };
}
