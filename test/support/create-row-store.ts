import type { Tables } from "../../emulator/dataset/rows/create-store-versions.ts";
import { type IndexedTable, indexTable } from "../../emulator/dataset/rows/create-store-versions.ts";
import type { RowStore } from "../../emulator/styles/read-view.ts";

/**
 * Creates a store over tables by entity, all of whose rows were written at one block. The tables are made when a
 * row is first asked for.
 */
export function createRowStore(tables: () => Tables, writtenAt: number): RowStore {
  const indexed = new Map<string, IndexedTable>();
  let made: Tables | undefined;

  function tableOf(entity: string): IndexedTable {
    let table = indexed.get(entity);
    if (table === undefined) {
      table = indexTable(() => {
        made ??= tables();
        return made.get(entity) ?? [];
      });
      indexed.set(entity, table);
    }
    return table;
  }

  return {
    rows: (entity) => tableOf(entity).rows(),
    find: (entity, id) => tableOf(entity).find(id),
    matching: (entity, field, value) => tableOf(entity).matching(field, value),
    writtenAt: () => writtenAt,
  };
}
