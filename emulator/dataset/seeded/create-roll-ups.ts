import { createRollUp } from "./create-roll-up.ts";
import type { MadeRow, RowMaker } from "./create-row-maker.ts";
import type { PlannedEntity, RowPlan } from "./row-plan.ts";

/** The roll-ups of a chain, which go on as rows of their sources are made. */
export type RollUps = {
  /** The rows of a roll-up, and the blocks at which they became what they are, when this was created. */
  readonly rowsOf: (entity: string) => readonly RolledUp[];
  /** Adds a row of a source, and gives the rows that changed. */
  readonly add: (source: string, row: MadeRow) => readonly (readonly [PlannedEntity, MadeRow])[];
};

/** A row of a roll-up, and the block at which it became what it is. */
export type RolledUp = { readonly row: MadeRow; readonly block: number };

/**
 * Creates the roll-ups of a chain.
 *
 * @param sourceRows all rows there are of a source, in order, with their blocks.
 */
export function createRollUps(
  { entities }: RowPlan,
  maker: RowMaker,
  sourceRows: (source: string) => readonly RolledUp[],
): RollUps {
  const states = [...entities.values()].flatMap((entity) => {
    if (entity.rollUp === null) return [];
    const state = createRollUp(entity.rollUp, entity.fields.keys());
    return [{ entity, source: entity.rollUp.source, state }];
  });
  const known = new Map(
    states.map(({ entity, source, state }) => {
      const rows = new Map<number, RolledUp>();
      for (const { row, block } of sourceRows(source)) {
        for (const { index, values } of state.add(row))
          rows.set(index, { row: maker.make(entity, index, values), block });
      }
      return [entity.name, [...rows.values()]];
    }),
  );
  return {
    rowsOf: (entity) => known.get(entity) ?? [],
    add: (source, row) =>
      states
        .filter((one) => one.source === source)
        .flatMap(({ entity, state }) =>
          state.add(row).map(({ index, values }) => [entity, maker.make(entity, index, values)] as const),
        ),
  };
}
