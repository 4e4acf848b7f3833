import { describe, expect, it } from "vitest";
import { createCustomChain } from "../../../emulator/custom/custom-chain.ts";

const NONE = new Map<string, readonly []>();
const HISTORY = createCustomChain(5, [
  { number: 100, tables: new Map([["A", [{ id: "a", n: 1 }, { id: 7 }]]]), deleted: new Map() },
  { number: 110, tables: new Map([["A", [{ id: "a", n: 2 }, { id: "b" }]]]), deleted: new Map() },
  { number: 120, tables: NONE, deleted: new Map([["A", ["b", "7"]]]) },
  { number: 130, tables: NONE, deleted: new Map() },
]);

describe("the chain of a custom indexer", () => {
  it("begins and ends with the given blocks", () => {
    expect(HISTORY).toMatchObject({ chainId: 5, startBlock: 100, earliestBlock: 100, firstHead: 130 });
  });

  it.each([
    [100, "7: undefined, a: 1"],
    [109, "7: undefined, a: 1"],
    [110, "7: undefined, a: 2, b: undefined"],
    [119, "7: undefined, a: 2, b: undefined"],
    [120, "a: 2"],
    [999, "a: 2"],
  ])("has at block %i the rows written up to it", (block, want) => {
    const rows = HISTORY.storeAt(block).rows("A");
    const shown = rows.map(({ id, n }) => `${id}: ${n}`);
    expect(shown.sort().join(", ")).toBe(want);
  });

  it("has the block of each row's last write, and finds numeric ids", () => {
    expect(HISTORY.storeAt(130).writtenAt("A", "a")).toBe(110);
    expect(HISTORY.storeAt(105).writtenAt("A", "a")).toBe(100);
    expect(HISTORY.storeAt(105).find("A", "7")).toEqual({ id: 7 });
    expect(HISTORY.storeAt(120).find("A", "7")).toBeUndefined();
    expect(HISTORY.storeAt(129)).toBe(HISTORY.storeAt(120));
  });

  it("has blocks that are linked by hash and can be found by hash", () => {
    for (const number of [100, 101, 130, 2 ** 31 - 1]) {
      const block = HISTORY.blockAt(number);
      expect(block.hash).toMatch(/^0x[0-9a-f]{64}$/);
      expect(block.parentHash).toBe(HISTORY.blockAt(number - 1).hash);
      expect(HISTORY.findBlock(block.hash)).toEqual(block);
    }
    expect(HISTORY.blockAt(101).timestamp - HISTORY.blockAt(100).timestamp).toBe(12);
    for (const hash of ["0x", "", `0x${"0".repeat(64)}`, HISTORY.blockAt(99).hash]) {
      expect(HISTORY.findBlock(hash)).toBeUndefined();
    }
    const other = createCustomChain(6, []);
    expect(other.blockAt(100).hash).not.toBe(HISTORY.blockAt(100).hash);
  });
});
