import { describe, expect, it } from "vitest";
import { JsonNumber } from "../../../../emulator/styles/served-style.ts";
import { failure, ids, ROWS, serve } from "./support.ts";

const run = serve();
const where = (condition: string): string => ids(run(`{ Parcel(where: ${condition}) { id } }`));
const AT = "$.selectionSet.Parcel.args.where";

describe("operands of array columns", () => {
  it.each([
    ["a null item equals only null", "{sizes: {_eq: [1, null]}}", ""],
    ["a null item is the greatest", "{sizes: {_lt: [1, null]}}", "p1 p2 p3 p4"],
    ["a null item is never contained", "{sizes: {_contains: [null]}}", ""],
    ["a bare enum value is a string", "{tags: {_contains: [a]}}", "p1 p3"],
    ["an array literal with a quoted item", '{tags: {_eq: "{\\"a\\",b}"}}', "p1"],
    ["an empty array literal", '{tags: {_eq: "{}"}}', "p4"],
    ["an array literal of numbers", '{sizes: {_eq: "{1, 2}"}}', "p1"],
    ["items as strings, which the database parses", '{sizes: {_eq: ["1", 2]}}', "p1"],
  ])("%s", (_name, condition, want) => {
    expect(where(condition)).toBe(want);
  });

  it("a variable inside a list is inserted without a type check", () => {
    const query = "query ($n: Int!) { Parcel(where: {sizes: {_eq: [1, $n]}}) { id } }";
    expect(ids(run(query, { n: 2 }))).toBe("p1");
  });

  it.each([
    [
      "a boolean",
      "{sizes: {_eq: true}}",
      "parsing [] failed, expected Array, but encountered Boolean",
      ".sizes._eq",
    ],
    [
      "an object",
      "{sizes: {_eq: {}}}",
      "parsing [] failed, expected Array, but encountered Object",
      ".sizes._eq",
    ],
    [
      "a nested list, with the path of the operand",
      '{weights: {_eq: [["a"], 1]}}',
      "parsing Scientific failed, expected Number, but encountered Array",
      ".weights._eq",
    ],
    [
      "a boolean after a null",
      "{tags: {_neq: [null, true]}}",
      "parsing Text failed, expected String, but encountered Boolean",
      ".tags._neq",
    ],
    [
      "an item of a list of lists",
      "{sizes: {_in: [1]}}",
      "parsing [] failed, expected Array, but encountered Number",
      ".sizes._in[0]",
    ],
  ])("%s", (_name, condition, message, path) => {
    expect(failure(run(`{ Parcel(where: ${condition}) { id } }`))).toEqual([
      message,
      AT + path,
      "parse-failed",
    ]);
  });

  it("null is reported with the type of an item", () => {
    expect(failure(run("{ Parcel(where: {sizes: {_eq: null}}) { id } }"))).toEqual([
      "unexpected null value for type 'Int'",
      `${AT}.sizes._eq`,
      "validation-failed",
    ]);
  });

  it("an item that the database cannot parse", () => {
    expect(failure(run('{ Parcel(where: {sizes: {_eq: [1, "x"]}}) { id } }'))).toEqual([
      'invalid input syntax for type integer: "x"',
      "$",
      "data-exception",
    ]);
  });
});

describe("operands of jsonb columns", () => {
  it.each([
    ["_in of a string that is not JSON", '{meta: {_in: ["text"]}}', "p4"],
    ["_nin of a string that is not JSON", '{meta: {_nin: ["text"]}}', "p1 p2"],
    ["_has_keys_all of a single string", '{meta: {_has_keys_all: "k"}}', "p1"],
    ["_has_key of a bare enum value", "{meta: {_has_key: k}}", "p1"],
  ])("%s", (_name, condition, want) => {
    expect(where(condition)).toBe(want);
  });

  it.each([
    ["_in of a string that is JSON", '{meta: {_in: ["1"]}}'],
    ["_in of a single number", "{meta: {_in: 1}}"],
    ["_nin of a list", "{meta: {_nin: [[1]]}}"],
    ["_in of a string and an object", '{meta: {_in: ["text", {}]}}'],
  ])("%s", (_name, condition) => {
    expect(failure(run(`{ Parcel(where: ${condition}) { id } }`))).toEqual([
      "invalid input syntax for type json",
      "$",
      "data-exception",
    ]);
  });

  it.each([
    ["_has_key of a number", "{meta: {_has_key: 1}}", "Number", "._has_key"],
    ["_has_key of a list", '{meta: {_has_key: ["k"]}}', "Array", "._has_key"],
    ["_has_keys_any of a number", "{meta: {_has_keys_any: [1]}}", "Number", "._has_keys_any[0]"],
    ["_has_keys_all of an object", "{meta: {_has_keys_all: [{}]}}", "Object", "._has_keys_all[0]"],
  ])("%s", (_name, condition, found, path) => {
    expect(failure(run(`{ Parcel(where: ${condition}) { id } }`))).toEqual([
      `parsing Text failed, expected String, but encountered ${found}`,
      `${AT}.meta${path}`,
      "parse-failed",
    ]);
  });

  it("an empty array is ordered before scalars", () => {
    const parcel = { depot: "d1", fragile: true, sizes: [], state: "NEW", tags: [], weights: [] };
    const rows = ["null", "[]", '"a"', "[[]]", "{}", "1"].map((meta, index) => ({
      ...parcel,
      id: `${index}`,
      meta,
    }));
    const ask = serve({ rows: { Parcel: rows } });
    expect(ids(ask("{ Parcel(order_by: {meta: asc}) { id } }"))).toBe("1 0 2 5 3 4");
  });

  it("a variable inside JSON is inserted", () => {
    const query = "query ($v: String) { Parcel(where: {meta: {_contains: {k: $v}}}) { id } }";
    expect(ids(run(query, { v: "v" }))).toBe("p1");
  });
});

describe("numbers keep their digits", () => {
  const big = new JsonNumber("123456789012345678901234567890");

  it("numeric", () => {
    const query = "query ($w: numeric!) { Parcel(where: {weight: {_eq: $w}}) { id } }";
    expect(ids(run(query, { w: big }))).toBe("p4");
    expect(ids(run(query, { w: new JsonNumber("123456789012345678901234567891") }))).toBe("");
  });

  it("numeric of 1e400", () => {
    const query = "query ($w: numeric!) { Parcel(where: {weight: {_lt: $w}}) { id } }";
    expect(ids(run(query, { w: new JsonNumber("1e400") }))).toBe("p1 p2 p4");
  });

  it("jsonb", () => {
    const parcel = { depot: "d1", fragile: true, sizes: [], state: "NEW", tags: [], weights: [] };
    const ask = serve({
      rows: {
        Parcel: [
          { ...parcel, id: "a", meta: '{"n": 12345678901234567890.10}' },
          { ...parcel, id: "b", meta: '{"n": 12345678901234567890.2}' },
        ],
      },
    });
    const query = "query ($m: jsonb!) { Parcel(where: {meta: {_contains: $m}}) { id } }";
    expect(ids(ask(query, { m: { n: new JsonNumber("12345678901234567890.1") } }))).toBe("a");
    const cast =
      '{ Parcel(where: {meta: {_cast: {String: {_eq: "{\\"n\\": 12345678901234567890.10}"}}}}) { id } }';
    expect(ids(ask(cast))).toBe("a");
    expect(ids(ask("{ Parcel(where: {meta: {_eq: {n: 12345678901234567890.20}}}) { id } }"))).toBe("b");
    expect(ask("{ Parcel { meta } }").data).toEqual({
      Parcel: [{ meta: { n: 12345678901234567000 } }, { meta: { n: 12345678901234567000 } }],
    });
  });

  it.each([
    [
      "Int",
      "query ($v: Int!) { Parcel(where: {count: {_eq: $v}}) { id } }",
      "9.9999999999999e13",
      99999999999999,
    ],
    ["Int of a fraction", "query ($v: Int!) { Parcel(where: {count: {_eq: $v}}) { id } }", "2.5e-3", 0.0025],
    ["limit", "query ($v: Int!) { Parcel(limit: $v) { id } }", "1.5", 1.5],
    ["limit out of range", "query ($v: Int!) { Parcel(limit: $v) { id } }", "2.147483648e9", 2147483648],
    ["seven digits", "query ($v: Int!) { Parcel(limit: $v) { id } }", "1234567.5", 1234567.5],
    ["eight digits", "query ($v: Int!) { Parcel(limit: $v) { id } }", "1.23456785e7", 12345678.5],
    ["offset of a fraction", "query ($v: Int!) { Parcel(offset: $v) { id } }", "0.5", 0.5],
  ])("%s: an error has the server's notation", (_name, query, shown, value) => {
    expect(failure(run(query, { v: value }))).toMatchObject([
      `The value ${shown} lies outside the bounds or is not an integer. Maybe it is a float, or is there integer overflow?`,
      expect.anything(),
      "parse-failed",
    ]);
  });

  it.each([
    ["too large", "1e400", "1.0e400"],
    ["too small", "0.25e-400", "2.5e-401"],
    ["too low", "-1e309", "-1.0e309"],
  ])("float8 %s", (_name, literal, shown) => {
    expect(failure(run(`{ Parcel(where: {ratio: {_lt: ${literal}}}) { id } }`))).toEqual([
      `The value ${shown} lies outside the bounds. Is it overflowing the float bounds?`,
      `${AT}.ratio._lt`,
      "parse-failed",
    ]);
  });

  it.each([
    ["a number from JSON", "a number", -1],
    ["a string", "a string", "1"],
    ["a boolean", "a boolean", true],
    ["a list", "a list", [1]],
  ])("limit: %s", (_name, found, value) => {
    expect(failure(run("query ($v: Int!) { Parcel(limit: $v) { id } }", { v: value }))).toEqual([
      `expected a non-negative 32-bit integer for type 'Int', but found ${found}`,
      "$.selectionSet.Parcel.args.limit",
      "validation-failed",
    ]);
  });
});

describe("variables", () => {
  it.each([
    ["String!", "[String!]!", "id: {_in: $v}", ["[String]", "[String!]"]],
    ["a list for a single value", "[String!]", "id: {_eq: $v}", ["[String!]", "String"]],
  ])("%s", (_name, _type, condition, [declared, wanted]) => {
    expect(
      failure(run(`query ($v: ${declared}) { Parcel(where: {${condition}}) { id } }`, { v: ["p1"] }))[0],
    ).toBe(`variable 'v' is declared as '${declared}', but used where '${wanted}' is expected`);
  });

  it.each([
    ["a nullable type with a default is valid at a required position", 'String = "p2"', "p2"],
    ["a required type is valid at a required position", "String!", "p1"],
  ])("%s", (_name, type, want) => {
    const answer = run(
      `query ($v: ${type}) { Parcel_by_pk(id: $v) { id } }`,
      want === "p1" ? { v: "p1" } : null,
    );
    expect(answer.data).toEqual({ Parcel_by_pk: { id: want } });
  });

  it("a nullable type with a default of null is invalid at a required position", () => {
    expect(failure(run("query ($v: String = null) { Parcel_by_pk(id: $v) { id } }"))[0]).toBe(
      "variable 'v' is declared as 'String', but used where 'String!' is expected",
    );
  });

  it("an object key that is not a valid name", () => {
    const query = "query ($w: Parcel_bool_exp!) { Parcel(where: $w) { id } }";
    expect(failure(run(query, { w: { "a b": {} } }))).toEqual([
      'variable value contains object with key "a b", which is not a legal GraphQL name',
      AT,
      "validation-failed",
    ]);
  });

  it("a string that is not a valid name of an enum value", () => {
    const query = "query ($c: [Parcel_select_column!]) { Parcel(distinct_on: $c) { id } }";
    expect(failure(run(query, { c: ["a b"] }))[0]).toBe(
      "expected an enum value for type 'Parcel_select_column', but found a string",
    );
  });

  it("the valid columns in an error start with the key", () => {
    expect(failure(run("{ Watcher(distinct_on: nope) { id } }"))).toEqual([
      "expected one of the values ['id', 'chainId'] for type 'Watcher_select_column', but found 'nope'",
      "$.selectionSet.Watcher.args.distinct_on[0]",
      "validation-failed",
    ]);
  });
});

describe("subscriptions over HTTP are validated before they are refused", () => {
  const stream = (args: string): string => `subscription { Parcel_stream(${args}) { id } }`;
  const REFUSED = [
    "subscriptions are not supported over HTTP, use websockets instead",
    "$",
    "unexpected-payload",
  ];

  it.each([
    ["a list", "subscription { Parcel { id } }"],
    ["a key", 'subscription { Parcel_by_pk(id: "p1") { id } }'],
    ["an aggregate", "subscription { Parcel_aggregate { aggregate { count } } }"],
    [
      "a stream",
      stream(
        'batch_size: 10, cursor: {initial_value: {id: "p1"}, ordering: DESC}, where: {fragile: {_eq: true}}',
      ),
    ],
    ["a stream that starts at null", stream("batch_size: 10, cursor: [null, {initial_value: {id: null}}]")],
  ])("%s", (_name, query) => {
    expect(failure(run(query))).toEqual(REFUSED);
  });

  const ROOT = "$.selectionSet.Parcel_stream";
  it.each([
    [
      "unknown root",
      "subscription { Nope { id } }",
      "field 'Nope' not found in type: 'subscription_root'",
      "$.selectionSet.Nope",
    ],
    [
      "unknown field",
      "subscription { Parcel { nope } }",
      "field 'nope' not found in type: 'Parcel'",
      "$.selectionSet.Parcel.selectionSet.nope",
    ],
    [
      "two roots",
      "subscription { Parcel { id } Depot { id } }",
      "subscriptions must select one top level field",
      "$",
    ],
    [
      "a missing batch size",
      stream("cursor: []"),
      "missing required field 'batch_size'",
      `${ROOT}.args.batch_size`,
    ],
    ["a missing cursor", stream("batch_size: 1"), "missing required field 'cursor'", `${ROOT}.args.cursor`],
    [
      "an empty cursor",
      stream("batch_size: 1, cursor: []"),
      "one streaming column field is expected",
      `${ROOT}.args`,
    ],
    [
      "a cursor without a column",
      stream("batch_size: 1, cursor: {initial_value: {}}"),
      "one streaming column field is expected",
      `${ROOT}.args`,
    ],
    [
      "a cursor without an initial value",
      stream("batch_size: 1, cursor: {ordering: ASC}"),
      "missing required field 'initial_value'",
      `${ROOT}.args.cursor[0].initial_value`,
    ],
    [
      "a negative batch size",
      stream('batch_size: -1, cursor: {initial_value: {id: "a"}}'),
      "expected a non-negative 32-bit integer for type 'Int', but found an integer",
      `${ROOT}.args.batch_size`,
    ],
  ])("%s", (_name, query, message, path) => {
    expect(failure(run(query))).toEqual([message, path, "validation-failed"]);
  });
});

describe("strings that the database parses as numbers and times", () => {
  it.each([
    ["hexadecimal", 'count: {_eq: "0x3"}', "p1"],
    ["octal", 'count: {_eq: "0o3"}', "p1"],
    ["binary", 'count: {_eq: "-0b_11"}', ""],
    ["digits in groups", 'weight: {_eq: "1_00"}', "p1"],
    ["a hexadecimal numeric", 'weight: {_eq: "0x64"}', "p1"],
    ["a hexadecimal float", 'ratio: {_gt: "0x10"}', "p2"],
    ["a year BC", 'sent: {_lt: "0044-03-15 BC"}', ""],
    ["a year AD", 'sent: {_gt: "2024-01-15 12:34:56.12 AD"}', "p2"],
  ])("%s", (_name, condition, want) => {
    expect(where(`{${condition}}`)).toBe(want);
  });

  it.each([
    ['count: {_eq: "1_"}', 'invalid input syntax for type integer: "1_"'],
    ['count: {_eq: "0x80000000"}', 'value "0x80000000" is out of range for type integer'],
    ['weight: {_eq: "0x1F.5"}', 'invalid input syntax for type numeric: "0x1F.5"'],
    ['ratio: {_eq: "1_0"}', 'invalid input syntax for type double precision: "1_0"'],
    ['sent: {_eq: "0000-03-15 BC"}', 'date/time field value out of range: "0000-03-15 BC"'],
  ])("%s is refused", (condition, message) => {
    expect(failure(run(`{ Parcel(where: {${condition}}) { id } }`))[0]).toBe(message);
  });
});

describe("the order of jsonb objects", () => {
  it.each([
    ["compares keys by length, also digits", '{"0": 1}', '{"": 2}', "_gt"],
    ["puts objects with fewer keys first", '{"-1": 1}', '{"0": 1, "": 1}', "_lt"],
  ])("%s", (_name, stored, other, operator) => {
    const ask = serve({ rows: { ...ROWS, Parcel: [{ ...ROWS["Parcel"]?.[0], meta: stored }] } });
    const query = `query ($v: jsonb) { Parcel(where: {meta: {${operator}: $v}}) { id } }`;
    expect(ids(ask(query, { v: JSON.parse(other) }))).toBe("p1");
  });
});
