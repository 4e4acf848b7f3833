import fc from "fast-check";
import { type ConstValueNode, Kind, parseConstValue } from "graphql";
import { describe, expect, it } from "vitest";
import { normalizeValue } from "../../src/dialects/canonicalize.ts";
import { parseValue } from "../../src/dialects/values.ts";
import { runs } from "../support/runs.ts";

const isValue = (text: string) => parseValue(text) !== null;

describe("parseValue", () => {
  it.each([
    ...["0", "-1", "1.5", "1e10", "-0.1E-3", "true", "null", "RED", "_a"],
    ...['""', '"a, b: {c}"', '"\\u00e9\\n\\""', '"\\u{1F600}"', '"\\ud83d\\ude00"', '"""a\n"b\\""" """'],
    ...["[]", "[1, 2 3]", "[[RED], []]", "{}", '{a:1,b:{c:["d"]}}', " 1 ", "\n{\n}\n", ",1,"],
  ])("accepts %j", (text) => {
    expect(isValue(text)).toBe(true);
    expect(() => parseConstValue(text)).not.toThrow();
  });

  it.each([
    ...String.raw`1 2|a b|") { evil|"a|"""a|"\x"|"\u12"|"\ud800"|"\u{110000}"|[|[1|1]|]|[}`.split("|"),
    ...`{|{a}|{a:}|{1:2}|{a:1|{a:1]|:|a:1|$a|@a|1.|01|1a|--1|.5|1.5.6|#a||`.split("|"),
    ...[" ", '"a\nb"', '"a\rb"', '"\ud800"', "a\u00a0", "a\u0000"],
  ])("returns null for %j", (text) => {
    expect(isValue(text)).toBe(false);
    expect(() => parseConstValue(text)).toThrow();
  });

  it.each([
    ["a duplicate key", "{a: 1, a: 2}"],
    ["a comment, which a snapshot would lose", "1 # a"],
    ["one level too many", "[".repeat(66) + "]".repeat(66)],
    ["one character too many", `"${"a".repeat(16 * 1024 - 1)}"`],
    ["a depth that exhausts a stack", "[".repeat(5000) + "]".repeat(5000)],
    ["a length that exhausts a regular expression", `"${"a".repeat(1e6)}"`],
  ])("returns null for %s", (_, text) => {
    expect(isValue(text)).toBe(false);
  });

  it.each([
    ["the maximum depth", "[".repeat(65) + "]".repeat(65)],
    ["the maximum length", `"${"a".repeat(16 * 1024 - 2)}"`],
  ])("accepts %s", (_, text) => {
    expect(isValue(text)).toBe(true);
  });

  it("agrees with the parser of graphql-js, and normalization keeps the meaning", () => {
    const marks = String.raw`" "" """ \ \u \n \" { } [ ] : , $ ( é 😀 - .`.split(" ");
    const words = 'a b d8 1 0 e true {a: [1 "a" 00e9'.split(" ");
    const pieces = fc.constantFrom(" ", "\n", ...marks, ...words);
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const text = parts.join("");
        const parsed = meaningOf(text);
        // A separate test checks duplicate keys.
        if (parsed === "twice") return;
        expect(isValue(text)).toBe(parsed !== null);
        if (parsed !== null) expect(meaningOf(normalizeValue(text))).toBe(parsed);
      }),
      { numRuns: runs(20, 1500) },
    );
  });
});

/** Returns a canonical text of a value; null if it is not a value, `twice` if an object has a duplicate key. */
function meaningOf(text: string): string | null {
  try {
    return spell(parseConstValue(text, { noLocation: true }));
  } catch {
    return null;
  }
}

function spell(node: ConstValueNode): string {
  switch (node.kind) {
    case Kind.LIST: {
      const items = node.values.map(spell);
      return items.includes("twice") ? "twice" : `[${items}]`;
    }
    case Kind.OBJECT: {
      const names = node.fields.map(({ name }) => name.value);
      const entries = node.fields.map(({ name, value }) => [name.value, spell(value)] as const);
      const twice = new Set(names).size < names.length || entries.some(([, value]) => value === "twice");
      return twice ? "twice" : `{${entries.map(([name, value]) => `${name}:${value}`).sort()}}`;
    }
    case Kind.NULL:
      return "null";
    case Kind.STRING:
      return JSON.stringify(node.value);
    default:
      return `${node.kind} ${node.value}`;
  }
}
