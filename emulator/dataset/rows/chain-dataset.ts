import { once } from "../../../src/base/collections.ts";
import type { Protocol } from "../../../src/dialects/surface.ts";
import type { RowValue } from "../../styles/read-view.ts";
import type { ChainDataset } from "../dataset.ts";
import { assetRows, buildAssets } from "./build-assets.ts";
import { buildChainRows } from "./build-chain-rows.ts";
import { chainClock, chainPace } from "./chain-clock.ts";
import { createRandom } from "./create-random.ts";
import { createStoreVersions, type WrittenTable } from "./create-store-versions.ts";

type ChainDatasetOptions = {
  readonly seed: string;
  readonly protocol: Protocol;
  readonly chainId: number;
  /** Streams at the first head; null lets the seed decide. */
  readonly streams: number | null;
  /** The time of the first head, in Unix seconds; null lets the seed decide. */
  readonly asOf?: number | null | undefined;
};

/**
 * One chain of a reference indexer: its blocks, and its rows from the first readable block on. Both styles read the
 * same rows; entities of one style are generated for that style only.
 */
export function chainDataset({ seed, protocol, chainId, streams, asOf }: ChainDatasetOptions): ChainDataset {
  const clock = chainClock(seed, chainId, asOf);
  const { startBlock, earliestBlock, head, blockAt, findBlock } = clock;
  const source = `${seed}:${protocol}:${chainId}`;
  const pace = chainPace(source, earliestBlock);
  const random = createRandom(source);
  const natural = random.int(180, 320);
  const assets = buildAssets(random, chainId);
  const tableOf = once(() =>
    buildChainRows({ seed, protocol, chainId, random, clock, pace, assets, count: streams ?? natural }),
  );
  /** Available before any other row, because assets never change. */
  const assetTable: WrittenTable = {
    rows: () => assetRows(assets, chainId),
    writtenAt: (row, position) => tableOf()("Asset")?.writtenAt(row, position) ?? startBlock,
    writesUntil: () => [],
  };
  const versions = createStoreVersions({
    baseBlock: earliestBlock,
    table: (entity) => (entity === "Asset" ? assetTable : tableOf()(entity)),
    lastWriteAt: pace.lastUntil,
    mayHold: (entity, field, value) => {
      const chain = chainOfValue(entity, field, value);
      return chain === null || chain === String(chainId);
    },
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
