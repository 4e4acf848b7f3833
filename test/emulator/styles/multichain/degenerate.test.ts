import { describe, expect, it } from "vitest";
import { failure, serve } from "./support.ts";

const run = serve();

describe("aggregates without an aggregate function", () => {
  it.each([
    ["only a type name", "{ Parcel_aggregate { aggregate { __typename } } }"],
    ["two rows", "{ Parcel_aggregate(limit: 2) { aggregate { __typename } } }"],
    ["no matching row", '{ Parcel_aggregate(where: {id: {_eq: "nope"}}) { aggregate { __typename } } }'],
    ["skipped nodes", "{ Parcel_aggregate { nodes @skip(if: true) { id } } }"],
    ["skipped aggregate", "{ Parcel_aggregate { aggregate @include(if: false) { count } } }"],
    ["only the type name of an operator", "{ Parcel_aggregate { aggregate { max { __typename } } } }"],
  ])("error: %s", (_name, query) => {
    expect(failure(run(query))).toEqual(["database query error", "$", "unexpected"]);
  });

  it.each([
    [
      "exactly one row",
      "{ Parcel_aggregate(limit: 1) { aggregate { __typename } } }",
      { aggregate: { __typename: "Parcel_aggregate_fields" } },
    ],
    [
      "only the type name of the field",
      "{ Parcel_aggregate { __typename } }",
      { __typename: "Parcel_aggregate" },
    ],
    [
      "a type name with a count",
      "{ Parcel_aggregate { aggregate { __typename count } nodes @skip(if: true) { id } } }",
      { aggregate: { __typename: "Parcel_aggregate_fields", count: 4 } },
    ],
    [
      "a type name with nodes",
      "{ Parcel_aggregate(limit: 2) { aggregate { __typename } nodes { id } } }",
      { aggregate: { __typename: "Parcel_aggregate_fields" }, nodes: [{ id: "p1" }, { id: "p2" }] },
    ],
  ])("%s is answered", (_name, query, want) => {
    expect(run(query).data).toEqual({ Parcel_aggregate: want });
  });

  it("of a relationship repeat the parent for each related row, and return null without one", () => {
    expect(
      run("{ Depot(order_by: {id: asc}) { id parcels_aggregate { aggregate { __typename } } } }").data,
    ).toEqual({
      Depot: [
        { id: "d1", parcels_aggregate: { aggregate: { __typename: "Parcel_aggregate_fields" } } },
        { id: "d1", parcels_aggregate: { aggregate: { __typename: "Parcel_aggregate_fields" } } },
        { id: "d2", parcels_aggregate: { aggregate: { __typename: "Parcel_aggregate_fields" } } },
        { id: "d3", parcels_aggregate: null },
      ],
    });
    expect(run("{ Depot { id parcels_aggregate { nodes @include(if: false) { id } } } }").data).toEqual({
      Depot: [
        { id: "d1", parcels_aggregate: {} },
        { id: "d1", parcels_aggregate: {} },
        { id: "d2", parcels_aggregate: {} },
        { id: "d3", parcels_aggregate: null },
      ],
    });
  });

  it("error: an aggregate predicate with no or several functions", () => {
    for (const predicate of [
      "{}",
      "{count: {predicate: {_gt: 0}}, bool_or: {arguments: fragile, predicate: {_eq: true}}}",
    ]) {
      expect(failure(run(`{ Depot(where: {parcels_aggregate: ${predicate}}) { id } }`))).toEqual([
        "exactly one predicate should be specified",
        "$.selectionSet.Depot.args.where.parcels_aggregate",
        "validation-failed",
      ]);
    }
  });

  it.each([
    ["sum", "sum { ratio }"],
    ["avg, because its variance is computed with it", "avg { ratio }"],
    ["stddev", "stddev { ratio }"],
  ])("error: float8 overflows in %s", (_name, selection) => {
    const parcel = { id: "a", depot: "d1", fragile: true, sizes: [], state: "NEW", tags: [], weights: [] };
    const great = serve({
      rows: {
        Parcel: [
          { ...parcel, ratio: 1.7e308 },
          { ...parcel, id: "b", ratio: 1e308 },
        ],
      },
    });
    expect(failure(great(`{ Parcel_aggregate { aggregate { ${selection} } } }`))).toEqual([
      "value out of range: overflow",
      "$",
      "data-exception",
    ]);
  });

  it.each([
    ["a sum that overflows before there is a NaN", [1e308, 1e308, Number.NaN], "sum", null],
    ["a sum of a NaN", [Number.NaN, 1e308, 1e308], "sum", "NaN"],
    ["a variance after an infinity", [Number.POSITIVE_INFINITY, 1e308, 1e308], "var_pop", "NaN"],
    ["a standard deviation of one negative number", [-0.25], "stddev_pop", "0"],
    ["a sum that keeps the sign of zero", [-0, -0], "sum", "-0"],
  ])("float8: %s", (_name, ratios, operator, want) => {
    const parcel = { depot: "d1", fragile: true, sizes: [], state: "NEW", tags: [], weights: [] };
    const rows = ratios.map((ratio, index) => ({ ...parcel, id: String(index), ratio }));
    const answer = serve({ rows: { Parcel: rows } })(
      `{ Parcel_aggregate { aggregate { ${operator} { ratio } } } }`,
    );
    if (want === null) expect(failure(answer)[0]).toBe("value out of range: overflow");
    else expect(answer.data).toEqual({ Parcel_aggregate: { aggregate: { [operator]: { ratio: want } } } });
  });

  it.each([
    ["sum", "NaN"],
    ["avg", "NaN"],
    ["max", "NaN"],
    ["min", "-Infinity"],
    ["var_pop", "NaN"],
  ])("float8 %s of infinities and NaN", (operator, want) => {
    const parcel = { depot: "d1", fragile: true, sizes: [], state: "NEW", tags: [], weights: [] };
    const odd = serve({
      rows: {
        Parcel: ["Infinity", "-Infinity", "NaN"].map((ratio, index) => ({
          ...parcel,
          id: `${index}`,
          ratio,
        })),
      },
    });
    expect(odd(`{ Parcel_aggregate { aggregate { ${operator} { ratio } } } }`).data).toEqual({
      Parcel_aggregate: { aggregate: { [operator]: { ratio: want } } },
    });
  });
});
