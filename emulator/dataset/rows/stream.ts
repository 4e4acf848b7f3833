import type { Row } from "../../styles/read-view.ts";
import type { Asset } from "./build-assets.ts";
import type { Batch } from "./create-batches.ts";
import type { Transaction } from "./create-event-log.ts";
import type { Random } from "./create-random.ts";

/** The state that streams of both protocols have. */
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
  readonly position: number;
  readonly startTime: number;
  readonly transferable: boolean;
  /** Whether its contract charges withdrawals. */
  readonly fees: boolean;
  withdrawn: bigint;
};

/** The part of a `Stream` row that both protocols share. */
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

/** A release of a contract, before its deployment on a chain. */
export type Release = {
  readonly alias: string;
  readonly version: string;
  readonly categories: readonly string[];
};

export type Contract = Release & {
  readonly address: string;
  /** The next token id of the ERC-721 contract. */
  readonly nextTokenId: () => number;
};

/** Creates the contracts of a chain, generation by generation. */
export function createContracts(
  random: Random,
  generations: readonly (readonly Release[])[],
): readonly (readonly Contract[])[] {
  return generations.map((releases) =>
    releases.map((release) => {
      let tokens = 0;
      return { ...release, address: random.hex(20), nextTokenId: () => ++tokens };
    }),
  );
}

/** The generation that was current after this share of the chain's history. */
export function currentGeneration(
  generations: readonly (readonly Contract[])[],
  progress: number,
): { readonly index: number; readonly contracts: readonly Contract[] } {
  const index = Math.min(generations.length - 1, Math.floor((progress * generations.length) / 100));
  return { index, contracts: generations[index] ?? [] };
}
