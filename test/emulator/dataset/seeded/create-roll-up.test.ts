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
    const rows = [null, "2", "3", null].map((value) => [1, "a", value] as const);
    expect(rollUp(fn, false, rows)).toBe(out);
    expect(rollUp(fn, false, [[1, "a", null]])).toBeNull();
  });

  it.each([
    [true, "2"],
    [false, "1"],
  ])("continues from bucket to bucket per dimension if it is cumulative: %s", (cumulative, out) => {
    const rows = ["a", "b", "a"].map((place, index) => [index + 1, place, "1"] as const);
    expect(rollUp("count", cumulative, rows)).toBe(out);
  });

  it("does not continue over buckets if a dimension is null", () => {
    const rows = [1, 3, 3].map((hour) => [hour, null, "1"] as const);
    expect(rollUp("count", true, rows)).toBe("2");
  });
});
