import { describe, expect, it } from "vitest";
import { ROWS, serve } from "./support.ts";

const Parcel = Array.from({ length: 1200 }, (_, index) => ({
  ...ROWS["Parcel"]?.[0],
  id: `p${String(index).padStart(4, "0")}`,
}));
const rows = { Depot: ROWS["Depot"] ?? [], Parcel };
const DEFAULT = undefined;

describe("the operator's row cap", () => {
  it.each<[number | null | undefined, string, unknown]>([
    [5, "Parcel { id }", 5],
    [5, "Parcel(limit: 9) { id }", 5],
    [5, "Parcel(limit: 2) { id }", 2],
    [5, "Parcel(order_by: {id: asc}, offset: 1197) { id }", 3],
    [5, 'Depot_by_pk(id: "d1") { parcels { id } }', { parcels: 5 }],
    [5, "Parcel_aggregate { aggregate { count } nodes { id } }", { aggregate: { count: 1200 }, nodes: 5 }],
    [
      5,
      "Parcel_aggregate(limit: 7) { aggregate { count } nodes { id } }",
      { aggregate: { count: 7 }, nodes: 5 },
    ],
    [0, "Parcel { id }", 0],
    [0, 'Parcel_by_pk(id: "p0007") { id }', { id: "p0007" }],
    [null, "Parcel { id }", 1200],
    [null, "Parcel_aggregate { nodes { id } }", { nodes: 1200 }],
    [DEFAULT, "Parcel { id }", 1000],
    [DEFAULT, "Parcel(limit: 2000) { id }", 1000],
    [DEFAULT, "Parcel(limit: 7) { id }", 7],
    [DEFAULT, "Parcel(offset: 3) { id }", 1000],
    [DEFAULT, "Parcel(offset: 1195) { id }", 5],
    [DEFAULT, "Parcel(order_by: {id: asc}) { id }", 1000],
    [DEFAULT, "Parcel(distinct_on: id) { id }", 1000],
    [DEFAULT, 'Parcel(where: {depot: {id: {_eq: "d1"}}}) { id }', 1000],
    [DEFAULT, 'Depot_by_pk(id: "d1") { parcels { id } }', { parcels: 1000 }],
    [DEFAULT, "Depot(where: {parcels_aggregate: {count: {predicate: {_eq: 1200}}}}) { id }", 1],
    [
      DEFAULT,
      'Depot_by_pk(id: "d1") { parcels_aggregate { aggregate { count sum { count } } nodes { id } } }',
      { parcels_aggregate: { aggregate: { count: 1200, sum: { count: 3600 } }, nodes: 1000 } },
    ],
    [DEFAULT, 'Parcel_by_pk(id: "p1104") { id }', { id: "p1104" }],
  ])("of %s: %s", (rowCap, field, want) => {
    const ask = serve({ rows, ...(rowCap === undefined ? {} : { rowCap }) });
    expect(countLists(ask(`{ rows: ${field} }`).data)).toEqual({ rows: want });
  });
});

function countLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, countLists(item)]));
}
