import { describe, expect, it } from "vitest";
import { ids, ROWS, serve } from "./support.ts";

const run = serve();

describe("the order of rows in a small table", () => {
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
});
