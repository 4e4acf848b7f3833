import type { RowStore } from "../../model/rows.ts";
import type { ChainContent } from "../content.ts";
import { chainClock } from "./chain-clock.ts";
import { unionRowStore } from "./create-row-store.ts";

/** One chain of a reference indexer. Its rows are those of its head at every block. */
export function chainContent(seed: string, chainId: number, stores: readonly RowStore[]): ChainContent {
  const { startBlock, head } = chainClock(seed, chainId);
  const store = unionRowStore(stores);
  return {
    chainId,
    startBlock,
    earliestBlock: startBlock,
    firstHead: head.number,
    blockAt: (number) => ({ ...head, number }),
    findBlock: (hash) => (hash === head.hash ? head : undefined),
    storeAt: () => store,
  };
}
