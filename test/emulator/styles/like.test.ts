import { describe, expect, test } from "vitest";
import { compileLikePattern } from "../../../emulator/styles/like.ts";

const matchesLike = (pattern: string, text: string): boolean =>
  compileLikePattern(pattern, () => {
    throw new Error("the end");
  })(text);

describe("LIKE", () => {
  test.each<[pattern: string, text: string, matches: boolean]>([
    ["", "", true],
    ["", "a", false],
    ["%", "", true],
    ["a%b%c", "axxbyyc", true],
    ["a%b%c", "axxbyy", false],
    ["%ab", "aab", true],
    ["_", "\u{1f600}", true],
    ["\\_", "_", true],
    ["\\_", "a", false],
    ["a\\", "a", false],
    ["a\\", "b", false],
    ["%\\", "", false],
    ["%_", "", false],
  ])("%j on %j", (pattern, text, matches) => expect(matchesLike(pattern, text)).toBe(matches));
  test.each([
    ["a\\", "a\\"],
    ["%\\", "a"],
    ["%a\\", "xab"],
    ["_\\", "ab"],
  ])("%j fails on %j", (pattern, text) => {
    expect(() => matchesLike(pattern, text)).toThrow("the end");
  });
  test("a costly pattern ends within 2 seconds", () => {
    const started = performance.now();
    expect(matchesLike(`${"%a".repeat(500)}%b`, "a".repeat(5000))).toBe(false);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
