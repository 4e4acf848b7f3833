import { describe, expect, it } from "vitest";
import { ids, serve } from "./support.ts";

const SDL = `type Bin {
  id: ID!
  load: BigDecimal @config(precision: 12, scale: 3)
  loads: [BigDecimal!] @config(precision: 12, scale: 3)
  whole: BigDecimal @config(precision: 12)
  free: BigDecimal
}`;

function bins(loads: readonly (string | null)[]): ReturnType<typeof serve> {
  const Bin = loads.map((load, index) => ({
    id: `b${index + 1}`,
    load,
    loads: load === null ? null : [load],
    whole: "7",
    free: load,
  }));
  return serve({ sdl: SDL, aggregates: ["Bin"], rows: { Bin } });
}

describe("columns with a configured scale", () => {
  it.each([
    ["0", "0.000"],
    ["2.5", "2.500"],
    ["2.5000", "2.500"],
    ["-1.2345", "-1.235"],
    ["1e1", "10.000"],
  ])("a numeric(12, 3) returns %s as %s", (given, want) => {
    expect(bins([given])("{ Bin { load loads whole } }").data).toEqual({
      Bin: [{ load: want, loads: [Number(want)], whole: "7" }],
    });
  });

  it("a null stays null", () => {
    expect(bins([null])("{ Bin { load loads } }").data).toEqual({ Bin: [{ load: null, loads: null }] });
  });

  it.each([
    ['{load: {_eq: "1.235"}}', "b1"],
    ['{load: {_eq: "1.2346"}}', ""],
    ['{load: {_in: ["1.235", "2"]}}', "b1 b3"],
    ['{load: {_gt: "1.2349"}}', "b1 b3"],
    ['{loads: {_contains: ["1.235"]}}', "b1"],
  ])("comparisons use the stored value: %s", (where, want) => {
    expect(ids(bins(["1.2346", "1", "2"])(`{ Bin(where: ${where}, order_by: {id: asc}) { id } }`))).toBe(
      want,
    );
  });

  it("order_by uses the stored value", () => {
    const run = bins(["1.0004", "1.0001", "0.9"]);
    expect(ids(run("{ Bin(order_by: [{load: desc}, {id: asc}]) { id } }"))).toBe("b1 b2 b3");
    expect(ids(run("{ Bin(order_by: [{free: asc}]) { id } }"))).toBe("b3 b2 b1");
  });

  it("aggregates use the stored values", () => {
    const answer = bins(["1", "2.0005"])(
      "{ Bin_aggregate { aggregate { sum { load } max { load } avg { load } count(columns: load) } } }",
    );
    expect(answer.data).toEqual({
      Bin_aggregate: {
        aggregate: {
          sum: { load: "3.001" },
          max: { load: "2.001" },
          avg: { load: "1.5005000000000000" },
          count: 2,
        },
      },
    });
  });
});
