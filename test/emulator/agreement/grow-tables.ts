import type { StoreVersions } from "../../../emulator/dataset/rows/create-store-versions.ts";
import { createVersionedStore } from "../../../emulator/dataset/rows/create-store-versions.ts";
import type { Row } from "../../../emulator/styles/read-view.ts";
import type { Tables } from "./tables.ts";

type WrittenRow = { readonly entity: string; readonly id: string; readonly row: Row | null };

/** In the rich schema: an entity with required references to it, and one with optional references only. */
const NEEDED = "Port";
const MORTAL = "Captain";

/**
 * Changes tables into others step by step: blocks 2 and 3 write some rows of `after` and delete some of `before`.
 *
 * @param chance decides for every row.
 */
export function growTables(
  before: Tables,
  after: Tables,
  chance: () => boolean,
): { readonly store: StoreVersions; readonly rows: (block: number) => Tables } {
  const writes: (WrittenRow & { readonly block: number })[] = [];
  for (const [entity, rows] of after) {
    for (const row of rows) {
      const id = String(row["id"]);
      if (entity === NEEDED) writes.push({ block: 2, entity, id, row });
      else if (chance()) writes.push({ block: chance() ? 2 : 3, entity, id, row });
    }
  }
  for (const row of before.get(MORTAL) ?? []) {
    const id = String(row["id"]);
    const written = writes.some((write) => write.entity === MORTAL && write.id === id);
    if (!written && chance()) writes.push({ block: chance() ? 2 : 3, entity: MORTAL, id, row: null });
  }
  return {
    store: createVersionedStore(
      1,
      () => before,
      writes.sort((a, b) => a.block - b.block),
    ),
    rows: (block) =>
      applyWrites(
        before,
        writes.filter((write) => write.block <= block),
      ),
  };
}

function applyWrites(before: Tables, writes: readonly WrittenRow[]): Tables {
  const tables = new Map(
    [...before].map(([entity, rows]) => [entity, new Map(rows.map((row) => [String(row["id"]), row]))]),
  );
  for (const { entity, id, row } of writes) {
    if (row === null) tables.get(entity)?.delete(id);
    else tables.get(entity)?.set(id, row);
  }
  return new Map([...tables].map(([entity, rows]) => [entity, [...rows.values()]]));
}
