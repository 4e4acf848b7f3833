import { describe, expect, it } from "vitest";
import { canonicalize, normalizeDescription, normalizeValue } from "../../src/dialects/canonicalize.ts";
import { parseSdl } from "../../src/dialects/parse-sdl.ts";
import { renderSdl } from "../../src/dialects/render-sdl.ts";
import { readBlockString } from "../../src/dialects/subgraph/read.ts";
import { validateSchema } from "../../src/dialects/validate-schema.ts";
import { catchError } from "../support/catch-error.ts";

const sdl = (text: string) => canonicalize(parseSdl(text, "test"));

describe("long texts", () => {
  it.each([
    ["lines", "a\n".repeat(60_000), "a\n".repeat(60_000).trimEnd()],
    ["blank lines", "\n".repeat(60_000), null],
    ["blank lines around one", `${"\n".repeat(60_000)}  a${"\n".repeat(60_000)}`, "a"],
    ["blanks", " ".repeat(200_000), null],
  ])("a description of many %s is normalized", (_, given, want) => {
    expect(normalizeDescription(given) === want).toBe(true);
  });

  it("a block string of 60,000 lines is parsed", () => {
    expect(readBlockString("\n  a".repeat(60_000)).length).toBe(119_999);
  });
});

describe("values that a snapshot cannot contain", () => {
  it("a deprecation reason with a lone surrogate is repaired like a description", () => {
    const schema = {
      ...sdl("type Query { a: Int }"),
      types: [
        {
          kind: "ENUM" as const,
          name: "E",
          description: null,
          values: [{ name: "A", description: null, deprecationReason: "a\ud800b" }],
        },
      ],
    };
    const [type] = canonicalize(schema).types;
    expect(type).toMatchObject({ values: [{ deprecationReason: "a\ufffdb" }] });
    expect(canonicalize(parseSdl(renderSdl(canonicalize(schema)), "test")).types).toEqual([type]);
  });

  it.each([
    [String.raw`"a\u00e9\u{1F600}\/\n"`, String.raw`"aé😀/\n"`],
    [String.raw`"\ud83d\ude00"`, '"😀"'],
    ['"""\n  a\n    "b"\n"""', String.raw`"a\n  \"b\""`],
    [String.raw`["\u0041", {b: "\u0042", a: """c"""}]`, '["A", { a: "c", b: "B" }]'],
    ['""', '""'],
  ])("a default is normalized to one notation of strings: %s", (given, want) => {
    expect(normalizeValue(given)).toBe(want);
    expect(normalizeValue(want)).toBe(want);
  });

  it.each([
    ["input A { a: A = {} }", /the default of A\.a contains itself/],
    ["input A { a: [A!] = [{}] }", /the default of A\.a contains itself/],
    ["input A { b: B = {} } input B { a: A = { } }", /the default of [AB]\.[ab] contains itself/],
    ["input A { b: A = { x: 1 } x: Int }", /the default of A\.b contains itself/],
    [
      `${Array.from({ length: 40 }, (_, i) => `input A${i} { a: A${i + 1} = {} b: A${i + 1} = {} }`).join(" ")} input A40 { a: Int }`,
      /has more than 1000 values/,
    ],
    [
      `${Array.from({ length: 12_000 }, (_, i) => `input A${i} { a: A${i + 1} = {} }`).join(" ")} input A12000 { a: Int }`,
      /has more than 1000 values/,
    ],
  ])("error: a default is infinite or has too many values (%#)", (text, want) => {
    expect(catchError(() => validateSchema(sdl(`type Query { a: Int } ${text}`))).message).toMatch(want);
  });

  it.each([
    "input A { a: A }",
    "input A { a: A = null }",
    "input A { a: A = { a: null } }",
    "input A { a: A = { a: { a: null } } }",
    "input A { b: B = {} } input B { c: Int = 1 }",
    "input A { a: [A!] = [] }",
    'input A { a: Int = "x" b: B = 5 } input B { c: Int }',
  ])("a finite default is accepted: %s", (text) => {
    expect(() => validateSchema(sdl(`type Query { a(b: Int = 1): Int } ${text}`))).not.toThrow();
  });
});
