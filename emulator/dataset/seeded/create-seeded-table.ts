import { once } from "../../../src/base/collections.ts";
import type { Row } from "../../styles/read-view.ts";
import type { Write, WrittenTables } from "../rows/create-store-versions.ts";
import type { Calendar } from "./create-calendar.ts";
import { createRollUp } from "./create-roll-up.ts";
import type { MadeRow, RowMaker } from "./create-row-maker.ts";
import { countAt, type Growth, NO_GROWTH } from "./plan-growth.ts";
import type { PlannedEntity } from "./row-plan.ts";

/** What the rows of an entity are made of. */
export type SeededTableOptions = {
  readonly maker: RowMaker;
  readonly growth: ReadonlyMap<string, Growth>;
  readonly calendar: Calendar;
  /** The entity whose rows a roll-up adds up. */
  readonly source: PlannedEntity | undefined;
  readonly createdIn: (entity: string, index: number) => number;
  readonly render: (row: MadeRow) => Row;
};

/** The rows of an entity: those at the first block, the blocks at which they became what they are, and what follows. */
export type SeededTable = {
  readonly rows: () => readonly Row[];
  readonly writtenAt: (position: number) => number;
  readonly writesUntil: WrittenTables["writesUntil"];
};

/** Creates the table of an entity. Nothing is made of any other, so that a question costs what it is about. */
export function createSeededTable(entity: PlannedEntity, options: SeededTableOptions): SeededTable {
  return entity.rollUp === null ? createOwnTable(entity, options) : createRolledTable(entity, options);
}

function createOwnTable(entity: PlannedEntity, options: SeededTableOptions): SeededTable {
  const { maker, growth, createdIn, render } = options;
  const own = growth.get(entity.name) ?? NO_GROWTH;
  const changed = new Map<number, { readonly row: MadeRow; readonly version: number }>();

  function change(index: number): MadeRow {
    const before = changed.get(index) ?? { row: maker.make(entity, index), version: 0 };
    const version = before.version + 1;
    const row = maker.change(entity, before.row, index, version);
    changed.set(index, { row, version });
    return row;
  }

  return {
    rows: () => rowsOf(entity, own, 0, maker).map(render),
    writtenAt: (position) => createdIn(entity.name, position),
    writesUntil: createWriter(entity, options, (event) => {
      if (event.kind === "generation") return rowsOf(entity, own, event.generation, maker);
      return event.entity === entity.name ? [change(event.index)] : [];
    }),
  };
}

function createRolledTable(entity: PlannedEntity, options: SeededTableOptions): SeededTable {
  const { maker, growth, createdIn, render, source } = options;
  if (entity.rollUp === null || source === undefined) return NO_TABLE;
  const state = createRollUp(entity.rollUp, entity.fields.keys());
  const own = growth.get(source.name) ?? NO_GROWTH;
  const add = (row: MadeRow) =>
    state.add(row).map(({ index, values }) => ({ index, row: maker.make(entity, index, values) }));
  /** What is there already has to be added up before what comes. */
  const base = once(() => {
    const rolled = new Map<number, { readonly row: MadeRow; readonly block: number }>();
    for (const [place, made] of rowsOf(source, own, 0, maker).entries()) {
      const block = createdIn(source.name, place);
      for (const { index, row } of add(made)) rolled.set(index, { row, block });
    }
    return [...rolled.values()];
  });
  const write = createWriter(entity, options, (event) =>
    event.kind === "generation"
      ? rowsOf(source, own, event.generation, maker).flatMap((made) => add(made).map(({ row }) => row))
      : [],
  );
  return {
    rows: () => base().map(({ row }) => render(row)),
    writtenAt: (position) => base()[position]?.block ?? 0,
    writesUntil: (until) => {
      base();
      return write(until);
    },
  };
}

const NO_TABLE: SeededTable = { rows: () => [], writtenAt: () => 0, writesUntil: () => [] };

/** The rows of an entity that are new in a generation. */
function rowsOf(entity: PlannedEntity, own: Growth, generation: number, maker: RowMaker): MadeRow[] {
  const from = generation === 0 ? 0 : countAt(own, generation - 1);
  return Array.from({ length: countAt(own, generation) - from }, (_, place) =>
    maker.make(entity, from + place),
  );
}

function createWriter(
  { name }: PlannedEntity,
  { calendar, render }: SeededTableOptions,
  rowsAt: (event: ReturnType<Calendar["until"]>[number]) => readonly MadeRow[],
): WrittenTables["writesUntil"] {
  let given = 0;
  return (until) => {
    const events = calendar.until(until);
    const writes: Write[] = [];
    for (; given < events.length; given++) {
      const event = events[given];
      if (event === undefined || event.block > until) break;
      for (const made of rowsAt(event)) {
        const row = render(made);
        writes.push({ block: event.block, entity: name, id: String(row["id"]), row });
      }
    }
    return writes;
  };
}
