import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFirstKeyWins, parseJson } from "../../../emulator/adapters/parse-json.ts";
import { JsonNumber } from "../../../emulator/styles/served-style.ts";
import { runs } from "../../support/runs.ts";

describe("parseJson", () => {
  it("returns the same values as JSON.parse", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 1, 2), (text, indent) => {
        const spaced = JSON.stringify(JSON.parse(text), null, indent);
        expect(parseJson(spaced)).toEqual({ value: JSON.parse(spaced) });
      }),
      { seed: 1 },
    );
  });

  it("returns a problem if JSON.parse throws", () => {
    const broken = fc
      .json()
      .chain((text) =>
        fc
          .tuple(fc.nat(text.length), fc.constantFrom("", "}", "]", ",", ":", '"', "\\", "x", "-", "0", "\n"))
          .map(([at, inserted]) => text.slice(0, at) + inserted + text.slice(at + 1)),
      );
    fc.assert(
      fc.property(broken, (text) => {
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect("value" in parseJson(text), text).toBe(isJson);
      }),
      { seed: 2, numRuns: runs(100, 1000) },
    );
  });

  it.each([
    ["escapes", String.raw`"\" \\ \/ \b \f \n \r \t \u0041 \ud83d\ude00"`, '" \\ / \b \f \n \r \t A 😀'],
    ["literals", "[true, false, null]", [true, false, null]],
    ["numbers", "[0, -0, 1.5, 1e3, -2E-2, 9007199254740991]", [0, -0, 1.5, 1000, -0.02, 9007199254740991]],
    ["the key __proto__", '{"__proto__":1}', JSON.parse('{"__proto__":1}')],
  ])("parses %s", (_, text, value) => {
    expect(parseJson(text)).toEqual({ value });
  });

  it.each([
    "9007199254740993",
    "1e400",
    "-1e400",
    "0.1234567890123456789",
    "123456789012345678901234567890",
    "1e-400",
  ])("keeps the digits of %s", (text) => {
    expect(parseJson(`[${text}]`)).toEqual({ value: [new JsonNumber(text)] });
  });

  it("returns a problem if the text is nested too deeply", () => {
    const text = `${"[".repeat(3000)}${"]".repeat(3000)}`;
    expect(parseJson(text)).toMatchObject({ problem: { kind: "depth" } });
  });
});

describe("parseFirstKeyWins", () => {
  it.each([
    ["at the top", '{"query":"a","query":"b"}', { query: "a" }],
    ["in nested objects", '{"variables":{"a":{"x":1,"x":2}}}', { variables: { a: { x: 1 } } }],
    ["with different escapes", String.raw`{"query":"a","\u0071uery":"b"}`, { query: "a" }],
    ["in a list", '[{"a":1,"a":2}]', [{ a: 1 }]],
    ["with a string that looks like a key", String.raw`{"a":"\":\"","a":2}`, { a: '":"' }],
  ])("returns the value of the first of two equal keys %s", (_, text, value) => {
    expect(parseFirstKeyWins(text)).toEqual({ value });
  });

  it.each(['{"a":1e400}', '{"a":[1,9007199254740993]}', "[ 12345678901234567890 ]"])(
    "keeps the digits of numbers in %s",
    (text) => {
      expect(parseFirstKeyWins(text)).toEqual(parseJson(text));
      expect(JSON.stringify(parseFirstKeyWins(text))).toContain('"text"');
    },
  );

  it("returns the same values as JSON.parse for other texts, at any depth", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseFirstKeyWins(text)).toEqual({ value: JSON.parse(text) });
      }),
      { seed: 3 },
    );
    const deep = `${'{"a":'.repeat(3000)}1,"a":2${"}".repeat(3000)}`;
    expect(parseFirstKeyWins(deep)).toHaveProperty("value");
  });
});
