import type { Row } from "../../model/rows.ts";
import type { Accounts } from "./build-accounts.ts";
import type { Asset } from "./build-assets.ts";
import type { ChainClock } from "./chain-clock.ts";
import type { Batches } from "./create-batches.ts";
import type { Ledger } from "./create-ledger.ts";
import type { Random } from "./create-random.ts";

/** What a protocol's rows are made of. */
export type World = {
  readonly random: Random;
  readonly clock: ChainClock;
  readonly ledger: Ledger;
  readonly batches: Batches;
  readonly accounts: Accounts;
  readonly assets: readonly Asset[];
  /** How many streams to open. */
  readonly streams: number;
};

/** A protocol's own part of a chain's rows. */
export type ProtocolRows = {
  readonly actions: readonly Row[];
  readonly streams: readonly Row[];
  readonly others: ReadonlyMap<string, readonly Row[]>;
};
