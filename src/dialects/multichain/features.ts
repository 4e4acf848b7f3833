import { type PlatformOrigin, platformOrigin } from "../origin.ts";
import { CHAIN_COLUMN, RAW_BYTES, WRITE_TIMESTAMP } from "./tables.ts";

/** The features that the platform adds to every API schema or changed between releases, with their names in reports. */
export const FEATURES = {
  meta: platformOrigin("_meta"),
  chainMetadata: platformOrigin("chain_metadata"),
  rawEvents: platformOrigin("raw_events"),
  /** The tables that 2.28 removed. */
  bookkeeping: platformOrigin("bookkeeping tables"),
  writeTimestamps: platformOrigin("db_write_timestamp"),
  ecosystem: platformOrigin("ecosystem"),
  progressBlockTime: platformOrigin("progressBlockTime"),
  floatCounters: platformOrigin("counters as Float"),
  bigintEventIds: platformOrigin("event ids as bigint"),
  /** One chain id of the indexer exceeds 32 bits. */
  bigintChainIds: platformOrigin("chain ids as bigint"),
  bigNumberLists: platformOrigin("lists of big numbers"),
  rawBytes: platformOrigin("bytes_type"),
  perChainEntities: platformOrigin("per-chain entities"),
  internalEntities: platformOrigin("internal entities"),
  descriptions: platformOrigin("descriptions"),
  subscriptions: platformOrigin("subscriptions"),
  streams: platformOrigin("streaming subscriptions"),
  listArguments: platformOrigin("list arguments"),
  filters: platformOrigin("filters"),
  order: platformOrigin("order_by"),
  rootFields: platformOrigin("root fields"),
  metaTypes: platformOrigin("introspection types"),
  directives: platformOrigin("directives"),
} satisfies Record<string, PlatformOrigin>;

/** Returns the feature of the aggregates of a table, which an operator may make public. */
export function aggregatesOf(table: string): PlatformOrigin {
  return platformOrigin(`aggregates of ${table}`);
}

/** Returns the feature of a table of the platform. */
export function tableFeature(table: string): PlatformOrigin {
  return TABLE_FEATURES.get(table) ?? FEATURES.bookkeeping;
}

export const TABLE_FEATURES: ReadonlyMap<string, PlatformOrigin> = new Map([
  ["_meta", FEATURES.meta],
  ["chain_metadata", FEATURES.chainMetadata],
  ["raw_events", FEATURES.rawEvents],
]);

/** Returns the feature of a column of a platform's table; its own name if no known release added or changed it. */
export function columnFeature(table: string, column: string): PlatformOrigin {
  return COLUMN_FEATURES.get(column) ?? platformOrigin(`${table}.${column}`);
}

/** The features that added or changed columns of the platform's tables. */
const COLUMN_FEATURES: ReadonlyMap<string, PlatformOrigin> = new Map([
  ["ecosystem", FEATURES.ecosystem],
  ["progressBlockTime", FEATURES.progressBlockTime],
  ["eventsProcessed", FEATURES.floatCounters],
  ["num_events_processed", FEATURES.floatCounters],
  ["event_id", FEATURES.bigintEventIds],
  ["serial", FEATURES.bigintEventIds],
  ["chainId", FEATURES.bigintChainIds],
  ["chain_id", FEATURES.bigintChainIds],
  [WRITE_TIMESTAMP.name, FEATURES.writeTimestamps],
]);

/** The features that add a column to the tables of entities. */
export const ADDED_COLUMNS: ReadonlyMap<string, PlatformOrigin> = new Map([
  [WRITE_TIMESTAMP.name, FEATURES.writeTimestamps],
  [CHAIN_COLUMN.name, FEATURES.perChainEntities],
]);

/** Returns the feature that adds a scalar if no entity uses it. */
export function scalarFeature(scalar: string): PlatformOrigin {
  return SCALAR_FEATURES.get(scalar) ?? platformOrigin(`comparisons of ${scalar}`);
}

export const SCALAR_FEATURES: ReadonlyMap<string, PlatformOrigin> = new Map([
  ["Float", FEATURES.floatCounters],
  ["bigint", FEATURES.bigintEventIds],
  [RAW_BYTES, FEATURES.rawBytes],
  ["numeric", FEATURES.bigintEventIds],
  [WRITE_TIMESTAMP.scalar, FEATURES.writeTimestamps],
  ["contract_type", FEATURES.bookkeeping],
]);
