import { createStoreVersions, type StoreVersions, type Tables, type Write } from "./create-store-versions.ts";
import { countUpTo } from "./create-table-versions.ts";

/**
 * Creates the stores over blocks of tables all of whose writes are known: the tables are those of a base block, which
 * any earlier block has, too, and the writes come after it.
 *
 * @param writes in order of block. Of two writes of one row at one block the later one counts.
 * @example
 * ```ts
 * const write = { block: 120, entity: "Asset", id: "a", row: { id: "a", symbol: "A" } };
 * const { at } = createVersionedStore(100, () => new Map([["Asset", []]]), [write]);
 * at(119) === at(100); // and at(120) has the new row
 * ```
 */
export function createVersionedStore(
  baseBlock: number,
  base: () => Tables,
  writes: readonly Write[],
): StoreVersions {
  const blocks = writes.map(({ block }) => block);
  let given = 0;
  return createStoreVersions({
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
}
