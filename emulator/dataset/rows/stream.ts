import type { Row } from "../../styles/read-view.ts";
import type { Asset } from "./build-assets.ts";
import type { Batch } from "./create-batches.ts";
import type { Transaction } from "./create-event-log.ts";
import type { Random } from "./create-random.ts";

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

/** One release of a contract, before it is deployed on a chain. */
export type Release = {
  readonly alias: string;
  readonly version: string;
  /** The categories of stream it keeps. */
  readonly categories: readonly string[];
};

/** A contract of one chain. */
export type Contract = Release & {
  readonly address: string;
  /** The next token id, as an ERC-721 contract hands them out. */
  readonly nextTokenId: () => number;
};

/** Creates the contracts of a chain, generation by generation. */
export function createContracts(
  random: Random,
  generations: readonly (readonly Release[])[],
): readonly (readonly Contract[])[] {
  return generations.map((releases) => releases.map((release) => createContract(random, release)));
}

/** The generation that was current when this part of the chain's history had passed. */
export function currentGeneration(
  generations: readonly (readonly Contract[])[],
  progress: number,
): { readonly index: number; readonly contracts: readonly Contract[] } {
  const index = Math.min(generations.length - 1, Math.floor((progress * generations.length) / 100));
  return { index, contracts: generations[index] ?? [] };
}

function createContract(random: Random, release: Release): Contract {
  let tokens = 0;
  return { ...release, address: random.hex(20), nextTokenId: () => ++tokens };
}
