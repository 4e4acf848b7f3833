import { describe, expect, it } from "vitest";
import { failure, ids, ROWS, serve } from "./support.ts";

const run = serve();
const DANGLING = '{title: {_nilike: "\\\\"}}';

describe("what a small table is asked, and in which order", () => {
  it("rows without an order come as they were written, whatever they are looked up by", () => {
    expect(ids(run('{ Parcel(where: {id: {_in: ["p4", "p1", "p3"]}}) { id } }'))).toBe("p1 p3 p4");
    expect(ids(run('{ Parcel(where: {_or: [{id: {_eq: "p3"}}, {id: {_eq: "p2"}}]}) { id } }'))).toBe("p2 p3");
    expect(ids(run('{ Parcel(where: {depot_id: {_in: ["nowhere", "d2", "d1"]}}, limit: 2) { id } }'))).toBe(
      "p1 p2",
    );
  });

  it("a sum of float8 depends on the order of the rows, which is that of writing", () => {
    const Parcel = [0.1, 0.2, 0.3].map((ratio, index) => ({
      ...ROWS["Parcel"]?.[0],
      id: `x${9 - index}`,
      ratio,
    }));
    const answer = serve({ rows: { Parcel } })(
      '{ Parcel_aggregate(where: {id: {_in: ["x7", "x8", "x9"]}}) { aggregate { sum { ratio } } } }',
    );
    expect(answer.data).toEqual({
      Parcel_aggregate: { aggregate: { sum: { ratio: "0.6000000000000001" } } },
    });
  });

  it.each([
    ["before a comparison that no row passes", `[${DANGLING}, {count: {_eq: -1}}]`],
    ["before an id that is not there", `[${DANGLING}, {id: {_eq: "none"}}]`],
    ["with a null check that all rows pass", `[{id: {_is_null: false}}, ${DANGLING}]`],
    ["after a long list", `[{count: {_in: [-1, -2, -3]}}, ${DANGLING}]`],
    ["inside _not", `[{_not: ${DANGLING}}, {id: {_eq: "none"}}]`],
  ])("a pattern that fails is tried: %s", (_name, conditions) => {
    expect(failure(run(`{ Parcel(where: {_and: ${conditions}}) { id } }`))).toEqual([
      "LIKE pattern must not end with escape character",
      "$",
      "bad-request",
    ]);
  });

  it.each([
    ["after a comparison that no row passes", `[{count: {_eq: -1}}, ${DANGLING}]`],
    ["beside a list of one, wherever that is", `[${DANGLING}, {count: {_in: -1}}]`],
    ["beside an empty list", `[${DANGLING}, {count: {_in: []}}]`],
    ["beside a null check that no row passes", `[${DANGLING}, {id: {_is_null: true}}]`],
  ])("a pattern that fails is not tried: %s", (_name, conditions) => {
    expect(ids(run(`{ Parcel(where: {_and: ${conditions}}) { id } }`))).toBe("");
  });
});
