import type { ChainState, Row } from "../../../model/rows.ts";

/**
 * The rows of the platform's own tables (E): one per chain where a table tells of progress, none in the
 * others. The emulator is always at the head of every chain.
 */
export function platformRows(table: string, chains: readonly ChainState[]): readonly Row[] {
  if (table === "_meta") return chains.map(metaRow);
  if (table === "chain_metadata") return chains.map(chainMetadataRow);
  return [];
}

function metaRow(chain: ChainState): Row {
  return {
    bufferBlock: chain.head.number,
    chainId: chain.chainId,
    ecosystem: "evm",
    endBlock: null,
    eventsProcessed: eventCount(chain),
    firstEventBlock: chain.startBlock,
    isReady: true,
    progressBlock: chain.head.number,
    readyAt: headTime(chain),
    sourceBlock: chain.head.number,
    startBlock: chain.startBlock,
  };
}

function chainMetadataRow(chain: ChainState): Row {
  return {
    block_height: chain.head.number,
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
    timestamp_caught_up_to_head_or_endblock: headTime(chain),
  };
}

/** Nothing keeps events here; one per block is as good a count as any and grows with the chain. */
function eventCount({ startBlock, head }: ChainState): number {
  return head.number - startBlock + 1;
}

/** In microseconds, as rows hold times. */
function headTime({ head }: ChainState): string {
  return (BigInt(head.timestamp) * 1_000_000n).toString();
}
