import { describe, expect, test } from "vitest";
import { deriveFrom, shapeOf, typeOf } from "./schema-shape.ts";

describe("orderBy", () => {
  test("lists every field, and scalar fields of single references one level down", () => {
    const schema = deriveFrom(`
      type Stream @entity {
        id: ID! asset: Asset! tags: [String!] actions: [Action!]! @derivedFrom(field: "stream")
      }
      type Asset @entity { id: ID! symbol: String! streams: [Stream!]! @derivedFrom(field: "asset") }
      type Action @entity { id: ID! stream: Stream! }
    `);
    expect(shapeOf(schema, "Stream_orderBy")).toEqual([
      ...["id", "asset", "asset__id", "asset__symbol", "tags", "actions"],
    ]);
    expect(shapeOf(schema, "Asset_orderBy")).toEqual(["id", "symbol", "streams"]);
    expect(shapeOf(schema, "Action_orderBy")).toEqual(["id", "stream", "stream__id"]);
  });

  test("includes derived references, interfaces and enums", () => {
    const schema = deriveFrom(`
      enum Kind { A }
      interface Party { id: ID! kind: Kind! home: Asset tags: [Kind!] }
      type Asset @entity { id: ID! party: Party! kind: Kind best: Bond @derivedFrom(field: "asset") }
      type Bond @entity { id: ID! asset: Asset! rate: Int }
    `);
    expect(shapeOf(schema, "Asset_orderBy")).toEqual([
      ...["id", "party", "party__id", "party__kind", "kind", "best", "best__id", "best__rate"],
    ]);
    expect(shapeOf(schema, "Party_orderBy")).toEqual([
      ...["id", "kind", "home", "home__id", "home__kind", "tags"],
    ]);
  });

  test("has no nested fields if the operator disabled child sorting", () => {
    const schema = deriveFrom(
      "type Stream @entity { id: ID! asset: Asset! } type Asset @entity { id: ID! }",
      {
        childSorting: false,
      },
    );
    expect(shapeOf(schema, "Stream_orderBy")).toEqual(["id", "asset"]);
  });

  test("treats a single aggregation as a scalar field of a child", () => {
    const schema = deriveFrom(`
      type Stream @entity { id: ID! asset: Asset! }
      type Asset @entity { id: ID! stats: Stats }
      type Data @entity(timeseries: true) { id: Int8! timestamp: Timestamp! }
      type Stats @aggregation(intervals: ["day"], source: "Data") {
        id: Int8! timestamp: Timestamp! n: Int! @aggregate(fn: "count")
      }`);
    expect(shapeOf(schema, "Stream_orderBy")).toEqual(["id", "asset", "asset__id", "asset__stats"]);
  });

  test("of an aggregation lists the aggregates last", () => {
    const sdl = `
      type Token @entity { id: ID! symbol: String }
      type Data @entity(timeseries: true) { id: Int8! timestamp: Timestamp! token: Token! amount: BigInt! }
      type Stats @aggregation(intervals: ["day"], source: "Data") {
        id: Int8! total: BigInt! @aggregate(fn: "sum", arg: "amount") timestamp: Timestamp! token: Token!
      }`;
    expect(shapeOf(deriveFrom(sdl, { release: "0.38" }), "Stats_orderBy")).toEqual([
      ...["id", "timestamp", "token", "token__id", "token__symbol", "total"],
    ]);
    expect(() => typeOf(deriveFrom(sdl, { release: "0.37" }), "Stats_orderBy")).toThrow("no type");
  });
});
