import { cached, once } from "../../../src/base/collections.ts";
import { createMemo } from "../../styles/create-memo.ts";
import type { Row, RowStore, RowValue } from "../../styles/read-view.ts";
import { createTableVersions, type TableVersions } from "./create-table-versions.ts";
import { type IndexedTable, indexTable } from "./index-table.ts";

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

  const createTable = (entity: string) => indexTable(() => base().get(entity) ?? NONE);
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
        mayHold(entity, field, value) ? tableAt(entity).matching(field, value) : NONE,
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

const NONE: readonly Row[] = [];
