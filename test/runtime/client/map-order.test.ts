import { describe, expect, it } from "vitest";
import { IndexerError } from "../../../packages/client/src/client/indexer-error.ts";
import type { FilterTable } from "../../../packages/client/src/variables/map-filter.ts";
import { mapOrder } from "../../../packages/client/src/variables/map-filter.ts";
import { catchError } from "../../support/catch-error.ts";

const table: FilterTable = {
  columns: {
    id: "id",
    amount: "bigInt",
    kind: "enum",
    at: "timestamp",
    asset: "reference text",
    tags: "list text",
    amount_in: "orderOnly bigInt",
    kind_in: "orderOnly enum",
    amount__usd: "bigInt",
    constructor: "text" as const,
  },
  related: {
    asset: { id: "text", symbol: "text", kind: "enum", owner: "reference bytes" },
    streams: { id: "text" },
  },
};

const inner: FilterTable = { ...table, related: {} };

describe("mapOrder", () => {
  it.each<[string, unknown, unknown, object]>([
    ["an omitted order", undefined, "desc", [{ id: "asc" }]],
    ["a column", "amount", "desc", [{ amount: "desc" }, { id: "desc" }]],
    ["the id", "id", "desc", [{ id: "desc" }]],
    ["a timestamp", "at", "asc", [{ at: "asc" }, { id: "asc" }]],
    ["a reference's column", "asset__symbol", "desc", [{ asset: { symbol: "desc" } }, { id: "desc" }]],
    ["a column whose name reads as an operator", "amount_in", "asc", [{ amount_in: "asc" }, { id: "asc" }]],
    ["a name that objects inherit", "constructor", "asc", [{ constructor: "asc" }, { id: "asc" }]],
  ])("maps %s", (_, order, direction, want) => {
    expect(mapOrder(table, order, direction, false)).toEqual(want);
    expect(mapOrder(table, order, direction, true)).toBe(order);
  });

  it.each<[string, unknown, unknown?]>([
    ["an enum", "kind"],
    ["an enum whose name reads as an operator", "kind_in"],
    ["a reference", "asset"],
    ["a list", "tags"],
    ["a reference's id", "asset__id"],
    ["a reference's enum", "asset__kind"],
    ["a reference of a reference", "asset__owner__id"],
    ["a list's column", "streams__id"],
    ["a name with a double underscore", "amount__usd"],
    ["an inherited name", "toString"],
    ["an inherited name as a reference", "toString__id"],
    ["null", null],
    ["a number", 5],
    ["an unknown direction", "amount", "asc_nulls_first"],
  ])("rejects %s in both styles", (_, order, direction = "asc") => {
    const errors = [false, true].map((isSubgraph) =>
      catchError(() => mapOrder(table, order, direction, isSubgraph)),
    );
    expect(errors[0]).toBeInstanceOf(IndexerError);
    expect(errors[0]).toMatchObject({ code: "invalid-variables" });
    expect(errors[1]).toEqual(errors[0]);
  });

  it("rejects a reference's column within a row", () => {
    expect(mapOrder(inner, "amount", "asc", false)).toEqual([{ amount: "asc" }, { id: "asc" }]);
    expect(() => mapOrder(inner, "asset__symbol", "asc", true, "by")).toThrow(
      "by must be a column that both styles can order by",
    );
  });
});
