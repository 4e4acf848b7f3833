import { describe, expect, it } from "vitest";
import { excerptPair } from "../../src/report/describe-finding.ts";

const COMMON = "The amount of the asset that was deposited when the stream was created, in the units";

describe("excerptPair", () => {
  it.each<[name: string, before: string | null, after: string | null, want: readonly [string, string]]>([
    ["short texts are shown whole", "String!", "Bytes!", ["String!", "Bytes!"]],
    ["what is not there is empty", null, "String", ["", "String"]],
    [
      "a long text alone is cut at its end",
      COMMON,
      null,
      ["The amount of the asset that was deposited when the stream…", ""],
    ],
    [
      "two long texts are cut around where they part",
      `${COMMON} of the token.`,
      `${COMMON} of the asset, decimals and all that comes after it in this text.`,
      ["…the units of the token.", "…the units of the asset, decimals and all that comes after…"],
    ],
    [
      "a text that goes on where the other ends",
      COMMON,
      `${COMMON} of the asset.`,
      ["…in the units", "…in the units of the asset."],
    ],
    [
      "texts that part early are shown from their beginning",
      `Once: ${COMMON}`,
      `Twice: ${COMMON}`,
      [
        "Once: The amount of the asset that was deposited when the s…",
        "Twice: The amount of the asset that was deposited when the…",
      ],
    ],
    [
      "lines that are only wrapped differently",
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

  it("is never alike where the texts are not, and never long", () => {
    for (const at of [0, 30, 39, 40, 41, 59, 60, 61, 100, 399, 400, 5000]) {
      const text = "a word ".repeat(1000);
      const { before, after } = excerptPair(text, `${text.slice(0, at)}!${text.slice(at + 1)}`);
      expect(before).not.toBe(after);
      expect(Math.max([...before].length, [...after].length)).toBeLessThanOrEqual(61);
    }
  });
});
