import { describe, expect, it } from "vitest";
import { isTooDeep, parseDocument, parseSdl } from "../../src/dialects/parse-sdl.ts";
import { parseOperations } from "../../src/operations/parse-operations.ts";
import { catchError } from "../support/catch-error.ts";

const lists = (levels: number) => `type Query { a: ${"[".repeat(levels)}Int${"]".repeat(levels)} }`;
const selections = (levels: number) => `query A { ${"a { ".repeat(levels)}b${" }".repeat(levels)} }`;

describe("isTooDeep", () => {
  it.each([
    [lists(499), false],
    [lists(500), true],
    [selections(30_000), true],
    [`query A { a(b: ${"[".repeat(30_000)}) }`, true],
    [`"""${"[".repeat(1000)}""" type Query { "${"(".repeat(1000)}" a: Int } # ${"{".repeat(1000)}`, false],
    [`"""a""" type Query { a: Int } """${"[".repeat(1000)}`, true],
    ["{ a }".repeat(10_000), false],
  ])("%#", (text, want) => {
    expect(isTooDeep(text)).toBe(want);
  });

  it("prevents a stack overflow in every parser", () => {
    for (const parse of [parseDocument, parseSdl]) {
      expect(catchError(() => parse(lists(30_000), "a.graphql")).message).toMatch(
        /^a\.graphql is nested more than 500 levels deep\./,
      );
    }
    const { findings } = parseOperations([{ path: "a.graphql", text: selections(30_000) }], {
      protocol: "lockup",
      style: "subgraph",
    });
    expect(findings).toMatchObject([
      { code: "operation/syntax", subject: "a.graphql", message: "It is nested more than 500 levels deep." },
    ]);
  });
});
