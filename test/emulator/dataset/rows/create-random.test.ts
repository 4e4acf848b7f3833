import { describe, expect, it } from "vitest";
import { createRandom } from "../../../../emulator/dataset/rows/create-random.ts";

describe("createRandom", () => {
  it("returns the same values on every machine", () => {
    const random = createRandom("a seed");
    const drawn = [random.int(0, 999_999), random.hex(8), random.pick(["a", "b", "c"]), random.chance(50)];
    expect(drawn).toMatchInlineSnapshot(`
      [
        587724,
        "0xd020003ba52e31d5",
        "b",
        false,
      ]
    `);
  });

  it("int returns every value within its bounds, both included", () => {
    const random = createRandom("bounds");
    const drawn = new Set(Array.from({ length: 500 }, () => random.int(-2, 3)));
    expect([...drawn].sort((a, b) => a - b)).toEqual([-2, -1, 0, 1, 2, 3]);
  });

  it("picks by weight, and never an item of weight 0", () => {
    const random = createRandom("weights");
    const drawn = Array.from({ length: 1000 }, () =>
      random.pickWeighted(["never", "often", "seldom"], [0, 9, 1]),
    );
    const seldom = drawn.filter((item) => item === "seldom").length;
    expect(drawn).not.toContain("never");
    expect(seldom).toBeGreaterThan(50);
    expect(seldom).toBeLessThan(150);
  });

  it("error: picks from an empty list", () => {
    expect(() => createRandom("nothing").pickWeighted([], [])).toThrow(RangeError);
  });

  it.each([4, 20, 32])("hex returns %i bytes", (bytes) => {
    expect(createRandom("hex").hex(bytes)).toMatch(new RegExp(`^0x[0-9a-f]{${bytes * 2}}$`));
  });
});
