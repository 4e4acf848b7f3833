import { describe, expect, it } from "vitest";
import { failure, ids, readMark, serve } from "./support.ts";

const run = serve();
const parcels = (args: string): string => ids(run(`{ Parcel(${args}) { id } }`));

describe("rows, limits, paging", () => {
  it.each([
    ["limit", "limit: 2", "p1 p2"],
    ["limit: 0 returns no rows", "limit: 0", ""],
    ["limit: null counts as absent", "limit: null", "p1 p2 p3 p4"],
    ["offset", "offset: 2", "p3 p4"],
    ["offset: null counts as absent", "offset: null", "p1 p2 p3 p4"],
    ["offset beyond the end", "offset: 9", ""],
    ["offset before limit", "offset: 1, limit: 2", "p2 p3"],
    ["offset and limit after where", "where: {fragile: {_eq: true}}, offset: 1, limit: 1", "p4"],
    ["offset and limit after order_by", "order_by: {id: desc}, offset: 1, limit: 1", "p3"],
    ["limit after where and order_by", 'where: {id: {_neq: "p4"}}, order_by: {id: desc}, limit: 2', "p3 p2"],
  ])("%s", (_name, args, want) => {
    expect(parcels(args)).toBe(want);
  });

  it("by_pk returns a row, or null without a match", () => {
    expect(run('{ hit: Parcel_by_pk(id: "p2") { id } miss: Parcel_by_pk(id: "p9") { id } }').data).toEqual({
      hit: { id: "p2" },
      miss: null,
    });
  });

  it.each(["Int", "BigInt", "String"])("an id may be of type %s", (type) => {
    const id = type === "Int" ? 7 : "7";
    const ask = serve({
      release: "3.8",
      sdl: `type Box { id: ${type}! lids: [Lid!]! @derivedFrom(field: "box") } type Lid { id: ID! box: Box! }`,
      aggregates: [],
      rows: { Box: [{ id }, { id: type === "Int" ? 10 : "10" }], Lid: [{ id: "l", box: id }] },
    });
    const literal = type === "String" ? '"7"' : "7";
    const query = `{ Box_by_pk(id: ${literal}) { id lids { id box_id box { id } } }
      Box(where: {id: {_in: [${literal}]}}) { id } Lid(where: {box: {id: {_eq: ${literal}}}}) { id } }`;
    expect(ask(query).data).toEqual({
      Box_by_pk: { id, lids: [{ id: "l", box_id: id, box: { id } }] },
      Box: [{ id }],
      Lid: [{ id: "l" }],
    });
  });

  it("null and dangling references are null; an empty relation is []", () => {
    const query =
      '{ Parcel_by_pk(id: "p4") { depot { id } depot_id returnedTo { id } } Depot_by_pk(id: "d3") { parcels { id } } }';
    expect(run(query).data).toEqual({
      Parcel_by_pk: { depot: null, depot_id: "nowhere", returnedTo: null },
      Depot_by_pk: { parcels: [] },
    });
  });

  it("select arguments apply to each related list separately", () => {
    const args = "limit: 1, order_by: {id: desc}, where: {count: {_is_null: false}}";
    expect(run(`{ Depot { parcels(${args}) { id } } }`).data).toEqual({
      Depot: [{ parcels: [{ id: "p2" }] }, { parcels: [] }, { parcels: [] }],
    });
  });
});

describe("ordering", () => {
  it.each([
    ["asc: nulls last", "order_by: {count: asc}", "p2 p4 p1 p3"],
    ["desc: nulls first", "order_by: {count: desc}", "p3 p1 p4 p2"],
    ["asc_nulls_first", "order_by: {count: asc_nulls_first}", "p3 p2 p4 p1"],
    ["asc_nulls_last", "order_by: {count: asc_nulls_last}", "p2 p4 p1 p3"],
    ["desc_nulls_first", "order_by: {count: desc_nulls_first}", "p3 p1 p4 p2"],
    ["desc_nulls_last", "order_by: {count: desc_nulls_last}", "p1 p4 p2 p3"],
    ["a list of columns in its order", "order_by: [{fragile: desc}, {count: asc}]", "p2 p4 p1 p3"],
    ["a list of columns in reverse order", "order_by: [{count: asc}, {fragile: desc}]", "p2 p4 p1 p3"],
    ["a repeated column: the first is used", "order_by: [{id: desc}, {id: asc}]", "p4 p3 p2 p1"],
    ["keys of one object, not in document order", "order_by: {fragile: asc, id: desc}", "p4 p3 p2 p1"],
    ["[] does not order", "order_by: []", "p1 p2 p3 p4"],
    ["{} does not order", "order_by: {}", "p1 p2 p3 p4"],
    ["[{}] does not order", "order_by: [{}]", "p1 p2 p3 p4"],
    ["null does not order", "order_by: null", "p1 p2 p3 p4"],
    ["a null direction does not order", "order_by: [{count: null}, {id: desc}]", "p4 p3 p2 p1"],
    ["text by code point", "order_by: {title: asc}", "p2 p1 p4 p3"],
    ["numeric by value", "order_by: {weight: asc}", "p2 p1 p4 p3"],
    ["numeric with decimals", "order_by: {price: desc_nulls_last}", "p2 p4 p1 p3"],
    ["float8", "order_by: {ratio: asc}", "p4 p1 p2 p3"],
    ["timestamptz", "order_by: {sent: asc}", "p1 p4 p2 p3"],
    ["enum by declaration", "order_by: [{state: asc}, {id: asc}]", "p2 p1 p4 p3"],
    ["booleans: false < true", "order_by: [{fragile: asc}, {id: asc}]", "p1 p3 p2 p4"],
    ["arrays item by item", "order_by: [{tags: asc}]", "p4 p1 p3 p2"],
    ["jsonb", "order_by: {meta: asc}", "p4 p2 p1 p3"],
    ["a relationship, missing rows as null", "order_by: [{depot: {name: asc}}, {id: desc}]", "p2 p1 p3 p4"],
    ["a relationship, desc", "order_by: [{depot: {name: desc}}, {id: asc}]", "p4 p3 p1 p2"],
    [
      "two relationships deep",
      "order_by: [{depot: {parcels_aggregate: {count: desc}}}, {id: asc}]",
      "p4 p1 p2 p3",
    ],
    ["a null relationship does not order", "order_by: [{depot: null}, {id: desc}]", "p4 p3 p2 p1"],
  ])("%s", (_name, args, want) => {
    expect(parcels(args)).toBe(want);
  });

  it.each([
    ["count, 0 when empty", "{count: asc}", "d3 d2 d1"],
    ["max, null when empty", "{max: {id: asc}}", "d1 d2 d3"],
    ["max desc, nulls first", "{max: {id: desc}}", "d3 d2 d1"],
    ["sum of numerics", "{sum: {weight: desc_nulls_last}}", "d1 d2 d3"],
    ["sum of floats", "{sum: {ratio: asc}}", "d1 d2 d3"],
  ])("array relationship: %s", (_name, order, want) => {
    const args = `order_by: [{parcels_aggregate: ${order}}, {id: asc}]`;
    expect(ids(run(`{ Depot(${args}) { id } }`))).toBe(want);
  });

  it("text beyond U+FFFF is after all other text", () => {
    const Depot = ["\u{1F600}", "\uFF5E", "z", ""].map((name, index) => ({ id: `t${index}`, name }));
    expect(ids(serve({ rows: { Depot } })("{ Depot(order_by: {name: asc}) { id } }"))).toBe("t3 t2 t1 t0");
  });

  it("a repeated order returns the same rows", () => {
    expect(parcels("order_by: {count: asc}, limit: 1")).toBe("p2");
    expect(parcels("order_by: {count: asc}, offset: 1")).toBe("p4 p1 p3");
    expect(parcels("order_by: {count: desc}, offset: 1")).toBe("p1 p4 p2");
  });
});

describe("distinct_on", () => {
  it.each([
    ["without order_by is ordered by its columns", "distinct_on: depot_id", "p1 p3 p4"],
    ["two columns, ordered by both", "distinct_on: [fragile, depot_id]", "p1 p3 p2 p4"],
    [
      "with order_by returns the first row of each",
      "distinct_on: [depot_id], order_by: [{depot_id: asc}, {id: desc}]",
      "p2 p3 p4",
    ],
    [
      "columns covered in another order",
      "distinct_on: [depot_id, fragile], order_by: [{fragile: desc}, {depot_id: asc}]",
      "p2 p4 p1 p3",
    ],
    ["a repeated column", "distinct_on: [depot_id, depot_id], order_by: {depot_id: desc}", "p4 p3 p1"],
    ["nulls count as one value", "distinct_on: returnedTo_id", "p2 p1"],
    ["applies before limit and offset", "distinct_on: depot_id, offset: 1, limit: 1", "p3"],
    ["applies after where", 'distinct_on: depot_id, where: {id: {_neq: "p1"}}', "p2 p3 p4"],
    ["[] is ignored", "distinct_on: []", "p1 p2 p3 p4"],
    ["null is ignored", "distinct_on: null", "p1 p2 p3 p4"],
    ["an empty order_by is ignored", "distinct_on: depot_id, order_by: []", "p1 p3 p4"],
  ])("%s", (_name, args, want) => {
    expect(parcels(args)).toBe(want);
  });

  it.each([
    ["distinct_on: depot_id, order_by: {id: asc}"],
    ["distinct_on: [depot_id, fragile], order_by: {fragile: asc}"],
    ["distinct_on: depot_id, order_by: {depot: {id: asc}}"],
    ["distinct_on: [depot_id, fragile], order_by: [{fragile: asc}, {fragile: asc}]"],
  ])("refused: %s", (args) => {
    const { query, path } = readMark(`{ Parcel(¦¦${args}) { id } }`);
    const message = '"distinct_on" columns must match initial "order_by" columns';
    expect(failure(run(query))).toEqual([message, path, "validation-failed"]);
  });
});

describe("reads", () => {
  const traced = (query: string): string[] => {
    const reads: string[] = [];
    const answer = serve({ trace: (read) => reads.push(read) })(query);
    if (answer.errors) throw new Error(JSON.stringify(answer.errors));
    return reads;
  };

  it.each([
    ['{ Parcel_by_pk(id: "p1") { id depot { id } } }', ["find Parcel", "find Depot"]],
    ["{ Depot(limit: 1) { parcels { id } } }", ["rows Depot", "matching Parcel.depot"]],
  ])("%s", (query, want) => {
    expect(traced(query)).toEqual(want);
  });

  it.each([
    ['{id: {_eq: "p1"}}', ["find Parcel"]],
    ["{id: {_in: []}}", []],
    ['{id: {_in: ["p1", "p2", "p1"]}}', ["find Parcel", "find Parcel"]],
    ["{state: {_eq: NEW}}", ["matching Parcel.state"]],
    ['{_and: [{weight: {_eq: "100.0"}}]}', ["matching Parcel.weight"]],
    ['{depot_id: {_eq: "d3"}}', ["matching Parcel.depot"]],
    ['{depot: {id: {_eq: "d3"}}}', ["matching Parcel.depot"]],
    [
      '{_or: [{depot_id: {_eq: "d3"}}, {depot_id: {_eq: "d2"}}]}',
      ["matching Parcel.depot", "matching Parcel.depot"],
    ],
  ])("an index is used for %s", (where, want) => {
    expect(traced(`{ Parcel(where: ${where}, order_by: {id: asc}) { id } }`)).toEqual(want);
  });

  it.each([
    ["several values without order_by", '{ Parcel(where: {id: {_in: ["p2", "p1"]}}) { id } }', "Parcel"],
    [
      "_or of different fields",
      '{ Watcher(where: {_or: [{id: {_eq: "1"}}, {chainId: {_eq: "1"}}]}) { id } }',
      "Watcher",
    ],
    ["_not", '{ Watcher(where: {_not: {id: {_eq: "1"}}}) { id } }', "Watcher"],
    ["decimals in a small table", '{ Parcel(where: {price: {_eq: "9"}}) { id } }', "Parcel"],
  ])("no index is used for %s", (_name, query, entity) => {
    expect(new Set(traced(query))).toEqual(new Set([`rows ${entity}`]));
  });
});
