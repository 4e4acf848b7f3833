import { describe, expect, test } from "vitest";
import { bands, messagesOf, readMarks } from "./support.ts";

const ask = bands();

/** Each text is refused at its mark. */
function checkRefused(texts: readonly string[]): void {
  test.each(texts)("%s", (marked) => {
    const { query, locations } = readMarks(marked);
    const answer = ask(query);
    expect(answer).toEqual({ errors: [{ locations, message: expect.stringContaining("Syntax Error") }] });
    expect(JSON.stringify(answer)).toMatch(/^\{"errors":\[\{"locations":\[\{"line":/);
  });
}

describe("a syntax error", () => {
  checkRefused([
    "¦",
    "¦foo",
    "¦type A { id: ID }",
    '¦"""x""" type A { id: ID }',
    "{ bands { id } } ¦12",
    "{ ¦}",
    "{\n  bands {\n  ¦}\n}",
    "{ bands { id }¦",
    "{ bands(¦) { id } }",
    "{ bands(first ¦1) { id } }",
    "{ a(x: [1 ¦}) }",
    "query ($a¦) { a }",
    "query ($a: Int ¦@x) { a }",
    "query ($a: [Int] = [¦$b]) { a }",
    "fragment F ¦{ id }",
    "{ bands ¦% }",
    '{ a(x: "y¦\n") }',
    '{ a(x: ¦"\\ud83d\\ude00") }',
    '{ a(x: ¦"\\\\\\u{1F600}") }',
    "{ a(x: 0¦1) }",
    "{ a(x: 1.¦) }",
    "{ a(x: ¦1e0) }",
    '{ a(x: [¦1"x"]) }',
    "{ bands(first: ¦9223372036854775808) { id } }",
    "{ bands(first: ¦-9223372036854775809) { id } }",
    `${"{a".repeat(50)}¦{a${"}".repeat(51)}`,
    `${"{a".repeat(30)}(b: ${"[".repeat(19)}¦[${"]".repeat(20)})${"}".repeat(30)}`,
  ]);

  test.each([
    ["a tab counts as eight", "{\t\ta %}", 1, 20],
    ["characters count, not bytes or code units", '{ a(x: "äöü€😀") %}', 1, 17],
    ["carriage returns do not count", "{\r\n\r\n a %}", 3, 4],
    ["lines of a block string count", '{ a(x: """b\n  c""") %}', 2, 9],
  ])("has a place in which %s", (_, query, line, column) => {
    expect(ask(query)).toMatchObject({ errors: [{ locations: [{ line, column }] }] });
  });

  test("of deep nesting does not overflow the stack", () => {
    for (const text of ["{a".repeat(200_000), `{ a(x: ${"[".repeat(200_000)}`]) {
      expect(messagesOf(ask(text))).toEqual(["Syntax Error: more than 50 nested brackets"]);
    }
  });
});

describe("the parser does not support", () => {
  test.each([
    ['fragments named "on"', '{ band(id: "b1") { id } } fragment on on Band { id }'],
    ["a carriage return in a string", '{ band(id: "b1\r") { id } }'],
  ])("%s", (what, query) => {
    expect(messagesOf(ask(query))).toEqual([`the emulator does not support ${what}`]);
  });
});

describe("the parser accepts", () => {
  const one = { data: { band: { id: "b1" } } };
  test.each<[name: string, query: string]>([
    ["byte order marks at the start and between tokens", '\uFEFF{ band(id: "b1") {\uFEFF id } }'],
    ["commas anywhere", ',{,band,(,id:,"b1",),{,id,},}'],
    [
      "brackets in strings and comments",
      `{ band(id: "b1", x: "${"{([".repeat(60)}") { id } } # ${"{([".repeat(60)}`,
    ],
    ["49 nested brackets", `{ band(id: "b1", x: ${"[".repeat(48)}${"]".repeat(48)}) { id } }`],
    ["the name of an operation that is a keyword", 'query query { band(id: "b1") { id } }'],
    ["an inline fragment without a type", '{ band(id: "b1") { ... { id } } }'],
    ["the largest integer", '{ band(id: "b1", x: [9223372036854775807, -9223372036854775808, -0]) { id } }'],
    ["escaped backslashes before u", '{ band(id: "b1", x: "\\\\u{1} \\\\ud83d") { id } }'],
    ["floats", '{ band(id: "b1", x: [0.5, -1.0, 1e5, 1E-10, 2.5e+3]) { id } }'],
    ["escapes", '{ band(id: "\\u0062\\u0031", x: "\\" \\\\ \\/ \\b \\f \\n \\r \\t") { id } }'],
    ["a block string without its indentation", '{ band(id: """\n\n    b1\n  \n""") { id } }'],
    ["an escaped end within a block string", '{ band(id: "b1", x: """ a \\""" b """) { id } }'],
    ["empty lists and objects", '{ band(id: "b1", x: [], y: {}) { id } }'],
  ])("%s", (_, query) => {
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
