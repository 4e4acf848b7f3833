import { describe, expect, test } from "vitest";
import { bands, messagesOf } from "./support.ts";

const ask = bands();

describe("parse errors", () => {
  type Row = readonly [name: string, query: string, line: number, column: number, message: string];
  const DEFINITION = "Expected {, query, mutation, subscription or fragment";
  const VALUE = "Expected IntValue, FloatValue, StringValue, BlockString, true, false, null or Name";
  const rows: readonly Row[] = [
    ["a name", "foo", 1, 1, `Unexpected \`foo[Name]\`\n${DEFINITION}`],
    ["nothing", "", 1, 1, `Unexpected end of input\n${DEFINITION}`],
    ["a comment", "# x\n", 2, 1, `Unexpected end of input\n${DEFINITION}`],
    ["a type definition", "type A { id: ID }", 1, 1, `Unexpected \`type[Name]\`\n${DEFINITION}`],
    ["a description", '"x" { a }', 1, 1, `Unexpected \`"x"[StringValue]\`\n${DEFINITION}`],
    ["something behind", "{ bands { id } } 12", 1, 18, "Unexpected `12[IntValue]`\nExpected end of input"],
    ["a bracket too many", "{ bands { id } } }", 1, 18, "Unexpected `}[Punctuator]`\nExpected end of input"],
    ["an unknown character behind", "{ bands { id } } %", 1, 18, "Expected end of input"],
    ["an empty selection", "{ }", 1, 3, "Unexpected `}[Punctuator]`\nExpected Name"],
    ["an empty sub-selection", "{\n  bands {\n  }\n}", 3, 3, "Unexpected `}[Punctuator]`\nExpected Name"],
    ["an open selection", "{ bands { id }", 1, 15, "Unexpected end of input\nExpected }"],
    ["an open selection of names", "{ bands", 1, 8, "Unexpected end of input\nExpected }"],
    ["a number among fields", "{ bands 1.5 }", 1, 9, "Unexpected `1.5[FloatValue]`\nExpected }"],
    ["no field behind an alias", "{ a: }", 1, 6, "Unexpected `}[Punctuator]`\nExpected Name"],
    ["nothing to spread", "{ ... 1 }", 1, 7, "Unexpected `1[IntValue]`\nExpected {, on or Name"],
    ["no type to be on", "{ ... on { id } }", 1, 10, "Unexpected `{[Punctuator]`\nExpected Name"],
    ["a fragment without fields", "{ ... on Band }", 1, 15, "Unexpected `}[Punctuator]`\nExpected {"],
    ["no directive", "{ a @ }", 1, 7, "Unexpected `}[Punctuator]`\nExpected Name"],
    ["no arguments", "{ bands() { id } }", 1, 9, "Unexpected `)[Punctuator]`\nExpected Name"],
    [
      "a string for an argument",
      '{ bands("x") { id } }',
      1,
      9,
      'Unexpected `"x"[StringValue]`\nExpected Name',
    ],
    [
      "a block string for an argument",
      '{ bands("""x""") { id } }',
      1,
      9,
      'Unexpected `"""x"""[BlockString]`\nExpected Name',
    ],
    ["a list for an argument", "query Q {\n  a([x])\n}", 2, 5, "Unexpected `[[Punctuator]`\nExpected Name"],
    ["no colon", "{ bands(first 1) { id } }", 1, 15, "Unexpected `1[IntValue]`\nExpected :"],
    ["no value", "{ bands(first: ) { id } }", 1, 16, `Unexpected \`)[Punctuator]\`\n${VALUE}`],
    [
      "no argument behind one",
      "{ bands(first: 1 2) { id } }",
      1,
      18,
      "Unexpected `2[IntValue]`\nExpected Name, : or )",
    ],
    ["an open list", "{ a(x: [1 }) }", 1, 11, "Unexpected `}[Punctuator]`\nExpected ]"],
    ["an open object", "{ a(x: { y: 1 ]) }", 1, 15, "Unexpected `][Punctuator]`\nExpected Name, : or }"],
    ["no variable", "{ a(x: $) }", 1, 9, "Unexpected `)[Punctuator]`\nExpected Name"],
    ["no variables", "query () { a }", 1, 8, "Unexpected `)[Punctuator]`\nExpected $"],
    ["a variable without a type", "query ($a) { a }", 1, 10, "Unexpected `)[Punctuator]`\nExpected :"],
    ["a variable of no type", "query ($a: ) { a }", 1, 12, "Unexpected `)[Punctuator]`\nExpected Name or ["],
    [
      "a directive on a variable",
      "query ($a: Int @x) { a }",
      1,
      16,
      "Unexpected `@[Punctuator]`\nExpected $, Name, :, = or )",
    ],
    [
      "a variable for a default",
      "query ($a: Int = $b) { a }",
      1,
      18,
      `Unexpected \`$[Punctuator]\`\n${VALUE}`,
    ],
    [
      "a variable within a default",
      "query ($a: [Int] = [$b]) { a }",
      1,
      21,
      "Unexpected `$[Punctuator]`\nExpected ]",
    ],
    ["an operation without fields", "query Q", 1, 8, "Unexpected end of input\nExpected {"],
    ["a fragment without a type", "fragment F { id }", 1, 12, "Unexpected `{[Punctuator]`\nExpected on"],

    ["an unknown character", "{ bands % }", 1, 9, "Unexpected unexpected character '%'\nExpected }"],
    [
      "a quotation mark of another kind",
      "'",
      1,
      1,
      `Unexpected unexpected character '\\''\nUnexpected end of input\n${DEFINITION}`,
    ],
    ["a lonely dot", "{ a .. }", 1, 5, `Unexpected bare dot '.' is not supported, only "..."\nExpected }`],
    [
      "an open string",
      '{ a(x: "y\n") }',
      1,
      8,
      `Unexpected unterminated string value\nUnexpected end of input\n${VALUE}`,
    ],
    [
      "an open block string",
      '{ a(x: """y"") }',
      1,
      8,
      `Unexpected unterminated block string value\nUnexpected end of input\n${VALUE}`,
    ],
    ["an unknown escape", '{ a(x: "\\x") }', 1, 8, "Unexpected bad escaped char 'x'"],
    [
      "half a character",
      '{ a(x: "\\ud83d\\ude00") }',
      1,
      8,
      "Unexpected d83d is not a valid unicode code point",
    ],
    [
      "an integer with a leading zero",
      "{ a(x: 01) }",
      1,
      8,
      `Unexpected unsupported integer "01"\nUnexpected end of input\n${VALUE}`,
    ],
    [
      "a number with letters",
      "{ a(x: 1a) }",
      1,
      8,
      `Unexpected unsupported integer "1a"\nUnexpected end of input\n${VALUE}`,
    ],
    [
      "a minus sign",
      "{ a(x: -) }",
      1,
      8,
      `Unexpected unsupported integer "-"\nUnexpected end of input\n${VALUE}`,
    ],
    [
      "a float without a fraction",
      "{ a(x: 1.) }",
      1,
      8,
      `Unexpected unsupported float "1."\nUnexpected end of input\n${VALUE}`,
    ],
    [
      "an exponent that begins with zero",
      "{ a(x: 1e0) }",
      1,
      8,
      `Unexpected unsupported float "1e0"\nUnexpected end of input\n${VALUE}`,
    ],
    ["an exponent of nothing", "{ a(x: 1e+) }", 1, 8, "invalid float literal"],
    [
      "an integer over 64 bits",
      "{ bands(first: 9223372036854775808) { id } }",
      1,
      16,
      "number too large to fit in target type",
    ],
    [
      "an integer under 64 bits",
      "{ bands(first: -9223372036854775809) { id } }",
      1,
      16,
      "number too small to fit in target type",
    ],

    ["brackets nested too deep", `{${"a{".repeat(50)}`, 1, 101, "Expected }\nRecursion limit exceeded"],
    [
      "brackets of any kind",
      `${"{ a".repeat(30)}(b: ${"[".repeat(25)}`,
      1,
      114,
      "Expected ]\nRecursion limit exceeded",
    ],

    ["a place behind tabulators", "{\t\ta 1 }", 1, 20, "Unexpected `1[IntValue]`\nExpected }"],
    [
      "a place behind characters of all sizes",
      '{ a(x: "äöü€😀") 1 }',
      1,
      17,
      "Unexpected `1[IntValue]`\nExpected }",
    ],
    ["a place behind line ends", "{\r\n\r\n a 1 }", 3, 4, "Unexpected `1[IntValue]`\nExpected }"],
    [
      "a place behind a block string",
      '{ a(x: """b\n  c""") 1 }',
      2,
      9,
      "Unexpected `1[IntValue]`\nExpected }",
    ],
    [
      "a comment before CRLF counts two lines",
      "{ a # x\r\n 1 }",
      3,
      2,
      "Unexpected `1[IntValue]`\nExpected }",
    ],
  ];
  test.each(rows)("%s", (_, query, line, column, message) => {
    const answer = ask(query);
    expect(answer).toEqual({ errors: [{ locations: [{ line, column }], message }] });
    expect(JSON.stringify(answer)).toMatch(/^\{"errors":\[\{"locations":\[\{"line":/);
  });

  test("hostile nesting does not exhaust the stack", () => {
    expect(messagesOf(ask("{a".repeat(200_000)))).toEqual(["Expected }\nRecursion limit exceeded"]);
    expect(messagesOf(ask(`{ a(x: ${"[".repeat(200_000)}`))).toEqual([
      "Expected ]\nRecursion limit exceeded",
    ]);
  });
});

describe("what the parser takes", () => {
  const one = { data: { band: { id: "b1" } } };
  const rows: readonly [name: string, query: string][] = [
    ["a byte order mark, at the beginning and between", '\uFEFF{ band(id: "b1") {\uFEFF id } }'],
    ["commas anywhere", ',{,band,(,id:,"b1",),{,id,},}'],
    [
      "brackets in strings and comments",
      `{ band(id: "b1", x: "${"{([".repeat(60)}") { id } } # ${"{([".repeat(60)}`,
    ],
    ["49 brackets in each other", `{ band(id: "b1", x: ${"[".repeat(48)}${"]".repeat(48)}) { id } }`],
    ["the name of an operation that is a keyword", 'query query { band(id: "b1") { id } }'],
    ["a fragment called on", '{ band(id: "b1") { id } } fragment on on Band { id }'],
    ["a fragment within, without a type", '{ band(id: "b1") { ... { id } } }'],
    ["the largest integer", '{ band(id: "b1", x: [9223372036854775807, -9223372036854775808, -0]) { id } }'],
    ["floats", '{ band(id: "b1", x: [0.5, -1.0, 1e5, 1E-10, 2.5e+3]) { id } }'],
    ["escapes", '{ band(id: "\\u0062\\u0031", x: "\\" \\\\ \\/ \\b \\f \\n \\r \\t") { id } }'],
    ["a block string, its indentation and blank lines gone", '{ band(id: """\n\n    b1\n  \n""") { id } }'],
    ["an escaped end within a block string", '{ band(id: "b1", x: """ a \\""" b """) { id } }'],
    ["empty lists and objects", '{ band(id: "b1", x: [], y: {}) { id } }'],
  ];
  test.each(rows)("%s", (_, query) => {
    expect(ask(query)).toEqual(one);
  });

  test("of two values under one key the last counts", () => {
    expect(ask('{ bands(where: { id: "b1", id: "b2" }) { id } }')).toEqual({
      data: { bands: [{ id: "b2" }] },
    });
  });
  test("of two fragments with one name the last counts", () => {
    const query = '{ band(id: "b1") { ...F } } fragment F on Band { id } fragment F on Band { name }';
    expect(ask(query)).toEqual({ data: { band: { name: "alpha" } } });
  });
});
