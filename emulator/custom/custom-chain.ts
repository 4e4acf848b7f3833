import type { ChainDataset } from "../dataset/dataset.ts";
import { chainBlocks } from "../dataset/rows/chain-clock.ts";
import { createVersionedStore, type Write } from "../dataset/rows/create-store-versions.ts";
import type { Row } from "../styles/read-view.ts";
import type { ParsedBlock } from "./parse-rows.ts";

/** 2024-01-01T00:00:00Z, and the pace of Ethereum, so that block times are the same in every run. */
const FIRST_TIME = 1_704_067_200;
const SECONDS_PER_BLOCK = 12;

/** Creates the chain of a custom indexer: its blocks follow from their numbers, its rows are the parsed ones. */
export function createCustomChain(chainId: number, blocks: readonly ParsedBlock[]): ChainDataset {
  const [first, ...later] = blocks;
  const startBlock = first?.number ?? 0;
  const { at } = createVersionedStore(
    startBlock,
    () => first?.tables ?? new Map(),
    later.flatMap(blockWrites),
  );
  return {
    chainId,
    startBlock,
    earliestBlock: startBlock,
    firstHead: blocks.at(-1)?.number ?? startBlock,
    ...chainBlocks("custom", chainId, {
      earliestBlock: startBlock,
      timestampOf: (block) => FIRST_TIME + (block - startBlock) * SECONDS_PER_BLOCK,
    }),
    storeAt: at,
  };
}

function blockWrites({ number: block, tables, deleted }: ParsedBlock): Write[] {
  const writes: Write[] = [];
  for (const [entity, rows] of tables) {
    for (const row of rows) writes.push({ block, entity, id: String(row["id"]), row });
  }
  for (const [entity, ids] of deleted) {
    for (const id of ids) writes.push({ block, entity, id, row: null });
  }
  return writes;
}

/** Changes the rows of blocks, and deleted ones as rows that only have an id. */
export function mapRows(
  blocks: readonly ParsedBlock[],
  change: (entity: string, row: Row) => Row,
): ParsedBlock[] {
  return blocks.map(({ number, tables, deleted }) => ({
    number,
    tables: new Map(Array.from(tables, ([entity, rows]) => [entity, rows.map((row) => change(entity, row))])),
    deleted: new Map(
      Array.from(deleted, ([entity, ids]) => [entity, ids.map((id) => String(change(entity, { id })["id"]))]),
    ),
  }));
}
