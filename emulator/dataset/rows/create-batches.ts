import type { Row } from "../../styles/read-view.ts";
import type { Transaction } from "./create-event-log.ts";

/** The streams of one transaction. */
export type Batch = {
  readonly id: string;
  readonly size: number;
  readonly creation: Transaction;
  readonly batcher: Batcher;
  /** Place among the batches of its batcher; null when it has one stream only. */
  readonly position: number | null;
};

/** Who creates streams, counted only when several at once. */
export type Batcher = { readonly id: string; batches: number };

export type Batches = {
  /** Opens the batch of a transaction by the account that creates its streams. */
  readonly open: (creation: Transaction, account: string, size: number) => Batch;
  /** All batches in the order they were opened. */
  readonly batches: () => readonly Batch[];
  /** The rows of the entity `Batcher`, as they are now: of those who opened a batch of several streams. */
  readonly batcherRows: () => Row[];
};

/** Creates the register of a chain's batches. */
export function createBatches(chainId: number): Batches {
  const batches: Batch[] = [];
  const batchers = new Map<string, Batcher>();
  return {
    open: (creation, account, size) => {
      const known = batchers.get(account);
      const batcher = known ?? { id: `batcher-${chainId}-${account}`, batches: 0 };
      if (!known) batchers.set(account, batcher);
      const id = `batch-${chainId}-${creation.hash}-${account}`;
      const position = size > 1 ? batcher.batches++ : null;
      const batch = { id, size, creation, batcher, position };
      batches.push(batch);
      return batch;
    },
    batches: () => batches,
    batcherRows: () => [...batchers.values()].filter(({ batches }) => batches > 0).map(batcherRow),
  };
}

/** The row of the entity `Batcher`, of one who has created several streams at once. */
export function batcherRow({ id, batches }: Batcher): Row {
  return { id, batchCounter: String(batches) };
}

/** The row of the entity `Batch`. */
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
