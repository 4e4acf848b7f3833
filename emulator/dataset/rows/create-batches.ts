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
export type Batcher = { readonly id: string; batches: number };

export type Batches = {
  /** Opens the batch of a transaction for the account that creates its streams. */
  readonly open: (creation: Transaction, account: string, size: number) => Batch;
  /** All batches in order of creation. */
  readonly batches: () => readonly Batch[];
  /** The current rows of the entity `Batcher`. */
  readonly batcherRows: () => Row[];
};

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
