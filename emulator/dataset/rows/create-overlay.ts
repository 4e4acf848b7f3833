import { createMemo } from "../../styles/create-memo.ts";
import type { Row, RowValue } from "../../styles/read-view.ts";
import { holdsValue, type IndexedTable, indexedValues } from "./index-table.ts";

/** What a row was from one block on; null when it was deleted there. */
export type RowVersion = { readonly block: number; readonly row: Row | null };

/**
 * What was written to a table after it was made, over blocks. Every answer costs about what was written, not what
 * the table holds.
 */
export type Overlay = {
  /** Writes come in order of block. */
  readonly write: (block: number, id: string, row: Row | null) => void;
  /** The version of a row that is valid at a block; undefined while it still is that of the table, if any. */
  readonly versionAt: (id: string, block: number) => RowVersion | undefined;
  /** All rows at a block: the same array as long as nothing is written. New rows come last. */
  readonly rowsAt: (block: number) => readonly Row[];
  readonly matchingAt: (field: string, value: RowValue, block: number) => readonly Row[];
};

/** The history of one id, and how many ids were written before it. */
type Entry = { readonly id: string; readonly order: number; readonly versions: RowVersion[] };

/** Arrays of all rows are large: the head and a few blocks that are asked about over and over. */
const MOST_ARRAYS = 4;

/** Rows that hold a value are cached where they are many: putting them together again costs more than a page of them. */
const MANY = 64;
const MOST_MATCHES = 256;

/** Creates the overlay of a table nothing has been written to. */
export function createOverlay(table: IndexedTable): Overlay {
  const entries = new Map<string, Entry>();
  /** The blocks of all writes in order. */
  const writes: number[] = [];
  const indexes = new Map<string, Map<RowValue, Set<Entry>>>();
  const arrays = createMemo<number, readonly Row[]>(MOST_ARRAYS);
  const matches = createMemo<string, readonly Row[]>(MOST_MATCHES);

  const positionOf = ({ id, order }: Entry) => table.position(id) ?? table.rows().length + order;
  const versionAt = (id: string, block: number) => latest(entries.get(id), block);

  function indexOf(field: string): Map<RowValue, Set<Entry>> {
    let index = indexes.get(field);
    if (index === undefined) {
      index = new Map();
      for (const entry of entries.values()) {
        for (const { row } of entry.versions) if (row) addToIndex(index, field, row, entry);
      }
      indexes.set(field, index);
    }
    return index;
  }

  function buildRows(block: number): readonly Row[] {
    const rows: (Row | null)[] = table.rows().slice();
    let gone = false;
    for (const entry of entries.values()) {
      const version = latest(entry, block);
      if (version === undefined) continue;
      gone ||= version.row === null;
      const position = table.position(entry.id);
      if (position === undefined) rows.push(version.row);
      else rows[position] = version.row;
    }
    return gone ? rows.filter((row) => row !== null) : (rows as Row[]);
  }

  /** The rows of the table that hold the value, without those that were written since. */
  function unchanged(field: string, value: RowValue, block: number): readonly Row[] {
    const found = table.matching(field, value);
    if (found.length <= entries.size) {
      const rows = found.filter((row) => versionAt(String(row["id"]), block) === undefined);
      return rows.length === found.length ? found : rows;
    }
    const gone = new Set<Row>();
    for (const entry of entries.values()) {
      const before = latest(entry, block) && table.find(entry.id);
      if (before && holdsValue(before, field, value)) gone.add(before);
    }
    return gone.size === 0 ? found : found.filter((row) => !gone.has(row));
  }

  /** The rows written up to the block that hold the value there, with their places in the order of all rows. */
  function writtenRows(field: string, value: RowValue, block: number): Placed[] {
    const placed: Placed[] = [];
    for (const entry of indexOf(field).get(value) ?? []) {
      const row = latest(entry, block)?.row;
      if (row && holdsValue(row, field, value)) placed.push({ row, position: positionOf(entry) });
    }
    return placed.sort((a, b) => a.position - b.position);
  }

  function buildMatches(field: string, value: RowValue, block: number): readonly Row[] {
    const rows = unchanged(field, value, block);
    const more = writtenRows(field, value, block);
    return more.length === 0 ? rows : merge(rows, more, (row) => table.position(String(row["id"])) ?? 0);
  }

  return {
    write: (block, id, row) => {
      let entry = entries.get(id);
      if (entry === undefined) {
        entry = { id, order: entries.size, versions: [] };
        entries.set(id, entry);
      }
      entry.versions.push({ block, row });
      writes.push(block);
      if (row === null) return;
      for (const [field, index] of indexes) addToIndex(index, field, row, entry);
    },
    versionAt,
    rowsAt: (block) => {
      const count = countUpTo(writes, block);
      return count === 0 ? table.rows() : arrays.get(count, () => buildRows(block));
    },
    matchingAt: (field, value, block) => {
      const count = countUpTo(writes, block);
      const found = table.matching(field, value);
      if (count === 0) return found;
      if (found.length < MANY) return buildMatches(field, value, block);
      const key = `${count} ${field} ${typeof value} ${value}`;
      return matches.get(key, () => buildMatches(field, value, block));
    },
  };
}

type Placed = { readonly row: Row; readonly position: number };

function latest(entry: Entry | undefined, block: number): RowVersion | undefined {
  // From the end, because most questions are about the head, and of two writes at one block the second counts.
  return entry?.versions.findLast((version) => version.block <= block);
}

function addToIndex(index: Map<RowValue, Set<Entry>>, field: string, row: Row, entry: Entry): void {
  for (const value of indexedValues(row, field)) {
    const found = index.get(value);
    if (found) found.add(entry);
    else index.set(value, new Set([entry]));
  }
}

/** Puts rows at their places among others that are in order; few among many. */
function merge(rows: readonly Row[], more: readonly Placed[], positionOf: (row: Row) => number): Row[] {
  const merged: Row[] = [];
  let from = 0;
  for (const { row, position } of more) {
    let [low, high] = [from, rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (positionOf(rows[middle] as Row) < position) low = middle + 1;
      else high = middle;
    }
    while (from < low) merged.push(rows[from++] as Row);
    merged.push(row);
  }
  while (from < rows.length) merged.push(rows[from++] as Row);
  return merged;
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
