import { describe, expect, it } from "vitest";
import { excerptPair } from "../../src/report/describe-finding.ts";

const COMMON = "The amount of the asset that was deposited when the stream was created, in the units";

describe("excerptPair", () => {
  it.each<[name: string, before: string | null, after: string | null, want: readonly [string, string]]>([
    ["short texts are complete", "String!", "Bytes!", ["String!", "Bytes!"]],
    ["null becomes an empty text", null, "String", ["", "String"]],
    [
      "a single long text is cut at its end",
      COMMON,
      null,
      ["The amount of the asset that was deposited when the stream…", ""],
    ],
    [
      "two long texts are cut around the first difference",
      `${COMMON} of the token.`,
      `${COMMON} of the asset, decimals and all that comes after it in this text.`,
      ["…the units of the token.", "…the units of the asset, decimals and all that comes after…"],
    ],
    [
      "one text is the beginning of the other",
      COMMON,
      `${COMMON} of the asset.`,
      ["…in the units", "…in the units of the asset."],
    ],
    [
      "texts that differ early are shown from their beginning",
      `Once: ${COMMON}`,
      `Twice: ${COMMON}`,
      [
        "Once: The amount of the asset that was deposited when the s…",
        "Twice: The amount of the asset that was deposited when the…",
      ],
    ],
    [
      "different line breaks are not a difference",
      `${COMMON.replaceAll(" the ", "\nthe ")} of tokens`,
      `${COMMON} of assets`,
      ["…in the units of tokens", "…in the units of assets"],
    ],
    [
      "a word without blanks",
      `${"x".repeat(100)}a`,
      `${"x".repeat(100)}b`,
      [`…${"x".repeat(20)}a`, `…${"x".repeat(20)}b`],
    ],
  ])("%s", (_, before, after, want) => {
    const shown = excerptPair(before, after);
    expect([shown.before, shown.after]).toEqual(want);
  });

  it("returns different excerpts for different texts, with at most 61 characters", () => {
    for (const at of [0, 30, 39, 40, 41, 59, 60, 61, 100, 399, 400, 5000]) {
      const text = "a word ".repeat(1000);
      const { before, after } = excerptPair(text, `${text.slice(0, at)}!${text.slice(at + 1)}`);
      expect(before).not.toBe(after);
      expect(Math.max([...before].length, [...after].length)).toBeLessThanOrEqual(61);
    }
  });
});
