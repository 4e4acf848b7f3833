import { once } from "../../../src/base/collections.ts";
import type { Protocol } from "../../../src/dialects/surface.ts";
import type { RowValue } from "../../styles/read-view.ts";
import type { ChainDataset } from "../dataset.ts";
import { assetRows } from "./build-assets.ts";
import { buildChainRows, chainAssets } from "./build-chain-rows.ts";
import { chainClock, chainPace } from "./chain-clock.ts";
import { createStoreVersions } from "./create-store-versions.ts";

type ChainDatasetOptions = {
  readonly seed: string;
  readonly protocol: Protocol;
  readonly chainId: number;
  /** Streams at the first head; null lets the seed decide. */
  readonly streams: number | null;
  /** The time of the first head, in Unix seconds; null lets the seed decide. */
  readonly asOf?: number | null | undefined;
};

/** The tables that never grow, available before any other row. */
const FIXED: ReadonlySet<string> = new Set(["Asset"]);

/**
 * One chain of a reference indexer: its blocks, and its rows from the first readable block on. Both styles read the
 * same rows; entities of one style are generated for that style only.
 */
export function chainDataset({ seed, protocol, chainId, streams, asOf }: ChainDatasetOptions): ChainDataset {
  const { startBlock, earliestBlock, head, blockAt, findBlock } = chainClock(seed, chainId, asOf);
  const pace = chainPace(`${seed}:${protocol}:${chainId}`, earliestBlock);
  const rows = once(() => buildChainRows({ seed, protocol, chainId, streams, asOf, pace }));
  const assets = () => assetRows(chainAssets(seed, protocol, chainId), chainId);
  const versions = createStoreVersions({
    baseBlock: earliestBlock,
    base: () => ({ get: (entity) => (entity === "Asset" ? assets() : rows().tables.get(entity)) }),
    baseWrittenAt: (entity, row, position) => rows().writtenAt(entity, row, position),
    mayHold: (entity, field, value) => {
      const chain = chainOfValue(entity, field, value);
      return chain === null || chain === String(chainId);
    },
    fixed: FIXED,
    lastWriteAt: pace.lastUntil,
    writesUntil: (block) => rows().writesUntil(block),
  });
  return {
    chainId,
    startBlock,
    earliestBlock,
    firstHead: head.number,
    blockAt,
    findBlock,
    storeAt: versions.at,
  };
}

/** The forms of ids and aliases. Each contains the chain id. */
const OF_ENTITY =
  /^(?:asset|action|batch|batcher|revenue|revenueTransaction|user|userTransaction)-([1-9]\d*)-/;
const OF_STREAM = /^(?:(?:segment|tranche)-)?(?:0x[0-9a-f]{40}|L[A-Z]\d?|FL\d?)-([1-9]\d*)-\d/;

/**
 * The id of the only chain that can have a value in a field; null if any chain can. Lookups by id skip the other
 * chains.
 */
export function chainOfValue(entity: string, field: string, value: RowValue): string | null {
  if (typeof value !== "string") return null;
  if (field === "chainId" || (field === "id" && entity === "Watcher")) return value;
  const match = OF_ENTITY.exec(value) ?? OF_STREAM.exec(value);
  return match?.[1] ?? null;
}
