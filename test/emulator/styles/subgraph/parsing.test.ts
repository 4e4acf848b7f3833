import { describe, expect, test } from "vitest";
import { bands, messagesOf } from "./support.ts";

const ask = bands();

describe("parse errors", () => {
  type Row = readonly [name: string, query: string, line: number, column: number, message: string];
  const DEFINITION = "Expected {, query, mutation, subscription or fragment";
  const VALUE = "Expected IntValue, FloatValue, StringValue, BlockString, true, false, null or Name";
  const rows: readonly Row[] = [
    ["a name", "foo", 1, 1, `Unexpected \`foo[Name]\`\n${DEFINITION}`],
    ["an empty text", "", 1, 1, `Unexpected end of input\n${DEFINITION}`],
    ["a comment", "# x\n", 2, 1, `Unexpected end of input\n${DEFINITION}`],
    ["a type definition", "type A { id: ID }", 1, 1, `Unexpected \`type[Name]\`\n${DEFINITION}`],
    ["a description", '"x" { a }', 1, 1, `Unexpected \`"x"[StringValue]\`\n${DEFINITION}`],
    [
      "a number after the end",
      "{ bands { id } } 12",
      1,
      18,
      "Unexpected `12[IntValue]`\nExpected end of input",
    ],
    ["an extra bracket", "{ bands { id } } }", 1, 18, "Unexpected `}[Punctuator]`\nExpected end of input"],
    ["an unknown character after the end", "{ bands { id } } %", 1, 18, "Expected end of input"],
    ["an empty selection", "{ }", 1, 3, "Unexpected `}[Punctuator]`\nExpected Name"],
    ["an empty sub-selection", "{\n  bands {\n  }\n}", 3, 3, "Unexpected `}[Punctuator]`\nExpected Name"],
    ["an unclosed selection", "{ bands { id }", 1, 15, "Unexpected end of input\nExpected }"],
    ["an unclosed selection at the root", "{ bands", 1, 8, "Unexpected end of input\nExpected }"],
    ["a number among fields", "{ bands 1.5 }", 1, 9, "Unexpected `1.5[FloatValue]`\nExpected }"],
    ["an alias without a field", "{ a: }", 1, 6, "Unexpected `}[Punctuator]`\nExpected Name"],
    ["an invalid spread", "{ ... 1 }", 1, 7, "Unexpected `1[IntValue]`\nExpected {, on or Name"],
    [
      "a fragment without a type condition after `on`",
      "{ ... on { id } }",
      1,
      10,
      "Unexpected `{[Punctuator]`\nExpected Name",
    ],
    ["a fragment without fields", "{ ... on Band }", 1, 15, "Unexpected `}[Punctuator]`\nExpected {"],
    ["a directive without a name", "{ a @ }", 1, 7, "Unexpected `}[Punctuator]`\nExpected Name"],
    ["empty arguments", "{ bands() { id } }", 1, 9, "Unexpected `)[Punctuator]`\nExpected Name"],
    [
      "a string as an argument",
      '{ bands("x") { id } }',
      1,
      9,
      'Unexpected `"x"[StringValue]`\nExpected Name',
    ],
    [
      "a block string as an argument",
      '{ bands("""x""") { id } }',
      1,
      9,
      'Unexpected `"""x"""[BlockString]`\nExpected Name',
    ],
    ["a list as an argument", "query Q {\n  a([x])\n}", 2, 5, "Unexpected `[[Punctuator]`\nExpected Name"],
    [
      "an argument without a colon",
      "{ bands(first 1) { id } }",
      1,
      15,
      "Unexpected `1[IntValue]`\nExpected :",
    ],
    [
      "an argument without a value",
      "{ bands(first: ) { id } }",
      1,
      16,
      `Unexpected \`)[Punctuator]\`\n${VALUE}`,
    ],
    [
      "a second value of an argument",
      "{ bands(first: 1 2) { id } }",
      1,
      18,
      "Unexpected `2[IntValue]`\nExpected Name, : or )",
    ],
    ["an unclosed list", "{ a(x: [1 }) }", 1, 11, "Unexpected `}[Punctuator]`\nExpected ]"],
    ["an unclosed object", "{ a(x: { y: 1 ]) }", 1, 15, "Unexpected `][Punctuator]`\nExpected Name, : or }"],
    ["a variable without a name", "{ a(x: $) }", 1, 9, "Unexpected `)[Punctuator]`\nExpected Name"],
    ["empty variable definitions", "query () { a }", 1, 8, "Unexpected `)[Punctuator]`\nExpected $"],
    [
      "a variable without a colon and a type",
      "query ($a) { a }",
      1,
      10,
      "Unexpected `)[Punctuator]`\nExpected :",
    ],
    [
      "a variable without a type after the colon",
      "query ($a: ) { a }",
      1,
      12,
      "Unexpected `)[Punctuator]`\nExpected Name or [",
    ],
    [
      "a directive on a variable",
      "query ($a: Int @x) { a }",
      1,
      16,
      "Unexpected `@[Punctuator]`\nExpected $, Name, :, = or )",
    ],
    [
      "a variable as a default",
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
      "a single quotation mark",
      "'",
      1,
      1,
      `Unexpected unexpected character '\\''\nUnexpected end of input\n${DEFINITION}`,
    ],
    ["a bare dot", "{ a .. }", 1, 5, `Unexpected bare dot '.' is not supported, only "..."\nExpected }`],
    [
      "an unterminated string",
      '{ a(x: "y\n") }',
      1,
      8,
      `Unexpected unterminated string value\nUnexpected end of input\n${VALUE}`,
    ],
    [
      "an unterminated block string",
      '{ a(x: """y"") }',
      1,
      8,
      `Unexpected unterminated block string value\nUnexpected end of input\n${VALUE}`,
    ],
    ["an unknown escape", '{ a(x: "\\x") }', 1, 8, "Unexpected bad escaped char 'x'"],
    [
      "a surrogate in an escape",
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
      "an exponent that starts with zero",
      "{ a(x: 1e0) }",
      1,
      8,
      `Unexpected unsupported float "1e0"\nUnexpected end of input\n${VALUE}`,
    ],
    ["an empty exponent", "{ a(x: 1e+) }", 1, 8, "invalid float literal"],
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

    ["too deeply nested selections", `{${"a{".repeat(50)}`, 1, 101, "Expected }\nRecursion limit exceeded"],
    [
      "too deeply nested brackets of several kinds",
      `${"{ a".repeat(30)}(b: ${"[".repeat(25)}`,
      1,
      114,
      "Expected ]\nRecursion limit exceeded",
    ],

    ["a position after tabs", "{\t\ta 1 }", 1, 20, "Unexpected `1[IntValue]`\nExpected }"],
    [
      "a position after characters of one to four bytes",
      '{ a(x: "äöü€😀") 1 }',
      1,
      17,
      "Unexpected `1[IntValue]`\nExpected }",
    ],
    ["a position after line ends", "{\r\n\r\n a 1 }", 3, 4, "Unexpected `1[IntValue]`\nExpected }"],
    [
      "a position after a block string",
      '{ a(x: """b\n  c""") 1 }',
      2,
      9,
      "Unexpected `1[IntValue]`\nExpected }",
    ],
    [
      "a position after a comment that ends with CRLF, which counts as two lines",
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

  test("deep nesting does not overflow the stack", () => {
    expect(messagesOf(ask("{a".repeat(200_000)))).toEqual(["Expected }\nRecursion limit exceeded"]);
    expect(messagesOf(ask(`{ a(x: ${"[".repeat(200_000)}`))).toEqual([
      "Expected ]\nRecursion limit exceeded",
    ]);
  });
});

describe("the parser accepts", () => {
  const one = { data: { band: { id: "b1" } } };
  const rows: readonly [name: string, query: string][] = [
    ["byte order marks at the start and between tokens", '\uFEFF{ band(id: "b1") {\uFEFF id } }'],
    ["commas anywhere", ',{,band,(,id:,"b1",),{,id,},}'],
    [
      "brackets in strings and comments",
      `{ band(id: "b1", x: "${"{([".repeat(60)}") { id } } # ${"{([".repeat(60)}`,
    ],
    ["49 nested brackets", `{ band(id: "b1", x: ${"[".repeat(48)}${"]".repeat(48)}) { id } }`],
    ["the name of an operation that is a keyword", 'query query { band(id: "b1") { id } }'],
    ["a fragment named on", '{ band(id: "b1") { id } } fragment on on Band { id }'],
    ["an inline fragment without a type", '{ band(id: "b1") { ... { id } } }'],
    ["the largest integer", '{ band(id: "b1", x: [9223372036854775807, -9223372036854775808, -0]) { id } }'],
    ["floats", '{ band(id: "b1", x: [0.5, -1.0, 1e5, 1E-10, 2.5e+3]) { id } }'],
    ["escapes", '{ band(id: "\\u0062\\u0031", x: "\\" \\\\ \\/ \\b \\f \\n \\r \\t") { id } }'],
    [
      "a block string, without its indentation and blank lines",
      '{ band(id: """\n\n    b1\n  \n""") { id } }',
    ],
    ["an escaped end within a block string", '{ band(id: "b1", x: """ a \\""" b """) { id } }'],
    ["empty lists and objects", '{ band(id: "b1", x: [], y: {}) { id } }'],
  ];
  test.each(rows)("%s", (_, query) => {
    expect(ask(query)).toEqual(one);
  });

  test("of two values with one key the last is used", () => {
    expect(ask('{ bands(where: { id: "b1", id: "b2" }) { id } }')).toEqual({
      data: { bands: [{ id: "b2" }] },
    });
  });
  test("of two fragments with one name the last is used", () => {
    const query = '{ band(id: "b1") { ...F } } fragment F on Band { id } fragment F on Band { name }';
    expect(ask(query)).toEqual({ data: { band: { name: "alpha" } } });
  });
});
