import type { Row } from "../../styles/read-view.ts";
import type { ChainClock } from "./chain-clock.ts";
import type { Accounting } from "./create-accounting.ts";
import type { Batch } from "./create-batches.ts";
import type { Action, Transaction } from "./create-event-log.ts";
import type { Stream } from "./stream.ts";

/** All that happened on a chain up to the first block whose rows can be read. Nothing of it ever changes. */
export type ChainHistory<S extends Stream> = {
  readonly clock: ChainClock;
  /** In order of creation. */
  readonly streams: readonly S[];
  /** In the chain's order. */
  readonly actions: readonly Action[];
  readonly transactions: readonly Transaction[];
  readonly batches: readonly Batch[];
  readonly batcherRows: readonly Row[];
  /** Made when it is first asked for, since a subgraph never asks. */
  readonly accounting: () => HistoryAccounting;
};

export type HistoryAccounting = {
  /** It may be added to later; these rows stay. */
  readonly accounting: Accounting;
  readonly revenueRows: readonly Row[];
  readonly userRows: readonly Row[];
};
