import { cached } from "../../../src/base/collections.ts";
import type { Row } from "../../styles/read-view.ts";
import type { Transaction } from "./create-event-log.ts";

/** The streams of one transaction. */
export type Batch = {
  readonly id: string;
  readonly size: number;
  readonly creation: Transaction;
  readonly batcher: Batcher;
  /** Its position among the batches of its batcher; null with one stream only. */
  readonly position: number | null;
};

/** An account that creates streams; counts only batches of several. */
export type Batcher = {
  readonly id: string;
  batches: number;
  /** The block of the last one. */
  block: number;
};

export type Batches = {
  /** Opens the batch of a transaction for the account that creates its streams. */
  readonly open: (creation: Transaction, account: string, size: number) => Batch;
  /** All batches in order of creation. */
  readonly batches: () => readonly Batch[];
  /** The accounts with batches of several streams. */
  readonly batchers: () => readonly Batcher[];
};

export function createBatches(chainId: number): Batches {
  const batches: Batch[] = [];
  const batchers = new Map<string, Batcher>();
  return {
    open: (creation, account, size) => {
      const { block, hash } = creation;
      const batcher = cached(batchers, account, () => ({
        id: `batcher-${chainId}-${account}`,
        batches: 0,
        block,
      }));
      const id = `batch-${chainId}-${hash}-${account}`;
      const position = size > 1 ? batcher.batches++ : null;
      if (size > 1) batcher.block = block;
      const batch = { id, size, creation, batcher, position };
      batches.push(batch);
      return batch;
    },
    batches: () => batches,
    batchers: () => [...batchers.values()].filter(({ batches }) => batches > 0),
  };
}

export function batcherRow({ id, batches }: Batcher): Row {
  return { id, batchCounter: String(batches) };
}

export function batchRow({ id, size, creation, batcher, position }: Batch): Row {
  if (position === null) {
    return { id, hash: null, timestamp: null, batcher: null, position: null, size: String(size) };
  }
  return {
    id,
    hash: creation.hash,
    timestamp: String(creation.timestamp),
    batcher: batcher.id,
    position: String(position),
    size: String(size),
  };
}
