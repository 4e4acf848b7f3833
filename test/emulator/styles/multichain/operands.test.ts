import { describe, expect, it } from "vitest";
import { JsonNumber } from "../../../../emulator/styles/served-style.ts";
import { failure, ids, readMark, serve, serveParcels } from "./support.ts";

const run = serve();
const where = (condition: string): string => ids(run(`{ Parcel(where: ${condition}) { id } }`));

describe("operands of array columns", () => {
  it.each([
    ["a null item equals only null", "{sizes: {_eq: [1, null]}}", ""],
    ["a null item is the greatest", "{sizes: {_lt: [1, null]}}", "p1 p2 p3 p4"],
    ["a null item is never contained", "{sizes: {_contains: [null]}}", ""],
    ["a bare enum value is a string", "{tags: {_contains: [a]}}", "p1 p3"],
    ["an array literal with a quoted item", '{tags: {_eq: "{\\"a\\", b}"}}', "p1"],
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

  it("a variable inside JSON is inserted", () => {
    const query = "query ($v: String) { Parcel(where: {meta: {_contains: {k: $v}}}) { id } }";
    expect(ids(run(query, { v: "v" }))).toBe("p1");
  });

  it.each([
    ['{meta: {_in: ["1"]}}'],
    ["{meta: {_in: 1}}"],
    ["{meta: {_nin: [[1]]}}"],
    ['{meta: {_in: ["text", {}]}}'],
  ])("%s is refused by the database", (condition) => {
    const want = ["invalid input syntax for type json", "$", "data-exception"];
    expect(failure(run(`{ Parcel(where: ${condition}) { id } }`))).toEqual(want);
  });

  it("an empty array is ordered before scalars", () => {
    const ask = serveParcels("meta", ["null", "[]", '"a"', "[[]]", "{}", "1"]);
    expect(ids(ask("{ Parcel(order_by: {meta: asc}) { id } }"))).toBe("x1 x0 x2 x5 x3 x4");
  });

  it.each([
    ["compares keys by length, also digits", '{"0": 1}', '{"": 2}', "_gt"],
    ["puts objects with fewer keys first", '{"-1": 1}', '{"0": 1, "": 1}', "_lt"],
  ])("the order of objects %s", (_name, stored, other, operator) => {
    const query = `query ($v: jsonb) { Parcel(where: {meta: {${operator}: $v}}) { id } }`;
    expect(ids(serveParcels("meta", [stored])(query, { v: JSON.parse(other) }))).toBe("x0");
  });
});

describe("operands of another type", () => {
  it.each([
    ["{sizes: {_eq: ¦1}}", "[]", "Array", "Number"],
    ["{sizes: {_eq: ¦true}}", "[]", "Array", "Boolean"],
    ["{sizes: {_eq: ¦{}}}", "[]", "Array", "Object"],
    // The path is that of the operand, not of the item.
    ['{weights: {_eq: ¦[["a"], 1]}}', "Scientific", "Number", "Array"],
    ["{tags: {_neq: ¦[null, true]}}", "Text", "String", "Boolean"],
    ["{sizes: {_in: [¦1]}}", "[]", "Array", "Number"],
    ["{meta: {_has_key: ¦1}}", "Text", "String", "Number"],
    ['{meta: {_has_key: ¦["k"]}}', "Text", "String", "Array"],
    ["{meta: {_has_keys_any: [¦1]}}", "Text", "String", "Number"],
    ["{meta: {_has_keys_all: [¦{}]}}", "Text", "String", "Object"],
  ])("%s is refused: parsing %s failed", (condition, type, expected, found) => {
    const { query, path } = readMark(`{ Parcel(where: ${condition}) { id } }`);
    const message = `parsing ${type} failed, expected ${expected}, but encountered ${found}`;
    expect(failure(run(query))).toEqual([message, path, "parse-failed"]);
  });

  it.each([
    ["{title: {_eq: ¦null}}", "String"],
    ["{weight: {_gt: ¦null}}", "numeric"],
    ['{title: {_in: ["a", ¦null]}}', "String"],
    ["{meta: {_has_keys_any: [¦null]}}", "String"],
    // Null for an array is reported with the type of an item.
    ["{sizes: {_eq: ¦null}}", "Int"],
  ])("%s is refused: null for %s", (condition, type) => {
    const { query, path } = readMark(`{ Parcel(where: ${condition}) { id } }`);
    const message = `unexpected null value for type '${type}'`;
    expect(failure(run(query))).toEqual([message, path, "validation-failed"]);
  });

  it.each([
    ["null", "null"],
    ['"true"', "a string"],
  ])("_is_null: %s is refused", (operand, found) => {
    const { query, path } = readMark(`{ Parcel(where: {title: {_is_null: ¦${operand}}}) { id } }`);
    const message = `expected a boolean for type 'Boolean', but found ${found}`;
    expect(failure(run(query))).toEqual([message, path, "validation-failed"]);
  });
});

describe("numbers keep their digits", () => {
  it.each([
    ["_eq", "123456789012345678901234567890", "p4"],
    ["_eq", "123456789012345678901234567891", ""],
    ["_lt", "1e400", "p1 p2 p4"],
  ])("numeric %s %s", (operator, digits, want) => {
    const query = `query ($w: numeric!) { Parcel(where: {weight: {${operator}: $w}}) { id } }`;
    expect(ids(run(query, { w: new JsonNumber(digits) }))).toBe(want);
  });

  it("jsonb", () => {
    const ask = serveParcels("meta", ['{"n": 12345678901234567890.10}', '{"n": 12345678901234567890.2}']);
    const query = "query ($m: jsonb!) { Parcel(where: {meta: {_contains: $m}}) { id } }";
    expect(ids(ask(query, { m: { n: new JsonNumber("12345678901234567890.1") } }))).toBe("x0");
    const cast =
      '{ Parcel(where: {meta: {_cast: {String: {_eq: "{\\"n\\": 12345678901234567890.10}"}}}}) { id } }';
    expect(ids(ask(cast))).toBe("x0");
    expect(ids(ask("{ Parcel(where: {meta: {_eq: {n: 12345678901234567890.20}}}) { id } }"))).toBe("x1");
    const meta = { n: 12345678901234567000 };
    expect(ask("{ Parcel { meta } }").data).toEqual({ Parcel: [{ meta }, { meta }] });
  });

  it.each([
    ["where: {count: {_eq: $v}}", "9.9999999999999e13", 99999999999999],
    ["where: {count: {_eq: $v}}", "2.5e-3", 0.0025],
    ["limit: $v", "1.5", 1.5],
    ["limit: $v", "2.147483648e9", 2147483648],
    ["limit: $v", "1234567.5", 1234567.5],
    ["limit: $v", "1.23456785e7", 12345678.5],
    ["offset: $v", "0.5", 0.5],
  ])("%s: an error has the server's notation %s", (args, shown, v) => {
    const [message, , code] = failure(run(`query ($v: Int!) { Parcel(${args}) { id } }`, { v }));
    expect(message).toMatch(`The value ${shown} lies outside the bounds or is not an integer.`);
    expect(code).toBe("parse-failed");
  });

  it.each([
    ["1e400", "1.0e400"],
    ["0.25e-400", "2.5e-401"],
    ["-1e309", "-1.0e309"],
  ])("float8 %s overflows", (literal, shown) => {
    const { query, path } = readMark(`{ Parcel(where: {ratio: {_lt: ¦${literal}}}) { id } }`);
    const message = `The value ${shown} lies outside the bounds. Is it overflowing the float bounds?`;
    expect(failure(run(query))).toEqual([message, path, "parse-failed"]);
  });

  it.each([
    ["a number", -1],
    ["a string", "1"],
    ["a boolean", true],
    ["a list", [1]],
  ])("limit: %s from JSON is refused", (found, v) => {
    const { query, path } = readMark("query ($v: Int!) { Parcel(limit: ¦$v) { id } }");
    const message = `expected a non-negative 32-bit integer for type 'Int', but found ${found}`;
    expect(failure(run(query, { v }))).toEqual([message, path, "validation-failed"]);
  });
});

it.each([
  "{ Parcel { id } }",
  '{ Parcel_stream(batch_size: 10, cursor: {initial_value: {id: "p1"}}) { id } }',
])("the subscription %s is refused over HTTP", (selection) => {
  const message = "subscriptions are not supported over HTTP, use websockets instead";
  expect(failure(run(`subscription ${selection}`))).toEqual([message, "$", "unexpected-payload"]);
});

describe("strings that the database parses as numbers", () => {
  it.each([
    ["hexadecimal", '{count: {_eq: "0x3"}}', "p1"],
    ["octal", '{count: {_eq: "0o3"}}', "p1"],
    ["binary", '{count: {_eq: "-0b_11"}}', ""],
    ["digits in groups", '{weight: {_eq: "1_00"}}', "p1"],
    ["a hexadecimal numeric", '{weight: {_eq: "0x64"}}', "p1"],
    ["a hexadecimal float", '{ratio: {_gt: "0x10"}}', "p2"],
  ])("%s", (_name, condition, want) => {
    expect(where(condition)).toBe(want);
  });

  it.each([
    ['count: {_eq: "1_"}', 'invalid input syntax for type integer: "1_"'],
    ['count: {_eq: "0x80000000"}', 'value "0x80000000" is out of range for type integer'],
    ['weight: {_eq: "0x1F.5"}', 'invalid input syntax for type numeric: "0x1F.5"'],
    ['ratio: {_eq: "1_0"}', 'invalid input syntax for type double precision: "1_0"'],
    ['sizes: {_eq: [1, "x"]}', 'invalid input syntax for type integer: "x"'],
  ])("%s is refused", (condition, message) => {
    const answer = run(`{ Parcel(where: {${condition}}) { id } }`);
    expect(failure(answer)).toEqual([message, "$", "data-exception"]);
  });
});
