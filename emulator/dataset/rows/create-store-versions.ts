import { cached, once } from "../../../src/base/collections.ts";
import type { Row, RowStore, RowValue } from "../../styles/read-view.ts";
import { createMemo } from "../../styles/served-style.ts";

/** Tables by entity; each may be made when it is asked for. A map is one. */
export type Tables = { readonly get: (entity: string) => readonly Row[] | undefined };

/** What became of a row at a block: what it is from then on, or null when it was deleted. */
export type Write = {
  readonly block: number;
  readonly entity: string;
  readonly id: string;
  readonly row: Row | null;
};

/** The tables at the first block, and where what is written after it comes from. */
export type WrittenTables = {
  readonly baseBlock: number;
  /** The tables at the base block; made when a row is first asked for. */
  readonly base: () => Tables;
  /** The block at which a row became what it is at the base block; `position` is its place in the table. */
  readonly baseWrittenAt: (entity: string, row: Row, position: number) => number;
  /** The last block up to this one at which something was written; the base block if nothing was. It makes no rows. */
  readonly lastWriteAt: (block: number) => number;
  /** False only where no row ever has the value in the field: then no row is made to look for it. */
  readonly mayHold: (entity: string, field: string, value: RowValue) => boolean;
  /** Entities nothing is ever written to: questions about them need no write. */
  readonly fixed: ReadonlySet<string>;
  /** All writes up to a block, in order of block, without those it gave before. */
  readonly writesUntil: (block: number) => readonly Write[];
};

/** The stores of tables over blocks: the same object for blocks between which nothing was written. */
export type StoreVersions = { readonly at: (block: number) => RowStore };

/** Stores are small, and what others made of a store goes with it. */
const MOST_STORES = 64;

/** Creates the stores of tables that are written to. No table is made before a row is asked for. */
export function createStoreVersions(tables: WrittenTables): StoreVersions {
  const { baseBlock, mayHold } = tables;
  const stores = createMemo<number, RowStore>(MOST_STORES);
  const indexed = new Map<string, IndexedTable>();
  const versions = new Map<string, TableVersions>();
  const base = once(tables.base);
  let read = baseBlock;

  const lastWriteAt = (block: number) => Math.max(baseBlock, tables.lastWriteAt(block));

  const createTable = (entity: string) => indexTable(() => base().get(entity) ?? NO_ROWS);
  const tableOf = (entity: string) => cached(indexed, entity, createTable);

  /** What was written to an entity, at least up to a block; undefined when nothing was. */
  function versionsOf(entity: string, until: number): TableVersions | undefined {
    if (tables.fixed.has(entity)) return undefined;
    if (until > read) {
      read = until;
      for (const write of tables.writesUntil(until)) {
        const written = cached(versions, write.entity, () => createTableVersions(tableOf(write.entity)));
        written.write(write.block, write.id, write.row);
      }
    }
    return versions.get(entity);
  }

  function baseWrittenAt(entity: string, id: string): number {
    const table = tableOf(entity);
    const position = table.position(id);
    const row = position === undefined ? undefined : table.rows()[position];
    return row === undefined || position === undefined
      ? baseBlock
      : Math.min(baseBlock, tables.baseWrittenAt(entity, row, position));
  }

  function createStore(block: number): RowStore {
    const tableAt = (entity: string) => versionsOf(entity, block)?.at(block) ?? tableOf(entity);
    return {
      rows: (entity) => tableAt(entity).rows(),
      find: (entity, id) => {
        if (!mayHold(entity, "id", id)) return undefined;
        const version = versionsOf(entity, block)?.versionAt(id, block);
        return version === undefined ? tableOf(entity).find(id) : (version.row ?? undefined);
      },
      matching: (entity, field, value) =>
        mayHold(entity, field, value) ? tableAt(entity).matching(field, value) : NO_ROWS,
      writtenAt: (entity, id) =>
        versionsOf(entity, block)?.versionAt(id, block)?.block ?? baseWrittenAt(entity, id),
    };
  }

  return {
    at: (block) => {
      const written = lastWriteAt(block);
      return stores.get(written, () => createStore(written));
    },
  };
}

const NO_ROWS: readonly Row[] = [];

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

/** The rows of one entity, each index of which is made at the first question that needs it. */
export type IndexedTable = {
  readonly rows: () => readonly Row[];
  readonly find: (id: string) => Row | undefined;
  /** The place of a row among `rows()`. */
  readonly position: (id: string) => number | undefined;
  /** The rows whose `field` is, or as a list holds, this value, in their order. */
  readonly matching: (field: string, value: RowValue) => readonly Row[];
};

/** Indexes a table, which is made when it is first asked for. */
export function indexTable(load: () => readonly Row[]): IndexedTable {
  const indexes = new Map<string, ReadonlyMap<RowValue, readonly Row[]>>();
  const rows = once(load);
  // An id can be a number; whoever looks for one has its text.
  const positions = once(() => new Map(rows().map((row, index) => [String(row["id"]), index])));
  const position = (id: string) => positions().get(id);
  const indexBy = (field: string) => indexRows(rows(), field);
  return {
    rows,
    position,
    find: (id) => {
      const index = position(id);
      return index === undefined ? undefined : rows()[index];
    },
    matching: (field, value) => cached(indexes, field, indexBy).get(value) ?? NO_ROWS,
  };
}

function indexRows(rows: readonly Row[], field: string): ReadonlyMap<RowValue, readonly Row[]> {
  const index = new Map<RowValue, Row[]>();
  for (const row of rows) {
    const held = row[field] ?? null;
    // A set, since a list that holds a value twice still is one row.
    for (const value of Array.isArray(held) ? new Set<RowValue>(held) : [held]) {
      const found = index.get(value);
      if (found) found.push(row);
      else index.set(value, [row]);
    }
  }
  return index;
}

/**
 * Creates the stores over blocks of tables all of whose writes are known: the tables are those of a base block, which
 * any earlier block has, too, and the writes come after it.
 *
 * @param writes in order of block. Of two writes of one row at one block the later one counts.
 * @example
 * ```ts
 * const write = { block: 120, entity: "Asset", id: "a", row: { id: "a", symbol: "A" } };
 * const { at } = createVersionedStore(100, () => new Map([["Asset", []]]), [write]);
 * at(119) === at(100); // and at(120) has the new row
 * ```
 */
export function createVersionedStore(
  baseBlock: number,
  base: () => Tables,
  writes: readonly Write[],
): StoreVersions {
  const blocks = writes.map(({ block }) => block);
  let given = 0;
  return createStoreVersions({
    baseBlock,
    base,
    baseWrittenAt: () => baseBlock,
    mayHold: () => true,
    fixed: new Set(),
    lastWriteAt: (block) => blocks[countUpTo(blocks, block) - 1] ?? baseBlock,
    writesUntil: (block) => {
      const from = given;
      given = countUpTo(blocks, block);
      return writes.slice(from, given);
    },
  });
}

/** Rows that hold a value can be most of a table. */
const MOST_MATCHES = 256;

/** One store over several, with their rows one after the other. By id and by value it asks their own indexes. */
export function unionRowStore(stores: readonly RowStore[]): RowStore {
  const tables = new Map<string, readonly Row[]>();
  const matches = createMemo<string, readonly Row[]>(MOST_MATCHES);
  return {
    rows: (entity) => cached(tables, entity, () => joined(stores.map((store) => store.rows(entity)))),
    find: (entity, id) => {
      for (const store of stores) {
        const row = store.find(entity, id);
        if (row) return row;
      }
      return undefined;
    },
    matching: (entity, field, value) =>
      matches.get(`${entity} ${field} ${typeof value} ${value}`, () =>
        joined(stores.map((store) => store.matching(entity, field, value))),
      ),
    writtenAt: (entity, id) =>
      stores.find((store) => store.find(entity, id) !== undefined)?.writtenAt(entity, id) ?? 0,
  };
}

function joined(parts: readonly (readonly Row[])[]): readonly Row[] {
  const [only = [], ...others] = parts.filter((part) => part.length > 0);
  return others.length === 0 ? only : [only, ...others].flat();
}
