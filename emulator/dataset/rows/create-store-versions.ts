import { cached, groupBy, once } from "../../../src/base/collections.ts";
import type { Row, RowStore, RowValue } from "../../styles/read-view.ts";
import { createMemo } from "../../styles/served-style.ts";

/** Tables by entity, for example a map. */
export type Tables = { readonly get: (entity: string) => readonly Row[] | undefined };

/** The new row, or null if it was deleted. */
export type Write = {
  readonly block: number;
  readonly entity: string;
  readonly id: string;
  readonly row: Row | null;
};

/** The rows of an entity at the base block, and the writes after it. */
export type WrittenTable = {
  /** The rows at the base block; called on first use. */
  readonly rows: () => readonly Row[];
  /** The block at which a row of `rows` got its value; `position` is its index. */
  readonly writtenAt: (row: Row, position: number) => number;
  /** All writes at least up to a block, in order of block, without those returned before. */
  readonly writesUntil: (block: number) => readonly Write[];
};

export type WrittenTables = {
  readonly baseBlock: number;
  /** The table of an entity; called once, when a row is first read. */
  readonly table: (entity: string) => WrittenTable | undefined;
  /** The last block up to this one with a write, else the base block. Does not generate rows. */
  readonly lastWriteAt: (block: number) => number;
  /** False only if no row ever has the value in the field: the lookup then generates nothing. */
  readonly mayHold: (entity: string, field: string, value: RowValue) => boolean;
};

/** The stores of tables by block: the same object for blocks without a write between them. */
export type StoreVersions = { readonly at: (block: number) => RowStore };

/** Stores are small, and caches keyed by a store are dropped with it. */
const MOST_STORES = 64;

/** Creates the stores of tables with writes. Each table is generated on its own, when a row of it is first read. */
export function createStoreVersions({
  baseBlock,
  table,
  lastWriteAt,
  mayHold,
}: WrittenTables): StoreVersions {
  const stores = createMemo<number, RowStore>(MOST_STORES);
  const versions = new Map<string, TableVersions>();
  const createTable = (entity: string) => createTableVersions(table(entity) ?? NO_TABLE, baseBlock);
  const versionsOf = (entity: string) => cached(versions, entity, createTable);
  const createStore = (block: number): RowStore => ({
    rows: (entity) => versionsOf(entity).at(block).rows(),
    find: (entity, id) => (mayHold(entity, "id", id) ? versionsOf(entity).find(id, block) : undefined),
    matching: (entity, field, value) =>
      mayHold(entity, field, value) ? versionsOf(entity).at(block).matching(field, value) : NO_ROWS,
    writtenAt: (entity, id) => versionsOf(entity).writtenAt(id, block),
  });
  return {
    at: (block) => {
      const written = Math.max(baseBlock, lastWriteAt(block));
      return stores.get(written, () => createStore(written));
    },
  };
}

const NO_ROWS: readonly Row[] = [];

const NO_TABLE: WrittenTable = { rows: () => NO_ROWS, writtenAt: () => 0, writesUntil: () => [] };

/** A row from one block on; null if it was deleted there. */
type RowVersion = { readonly block: number; readonly row: Row | null };

/** A table with later writes, by block. */
type TableVersions = {
  /** All rows at a block: the original table until the first write. New rows come last. */
  readonly at: (block: number) => IndexedTable;
  readonly find: (id: string, block: number) => Row | undefined;
  readonly writtenAt: (id: string, block: number) => number;
};

/** Tables are large: keep the head and a few blocks with repeated queries. */
const MOST_TABLES = 4;

function createTableVersions(
  { rows, writtenAt, writesUntil }: WrittenTable,
  baseBlock: number,
): TableVersions {
  const base = indexTable(rows);
  /** By id, in order of first write. */
  const versions = new Map<string, RowVersion[]>();
  const blocks: number[] = [];
  const tables = createMemo<number, IndexedTable>(MOST_TABLES);
  let read = baseBlock;

  function readUntil(block: number): void {
    if (block <= read) return;
    read = block;
    for (const write of writesUntil(block)) {
      cached(versions, write.id, (): RowVersion[] => []).push(write);
      blocks.push(write.block);
    }
  }

  /** The version of a row at a block; undefined while it is still that of the base block, if any. */
  function versionAt(id: string, block: number): RowVersion | undefined {
    readUntil(block);
    // From the end: most queries are about the head, and the later of two writes at one block counts.
    return versions.get(id)?.findLast((version) => version.block <= block);
  }

  function buildRows(block: number): readonly Row[] {
    const rows: (Row | null)[] = base.rows().slice();
    for (const id of versions.keys()) {
      const version = versionAt(id, block);
      if (version === undefined) continue;
      const position = base.position(id);
      if (position === undefined) rows.push(version.row);
      else rows[position] = version.row;
    }
    return rows.filter((row) => row !== null);
  }

  return {
    at: (block) => {
      readUntil(block);
      const count = countUpTo(blocks, block);
      return count === 0 ? base : tables.get(count, () => indexTable(() => buildRows(block)));
    },
    find: (id, block) => {
      const version = versionAt(id, block);
      return version === undefined ? base.find(id) : (version.row ?? undefined);
    },
    writtenAt: (id, block) => {
      const version = versionAt(id, block);
      if (version !== undefined) return version.block;
      const position = base.position(id);
      const row = position === undefined ? undefined : base.rows()[position];
      if (row === undefined || position === undefined) return baseBlock;
      return Math.min(baseBlock, writtenAt(row, position));
    },
  };
}

/** How many of these ascending numbers are at most `most`. From the end: most queries are about the head. */
function countUpTo(ascending: readonly number[], most: number): number {
  return ascending.findLastIndex((number) => number <= most) + 1;
}

/** The rows of one entity; each index is built on first use. */
export type IndexedTable = {
  readonly rows: () => readonly Row[];
  readonly find: (id: string) => Row | undefined;
  /** The index of a row in `rows()`. */
  readonly position: (id: string) => number | undefined;
  /** The rows whose `field` is this value, or is a list with it, in table order. */
  readonly matching: (field: string, value: RowValue) => readonly Row[];
};

/** Indexes a table, which is loaded on first use. */
export function indexTable(load: () => readonly Row[]): IndexedTable {
  const indexes = new Map<string, ReadonlyMap<RowValue, readonly Row[]>>();
  const rows = once(load);
  // An id can be a number, but is looked up as text.
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
    // A set: a list with the same value twice still counts as one row.
    for (const value of Array.isArray(held) ? new Set<RowValue>(held) : [held]) {
      cached(index, value, (): Row[] => []).push(row);
    }
  }
  return index;
}

/**
 * Creates the stores by block of tables whose writes are all known: the tables at a base block, which earlier blocks
 * also get, and the writes after it.
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
  const unread = groupBy(writes, ({ entity }) => entity);
  const tables = once(base);
  return createStoreVersions({
    baseBlock,
    table: (entity) => ({
      rows: () => tables().get(entity) ?? NO_ROWS,
      writtenAt: () => baseBlock,
      writesUntil: () => unread.get(entity)?.splice(0) ?? [],
    }),
    lastWriteAt: (block) => blocks[countUpTo(blocks, block) - 1] ?? baseBlock,
    mayHold: () => true,
  });
}

/** The rows that hold a value can be most of a table. */
const MOST_MATCHES = 256;

/**
 * Combines several stores, with their rows one after the other. Lookups by id and by value use the stores' own
 * indexes.
 */
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
