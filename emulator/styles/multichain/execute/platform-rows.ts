import { hash } from "../../../../src/base/hash.ts";
import type { ChainState, Row } from "../../read-view.ts";

/** The rows of one of the platform's own tables (A.6, E), given the chains as they are. */
export type PlatformRows = (table: string, chains: readonly ChainState[]) => readonly Row[];

/**
 * Creates what makes the rows: one per chain where a table tells of progress, none in tables of events, which are
 * not kept. It remembers when each chain was synced for the first time, for that stays (E).
 */
export function createPlatformRows(release: string): PlatformRows {
  const ready = new Map<number, string>();
  const readyAt = ({ chainId, head, chainHead }: ChainState): string | null => {
    const known = ready.get(chainId);
    if (known !== undefined || head.number < chainHead) return known ?? null;
    const time = (BigInt(head.timestamp) * 1_000_000n).toString();
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

/** Nothing keeps events here; one per block is as good a count as any and grows with the chain. */
function eventCount({ startBlock, head }: ChainState): number {
  return head.number - startBlock + 1;
}
