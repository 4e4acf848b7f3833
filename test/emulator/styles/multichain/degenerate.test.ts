import { describe, expect, it } from "vitest";
import { failure, readMark, serve, serveParcels } from "./support.ts";

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

  it.each([
    ["aggregate { __typename }", { aggregate: { __typename: "Parcel_aggregate_fields" } }],
    ["nodes @include(if: false) { id }", {}],
  ])("of a relationship repeat the parent for each related row: %s", (selection, want) => {
    const query = `{ Depot(order_by: {id: asc}) { id parcels_aggregate { ${selection} } } }`;
    expect(run(query).data).toEqual({
      Depot: [
        { id: "d1", parcels_aggregate: want },
        { id: "d1", parcels_aggregate: want },
        { id: "d2", parcels_aggregate: want },
        { id: "d3", parcels_aggregate: null },
      ],
    });
  });

  it.each([
    ["{}"],
    ["{count: {predicate: {_gt: 0}}, bool_or: {arguments: fragile, predicate: {_eq: true}}}"],
  ])("error: the aggregate predicate %s", (predicate) => {
    const { query, path } = readMark(`{ Depot(where: {parcels_aggregate: ¦${predicate}}) { id } }`);
    const message = "exactly one predicate should be specified";
    expect(failure(run(query))).toEqual([message, path, "validation-failed"]);
  });

  it.each([
    ["sum", [1.7e308, 1e308]],
    // The variance is computed with the average.
    ["avg", [1.7e308, 1e308]],
    ["stddev", [1.7e308, 1e308]],
    ["sum", [1e308, 1e308, Number.NaN]],
  ])("error: float8 %s of %j overflows", (operator, ratios) => {
    const answer = serveParcels(
      "ratio",
      ratios,
    )(`{ Parcel_aggregate { aggregate { ${operator} { ratio } } } }`);
    expect(failure(answer)).toEqual(["value out of range: overflow", "$", "data-exception"]);
  });

  const ODD = ["Infinity", "-Infinity", "NaN"];
  it.each<[string, readonly (string | number)[], string]>([
    ["sum", [Number.NaN, 1e308, 1e308], "NaN"],
    ["var_pop", [Number.POSITIVE_INFINITY, 1e308, 1e308], "NaN"],
    ["stddev_pop", [-0.25], "0"],
    ["sum", [-0, -0], "-0"],
    ["sum", ODD, "NaN"],
    ["avg", ODD, "NaN"],
    ["max", ODD, "NaN"],
    ["min", ODD, "-Infinity"],
    ["var_pop", ODD, "NaN"],
  ])("float8 %s of %j is %s", (operator, ratios, want) => {
    const answer = serveParcels(
      "ratio",
      ratios,
    )(`{ Parcel_aggregate { aggregate { ${operator} { ratio } } } }`);
    expect(answer.data).toEqual({ Parcel_aggregate: { aggregate: { [operator]: { ratio: want } } } });
  });
});
