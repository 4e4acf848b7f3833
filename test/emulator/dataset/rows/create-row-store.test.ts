import { describe, expect, it } from "vitest";
import type { Row } from "../../../../emulator/styles/read-view.ts";
import { createRowStore } from "../../../support/create-row-store.ts";

const ASSETS: readonly Row[] = [
  { id: "a", symbol: "USDC", tags: ["stable", "six"] },
  { id: "b", symbol: "WETH", tags: [] },
  { id: "c", symbol: "USDC", tags: ["stable", "stable"] },
  { id: "d", symbol: null, tags: null },
];

function counted(rows: readonly Row[]) {
  let made = 0;
  const store = createRowStore(() => {
    made += 1;
    return new Map([["Asset", rows]]);
  }, 7);
  return { store, made: () => made };
}

describe("createRowStore", () => {
  it("creates its tables once, on the first read of a row", () => {
    const { store, made } = counted(ASSETS);
    expect(made()).toBe(0);
    store.rows("Asset");
    store.find("Asset", "a");
    store.matching("Nope", "id", "a");
    expect(made()).toBe(1);
  });

  it("returns rows in insertion order, and none for an unknown entity", () => {
    const { store } = counted(ASSETS);
    expect(store.rows("Asset")).toBe(ASSETS);
    expect(store.rows("Nope")).toEqual([]);
  });

  it.each([
    ["Asset", "b", ASSETS[1]],
    ["Asset", "z", undefined],
    ["Nope", "a", undefined],
  ])("finds %s %s", (entity, id, want) => {
    expect(counted(ASSETS).store.find(entity, id)).toBe(want);
  });

  it.each([
    ["symbol", "USDC", ["a", "c"]],
    ["symbol", "usdc", []],
    ["symbol", null, ["d"]],
    ["tags", "stable", ["a", "c"]],
    ["tags", null, ["d"]],
    ["nope", null, ["a", "b", "c", "d"]],
  ])("matches %s %s", (field, value, want) => {
    const found = counted(ASSETS).store.matching("Asset", field, value);
    expect(found.map((row) => row["id"])).toEqual(want);
  });
});
