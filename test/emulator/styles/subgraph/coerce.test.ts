import { parseValue } from "graphql";
import { describe, expect, test } from "vitest";
import { JsonNumber } from "../../../../emulator/styles/served-style.ts";
import { coerceValue } from "../../../../emulator/styles/subgraph/coerce.ts";
import {
  type QueryValue,
  readJson,
  readLiteral,
  showValue,
} from "../../../../emulator/styles/subgraph/query-value.ts";
import { createSchemaIndex } from "../../../../emulator/styles/subgraph/schema-index.ts";
import { parseSdl } from "../../../../src/dialects/parse-sdl.ts";
import { BAND_ROWS, BANDS, bands, idsFor, messagesOf, readMarks, serve } from "./support.ts";

const ask = bands();
const index = createSchemaIndex({
  ...serve(BANDS, BAND_ROWS),
  schema: parseSdl(
    `scalar Boolean scalar Int scalar Int8 scalar BigInt scalar BigDecimal scalar Timestamp scalar String
     scalar ID scalar Bytes scalar Float enum Genre { ROCK JAZZ } input In { a: Int!  b: [String!] }
     type Query { x: Int }`,
    "test",
  ),
});
const literal = (text: string) => readLiteral(parseValue(text), new Map());
const shown = (value: QueryValue | undefined) => (value === undefined ? null : showValue(value));

describe("coercion by target", () => {
  test.each<[type: string, given: string, becomes: string | null]>([
    ["Boolean", "true", "Boolean(true)"],
    ["Boolean", '"true"', null],
    ["Boolean", "1", null],
    ["Int", "2147483647", "Int(Number(2147483647))"],
    ["Int", "-2147483648", "Int(Number(-2147483648))"],
    ["Int", "2147483648", null],
    ["Int", "1.0", null],
    ["Int", '"1"', null],
    ["Int8", "9007199254740993", 'String("9007199254740993")'],
    ["Int8", '"5"', 'String("5")'],
    ["Int8", '"x"', 'String("x")'],
    ["Int8", "1.5", null],
    ["BigInt", "9223372036854775807", 'String("9223372036854775807")'],
    ["BigInt", '"+12"', 'String("+12")'],
    ["BigInt", "1.5", null],
    ["BigDecimal", "1", 'String("1")'],
    ["BigDecimal", "1.5", 'String("1.5")'],
    ["BigDecimal", "1e21", 'String("1000000000000000000000")'],
    ["BigDecimal", "1e-7", 'String("0.0000001")'],
    ["BigDecimal", '"1.5"', 'String("1.5")'],
    ["BigDecimal", "true", null],
    ["Timestamp", '"1700000000000000"', 'String("1700000000000000")'],
    ["Timestamp", '"0017"', 'String("17")'],
    ["Timestamp", "1700000000000000", null],
    ["Timestamp", '"2023-01-01"', null],
    ["Timestamp", '"9223372036854775807"', 'String("9223372036854775807")'],
    ["Timestamp", '"9223372036854775808"', null],
    ["String", '"x"', 'String("x")'],
    ["Timestamp", '"-1"', null],
    ["Timestamp", '"-1000000"', 'String("-1000000")'],
    ["String", "5", null],
    ["String", "ROCK", null],
    ["ID", '"x"', 'String("x")'],
    ["ID", "7", 'String("7")'],
    ["ID", "1.5", null],
    ["Bytes", '"0xAB"', 'String("0xAB")'],
    ["Bytes", "1", null],
    ["Genre", "ROCK", 'Enum("ROCK")'],
    ["Genre", '"JAZZ"', 'Enum("JAZZ")'],
    ["Genre", "POLKA", null],
    ["[Int!]", "[1, 2]", "List([Int(Number(1)), Int(Number(2))])"],
    ["[Int!]", "1", null],
    ["[Int!]", "[null]", null],
    ["[Int]", "[null]", "List([Null])"],
    ["In", '{ b: ["x"], a: 1 }', 'Object({"a": Int(Number(1)), "b": List([String("x")])})'],
    ["In", "{ c: 1 }", null],
    ["In", "{ b: [] }", 'Object({"b": List([])})'],
    ["In", "{ a: null }", null],
    ["In", "[]", null],
    ["Int", "null", "Null"],
    ["Int!", "null", null],
    ["Query", "1", null],
  ])("%s from %s", (type, given, becomes) => {
    expect(shown(coerceValue(literal(given), type, index))).toBe(becomes);
  });
});

describe("values are printed in the style of Rust", () => {
  test.each<[given: string, printed: string]>([
    ['"a\\"b\\\\c\\nd"', 'String("a\\"b\\\\c\\nd")'],
    ["5", "Int(Number(5))"],
    ["-5", "Int(Number(-5))"],
    ["99999999999", "Int(Number(1215752191))"],
    ["2147483648", "Int(Number(-2147483648))"],
    ["1.5", "Float(1.5)"],
    ["1.0", "Float(1.0)"],
    ["1e20", "Float(1e20)"],
    ["1e400", "Float(inf)"],
    ["-1e400", "Float(-inf)"],
    ["x", 'Enum("x")'],
    ["true", "Boolean(true)"],
    ["null", "Null"],
    ["[1, x]", 'List([Int(Number(1)), Enum("x")])'],
    ["{ b: 1, a: {} }", 'Object({"a": Object({}), "b": Int(Number(1))})'],
    ['"\\u0007é"', 'String("\\u{7}é")'],
    ['"\u202e\ufeff\ue000 \u00a0e\u0301"', 'String("\\u{202e}\\u{feff}\\u{e000} \\u{a0}e\\u{301}")'],
    ["0.00001", "Float(1e-5)"],
    ["0.0001", "Float(0.0001)"],
  ])("%s", (given, printed) => expect(shown(literal(given))).toBe(printed));
});

/** A number in the internal notation of the server's JSON library. */
const unread = (text: string) => `Object({"$serde_json::private::Number": String("${text}")})`;

describe("JSON variables", () => {
  test.each<[name: string, given: unknown, printed: string]>([
    ["a number within 32 bits", 2147483647, "Int(Number(2147483647))"],
    ["a number outside 32 bits becomes a float", 2147483648, "Float(2147483648.0)"],
    ["a fraction", 1.5, "Float(1.5)"],
    ["text", "x", 'String("x")'],
    ["null", null, "Null"],
    ["a list", [true], "List([Boolean(true)])"],
    ["an object", { b: 1, a: null }, 'Object({"a": Null, "b": Int(Number(1))})'],
    ["an integer of many digits", new JsonNumber("9007199254740993"), "Float(9007199254740992.0)"],
    ["an integer of more digits than a float shows", new JsonNumber("1".repeat(40)), unread("1".repeat(40))],
    ["an integer written as a float", new JsonNumber("1.0"), "Float(1.0)"],
    ["a negative zero", new JsonNumber("-0.0"), "Float(-0.0)"],
    ["a float with a trailing zero", new JsonNumber("1.50"), unread("1.50")],
    ["a positive exponent that Rust does not print", new JsonNumber("1E3"), unread("1e+3")],
    ["a positive exponent that Rust prints", new JsonNumber("1e21"), "Float(1e21)"],
    ["a negative exponent that Rust does not print", new JsonNumber("1e-5"), unread("1e-5")],
    ["a negative exponent that Rust prints", new JsonNumber("1e-6"), "Float(1e-6)"],
    ["a small number without an exponent", new JsonNumber("0.00001"), "Float(1e-5)"],
    ["a number beyond the range of floats", new JsonNumber("1e400"), unread("1e+400")],
  ])("%s", (_, given, printed) => expect(shown(readJson(given))).toBe(printed));

  test.each<[declared: string, where: string, variables: Record<string, unknown>]>([
    ["$n: BigInt", "{ fans: $n }", { n: "100000000000000000000" }],
    ["$w: Band_filter", "$w", { w: { fans: "100000000000000000000" } }],
    // Unknown variables are ignored.
    ["$n: ID", "{ id: $n }", { n: "b2", other: {} }],
    ['$n: ID = "b2"', "{ id: $n }", {}],
    ['$constructor: ID = "b2"', "{ id: $constructor }", {}],
  ])("(%s) in %s accepts %j", (declared, where, variables) => {
    const answer = ask(`query (${declared}) { bands(where: ${where}) { id } }`, variables);
    expect(answer).toEqual({ data: { bands: [{ id: "b2" }] } });
  });

  const wrong = (shown: string) => `Invalid value provided for argument \`x\`: ${shown}`;
  test.each<[type: string, variables: Record<string, unknown>, message: string]>([
    ["BigInt", { x: 10_000_000_000 }, wrong("Float(10000000000.0)")],
    ["Int!", {}, "No value provided for required variable `x`"],
    ["Int!", { x: null }, wrong("Null")],
    // Only the invalid item of a list is reported.
    ["[[Int]]", { x: [[1], [2, "y"]] }, wrong('String("y")')],
    ["Band", {}, "Variable `x` must have an input type"],
  ])("%s refuses %j", (type, variables, message) => {
    const { query, locations } = readMarks(`query Q(¦$x: ${type}) { bands { id } }`);
    expect(ask(query, variables)).toEqual({ errors: [{ locations, message }] });
  });
});

describe("null and absent", () => {
  test("a missing variable is an explicit null inside an object", () => {
    const answer = (type: string, args: string) => ask(`query ($n: ${type}) { bands(${args}) { id } }`);
    expect(answer("String", "where: { nick: $n }").data).toEqual({ bands: [{ id: "b3" }] });
    expect(messagesOf(answer("BigInt", "where: { fans_gt: $n }"))).toEqual([
      "Store error: unsupported filter `>` for value `null`",
    ]);
    expect(messagesOf(answer("Int", "block: { number: $n }"))).toEqual([
      'Invalid value provided for argument `block`: Object({"number": Null})',
    ]);
  });

  test.each([
    "first: null",
    "skip: null",
    "where: null",
    "orderBy: null",
    "block: null",
    "orderBy: id, orderDirection: null",
  ])("%s is the same as absent", (args) => {
    expect(idsFor(ask, "bands", args)).toEqual(["B4", "b1", "b2", "b3"]);
  });

  test.each<[query: string, message: string]>([
    ["{ band(id: null) { id } }", "Invalid value provided for argument `id`: Null"],
    ["{ band { id } }", "No value provided for required argument: `id`"],
    [
      "query ($n: BigInt) { bands(where: { fans: $n, name: 1 }) { id } }",
      'Invalid value provided for argument `where`: Object({"fans": Null, "name": Int(Number(1))})',
    ],
    // Of several such fields only the first is reported.
    [
      '{ bands(first: "x") { songs(skip: 1.5) { id } } band { id } }',
      'Invalid value provided for argument `first`: String("x")',
    ],
    [
      "{ bands { songs(skip: 1.5) { id } } band { id } }",
      "Invalid value provided for argument `skip`: Float(1.5)",
    ],
    ["{ bands(subgraphError: null) { id } }", "Invalid value provided for argument `subgraphError`: Null"],
  ])("%s", (query, message) => {
    expect(ask(query)).toEqual({ errors: [{ locations: [{ line: 0, column: 0 }], message }] });
  });
});
