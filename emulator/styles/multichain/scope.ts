import type { FragmentDefinitionNode } from "graphql";
import { hash } from "../../../src/base/hash.ts";
import type { ChainState, ReadView, Row, RowStore, RowValue } from "../read-view.ts";
import type { Budget } from "../served-style.ts";
import type { Reading } from "./kinds.ts";
import type { Relation, SchemaIndex, Table } from "./schema-index.ts";

/** The context of planning and answering one request. */
export type Scope = Reading & {
  readonly budget: Budget;
  readonly index: SchemaIndex;
  readonly data: Data;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** The row limit of a list, whatever its `limit` is; null for no limit. */
  readonly rowCap: number | null;
};

/** The rows of all tables in the read view of a request. */
export type Data = {
  readonly store: RowStore;
  readonly rows: (table: Table) => readonly Row[];
  readonly find: (table: Table, id: RowValue) => Row | undefined;
  /** The rows that hold a value; null if the table has no indexes. */
  readonly matching: (table: Table, field: string, value: RowValue) => readonly Row[] | null;
};

/** The rows whose field has a value. */
export type Holding = { readonly field: string; readonly value: RowValue };

/** Rows, and the value they all hold, if they were selected by it. */
export type RowsHolding = { readonly rows: readonly Row[]; readonly holding: Holding | null };

/** @param budget of the request, for rows found by an index; other rows are counted one by one. */
export function createData({ store, chains }: ReadView, platformRows: PlatformRows, { spend }: Budget): Data {
  return {
    store,
    rows: ({ isEntity, name }) => {
      const stored = store.rows(name);
      // A custom indexer may be given rows of the platform's tables.
      return isEntity || stored.length > 0 ? stored : platformRows(name, chains);
    },
    find: ({ isEntity, name }, id) => {
      spend(1);
      return isEntity ? findRow(store, name, id) : undefined;
    },
    matching: ({ isEntity, name }, field, value) => {
      if (!isEntity) return null;
      if (field !== "id") {
        const rows = store.matching(name, field, value);
        spend(1 + rows.length / INDEXED);
        return rows;
      }
      const row = findRow(store, name, value);
      return row === undefined ? [] : [row];
    },
  };
}

/** This many indexed rows cost as much as one scanned row. */
const INDEXED = 8;

/** By key; stores look ids up as text. */
function findRow(store: RowStore, entity: string, id: RowValue): Row | undefined {
  return typeof id === "string" ? store.find(entity, id) : store.matching(entity, "id", id)[0];
}

/** The rows of a platform table, for the current state of the chains. */
type PlatformRows = (table: string, chains: readonly ChainState[]) => readonly Row[];

/**
 * Creates the platform tables: one row per chain for progress tables, none for event tables, which are not kept.
 * Remembers when each chain was first synced, which must not change.
 */
export function createPlatformRows(release: string): PlatformRows {
  const ready = new Map<number, string>();
  const readyAt = ({ chainId, head, chainHead }: ChainState): string | null => {
    const firstTime = ready.get(chainId);
    if (firstTime !== undefined || head.number < chainHead) return firstTime ?? null;
    const time = toMicroseconds(head.timestamp);
    ready.set(chainId, time);
    return time;
  };
  return (table, chains) => {
    if (table === "persisted_state") return [persistedState(release)];
    const toRow = CHAIN_ROWS[table];
    return toRow === undefined ? [] : chains.map((chain) => toRow(chain, readyAt(chain)));
  };
}

const CHAIN_ROWS: Readonly<Record<string, (chain: ChainState, readyAt: string | null) => Row>> = {
  _meta: (chain, readyAt) => ({
    bufferBlock: chain.head.number,
    chainId: chain.chainId,
    ecosystem: "evm",
    endBlock: null,
    eventsProcessed: eventCount(chain),
    firstEventBlock: chain.startBlock,
    isReady: readyAt !== null,
    progressBlock: chain.head.number,
    progressBlockTime: toMicroseconds(chain.head.timestamp),
    readyAt,
    sourceBlock: chain.chainHead,
    startBlock: chain.startBlock,
  }),
  chain_metadata: (chain, readyAt) => ({
    block_height: chain.chainHead,
    chain_id: chain.chainId,
    ecosystem: "evm",
    end_block: null,
    first_event_block_number: chain.startBlock,
    is_hyper_sync: true,
    latest_fetched_block_number: chain.head.number,
    latest_processed_block: chain.head.number,
    num_batches_fetched: 0,
    num_events_processed: eventCount(chain),
    start_block: chain.startBlock,
    timestamp_caught_up_to_head_or_endblock: readyAt,
  }),
  end_of_block_range_scanned_data: ({ chainId, head }) => ({
    block_hash: head.hash,
    block_number: head.number,
    chain_id: chainId,
  }),
  event_sync_state: ({ chainId, head }) => ({
    block_number: head.number,
    block_timestamp: head.timestamp,
    chain_id: chainId,
    is_pre_registering_dynamic_contracts: false,
    log_index: 0,
  }),
};

/** Returns a value of `timestamptz`. */
function toMicroseconds(seconds: number): string {
  return (BigInt(seconds) * 1_000_000n).toString();
}

function persistedState(release: string): Row {
  return {
    abi_files_hash: hash("abi"),
    config_hash: hash("config"),
    envio_version: `${release}.0`,
    handler_files_hash: hash("handlers"),
    id: 1,
    schema_hash: hash("schema"),
  };
}

/** Events are not kept; one per block is a plausible count that grows with the chain. */
function eventCount({ startBlock, head }: ChainState): number {
  return head.number - startBlock + 1;
}

/** Follows an object relationship; undefined for null or a missing row. */
export function relatedRow(scope: Scope, table: Table, name: string): (row: Row) => Row | undefined {
  const { target, field } = relationOf(table, name);
  const related = scope.index.table(target);
  return (row) => {
    const id = row[field] ?? null;
    return id === null ? undefined : scope.data.find(related, id);
  };
}

/** Follows an array relationship, in order of writing. */
export function relatedRows(scope: Scope, table: Table, name: string): (row: Row) => readonly Row[] {
  const related = relatedSet(scope, table, name);
  return (row) => related(row).rows;
}

/** Follows an array relationship to the rows and their common value. */
export function relatedSet(scope: Scope, table: Table, name: string): (row: Row) => RowsHolding {
  const { target, field } = relationOf(table, name);
  const related = scope.index.table(target);
  return (row) => {
    const value = row["id"] ?? null;
    return { rows: scope.data.matching(related, field, value) ?? [], holding: { field, value } };
  };
}

/** The array relationship of an aggregate field `streams_aggregate`. */
export function aggregatedRelation(name: string): string {
  return name.slice(0, -"_aggregate".length);
}

function relationOf(table: Table, name: string): Relation {
  const relation = table.relations.get(name);
  if (!relation) throw new TypeError(`The table "${table.name}" has no relationship "${name}".`);
  return relation;
}
