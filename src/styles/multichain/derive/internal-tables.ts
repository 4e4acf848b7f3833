import type { ReleaseFeatures } from "../release.ts";
import { platformColumn, type Table, WRITE_TIMESTAMP } from "./tables.ts";

/** Every table the platform exposes of itself, in any release; none of them is an entity. */
export const INTERNAL_TABLE_NAMES: ReadonlySet<string> = new Set([
  "_meta",
  "chain_metadata",
  "dynamic_contract_registry",
  "end_of_block_range_scanned_data",
  "event_sync_state",
  "persisted_state",
  "raw_events",
]);

/** The tables and views a release exposes beside the entities. */
export function internalTables(features: ReleaseFeatures): Table[] {
  return features.bookkeeping === "tables"
    ? [...BOOKKEEPING_TABLES, rawEvents(features)]
    : [chainMetadataView(features), metaView(features), rawEvents(features)];
}

const CHAIN_METADATA = `
  block_height: Int! chain_id: Int! end_block: Int first_event_block_number: Int is_hyper_sync: Boolean!
  latest_fetched_block_number: Int! latest_processed_block: Int num_batches_fetched: Int! num_events_processed: Int
  start_block: Int! timestamp_caught_up_to_head_or_endblock: timestamptz`;

const BOOKKEEPING_TABLES: readonly Table[] = [
  table("chain_metadata", ["chain_id"], CHAIN_METADATA),
  table(
    "dynamic_contract_registry",
    ["id"],
    `chain_id: Int! contract_address: String! contract_type: contract_type! id: String!
    registering_event_block_number: Int! registering_event_block_timestamp: Int!
    registering_event_contract_name: String! registering_event_log_index: Int!
    registering_event_name: String! registering_event_src_address: String!`,
  ),
  table(
    "end_of_block_range_scanned_data",
    ["block_number", "chain_id"],
    "block_hash: String! block_number: Int! chain_id: Int!",
  ),
  table(
    "event_sync_state",
    ["chain_id"],
    `block_number: Int! block_timestamp: Int! chain_id: Int! is_pre_registering_dynamic_contracts: Boolean
    log_index: Int!`,
  ),
  table(
    "persisted_state",
    ["id"],
    `abi_files_hash: String! config_hash: String! envio_version: String! handler_files_hash: String! id: Int!
    schema_hash: String!`,
  ),
];

/** The columns of a view prove nothing about nulls, and a view has no key. */
function chainMetadataView({ counter, ecosystem }: ReleaseFeatures): Table {
  const columns = CHAIN_METADATA.replaceAll("!", "").replace("processed: Int", `processed: ${counter}`);
  return table("chain_metadata", [], columns + (ecosystem ? " ecosystem: String" : ""));
}

function metaView({ counter, ecosystem }: ReleaseFeatures): Table {
  return table(
    "_meta",
    [],
    `bufferBlock: Int chainId: Int ${ecosystem ? "ecosystem: String" : ""} endBlock: Int eventsProcessed: ${counter}
    firstEventBlock: Int isReady: Boolean progressBlock: Int readyAt: timestamptz sourceBlock: Int startBlock: Int`,
  );
}

function rawEvents({ eventId, serial, writeTimestamps }: ReleaseFeatures): Table {
  const events = table(
    "raw_events",
    ["serial"],
    `block_fields: jsonb! block_hash: String! block_number: Int! block_timestamp: Int! chain_id: Int!
    contract_name: String! event_id: ${eventId}! event_name: String! log_index: Int! params: jsonb!
    serial: ${serial}! src_address: String! transaction_fields: jsonb!`,
  );
  return writeTimestamps ? { ...events, columns: [...events.columns, WRITE_TIMESTAMP] } : events;
}

/** A table without relations, its columns as `name: Type`. */
function table(name: string, primaryKey: readonly string[], columns: string): Table {
  return {
    name,
    description: null,
    columns: [...columns.matchAll(/(\w+): (\S+)/g)].map(([, column = "", type = ""]) =>
      platformColumn(column, type),
    ),
    primaryKey,
    objectRelations: [],
    arrayRelations: [],
  };
}
