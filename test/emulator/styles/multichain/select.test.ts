import { describe, expect, it } from "vitest";
import type { Row } from "../../../../emulator/styles/read-view.ts";
import { failure, ids, ROWS, serve } from "./support.ts";

const run = serve();
const parcels = (args: string): string => ids(run(`{ Parcel(${args}) { id } }`));
const depots = (args: string): string => ids(run(`{ Depot(${args}) { id } }`));

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
    expect(
      ask(`{ Box_by_pk(id: ${literal}) { id lids { id box_id box { id } } }
               Box(where: {id: {_in: [${literal}]}}) { id } Lid(where: {box: {id: {_eq: ${literal}}}}) { id } }`)
        .data,
    ).toEqual({
      Box_by_pk: { id, lids: [{ id: "l", box_id: id, box: { id } }] },
      Box: [{ id }],
      Lid: [{ id: "l" }],
    });
  });

  it("null and dangling references are null; an empty relation is []", () => {
    expect(
      run(
        '{ Parcel_by_pk(id: "p4") { depot { id } depot_id returnedTo { id } } Depot_by_pk(id: "d3") { parcels { id } } }',
      ).data,
    ).toEqual({
      Parcel_by_pk: { depot: null, depot_id: "nowhere", returnedTo: null },
      Depot_by_pk: { parcels: [] },
    });
  });

  it("select arguments apply to each related list separately", () => {
    expect(
      run(
        "{ Depot { id parcels(limit: 1, order_by: {id: desc}, where: {count: {_is_null: false}}) { id } } }",
      ).data,
    ).toEqual({
      Depot: [
        { id: "d1", parcels: [{ id: "p2" }] },
        { id: "d2", parcels: [] },
        { id: "d3", parcels: [] },
      ],
    });
  });

  describe("the cap of 1000 rows", () => {
    const many: Row[] = Array.from({ length: 1005 }, (_, index) => ({
      ...ROWS["Parcel"]?.[0],
      id: `p${index}`,
      depot: "d1",
    }));
    const capped = serve({ rows: { Depot: ROWS["Depot"] ?? [], Parcel: many } });
    const count = (args: string): number =>
      (capped(`{ Parcel${args} { id } }`).data as { Parcel: unknown[] }).Parcel.length;

    it.each([
      ["limits a list without a limit", "", 1000],
      ["overrides a greater limit", "(limit: 2000)", 1000],
      ["keeps a smaller limit", "(limit: 7)", 7],
      ["applies after offset", "(offset: 3)", 1000],
      ["applies after offset near the end", "(offset: 1000)", 5],
      ["limits an ordered list", "(order_by: {id: asc})", 1000],
      ["limits a distinct list", "(distinct_on: id)", 1000],
      ["limits a filtered list", '(where: {depot: {id: {_eq: "d1"}}})', 1000],
    ])("%s", (_name, args, want) => {
      expect(count(args)).toBe(want);
    });

    it("limits related lists and nodes, but not aggregates, predicates or by_pk", () => {
      const data = capped(`{
        Depot(where: {parcels_aggregate: {count: {predicate: {_eq: 1005}}}}) {
          parcels { id }
          parcels_aggregate { aggregate { count sum { count } } nodes { id } }
        }
        Parcel_aggregate { aggregate { count } nodes { id } }
        Parcel_by_pk(id: "p1004") { id }
      }`).data as {
        Depot: { parcels: unknown[]; parcels_aggregate: { aggregate: unknown; nodes: unknown[] } }[];
        Parcel_aggregate: { aggregate: unknown; nodes: unknown[] };
        Parcel_by_pk: unknown;
      };
      expect(data.Depot[0]?.parcels).toHaveLength(1000);
      expect(data.Depot[0]?.parcels_aggregate.nodes).toHaveLength(1000);
      expect(data.Depot[0]?.parcels_aggregate.aggregate).toEqual({ count: 1005, sum: { count: 3015 } });
      expect(data.Parcel_aggregate.nodes).toHaveLength(1000);
      expect(data.Parcel_aggregate.aggregate).toEqual({ count: 1005 });
      expect(data.Parcel_by_pk).toEqual({ id: "p1004" });
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
    [
      "several keys of one object, not in document order",
      "order_by: {fragile: asc, id: desc}",
      "p4 p3 p2 p1",
    ],
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
    [
      "an object relationship, missing rows as null",
      "order_by: [{depot: {name: asc}}, {id: desc}]",
      "p2 p1 p3 p4",
    ],
    ["an object relationship, desc", "order_by: [{depot: {name: desc}}, {id: asc}]", "p4 p3 p1 p2"],
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
    ["count, 0 when empty", "order_by: {parcels_aggregate: {count: asc}}", "d3 d2 d1"],
    ["max, null when empty", "order_by: [{parcels_aggregate: {max: {id: asc}}}]", "d1 d2 d3"],
    ["max desc, nulls first", "order_by: [{parcels_aggregate: {max: {id: desc}}}]", "d3 d2 d1"],
    [
      "sum of numerics",
      "order_by: [{parcels_aggregate: {sum: {weight: desc_nulls_last}}}, {id: desc}]",
      "d1 d3 d2",
    ],
    ["sum of floats", "order_by: [{parcels_aggregate: {sum: {ratio: asc}}}, {id: asc}]", "d1 d2 d3"],
  ])("array relationship: %s", (_name, args, want) => {
    expect(depots(args)).toBe(want);
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
    ["another column first", "distinct_on: depot_id, order_by: {id: asc}"],
    ["fewer order_by columns", "distinct_on: [depot_id, fragile], order_by: {fragile: asc}"],
    ["a relationship first", "distinct_on: depot_id, order_by: {depot: {id: asc}}"],
    [
      "one column twice instead of two columns",
      "distinct_on: [depot_id, fragile], order_by: [{fragile: asc}, {fragile: asc}]",
    ],
  ])("refused: %s", (_name, args) => {
    expect(failure(run(`{ Parcel(${args}) { id } }`))).toEqual([
      '"distinct_on" columns must match initial "order_by" columns',
      "$.selectionSet.Parcel.args",
      "validation-failed",
    ]);
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
    ["by_pk does not scan", '{ Parcel_by_pk(id: "p1") { id depot { id } } }', ["find Parcel", "find Depot"]],
    ["_eq on id", '{ Parcel(where: {id: {_eq: "p1"}}) { id } }', ["find Parcel"]],
    [
      "_in on id",
      '{ Parcel(where: {id: {_in: ["p1", "p2", "p1"]}}, order_by: {id: asc}) { id } }',
      ["find Parcel", "find Parcel"],
    ],
    ["_in of an empty list", "{ Parcel(where: {id: {_in: []}}) { id } }", []],
    ["_eq on an enum", "{ Parcel(where: {state: {_eq: NEW}}) { id } }", ["matching Parcel.state"]],
    [
      "_eq under _and",
      '{ Parcel(where: {_and: [{weight: {_eq: "100.0"}}]}) { id } }',
      ["matching Parcel.weight"],
    ],
    ["_eq on a reference", '{ Parcel(where: {depot_id: {_eq: "d3"}}) { id } }', ["matching Parcel.depot"]],
    [
      "_eq on the id of a related row",
      '{ Parcel(where: {depot: {id: {_eq: "d3"}}}) { id } }',
      ["matching Parcel.depot"],
    ],
    [
      "_or of one field",
      '{ Parcel(where: {_or: [{depot_id: {_eq: "d3"}}, {depot_id: {_eq: "d2"}}]}, order_by: {id: asc}) { id } }',
      ["matching Parcel.depot", "matching Parcel.depot"],
    ],
    [
      "no index for several values without order_by, because rows are in insertion order",
      '{ Parcel(where: {id: {_in: ["p2", "p1"]}}) { id } }',
      ["rows Parcel", "rows Parcel"],
    ],
    [
      "no index for _or of different fields",
      '{ Watcher(where: {_or: [{id: {_eq: "1"}}, {chainId: {_eq: "1"}}]}) { id } }',
      ["rows Watcher"],
    ],
    ["no index under _not", '{ Watcher(where: {_not: {id: {_eq: "1"}}}) { id } }', ["rows Watcher"]],
    [
      "no index for decimals in a small table",
      '{ Parcel(where: {price: {_eq: "9"}}) { id } }',
      ["rows Parcel", "rows Parcel"],
    ],
    ["related lists", "{ Depot(limit: 1) { parcels { id } } }", ["rows Depot", "matching Parcel.depot"]],
  ])("%s", (_name, query, want) => {
    expect(traced(query)).toEqual(want);
  });
});
