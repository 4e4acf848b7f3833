import { describe, expect, it } from "vitest";
import type { Row } from "../../../../emulator/styles/read-view.ts";
import { ROWS, serve } from "./support.ts";

const many: Row[] = Array.from({ length: 1200 }, (_, index) => ({
  ...ROWS["Parcel"]?.[0],
  id: `p${String(index).padStart(4, "0")}`,
  depot: "d1",
}));
const rows = { Depot: ROWS["Depot"] ?? [], Parcel: many };

describe("the cap of rows is the operator's", () => {
  it.each<[string, number | null | undefined, string, unknown]>([
    ["of 5: a list", 5, "{ Parcel { id } }", { Parcel: 5 }],
    ["of 5: a greater limit", 5, "{ Parcel(limit: 9) { id } }", { Parcel: 5 }],
    ["of 5: a smaller limit", 5, "{ Parcel(limit: 2) { id } }", { Parcel: 2 }],
    ["of 5: after an offset", 5, "{ Parcel(order_by: {id: asc}, offset: 1197) { id } }", { Parcel: 3 }],
    [
      "of 5: each related list",
      5,
      '{ Depot_by_pk(id: "d1") { parcels { id } } }',
      { Depot_by_pk: { parcels: 5 } },
    ],
    [
      "of 5: nodes, not what is counted",
      5,
      "{ Parcel_aggregate { aggregate { count } nodes { id } } }",
      { Parcel_aggregate: { aggregate: { count: 1200 }, nodes: 5 } },
    ],
    [
      "of 5: not the rows a limit leaves to aggregate",
      5,
      "{ Parcel_aggregate(limit: 7) { aggregate { count } nodes { id } } }",
      { Parcel_aggregate: { aggregate: { count: 7 }, nodes: 5 } },
    ],
    ["of 0", 0, "{ Parcel { id } }", { Parcel: 0 }],
    ["of 0: a key", 0, '{ Parcel_by_pk(id: "p0007") { id } }', { Parcel_by_pk: { id: "p0007" } }],
    ["none", null, "{ Parcel { id } }", { Parcel: 1200 }],
    ["none: nodes", null, "{ Parcel_aggregate { nodes { id } } }", { Parcel_aggregate: { nodes: 1200 } }],
    ["the hosted one", undefined, "{ Parcel { id } }", { Parcel: 1000 }],
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
