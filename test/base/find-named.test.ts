import { describe, expect, it } from "vitest";
import { findNamed } from "../../src/base/collections.ts";

const many = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `n${index}`, index }));

describe("findNamed", () => {
  it.each([[0], [3], [16], [17], [500]])(
    "returns the same as find among %i items, the first of each name",
    (count) => {
      const items = [...many(count), ...many(count).map((item) => ({ ...item, index: -1 }))];
      for (const name of ["n0", "n2", "n16", "n499", "n500", "", "n", "constructor", "__proto__"]) {
        expect(findNamed(items, name)).toBe(items.find((item) => item.name === name));
      }
    },
  );

  it("indexes a long list once for many lookups", () => {
    let reads = 0;
    const items = many(500).map(({ name }) => ({
      get name() {
        reads++;
        return name;
      },
    }));
    for (let index = 0; index < 500; index++) findNamed(items, `n${index}`);
    expect(reads).toBeLessThan(5 * 500);
  });
});
