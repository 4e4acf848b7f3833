import { createMemo } from "../../styles/create-memo.ts";
import type { Row } from "../../styles/read-view.ts";
import { type IndexedTable, indexTable } from "./index-table.ts";

/** What a row was from one block on; null when it was deleted there. */
export type RowVersion = { readonly block: number; readonly row: Row | null };

/** A table with what was written to it after it was made, over blocks. */
export type TableVersions = {
  /** Writes come in order of block. */
  readonly write: (block: number, id: string, row: Row | null) => void;
  /** The version of a row that is valid at a block; undefined while it still is that of the table, if any. */
  readonly versionAt: (id: string, block: number) => RowVersion | undefined;
  /** All rows at a block: the same table as long as nothing is written. New rows come last. */
  readonly at: (block: number) => IndexedTable;
};

/** Tables are large: the head and a few blocks that are asked about over and over. */
const MOST_TABLES = 4;

/** Creates the versions of a table nothing has been written to. */
export function createTableVersions(table: IndexedTable): TableVersions {
  /** By id, in the order in which ids were first written. */
  const versions = new Map<string, RowVersion[]>();
  /** The blocks of all writes in order. */
  const blocks: number[] = [];
  const tables = createMemo<number, IndexedTable>(MOST_TABLES);

  // From the end, because most questions are about the head, and of two writes at one block the second counts.
  const versionAt = (id: string, block: number) =>
    versions.get(id)?.findLast((version) => version.block <= block);

  function buildRows(block: number): readonly Row[] {
    const rows: (Row | null)[] = table.rows().slice();
    for (const id of versions.keys()) {
      const version = versionAt(id, block);
      if (version === undefined) continue;
      const position = table.position(id);
      if (position === undefined) rows.push(version.row);
      else rows[position] = version.row;
    }
    return rows.filter((row) => row !== null);
  }

  return {
    write: (block, id, row) => {
      const known = versions.get(id);
      if (known) known.push({ block, row });
      else versions.set(id, [{ block, row }]);
      blocks.push(block);
    },
    versionAt,
    at: (block) => {
      const count = countUpTo(blocks, block);
      return count === 0 ? table : tables.get(count, () => indexTable(() => buildRows(block)));
    },
  };
}

/** How many of these numbers, which ascend, are at most `most`. */
export function countUpTo(ascending: readonly number[], most: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}
