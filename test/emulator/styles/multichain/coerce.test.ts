import { describe, expect, it } from "vitest";
import { failure, ids, serve } from "./support.ts";

const run = serve();

describe("input coercion", () => {
  it.each([
    [
      "numeric, a boolean",
      "weight: {_eq: true}",
      "parsing Scientific failed, expected Number, but encountered Boolean",
      "weight._eq",
      "parse-failed",
    ],
    [
      "numeric, an object",
      "weight: {_eq: {}}",
      "parsing Scientific failed, expected Number, but encountered Object",
      "weight._eq",
      "parse-failed",
    ],
    [
      "float8, a list",
      "ratio: {_eq: [1]}",
      "parsing Scientific failed, expected Number, but encountered Array",
      "ratio._eq",
      "parse-failed",
    ],
    [
      "Int, a fraction",
      "count: {_eq: 1.5}",
      "The value 1.5 lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?",
      "count._eq",
      "parse-failed",
    ],
    [
      "Int, out of range",
      "count: {_eq: 3000000000}",
      "The value 3.0e9 lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?",
      "count._eq",
      "parse-failed",
    ],
    [
      "String, a number",
      "title: {_eq: 1}",
      "parsing Text failed, expected String, but encountered Number",
      "title._eq",
      "parse-failed",
    ],
    [
      "String in a list",
      'id: {_in: ["p1", 2]}',
      "parsing Text failed, expected String, but encountered Number",
      "id._in[1]",
      "parse-failed",
    ],
    [
      "String pattern, a boolean",
      "title: {_like: true}",
      "parsing Text failed, expected String, but encountered Boolean",
      "title._like",
      "parse-failed",
    ],
    [
      "Boolean, a number",
      "fragile: {_eq: 1}",
      "expected Bool, but encountered Number",
      "fragile._eq",
      "parse-failed",
    ],
    [
      "enum, a number",
      "state: {_eq: 1}",
      "A string is expected for type: state",
      "state._eq",
      "parse-failed",
    ],
  ])("%s", (_name, condition, message, path, code) => {
    expect(failure(run(`{ Parcel(where: {${condition}}) { id } }`))).toEqual([
      message,
      `$.selectionSet.Parcel.args.where.${path}`,
      code,
    ]);
  });

  it.each([
    [
      "enum, unknown member as a string",
      'state: {_eq: "NOPE"}',
      'invalid input value for enum state: "NOPE"',
    ],
    ["enum, unknown member", "state: {_in: [NEW, NOPE]}", 'invalid input value for enum state: "NOPE"'],
    ["Int", 'count: {_eq: "x"}', 'invalid input syntax for type integer: "x"'],
    [
      "Int, out of range",
      'count: {_eq: "3000000000"}',
      'value "3000000000" is out of range for type integer',
    ],
    ["numeric", 'weight: {_eq: "x"}', 'invalid input syntax for type numeric: "x"'],
    ["float8", 'ratio: {_eq: "1,5"}', 'invalid input syntax for type double precision: "1,5"'],
    ["float8 overflow", 'ratio: {_eq: "1e400"}', '"1e400" is out of range for type double precision'],
    ["Boolean", 'fragile: {_eq: "maybe"}', 'invalid input syntax for type boolean: "maybe"'],
    ["timestamptz", 'sent: {_eq: "soon"}', 'invalid input syntax for type timestamp with time zone: "soon"'],
    [
      "timestamptz, invalid day",
      'sent: {_eq: "2024-02-30"}',
      'date/time field value out of range: "2024-02-30"',
    ],
    ["numeric under _or", '{_or: [{weight: {_eq: "x"}}]}', 'invalid input syntax for type numeric: "x"'],
  ])("the database refuses %s", (_name, condition, message) => {
    const where = condition.startsWith("{") ? condition : `{${condition}}`;
    expect(failure(run(`{ Parcel(where: ${where}) { id } }`))).toEqual([message, "$", "data-exception"]);
  });

  it("numeric accepts 1e400 exactly", () => {
    expect(ids(run("{ Parcel(where: {weight: {_lt: 1e400}}) { id } }"))).toBe("p1 p2 p4");
    expect(ids(run('{ Parcel(where: {weight: {_gt: "1e400"}}) { id } }'))).toBe("");
  });

  it("bigint accepts only integers of 64 bits", () => {
    const events = (condition: string) => run(`{ raw_events(where: {event_id: ${condition}}) { serial } }`);
    expect(events('{_eq: "9223372036854775807"}').data).toEqual({ raw_events: [] });
    expect(failure(events('{_eq: "9223372036854775808"}'))[0]).toBe(
      'value "9223372036854775808" is out of range for type bigint',
    );
    expect(failure(events('{_eq: "1.5"}'))[0]).toBe('invalid input syntax for type bigint: "1.5"');
  });

  it("validation errors are reported before database errors", () => {
    expect(failure(run('{ Parcel(where: {weight: {_eq: "x"}}) { id nope } }'))[0]).toBe(
      "field 'nope' not found in type: 'Parcel'",
    );
  });

  it.each([
    ["a string", 'limit: "1"', "limit", "a non-negative 32-bit integer", "a string"],
    ["a list", "limit: [1]", "limit", "a non-negative 32-bit integer", "a list"],
    ["an object", "limit: {}", "limit", "a non-negative 32-bit integer", "an object"],
    ["an integer", "limit: -1", "limit", "a non-negative 32-bit integer", "an integer"],
    [
      "a string",
      'offset: "-1"',
      "offset",
      "a 32-bit integer, or a 64-bit integer represented as a string",
      "a string",
    ],
    [
      "a list",
      "offset: [1]",
      "offset",
      "a 32-bit integer, or a 64-bit integer represented as a string",
      "a list",
    ],
  ])("limit and offset: %s (%s)", (found, args, name, expected) => {
    expect(failure(run(`{ Parcel(${args}) { id } }`))).toEqual([
      `expected ${expected} for type 'Int', but found ${found}`,
      `$.selectionSet.Parcel.args.${name}`,
      "validation-failed",
    ]);
  });

  it("an offset may be a string of digits, and have 64 bits", () => {
    const ids = (args: string) => run(`{ Parcel(order_by: { id: asc }, ${args}) { id } }`);
    expect(ids('offset: "1"')).toEqual(ids("offset: 1"));
    expect(ids("offset: 9223372036854775807")).toEqual({ data: { Parcel: [] } });
    expect(failure(ids("offset: 9223372036854775808"))[0]).toContain("lies outside the bounds");
    expect(failure(ids('limit: "1"'))[0]).toContain("but found a string");
  });

  it("a negative offset is refused by the database", () => {
    expect(failure(run("{ Parcel(offset: -1) { id } }"))).toEqual([
      "OFFSET must not be negative",
      "$",
      "data-exception",
    ]);
  });

  it.each([
    [
      "a string literal as an order",
      'order_by: {id: "asc"}',
      "expected an enum value for type 'order_by', but found a string",
      "order_by[0].id",
    ],
    [
      "an unknown order",
      "order_by: {id: up}",
      "expected one of the values ['asc', 'asc_nulls_first', 'asc_nulls_last', 'desc', 'desc_nulls_first', 'desc_nulls_last'] for type 'order_by', but found 'up'",
      "order_by[0].id",
    ],
    [
      "an unknown column",
      "distinct_on: [nope]",
      "expected one of the values ['id', 'name'] for type 'Depot_select_column', but found 'nope'",
      "distinct_on[0]",
    ],
    [
      "a string literal as a column",
      'distinct_on: "id"',
      "expected an enum value for type 'Depot_select_column', but found a string",
      "distinct_on[0]",
    ],
  ])("%s", (_name, args, message, path) => {
    expect(failure(serve({ aggregates: [], release: "3.0" })(`{ Depot(${args}) { id } }`))).toEqual([
      message,
      `$.selectionSet.Depot.args.${path}`,
      "validation-failed",
    ]);
  });

  it("distinct of count accepts only a boolean", () => {
    expect(failure(run('{ Parcel_aggregate { aggregate { count(distinct: "true") } } }'))).toEqual([
      "expected a boolean for type 'Boolean', but found a string",
      "$.selectionSet.Parcel_aggregate.selectionSet.aggregate.selectionSet.count.args.distinct",
      "validation-failed",
    ]);
  });

  it("a key of type ID accepts only a string", () => {
    expect(failure(run("{ Depot_by_pk(id: 1) { id } }"))).toEqual([
      "parsing Text failed, expected String, but encountered Number",
      "$.selectionSet.Depot_by_pk.args.id",
      "parse-failed",
    ]);
  });
});

describe("variables", () => {
  it.each([
    ["a value", "query ($n: numeric) { Parcel(where: {weight: {_gte: $n}}) { id } }", { n: "100" }, "p1 p4"],
    [
      "a number as numeric",
      "query ($n: numeric!) { Parcel(where: {weight: {_gte: $n}}) { id } }",
      { n: 100 },
      "p1 p4",
    ],
    [
      "a whole condition",
      "query ($w: Parcel_bool_exp) { Parcel(where: $w) { id } }",
      { w: { state: { _eq: "BACK" } } },
      "p3",
    ],
    [
      "inside a list",
      "query ($id: String!) { Parcel(where: {id: {_in: [$id]}}) { id } }",
      { id: "p2" },
      "p2",
    ],
    [
      "a list",
      "query ($ids: [String!]!) { Parcel(where: {id: {_in: $ids}}) { id } }",
      { ids: ["p2", "p3"] },
      "p2 p3",
    ],
    [
      "a single value as a list",
      "query ($ids: [String!]) { Parcel(where: {id: {_in: $ids}}) { id } }",
      { ids: "p3" },
      "p3",
    ],
    [
      "an order as strings",
      "query ($o: [Parcel_order_by!]) { Parcel(order_by: $o) { id } }",
      { o: [{ id: "desc" }] },
      "p4 p3 p2 p1",
    ],
    [
      "a direction",
      "query ($d: order_by) { Parcel(order_by: {id: $d}) { id } }",
      { d: "desc" },
      "p4 p3 p2 p1",
    ],
    [
      "a column",
      "query ($c: Parcel_select_column!) { Parcel(distinct_on: [$c]) { id } }",
      { c: "state" },
      "p2 p1 p3",
    ],
    ["an enum scalar", "query ($s: state!) { Parcel(where: {state: {_eq: $s}}) { id } }", { s: "NEW" }, "p2"],
    [
      "an array column",
      "query ($t: [String!]) { Parcel(where: {tags: {_eq: $t}}) { id } }",
      { t: ["b"] },
      "p2",
    ],
    ["jsonb", "query ($j: jsonb) { Parcel(where: {meta: {_contains: $j}}) { id } }", { j: { k: "v" } }, "p1"],
    ["a default", "query ($l: Int = 1) { Parcel(limit: $l) { id } }", {}, "p1"],
    [
      "a default at a required position",
      'query ($id: String = "p3") { Parcel(where: {id: {_in: [$id]}}) { id } }',
      {},
      "p3",
    ],
    [
      "null instead of a default",
      "query ($l: Int = 1) { Parcel(limit: $l) { id } }",
      { l: null },
      "p1 p2 p3 p4",
    ],
    [
      "a missing value for an optional argument",
      "query ($l: Int) { Parcel(limit: $l) { id } }",
      {},
      "p1 p2 p3 p4",
    ],
    [
      "a required type at an optional position",
      "query ($l: Int!) { Parcel(limit: $l) { id } }",
      { l: 2 },
      "p1 p2",
    ],
    ["an unused variable of an unknown type", "query ($x: Whatever) { Parcel { id } }", {}, "p1 p2 p3 p4"],
    [
      "a variable that only a skipped field uses",
      "query ($l: Int) { Parcel { id depot @skip(if: true) { parcels(limit: $l) { id } } } }",
      { l: 1 },
      "p1 p2 p3 p4",
    ],
    [
      "a variable in a directive",
      "query ($s: Boolean!) { Parcel(limit: 1) { id count @skip(if: $s) } }",
      { s: true },
      "p1",
    ],
  ])("%s", (_name, query, variables, want) => {
    expect(ids(run(query, variables))).toBe(want);
  });

  it.each([
    ["unused", "query ($l: Int) { Parcel { id } }", { l: 1 }, "unexpected variables in variableValues: l"],
    ["undeclared", "{ Parcel { id } }", { b: 1, a: 1 }, "unexpected variables in variableValues: b, a"],
    [
      "used in an unused fragment only",
      "query ($l: Int) { Parcel { id } } fragment F on Depot { parcels(limit: $l) { id } }",
      { l: 1 },
      "unexpected variables in variableValues: l",
    ],
    [
      "missing",
      "query ($id: String!) { Depot_by_pk(id: $id) { id } }",
      {},
      'expecting a value for non-nullable variable: "id"',
    ],
    [
      "missing though unused",
      "query ($id: String!) { Parcel { id } }",
      {},
      'expecting a value for non-nullable variable: "id"',
    ],
    [
      "null",
      "query ($id: String!) { Depot_by_pk(id: $id) { id } }",
      { id: null },
      'null value found for non-nullable type: "String!"',
    ],
    ["undeclared but used", "{ Parcel(limit: $l) { id } }", {}, 'unbound variable "l"'],
    [
      "undeclared but used in a nested condition",
      "{ Parcel(where: {_or: [{id: {_eq: $x}}]}) { id } }",
      {},
      'unbound variable "x"',
    ],
  ])("refused: %s", (_name, query, variables, message) => {
    expect(failure(run(query, variables))).toEqual([message, "$", "validation-failed"]);
  });

  it("refused: declared twice", () => {
    expect(failure(run("query ($l: Int, $l: Int) { Parcel(limit: $l) { id } }"))).toEqual([
      'multiple definitions for variable "l"',
      "$",
      "parse-failed",
    ]);
  });

  it.each([
    [
      "ID! for String!",
      "query ($id: ID!) { Depot_by_pk(id: $id) { id } }",
      { id: "d1" },
      "variable 'id' is declared as 'ID!', but used where 'String!' is expected",
      "$.selectionSet.Depot_by_pk.args.id",
    ],
    [
      "nullable for required",
      "query ($id: String) { Depot_by_pk(id: $id) { id } }",
      { id: "d1" },
      "variable 'id' is declared as 'String', but used where 'String!' is expected",
      "$.selectionSet.Depot_by_pk.args.id",
    ],
    [
      "BigInt for numeric",
      "query ($n: BigInt) { Parcel(where: {weight: {_eq: $n}}) { id } }",
      { n: "1" },
      "variable 'n' is declared as 'BigInt', but used where 'numeric' is expected",
      "$.selectionSet.Parcel.args.where.weight._eq",
    ],
    [
      "an item type for a list",
      "query ($id: String!) { Parcel(where: {id: {_in: $id}}) { id } }",
      { id: "p1" },
      "variable 'id' is declared as 'String!', but used where '[String!]' is expected",
      "$.selectionSet.Parcel.args.where.id._in",
    ],
    [
      "an enum's SDL name",
      "query ($s: State) { Parcel(where: {state: {_eq: $s}}) { id } }",
      { s: "NEW" },
      "variable 's' is declared as 'State', but used where 'state' is expected",
      "$.selectionSet.Parcel.args.where.state._eq",
    ],
  ])("refused for its type: %s", (_name, query, variables, message, path) => {
    expect(failure(run(query, variables))).toEqual([message, path, "validation-failed"]);
  });

  it("a variable may have an inherited name", () => {
    expect(failure(run("{ Parcel { id } }", JSON.parse('{"__proto__": 1}')))[0]).toBe(
      "unexpected variables in variableValues: __proto__",
    );
    expect(failure(run("query ($toString: String!) { Depot_by_pk(id: $toString) { id } }"))[0]).toBe(
      'expecting a value for non-nullable variable: "toString"',
    );
  });
});

describe("leniency of documents", () => {
  it.each([
    ["unused fragments", "{ Depot(limit: 1) { id } } fragment F on Nope { nope }", { Depot: [{ id: "d1" }] }],
    [
      "a fragment on another type is ignored",
      "{ Depot(limit: 1) { id ...F } } fragment F on Parcel { nope }",
      { Depot: [{ id: "d1" }] },
    ],
    [
      "a fragment on an unknown type is ignored",
      "{ Depot(limit: 1) { id ... on Nope { nope } } }",
      { Depot: [{ id: "d1" }] },
    ],
    ["everything skipped", "{ Depot(limit: 1) { id @skip(if: true) } }", { Depot: [{}] }],
    [
      "skip and include",
      "{ Depot(limit: 1) { id @include(if: true) @skip(if: true) name @include(if: true) @skip(if: false) } }",
      { Depot: [{ name: "Harbour" }] },
    ],
    [
      "include on fragments",
      "{ Depot(limit: 1) { id ... @include(if: false) { name } ...F @include(if: false) } } fragment F on Depot { name }",
      { Depot: [{ id: "d1" }] },
    ],
    [
      "a fragment included the second time",
      "{ Depot(limit: 1) { ...F @skip(if: true) ...F } } fragment F on Depot { name }",
      { Depot: [{ name: "Harbour" }] },
    ],
    [
      "skipped fields are not validated",
      "{ Depot(limit: 1) { id nope @skip(if: true) } }",
      { Depot: [{ id: "d1" }] },
    ],
    ["@cached", "query @cached(ttl: 5) { Depot(limit: 1) { id } }", { Depot: [{ id: "d1" }] }],
    [
      "the same arguments in another order",
      "{ Depot(limit: 1, offset: 1) { id } Depot(offset: 1, limit: 1) { name } }",
      { Depot: [{ id: "d2", name: "airfield" }] },
    ],
    [
      "__typename everywhere",
      "{ __typename Depot(limit: 1) { __typename parcels(limit: 1) { t: __typename } } }",
      { __typename: "query_root", Depot: [{ __typename: "Depot", parcels: [{ t: "Parcel" }] }] },
    ],
  ])("%s", (_name, query, want) => {
    expect(run(query)).toEqual({ data: want });
  });

  it("of two operations with one name the first is executed", () => {
    expect(run("query Q { Depot(limit: 1) { id } } query Q { Depot { name } }", null, "Q").data).toEqual({
      Depot: [{ id: "d1" }],
    });
  });

  it("forty levels are allowed", () => {
    const depth = 20;
    const query = `{ Depot(limit: 1) ${"{ parcels(limit: 1) { depot ".repeat(depth)}{ id }${" } }".repeat(depth)} }`;
    expect(run(query).errors).toBeUndefined();
  });

  it("fragments that double at every level are evaluated quickly", () => {
    const bomb = Array.from(
      { length: 60 },
      (_, index) => `fragment F${index} on Depot { ...F${index + 1} ...F${index + 1} }`,
    );
    expect(run(`{ Depot(limit: 1) { ...F0 } } ${bomb.join(" ")} fragment F60 on Depot { id }`).data).toEqual({
      Depot: [{ id: "d1" }],
    });
  });
});

describe("timestamps in the formats of Postgres", () => {
  const noon = "1705320000000000";
  const parcel = { depot: "d1", fragile: true, sizes: [], state: "NEW", tags: [], weights: [] };
  const ask = serve({ rows: { Parcel: [{ ...parcel, id: "noon", sent: noon }] } });
  const sent = (text: string) => ask(`{ Parcel(where: {sent: {_eq: "${text}"}}) { id } }`);

  it.each([
    "2024-01-15 12:00",
    "2024-01-15T12:00:00Z",
    " 2024-1-15 12:0:0.000 ",
    "20240115 12:00",
    "2024/01/15 12:00",
    "01/15/2024 12:00 PM",
    "15 Jan 2024 12:00",
    "January 15, 2024 12:00 UTC",
    "Mon Jan 15 2024 12:00 GMT",
    "2024-Jan-15 12:00",
    "2024-01-15T17:30:00+05:30",
    "2024-01-15T04:00:00-0800",
    "2024-01-15 07:00:00 EST",
    "2024-01-15 11:59:60",
    "2024-01-14 24:00:00 -12",
  ])("%s", (text) => {
    expect(sent(text).data).toEqual({ Parcel: [{ id: "noon" }] });
  });

  it.each([
    ["2024", 'invalid input syntax for type timestamp with time zone: "2024"'],
    ["", 'invalid input syntax for type timestamp with time zone: ""'],
    ["2024-01-15T12", 'invalid input syntax for type timestamp with time zone: "2024-01-15T12"'],
    ["2024-02-30", 'date/time field value out of range: "2024-02-30"'],
    ["2024-00-10", 'date/time field value out of range: "2024-00-10"'],
    ["2024-01-15 12:60", 'date/time field value out of range: "2024-01-15 12:60"'],
    ["2024-01-15 13:30 AM", 'date/time field value out of range: "2024-01-15 13:30 AM"'],
    ["2024-01-15 12:34+16", 'time zone displacement out of range: "2024-01-15 12:34+16"'],
    ["294277-01-01", 'timestamp out of range: "294277-01-01"'],
  ])("%s is refused", (text, message) => {
    expect(failure(sent(text))).toEqual([message, "$", "data-exception"]);
  });

  it.each([
    ["infinity", "_lt", ["noon"]],
    ["-infinity", "_lt", []],
    ["epoch", "_gt", ["noon"]],
  ])("%s", (text, operator, want) => {
    const answer = ask(`{ Parcel(where: {sent: {${operator}: "${text}"}}) { id } }`);
    expect(answer.data).toEqual({ Parcel: want.map((id) => ({ id })) });
  });
});
