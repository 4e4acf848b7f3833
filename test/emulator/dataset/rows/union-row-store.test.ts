import { describe, expect, it } from "vitest";
import {
  createVersionedStore,
  unionRowStore,
} from "../../../../emulator/dataset/rows/create-store-versions.ts";
import type { Row } from "../../../../emulator/styles/read-view.ts";
import { createRowStore } from "../../../support/create-row-store.ts";

const ASSETS: readonly Row[] = [
  { id: "a", symbol: "USDC" },
  { id: "b", symbol: "WETH" },
  { id: "c", symbol: "USDC" },
  { id: "d", symbol: null },
];

function counted(rows: readonly Row[]) {
  let made = 0;
  const store = createRowStore(() => {
    made += 1;
    return new Map([["Asset", rows]]);
  }, 7);
  return { store, made: () => made };
}

describe("unionRowStore", () => {
  it("has the rows of all stores in order, and reads them lazily", () => {
    const first = counted(ASSETS.slice(0, 2));
    const second = counted(ASSETS.slice(2));
    const union = unionRowStore([first.store, second.store]);
    expect([first.made(), second.made()]).toEqual([0, 0]);
    expect(union.rows("Asset")).toEqual(ASSETS);
    expect(union.find("Asset", "d")).toBe(ASSETS[3]);
    expect(union.find("Asset", "z")).toBeUndefined();
    expect(union.matching("Asset", "symbol", "USDC")).toEqual([ASSETS[0], ASSETS[2]]);
    expect(union.matching("Asset", "symbol", "DAI")).toEqual([]);
    expect(union.rows("Asset")).toBe(union.rows("Asset"));
    expect(union.writtenAt("Asset", "d")).toBe(7);
  });

  it("matches a value with many rows", () => {
    const many = (start: number) =>
      Array.from({ length: 100 }, (_, index) => ({ id: `${start + index}`, symbol: index % 2 ? "A" : "B" }));
    const union = unionRowStore([counted(many(0)).store, counted(many(100)).store]);
    const all = [...many(0), ...many(100)];
    for (const symbol of ["A", "B", "A"]) {
      expect(union.matching("Asset", "symbol", symbol)).toEqual(all.filter((row) => row.symbol === symbol));
    }
    expect(union.matching("Asset", "id", "A")).toEqual([]);
  });

  it("has the rows of versioned stores at a block", () => {
    const still = counted(ASSETS.slice(0, 2)).store;
    const usdt = { id: "c", symbol: "USDT" };
    const base = new Map(Object.entries<readonly Row[]>({ Asset: ASSETS.slice(2), Pool: [{ id: "p" }] }));
    const moving = createVersionedStore(10, () => base, [
      { block: 12, entity: "Asset", id: "c", row: usdt },
      { block: 14, entity: "Asset", id: "d", row: null },
    ]);
    const [first, second] = [12, 14].map((block) => unionRowStore([still, moving.at(block)]));
    expect(second?.rows("Asset")).toEqual([ASSETS[0], ASSETS[1], usdt]);
    expect(second?.rows("Pool")).toEqual(first?.rows("Pool"));
  });
});
