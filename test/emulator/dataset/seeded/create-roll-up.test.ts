import { describe, expect, it } from "vitest";
import { createRollUp } from "../../../../emulator/dataset/seeded/create-seeded-table.ts";
import type { RowValue } from "../../../../emulator/styles/read-view.ts";

const HOUR = 3600;

/** Returns the aggregate of the last row's bucket. */
function rollUp(
  fn: string,
  cumulative: boolean,
  rows: readonly (readonly [hour: number, place: RowValue, value: RowValue])[],
): RowValue | undefined {
  const aggregates = new Map([["out", { fn, arg: fn === "count" ? null : "value", cumulative }]]);
  const state = createRollUp({ source: "S", intervals: ["hour"], aggregates }, ["place", "out"]);
  return rows
    .map(([hour, place, value]) =>
      state.add(
        new Map<string, RowValue>([
          ["timestamp", hour * HOUR],
          ["place", place],
          ["value", value],
        ]),
      ),
    )
    .at(-1)?.[0]
    ?.values.get("out");
}

describe("a roll-up", () => {
  it.each([
    ["first", "2"],
    ["last", "3"],
    ["sum", "5"],
    ["min", "2"],
    ["max", "3"],
  ])("ignores nulls: %s", (fn, out) => {
    expect(
      rollUp(fn, false, [
        [1, "a", null],
        [1, "a", "2"],
        [1, "a", "3"],
        [1, "a", null],
      ]),
    ).toBe(out);
    expect(rollUp(fn, false, [[1, "a", null]])).toBeNull();
  });

  it("continues from bucket to bucket if it is cumulative, per dimension", () => {
    expect(
      rollUp("count", true, [
        [1, "a", "1"],
        [2, "b", "1"],
        [3, "a", "1"],
      ]),
    ).toBe("2");
    expect(
      rollUp("count", false, [
        [1, "a", "1"],
        [2, "b", "1"],
        [3, "a", "1"],
      ]),
    ).toBe("1");
  });

  it("does not continue over buckets if a dimension is null", () => {
    expect(
      rollUp("count", true, [
        [1, null, "1"],
        [3, null, "1"],
        [3, null, "1"],
      ]),
    ).toBe("2");
  });
});
