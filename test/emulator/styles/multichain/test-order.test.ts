import { describe, expect, it } from "vitest";
import { failure, ids, ROWS, serve } from "./support.ts";

const run = serve();
const DANGLING = '{title: {_nilike: "\\\\"}}';

describe("the order of conditions and rows in a small table", () => {
  it("rows without order_by are in insertion order, for any condition", () => {
    expect(ids(run('{ Parcel(where: {id: {_in: ["p4", "p1", "p3"]}}) { id } }'))).toBe("p1 p3 p4");
    expect(ids(run('{ Parcel(where: {_or: [{id: {_eq: "p3"}}, {id: {_eq: "p2"}}]}) { id } }'))).toBe("p2 p3");
    expect(ids(run('{ Parcel(where: {depot_id: {_in: ["nowhere", "d2", "d1"]}}, limit: 2) { id } }'))).toBe(
      "p1 p2",
    );
  });

  it("a sum of float8 adds rows in insertion order", () => {
    const Parcel = [0.1, 0.2, 0.3].map((ratio, n) => ({ ...ROWS["Parcel"]?.[0], id: `x${9 - n}`, ratio }));
    const query =
      '{ Parcel_aggregate(where: {id: {_in: ["x7", "x8", "x9"]}}) { aggregate { sum { ratio } } } }';
    expect(serve({ rows: { Parcel } })(query).data).toEqual({
      Parcel_aggregate: { aggregate: { sum: { ratio: "0.6000000000000001" } } },
    });
  });

  it.each([
    ["before a comparison without matches", `[${DANGLING}, {count: {_eq: -1}}]`],
    ["before an id without a match", `[${DANGLING}, {id: {_eq: "none"}}]`],
    ["with a null check that matches all rows", `[{id: {_is_null: false}}, ${DANGLING}]`],
    ["after a long list", `[{count: {_in: [-1, -2, -3]}}, ${DANGLING}]`],
    ["inside _not", `[{_not: ${DANGLING}}, {id: {_eq: "none"}}]`],
  ])("an invalid pattern is evaluated: %s", (_name, conditions) => {
    expect(failure(run(`{ Parcel(where: {_and: ${conditions}}) { id } }`))).toEqual([
      "LIKE pattern must not end with escape character",
      "$",
      "bad-request",
    ]);
  });

  it.each([
    ["after a comparison without matches", `[{count: {_eq: -1}}, ${DANGLING}]`],
    ["with a one-item list without a match", `[${DANGLING}, {count: {_in: -1}}]`],
    ["with an empty list", `[${DANGLING}, {count: {_in: []}}]`],
    ["with a null check without matches", `[${DANGLING}, {id: {_is_null: true}}]`],
  ])("an invalid pattern is not evaluated: %s", (_name, conditions) => {
    expect(ids(run(`{ Parcel(where: {_and: ${conditions}}) { id } }`))).toBe("");
  });
});
