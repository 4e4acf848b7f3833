import { describe, expect, it } from "vitest";
import type { Row } from "../../../../emulator/styles/read-view.ts";
import { ROWS, serve } from "./support.ts";

const many: Row[] = Array.from({ length: 1200 }, (_, index) => ({
  ...ROWS["Parcel"]?.[0],
  id: `p${String(index).padStart(4, "0")}`,
  depot: "d1",
}));
const rows = { Depot: ROWS["Depot"] ?? [], Parcel: many };

describe("the operator's row cap", () => {
  it.each<[string, number | null | undefined, string, unknown]>([
    ["of 5 limits a list", 5, "{ Parcel { id } }", { Parcel: 5 }],
    ["of 5 overrides a greater limit", 5, "{ Parcel(limit: 9) { id } }", { Parcel: 5 }],
    ["of 5 keeps a smaller limit", 5, "{ Parcel(limit: 2) { id } }", { Parcel: 2 }],
    [
      "of 5 applies after an offset",
      5,
      "{ Parcel(order_by: {id: asc}, offset: 1197) { id } }",
      { Parcel: 3 },
    ],
    [
      "of 5 limits each related list",
      5,
      '{ Depot_by_pk(id: "d1") { parcels { id } } }',
      { Depot_by_pk: { parcels: 5 } },
    ],
    [
      "of 5 limits nodes, but not count",
      5,
      "{ Parcel_aggregate { aggregate { count } nodes { id } } }",
      { Parcel_aggregate: { aggregate: { count: 1200 }, nodes: 5 } },
    ],
    [
      "of 5 does not override a greater limit of an aggregate",
      5,
      "{ Parcel_aggregate(limit: 7) { aggregate { count } nodes { id } } }",
      { Parcel_aggregate: { aggregate: { count: 7 }, nodes: 5 } },
    ],
    ["of 0 returns no rows", 0, "{ Parcel { id } }", { Parcel: 0 }],
    [
      "of 0 does not affect by_pk",
      0,
      '{ Parcel_by_pk(id: "p0007") { id } }',
      { Parcel_by_pk: { id: "p0007" } },
    ],
    ["of null returns all rows", null, "{ Parcel { id } }", { Parcel: 1200 }],
    [
      "of null returns all nodes",
      null,
      "{ Parcel_aggregate { nodes { id } } }",
      { Parcel_aggregate: { nodes: 1200 } },
    ],
    ["is 1000 by default", undefined, "{ Parcel { id } }", { Parcel: 1000 }],
  ])("%s", (_name, rowCap, query, want) => {
    expect(countLists(serve({ rows, ...(rowCap === undefined ? {} : { rowCap }) })(query).data)).toEqual(
      want,
    );
  });
});

function countLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, countLists(item)]));
}
