import type { Row } from "../../styles/read-view.ts";
import type { Asset } from "./build-assets.ts";
import type { Batch } from "./create-batches.ts";
import type { Contract } from "./create-contracts.ts";
import type { Transaction } from "./create-event-log.ts";

/** What a stream of either protocol is while things happen to it. */
export type Stream = {
  readonly id: string;
  readonly subgraphId: number;
  readonly tokenId: number;
  readonly contract: Contract;
  readonly category: string;
  readonly asset: Asset;
  readonly sender: string;
  recipient: string;
  readonly creation: Transaction;
  readonly batch: Batch;
  /** Place in the batch. */
  readonly position: number;
  readonly startTime: number;
  readonly transferable: boolean;
  /** Whether its contract asks a fee of withdrawals. */
  readonly fees: boolean;
  withdrawn: bigint;
};

/** The part of a row of the entity `Stream` that both protocols have. */
export function streamRow(stream: Stream, chainId: number): Row {
  const { id, contract, tokenId, asset, creation } = stream;
  return {
    id,
    alias: `${contract.alias}-${chainId}-${tokenId}`,
    chainId: String(chainId),
    subgraphId: String(stream.subgraphId),
    tokenId: String(tokenId),
    hash: creation.hash,
    timestamp: String(creation.timestamp),
    asset: asset.id,
    assetDecimalsValue: String(asset.decimals),
    batch: stream.batch.id,
    category: stream.category,
    contract: contract.address,
    position: String(stream.position),
    recipient: stream.recipient,
    sender: stream.sender,
    startTime: String(stream.startTime),
    transferable: stream.transferable,
    version: contract.version,
    withdrawnAmount: String(stream.withdrawn),
  };
}
