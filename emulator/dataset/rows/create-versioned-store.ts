import type { RowStore } from "../../styles/read-view.ts";
import { countUpTo } from "./create-overlay.ts";
import { createStoreVersions, type Tables, type Write } from "./create-store-versions.ts";

/** Rows over blocks that are known as they are written. */
export type VersionedStore = {
  /**
   * Writes rows, at blocks after the base block and all blocks written before. The order within one call does not
   * matter but for two writes of the same row at the same block, of which the later one counts.
   *
   * @throws RangeError for a block that is not after them.
   */
  readonly append: (writes: readonly Write[]) => void;
  /** The rows after a block: the same object for blocks between which nothing was written. */
  readonly at: (block: number) => RowStore;
};

/**
 * Creates a versioned store over the tables as they are at a base block; any earlier block answers the same. The
 * tables are made when a row is first asked for.
 *
 * @example
 * ```ts
 * const store = createVersionedStore({ base: () => new Map([["Asset", []]]), baseBlock: 100 });
 * store.append([{ block: 120, entity: "Asset", id: "a", row: { id: "a", symbol: "A" } }]);
 * store.at(119) === store.at(100); // and store.at(120) has the new row
 * ```
 */
export function createVersionedStore({
  base,
  baseBlock,
}: {
  readonly base: () => Tables;
  readonly baseBlock: number;
}): VersionedStore {
  /** Sorted by block. */
  const writes: Write[] = [];
  const blocks: number[] = [];
  let given = 0;
  const versions = createStoreVersions({
    baseBlock,
    base,
    baseWrittenAt: () => baseBlock,
    mayHold: () => true,
    fixed: new Set(),
    lastWriteAt: (block) => blocks[countUpTo(blocks, block) - 1] ?? baseBlock,
    writesUntil: (block) => {
      const from = given;
      given = countUpTo(blocks, block);
      return writes.slice(from, given);
    },
  });
  return {
    append: (more) => {
      const last = blocks.at(-1) ?? baseBlock;
      const sorted = [...more].sort((a, b) => a.block - b.block);
      if (sorted[0] && sorted[0].block <= last) {
        throw new RangeError(
          `Block ${sorted[0].block} is not after block ${last}, which was written already.`,
        );
      }
      for (const write of sorted) {
        writes.push(write);
        blocks.push(write.block);
      }
    },
    at: versions.at,
  };
}
