import type { Row } from "../../styles/read-view.ts";
import type { ChainClock } from "./chain-clock.ts";
import type { Books } from "./create-accounting.ts";
import type { Batch } from "./create-batches.ts";
import type { Action, Transaction } from "./create-event-log.ts";
import type { Stream } from "./stream.ts";

/** All that happened on a chain up to the first block whose rows are kept. Nothing of it ever changes. */
export type Past<S extends Stream> = {
  readonly clock: ChainClock;
  /** In order of creation. */
  readonly streams: readonly S[];
  /** In the chain's order. */
  readonly actions: readonly Action[];
  readonly transactions: readonly Transaction[];
  readonly batches: readonly Batch[];
  readonly batcherRows: readonly Row[];
  /** Entered when they are first asked for, since a subgraph never asks. */
  readonly books: () => PastBooks;
};

export type PastBooks = {
  /** They may go on being written; these rows stay. */
  readonly books: Books;
  readonly revenueRows: readonly Row[];
  readonly userRows: readonly Row[];
};
