import { hash } from "../../src/base/hash.ts";
import type { ChainDataset } from "../dataset/dataset.ts";
import { createVersionedStore, type Write } from "../dataset/rows/create-store-versions.ts";
import type { Block, RowValue } from "../styles/read-view.ts";
import type { ParsedRows } from "./parse-rows.ts";

/** First block and head of an indexer that was given rows without blocks. */
const START_BLOCK = 1;
const HEAD_BLOCK = 1000;

/** 2024-01-01T00:00:00Z, and the pace of Ethereum, so that block times are the same in every run. */
const FIRST_TIME = 1_704_067_200;
const SECONDS_PER_BLOCK = 12;

/** Creates the chain of a custom indexer: its blocks follow from their numbers, its rows are the given ones. */
export function createCustomChain(chainId: number, { blocks, tables }: ParsedRows): ChainDataset {
  const startBlock = blocks?.[0]?.number ?? START_BLOCK;
  const firstHead = blocks?.at(-1)?.number ?? HEAD_BLOCK;
  const { at } = createVersionedStore(
    startBlock,
    () => blocks?.[0]?.tables ?? tables,
    (blocks ?? []).slice(1).flatMap(blockWrites),
  );
  return {
    chainId,
    startBlock,
    earliestBlock: startBlock,
    firstHead,
    blockAt: (number) => ({
      number,
      hash: blockHash(chainId, number),
      parentHash: blockHash(chainId, number - 1),
      timestamp: FIRST_TIME + (number - startBlock) * SECONDS_PER_BLOCK,
    }),
    findBlock(hash): Block | undefined {
      const number = numberOf(hash);
      return number >= startBlock && blockHash(chainId, number) === hash ? this.blockAt(number) : undefined;
    },
    storeAt: at,
  };
}

function blockWrites({ number, tables, deleted }: NonNullable<ParsedRows["blocks"]>[number]): Write[] {
  const writes: Write[] = [];
  for (const [entity, rows] of tables) {
    for (const row of rows) writes.push({ block: number, entity, id: String(row["id"]), row });
  }
  for (const [entity, ids] of deleted) {
    for (const id of ids) writes.push({ block: number, entity, id, row: null });
  }
  return writes;
}

/** The last four bytes hide the block's number, so that a block is found by hash without a table. */
function blockHash(chainId: number, number: number): string {
  const digest = hash(`block ${chainId} ${number}`).slice(0, 56);
  return `0x${digest}${((number ^ maskOf(digest)) >>> 0).toString(16).padStart(8, "0")}`;
}

function numberOf(hash: string): number {
  const match = /^0x([0-9a-f]{56})([0-9a-f]{8})$/.exec(hash);
  const [, digest = "", hidden = ""] = match ?? [];
  return match === null ? -1 : (Number.parseInt(hidden, 16) ^ maskOf(digest)) >>> 0;
}

function maskOf(digest: string): number {
  return Number.parseInt(hash(digest).slice(0, 8), 16);
}

/** Adds the chain id that the platform adds to every row of entities stored per chain. */
export function withChainIds(
  { blocks, tables }: ParsedRows,
  chainId: number,
  isPerChain: (entity: string) => boolean,
): ParsedRows {
  const extend = (all: ParsedRows["tables"]): ParsedRows["tables"] =>
    new Map(
      Array.from(all, ([entity, rows]) => [
        entity,
        isPerChain(entity) ? rows.map((row) => ({ ...row, chainId })) : rows,
      ]),
    );
  return {
    blocks: blocks?.map((block) => ({ ...block, tables: extend(block.tables) })) ?? null,
    tables: extend(tables),
  };
}

/**
 * Writes the ids of rows, and of what they refer to, in the form of a style.
 *
 * @param targetOf the entity whose ids a field holds; null where it holds none.
 */
export function withIds(
  { blocks, tables }: ParsedRows,
  writeId: (entity: string, id: string) => string,
  targetOf: (entity: string, field: string) => string | null,
): ParsedRows {
  const write = (target: string, value: RowValue): RowValue => {
    if (Array.isArray(value)) return value.map((one) => write(target, one));
    return typeof value === "string" ? writeId(target, value) : value;
  };
  const rewrite = (all: ParsedRows["tables"]): ParsedRows["tables"] =>
    new Map(
      Array.from(all, ([entity, rows]) => [
        entity,
        rows.map((row) =>
          Object.fromEntries(
            Object.entries(row).map(([name, value]): [string, RowValue] => {
              const target = targetOf(entity, name);
              return [name, target === null ? value : write(target, value)];
            }),
          ),
        ),
      ]),
    );
  return {
    blocks:
      blocks?.map(({ deleted, ...block }) => ({
        ...block,
        tables: rewrite(block.tables),
        deleted: new Map(
          Array.from(deleted, ([entity, ids]) => [entity, ids.map((id) => writeId(entity, id))]),
        ),
      })) ?? null,
    tables: rewrite(tables),
  };
}
