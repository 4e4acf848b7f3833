import type { Row } from "../../model/rows.ts";
import type { Protocol } from "../../model/vocabulary.ts";
import { buildAccounts } from "./build-accounts.ts";
import { buildAssets } from "./build-assets.ts";
import { chainClock } from "./chain-clock.ts";
import { createBatches } from "./create-batches.ts";
import { createLedger, type Transaction } from "./create-ledger.ts";
import { createRandom } from "./create-random.ts";
import { buildFlowRows } from "./flow/build-flow-rows.ts";
import { buildLockupRows } from "./lockup/build-lockup-rows.ts";
import type { ProtocolRows, World } from "./world.ts";

/** What is made up for one protocol on one chain. */
export type ChainRows = {
  /** The rows by entity, as a subgraph of the chain has them. */
  readonly tables: ReadonlyMap<string, readonly Row[]>;
  /** Every transaction in order of block, from which the multichain indexers make their accounts. */
  readonly transactions: readonly Transaction[];
};

const BUILDERS: Readonly<Record<Protocol, (world: World) => ProtocolRows>> = {
  lockup: buildLockupRows,
  flow: buildFlowRows,
};

/**
 * Builds the rows of one protocol on one chain, which depend on nothing but these arguments.
 *
 * @param streams how many streams there are; null lets the seed decide, from 180 to 320.
 */
export function buildChainRows(
  seed: string,
  protocol: Protocol,
  chainId: number,
  streams: number | null,
): ChainRows {
  const random = createRandom(`${seed}:${protocol}:${chainId}`);
  const clock = chainClock(seed, chainId);
  const ledger = createLedger(clock, random);
  const batches = createBatches(chainId);
  const natural = random.int(180, 320);
  const made = BUILDERS[protocol]({
    random,
    clock,
    ledger,
    batches,
    accounts: buildAccounts(seed),
    assets: buildAssets(random, chainId),
    streams: streams ?? natural,
  });
  const { batches: batchRows, batchers } = batches.rows();
  const watcher = {
    id: String(chainId),
    actionCounter: String(made.actions.length),
    chainId: String(chainId),
    streamCounter: String(made.streams.length),
  };
  return {
    tables: new Map([
      ["Watcher", [watcher]],
      ["Stream", made.streams],
      ["Action", made.actions],
      ["Batch", batchRows],
      ["Batcher", batchers],
      ...made.others,
    ]),
    transactions: ledger.transactions(),
  };
}
