import { describe, expect, it } from "vitest";
import { failure, ids, readMark, serve } from "./support.ts";

const run = serve();
const encountered = (wanted: string, found: string) =>
  `parsing ${wanted} failed, expected ${wanted === "Text" ? "String" : "Number"}, but encountered ${found}`;
const bounds = (shown: string) =>
  `The value ${shown} lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?`;
const invalid = (type: string, text: string) => `invalid input syntax for type ${type}: "${text}"`;

describe("input coercion", () => {
  it.each([
    ["{weight: {_eq: ¦true}}", encountered("Scientific", "Boolean")],
    ["{weight: {_eq: ¦{}}}", encountered("Scientific", "Object")],
    ["{ratio: {_eq: ¦[1]}}", encountered("Scientific", "Array")],
    ["{count: {_eq: ¦1.5}}", bounds("1.5")],
    ["{count: {_eq: ¦3000000000}}", bounds("3.0e9")],
    ["{title: {_eq: ¦1}}", encountered("Text", "Number")],
    ['{id: {_in: ["p1", ¦2]}}', encountered("Text", "Number")],
    ["{title: {_like: ¦true}}", encountered("Text", "Boolean")],
    ["{fragile: {_eq: ¦1}}", "expected Bool, but encountered Number"],
    ["{state: {_eq: ¦1}}", "A string is expected for type: state"],
  ])("%s: %s", (condition, message) => {
    const { query, path } = readMark(`{ Parcel(where: ${condition}) { id } }`);
    expect(failure(run(query))).toEqual([message, path, "parse-failed"]);
  });

  it.each([
    ['{state: {_eq: "NOPE"}}', 'invalid input value for enum state: "NOPE"'],
    ["{state: {_in: [NEW, NOPE]}}", 'invalid input value for enum state: "NOPE"'],
    ['{count: {_eq: "x"}}', invalid("integer", "x")],
    ['{count: {_eq: "3000000000"}}', 'value "3000000000" is out of range for type integer'],
    ['{weight: {_eq: "x"}}', invalid("numeric", "x")],
    ['{ratio: {_eq: "1,5"}}', invalid("double precision", "1,5")],
    ['{ratio: {_eq: "1e400"}}', '"1e400" is out of range for type double precision'],
    ['{fragile: {_eq: "maybe"}}', invalid("boolean", "maybe")],
    ['{sent: {_eq: "soon"}}', invalid("timestamp with time zone", "soon")],
    ['{sent: {_eq: "2024-02-30"}}', 'date/time field value out of range: "2024-02-30"'],
    ['{_or: [{weight: {_eq: "x"}}]}', invalid("numeric", "x")],
  ])("the database refuses %s", (where, message) => {
    expect(failure(run(`{ Parcel(where: ${where}) { id } }`))).toEqual([message, "$", "data-exception"]);
  });

  it("numeric accepts 1e400 exactly", () => {
    expect(ids(run("{ Parcel(where: {weight: {_lt: 1e400}}) { id } }"))).toBe("p1 p2 p4");
    expect(ids(run('{ Parcel(where: {weight: {_gt: "1e400"}}) { id } }'))).toBe("");
  });

  it("bigint accepts only integers of 64 bits", () => {
    const events = (id: string) => run(`{ raw_events(where: {event_id: {_eq: "${id}"}}) { serial } }`);
    expect(events("9223372036854775807").data).toEqual({ raw_events: [] });
    const message = 'value "9223372036854775808" is out of range for type bigint';
    expect(failure(events("9223372036854775808"))[0]).toBe(message);
    expect(failure(events("1.5"))[0]).toBe(invalid("bigint", "1.5"));
  });

  it("validation errors are reported before database errors", () => {
    expect(failure(run('{ Parcel(where: {weight: {_eq: "x"}}) { id nope } }'))[0]).toBe(
      "field 'nope' not found in type: 'Parcel'",
    );
  });

  const LIMIT = "a non-negative 32-bit integer";
  const OFFSET = "a 32-bit integer, or a 64-bit integer represented as a string";
  it.each([
    ['limit: ¦"1"', LIMIT, "a string"],
    ["limit: ¦[1]", LIMIT, "a list"],
    ["limit: ¦{}", LIMIT, "an object"],
    ["limit: ¦-1", LIMIT, "an integer"],
    ['offset: ¦"-1"', OFFSET, "a string"],
    ["offset: ¦[1]", OFFSET, "a list"],
  ])("%s: expected %s", (args, expected, found) => {
    const { query, path } = readMark(`{ Parcel(${args}) { id } }`);
    const message = `expected ${expected} for type 'Int', but found ${found}`;
    expect(failure(run(query))).toEqual([message, path, "validation-failed"]);
  });

  it("an offset may be a string of digits, and have 64 bits", () => {
    const from = (offset: string) => run(`{ Parcel(order_by: { id: asc }, offset: ${offset}) { id } }`);
    expect(from('"1"')).toEqual(from("1"));
    expect(from("9223372036854775807")).toEqual({ data: { Parcel: [] } });
    expect(failure(from("9223372036854775808"))[0]).toContain("lies outside the bounds");
  });

  it("a negative offset is refused by the database", () => {
    const want = ["OFFSET must not be negative", "$", "data-exception"];
    expect(failure(run("{ Parcel(offset: -1) { id } }"))).toEqual(want);
  });

  it.each([
    [
      '{ Depot(order_by: [{id: ¦"asc"}]) { id } }',
      "expected an enum value for type 'order_by', but found a string",
    ],
    [
      "{ Depot(order_by: [{id: ¦up}]) { id } }",
      "expected one of the values ['asc', 'asc_nulls_first', 'asc_nulls_last', 'desc', 'desc_nulls_first', 'desc_nulls_last'] for type 'order_by', but found 'up'",
    ],
    [
      "{ Depot(distinct_on: [¦nope]) { id } }",
      "expected one of the values ['id', 'name'] for type 'Depot_select_column', but found 'nope'",
    ],
    // The key is the first of the valid columns.
    [
      "{ Watcher(distinct_on: ¦[0]¦nope) { id } }",
      "expected one of the values ['id', 'chainId'] for type 'Watcher_select_column', but found 'nope'",
    ],
    [
      '{ Depot(distinct_on: ¦[0]¦"id") { id } }',
      "expected an enum value for type 'Depot_select_column', but found a string",
    ],
    [
      '{ Parcel_aggregate { aggregate { count(distinct: ¦"true") } } }',
      "expected a boolean for type 'Boolean', but found a string",
    ],
  ])("%s: %s", (marked, message) => {
    const { query, path } = readMark(marked);
    expect(failure(run(query))).toEqual([message, path, "validation-failed"]);
  });

  it("a key of type ID accepts only a string", () => {
    const { query, path } = readMark("{ Depot_by_pk(id: ¦1) { id } }");
    expect(failure(run(query))).toEqual([encountered("Text", "Number"), path, "parse-failed"]);
  });
});

describe("variables", () => {
  it.each([
    ["$n: numeric", "where: {weight: {_gte: $n}}", { n: "100" }, "p1 p4"],
    ["$n: numeric!", "where: {weight: {_gte: $n}}", { n: 100 }, "p1 p4"],
    ["$w: Parcel_bool_exp", "where: $w", { w: { state: { _eq: "BACK" } } }, "p3"],
    ["$id: String!", "where: {id: {_in: [$id]}}", { id: "p2" }, "p2"],
    ["$ids: [String!]!", "where: {id: {_in: $ids}}", { ids: ["p2", "p3"] }, "p2 p3"],
    ["$ids: [String!]", "where: {id: {_in: $ids}}", { ids: "p3" }, "p3"],
    ["$o: [Parcel_order_by!]", "order_by: $o", { o: [{ id: "desc" }] }, "p4 p3 p2 p1"],
    ["$d: order_by", "order_by: {id: $d}", { d: "desc" }, "p4 p3 p2 p1"],
    ["$c: Parcel_select_column!", "distinct_on: [$c]", { c: "state" }, "p2 p1 p3"],
    ["$s: state!", "where: {state: {_eq: $s}}", { s: "NEW" }, "p2"],
    ["$t: [String!]", "where: {tags: {_eq: $t}}", { t: ["b"] }, "p2"],
    ["$j: jsonb", "where: {meta: {_contains: $j}}", { j: { k: "v" } }, "p1"],
    ["$l: Int = 1", "limit: $l", {}, "p1"],
    ['$id: String = "p3"', "where: {id: {_in: [$id]}}", {}, "p3"],
    ["$l: Int = 1", "limit: $l", { l: null }, "p1 p2 p3 p4"],
    ["$l: Int", "limit: $l", {}, "p1 p2 p3 p4"],
    ["$w: Parcel_bool_exp", "where: $w", {}, "p1 p2 p3 p4"],
    ["$l: Int!", "limit: $l", { l: 2 }, "p1 p2"],
    ["$x: Whatever", "limit: 1", {}, "p1"],
  ])("(%s) in %s with %j", (declared, args, variables, want) => {
    expect(ids(run(`query (${declared}) { Parcel(${args}) { id } }`, variables))).toBe(want);
  });

  it.each([
    ["only in a skipped field", "$l: Int", "depot @skip(if: true) { parcels(limit: $l) { id } }", { l: 1 }],
    ["in a directive", "$s: Boolean!", "count @skip(if: $s)", { s: true }],
  ])("may be used %s", (_name, declared, field, variables) => {
    expect(ids(run(`query (${declared}) { Parcel { id ${field} } }`, variables))).toBe("p1 p2 p3 p4");
  });

  const unexpected = (names: string) => `unexpected variables in variableValues: ${names}`;
  const missing = (name: string) => `expecting a value for non-nullable variable: "${name}"`;
  it.each([
    ["query ($l: Int) { Parcel { id } }", { l: 1 }, unexpected("l")],
    ["{ Parcel { id } }", { b: 1, a: 1 }, unexpected("b, a")],
    ["{ Parcel { id } }", JSON.parse('{"__proto__": 1}'), unexpected("__proto__")],
    [
      "query ($l: Int) { Parcel { id } } fragment F on Depot { parcels(limit: $l) { id } }",
      { l: 1 },
      unexpected("l"),
    ],
    ["query ($id: String!) { Depot_by_pk(id: $id) { id } }", {}, missing("id")],
    ["query ($toString: String!) { Depot_by_pk(id: $toString) { id } }", {}, missing("toString")],
    ["query ($id: String!) { Parcel { id } }", {}, missing("id")],
    [
      "query ($id: String!) { Depot_by_pk(id: $id) { id } }",
      { id: null },
      'null value found for non-nullable type: "String!"',
    ],
    ["{ Parcel(limit: $l) { id } }", {}, 'unbound variable "l"'],
    ["{ Parcel(where: {_or: [{id: {_eq: $x}}]}) { id } }", {}, 'unbound variable "x"'],
  ])("refused: %s with %j", (query, variables, message) => {
    expect(failure(run(query, variables))).toEqual([message, "$", "validation-failed"]);
  });

  it("refused: declared twice", () => {
    const want = ['multiple definitions for variable "l"', "$", "parse-failed"];
    expect(failure(run("query ($l: Int, $l: Int) { Parcel(limit: $l) { id } }"))).toEqual(want);
  });

  it.each([
    ["ID!", "Depot_by_pk(id: ¦$v)", "d1", "String!"],
    ["String", "Depot_by_pk(id: ¦$v)", "d1", "String!"],
    ["String = null", "Depot_by_pk(id: ¦$v)", "d1", "String!"],
    ["BigInt", "Parcel(where: {weight: {_eq: ¦$v}})", "1", "numeric"],
    ["String!", "Parcel(where: {id: {_in: ¦$v}})", "p1", "[String!]"],
    ["[String]", "Parcel(where: {id: {_in: ¦$v}})", ["p1"], "[String!]"],
    ["[String!]", "Parcel(where: {id: {_eq: ¦$v}})", ["p1"], "String"],
    ["State", "Parcel(where: {state: {_eq: ¦$v}})", "NEW", "state"],
  ])("refused: %s at %s", (declared, field, v, expected) => {
    const { query, path } = readMark(`query ($v: ${declared}) { ${field} { id } }`);
    const message = `variable 'v' is declared as '${declared.split(" ")[0]}', but used where '${expected}' is expected`;
    expect(failure(run(query, { v }))).toEqual([message, path, "validation-failed"]);
  });

  it.each([
    ["query ($t: String) { Parcel(where: {title: {_eq: ¦$t}}) { id } }", { t: null }],
    ["query ($t: String) { Parcel(where: {title: {_eq: ¦$t}}) { id } }", {}],
  ])("null at a required position is refused: %s with %j", (marked, variables) => {
    const { query, path } = readMark(marked);
    const want = ["unexpected null value for type 'String'", path, "validation-failed"];
    expect(failure(run(query, variables))).toEqual(want);
  });

  it.each([
    ['String = "p2"', null, "p2"],
    ["String!", { v: "p1" }, "p1"],
  ])("%s is valid at a required position", (declared, variables, id) => {
    const answer = run(`query ($v: ${declared}) { Parcel_by_pk(id: $v) { id } }`, variables);
    expect(answer.data).toEqual({ Parcel_by_pk: { id } });
  });

  it("an object key that is not a valid name is refused", () => {
    const { query, path } = readMark("query ($w: Parcel_bool_exp!) { Parcel(where: ¦$w) { id } }");
    const message = 'variable value contains object with key "a b", which is not a legal GraphQL name';
    expect(failure(run(query, { w: { "a b": {} } }))).toEqual([message, path, "validation-failed"]);
  });

  it("a string that is not a valid name of an enum value is refused", () => {
    const query = "query ($c: [Parcel_select_column!]) { Parcel(distinct_on: $c) { id } }";
    expect(failure(run(query, { c: ["a b"] }))[0]).toBe(
      "expected an enum value for type 'Parcel_select_column', but found a string",
    );
  });
});

describe("leniency of documents", () => {
  const depot = { id: "d1" };
  it.each([
    ["unused fragments", "{ Depot(limit: 1) { id } } fragment F on Nope { nope }", depot],
    ["a fragment on another type", "{ Depot(limit: 1) { id ...F } } fragment F on Parcel { nope }", depot],
    ["a fragment on an unknown type", "{ Depot(limit: 1) { id ... on Nope { nope } } }", depot],
    ["everything skipped", "{ Depot(limit: 1) { id @skip(if: true) } }", {}],
    [
      "skip and include",
      "{ Depot(limit: 1) { id @include(if: true) @skip(if: true) name @include(if: true) @skip(if: false) } }",
      { name: "Harbour" },
    ],
    [
      "include on fragments",
      "{ Depot(limit: 1) { id ... @include(if: false) { name } ...F @include(if: false) } } fragment F on Depot { name }",
      depot,
    ],
    [
      "a fragment included the second time",
      "{ Depot(limit: 1) { ...F @skip(if: true) ...F } } fragment F on Depot { name }",
      { name: "Harbour" },
    ],
    ["an unknown field that is skipped", "{ Depot(limit: 1) { id nope @skip(if: true) } }", depot],
    ["@cached", "query @cached(ttl: 5) { Depot(limit: 1) { id } }", depot],
    [
      "the same arguments in another order",
      "{ Depot(limit: 1, offset: 1) { id } Depot(offset: 1, limit: 1) { name } }",
      { id: "d2", name: "airfield" },
    ],
    [
      "__typename",
      "{ Depot(limit: 1) { __typename parcels(limit: 1) { t: __typename } } }",
      { __typename: "Depot", parcels: [{ t: "Parcel" }] },
    ],
    [
      "fragments that double at every level",
      `{ Depot(limit: 1) { ...F0 } } ${Array.from({ length: 60 }, (_, n) => `fragment F${n} on Depot { ...F${n + 1} ...F${n + 1} }`).join(" ")} fragment F60 on Depot { id }`,
      depot,
    ],
  ])("%s", (_name, query, want) => {
    expect(run(query)).toEqual({ data: { Depot: [want] } });
  });

  it("of two operations with one name the first is executed", () => {
    const query = "query Q { Depot(limit: 1) { id } } query Q { Depot { name } }";
    expect(run(query, null, "Q").data).toEqual({ Depot: [depot] });
  });

  it("forty levels are allowed", () => {
    const depth = 20;
    const query = `{ Depot(limit: 1) ${"{ parcels(limit: 1) { depot ".repeat(depth)}{ id }${" } }".repeat(depth)} }`;
    expect(run(query).errors).toBeUndefined();
  });
});

describe("timestamps in the formats of Postgres", () => {
  const noon = "1705320000000000";
  const ask = serve({ rows: { Parcel: [{ id: "noon", sent: noon }] } });
  const sent = (text: string, operator = "_eq") =>
    ask(`{ Parcel(where: {sent: {${operator}: "${text}"}}) { id } }`);

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
    expect(ids(sent(text))).toBe("noon");
  });

  it.each([
    ["2024", "invalid input syntax for type timestamp with time zone"],
    ["", "invalid input syntax for type timestamp with time zone"],
    ["2024-01-15T12", "invalid input syntax for type timestamp with time zone"],
    ["2024-02-30", "date/time field value out of range"],
    ["2024-00-10", "date/time field value out of range"],
    ["2024-01-15 12:60", "date/time field value out of range"],
    ["2024-01-15 13:30 AM", "date/time field value out of range"],
    ["0000-03-15 BC", "date/time field value out of range"],
    ["2024-01-15 12:34+16", "time zone displacement out of range"],
    ["294277-01-01", "timestamp out of range"],
  ])("%s is refused", (text, message) => {
    expect(failure(sent(text))).toEqual([`${message}: "${text}"`, "$", "data-exception"]);
  });

  it.each([
    ["infinity", "_lt", "noon"],
    ["-infinity", "_lt", ""],
    ["epoch", "_gt", "noon"],
    ["0044-03-15 BC", "_lt", ""],
    ["2024-01-15 11:59:59.12 AD", "_gt", "noon"],
  ])("%s", (text, operator, want) => {
    expect(ids(sent(text, operator))).toBe(want);
  });
});
