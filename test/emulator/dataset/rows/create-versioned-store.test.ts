import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Write } from "../../../../emulator/dataset/rows/create-store-versions.ts";
import { createVersionedStore } from "../../../../emulator/dataset/rows/create-store-versions.ts";
import type { Row } from "../../../../emulator/styles/read-view.ts";

const BASE = 100;
const ASSETS: readonly Row[] = [
  { id: "a", symbol: "USDC", tags: ["x", "y"] },
  { id: "b", symbol: "WETH", tags: [] },
  { id: "c", symbol: "USDC", tags: ["y", "y"] },
];

function write(block: number, id: string, row: Row | null, entity = "Asset"): Write {
  return { block, entity, id, row };
}

function versioned(writes: readonly Write[] = []) {
  let made = 0;
  const base = () => {
    made += 1;
    return new Map([["Asset", ASSETS]]);
  };
  return { ...createVersionedStore(BASE, base, writes), made: () => made };
}

const WRITES: readonly Write[] = [
  write(105, "d", { id: "d", symbol: "DAI", tags: ["x"] }),
  write(105, "a", { id: "a", symbol: "USDT", tags: ["z"] }),
  write(110, "b", null),
  write(120, "a", { id: "a", symbol: "USDC", tags: null }),
  write(120, "p", { id: "p" }, "Pool"),
];

describe("createVersionedStore", () => {
  it("creates its tables once, on the first read of a row", () => {
    const { at, made } = versioned(WRITES);
    const stores = [at(99), at(100), at(107), at(1_000)];
    expect(made()).toBe(0);
    for (const store of stores) store.find("Asset", "a");
    expect(made()).toBe(1);
  });

  it("returns the same store for blocks without a write between them", () => {
    const { at } = versioned(WRITES);
    expect(at(1)).toBe(at(104));
    expect(at(105)).toBe(at(109));
    expect(at(105)).not.toBe(at(104));
    expect(at(120)).toBe(at(999));
  });

  it("returns the same array of rows until the entity is written", () => {
    const { at } = versioned(WRITES);
    expect(at(100).rows("Asset")).toBe(ASSETS);
    expect(at(120).rows("Asset")).toBe(at(120).rows("Asset"));
    expect(at(110).rows("Pool")).toBe(at(100).rows("Pool"));
  });

  it.each([
    [100, ["a", "b", "c"], [100, 100, 100, 100]],
    [105, ["a", "b", "c", "d"], [105, 100, 100, 105]],
    [119, ["a", "c", "d"], [105, 110, 100, 105]],
    [120, ["a", "c", "d"], [120, 110, 100, 105]],
  ])("at block %i has the rows %j, written at %j", (block, ids, written) => {
    const store = versioned(WRITES).at(block);
    expect(store.rows("Asset").map((row) => row["id"])).toEqual(ids);
    expect(["a", "b", "c", "d"].map((id) => store.writtenAt("Asset", id))).toEqual(written);
  });

  it.each([
    [100, "symbol", "USDC", ["a", "c"]],
    [105, "symbol", "USDC", ["c"]],
    [105, "symbol", "USDT", ["a"]],
    [120, "symbol", "USDC", ["a", "c"]],
    [120, "symbol", "USDT", []],
    [105, "tags", "x", ["d"]],
    [105, "tags", "z", ["a"]],
    [119, "tags", "y", ["c"]],
    [120, "tags", null, ["a"]],
    [120, "nope", null, ["a", "c", "d"]],
  ])("at block %i matches %s %s", (block, field, value, want) => {
    const rows = versioned(WRITES).at(block).matching("Asset", field, value);
    expect(rows.map((row) => row["id"])).toEqual(want);
  });

  it("does not have a row that was written and later deleted", () => {
    const { at } = versioned([write(101, "x", { id: "x" }), write(102, "x", null)]);
    expect(at(101).find("Asset", "x")).toEqual({ id: "x" });
    expect(at(102).find("Asset", "x")).toBeUndefined();
  });

  it("uses the last of two writes in one block", () => {
    const { at } = versioned([...WRITES, write(121, "a", null), write(121, "a", { id: "a", symbol: "A" })]);
    expect(at(121).find("Asset", "a")).toEqual({ id: "a", symbol: "A" });
  });

  it("returns the same rows at every block as a plain map, in any order of reads", () => {
    const value = fc.constantFrom("u", "v", null);
    const row = fc.record({ symbol: value, tags: fc.option(fc.array(value, { maxLength: 3 })) });
    const id = fc.constantFrom("a", "b", "c", "d", "e", "f");
    const writes = fc.array(
      fc.record({ block: fc.integer({ min: 101, max: 112 }), id, row: fc.option(row, { freq: 4 }) }),
      { maxLength: 20 },
    );
    const questions = fc.array(fc.integer({ min: 99, max: 114 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(writes, questions, (all, blocks) => {
        const rows = all
          .map(({ block, id, row }) => write(block, id, row && { id, ...row }))
          .sort((a, b) => a.block - b.block);
        const store = versioned(rows);
        for (const block of blocks) check(store.at(block), rows, block);
      }),
    );
  });

  it("matches a value with many rows at each block", () => {
    const rows = Array.from({ length: 200 }, (_, n) => ({ id: `r${n}`, kind: n % 2 ? "a" : "b" }));
    const store = createVersionedStore(BASE, () => new Map([["Row", rows]]), [
      write(101, "r1", null, "Row"),
      write(102, "r2", { id: "r2", kind: "a" }, "Row"),
    ]);
    const first = [
      ["r1", "r3"],
      ["r3", "r5"],
      ["r2", "r3"],
    ];
    for (const block of [102, 100, 101, 102, 101]) {
      const { matching } = store.at(block);
      const ids = matching("Row", "kind", "a").map((row) => row["id"]);
      expect(ids.slice(0, 2)).toEqual(first[block - 100]);
      expect(matching("Row", "kind", "b")).toHaveLength(block === 102 ? 99 : 100);
    }
    expect(store.at(102).matching("Row", "kind", "a")).toBe(store.at(102).matching("Row", "kind", "a"));
  });
});

/** Compares a store with a plain map to which the same rows are written. */
function check(
  store: ReturnType<ReturnType<typeof versioned>["at"]>,
  writes: readonly Write[],
  block: number,
): void {
  const places = new Map<string, Row | null>(ASSETS.map((row) => [String(row["id"]), row]));
  for (const change of writes) if (change.block <= block) places.set(change.id, change.row);
  const rows = [...places.values()].filter((row) => row !== null);
  expect(store.rows("Asset")).toEqual(rows);
  for (const id of ["a", "b", "c", "d", "e", "f"]) {
    expect(store.find("Asset", id)).toEqual(places.get(id) ?? undefined);
  }
  for (const field of ["symbol", "tags"]) {
    for (const value of ["u", "v", "USDC", null]) {
      const holds = (held: unknown) =>
        Array.isArray(held) ? held.includes(value) : (held ?? null) === value;
      expect(store.matching("Asset", field, value)).toEqual(rows.filter((row) => holds(row[field])));
    }
  }
}
