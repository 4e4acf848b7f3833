import { describe, expect, it } from "vitest";
import { findOdd, parseJson } from "../../../packages/client/src/requests/read-answer.ts";

describe("parseJson", () => {
  const lists = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

  it.each([
    ["lists", lists],
    ["objects", objects],
    ["lists of objects", (levels: number) => `[${objects(levels - 1)},2]`],
    ["objects with lists", (levels: number) => `{"a":"b","c":${lists(levels - 1)}}`],
  ])("accepts 64 levels of %s, but not 65", (_, nested) => {
    expect(parseJson(nested(64))).toEqual(JSON.parse(nested(64)));
    expect(parseJson(nested(65))).toBeUndefined();
  });
});

describe("findOdd", () => {
  it.each<[value: unknown, found: string | undefined]>([
    [{ a: "1", b: true, c: null, d: [] }, undefined],
    [{ a: "1", b: 1 }, "b"],
    [{ a: [{ b: "1" }, { b: 0 }] }, "b"],
    [{ a: ["1", [2]] }, "a"],
    [{ known: 1, a: { known: [1, { b: 1 }] } }, undefined],
  ])("finds in %j the number %s", (value, found) => {
    expect(findOdd(value, ["known"])).toBe(found);
  });
});
