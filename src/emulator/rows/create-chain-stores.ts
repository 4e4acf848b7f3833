import type { RowStore } from "../../model/rows.ts";
import type { Protocol } from "../../model/vocabulary.ts";
import { buildAccountingRows } from "./build-accounting-rows.ts";
import { buildChainRows, type ChainRows } from "./build-chain-rows.ts";
import { chainClock } from "./chain-clock.ts";
import { createRowStore } from "./create-row-store.ts";

/** The entities only the multichain indexers keep. */
const ACCOUNTING_ENTITIES: ReadonlySet<string> = new Set([
  "Revenue",
  "RevenueTransaction",
  "User",
  "UserTransaction",
]);

/**
 * Creates the stores of every protocol and chain: one of the rows every style has, one of the accounts. Both
 * styles read the same stores, so they agree on every chain. A store makes its rows when it is first read.
 */
export function createChainStores(
  seed: string,
  streams: number | null,
): (protocol: Protocol, chainId: number) => RowStore[] {
  const known = new Map<string, RowStore[]>();
  return (protocol, chainId) => {
    const key = `${protocol} ${chainId}`;
    let stores = known.get(key);
    if (stores === undefined) {
      let made: ChainRows | undefined;
      const rows = () => {
        made ??= buildChainRows(seed, protocol, chainId, streams);
        return made;
      };
      const { startBlock } = chainClock(seed, chainId);
      const accounting = createRowStore(() => buildAccountingRows(chainId, rows().transactions), startBlock);
      stores = [createRowStore(() => rows().tables, startBlock), onlyOf(accounting, ACCOUNTING_ENTITIES)];
      known.set(key, stores);
    }
    return stores;
  };
}

/** Keeps a store from making its rows for a question about entities it does not have. */
function onlyOf(store: RowStore, entities: ReadonlySet<string>): RowStore {
  return {
    rows: (entity) => (entities.has(entity) ? store.rows(entity) : []),
    find: (entity, id) => (entities.has(entity) ? store.find(entity, id) : undefined),
    matching: (entity, field, value) => (entities.has(entity) ? store.matching(entity, field, value) : []),
    writtenAt: store.writtenAt,
  };
}
