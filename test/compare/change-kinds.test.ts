import { describe, expect, it } from "vitest";
import { compareSchemas } from "../../src/compare/compare-schemas.ts";
import { createJudge } from "../../src/compare/severity-rules.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import { parseSdl } from "../../src/dialects/parse-sdl.ts";
import { ROWS, SDL } from "./change-rows.ts";

const parse = (sdl: string) => canonicalize(parseSdl(sdl, "schema.graphql"));

function judged(before: string, after: string, exhaustiveEnums = false): string[] {
  const [a, b] = [parse(before), parse(after)];
  const judge = createJudge(a, b, { exhaustiveEnums });
  return compareSchemas(a, b).map((change) => `${change.coordinate} ${change.kind} ${judge(change)}`);
}

describe("kind and severity of a change", () => {
  it.each(ROWS)("row %i: %s", (_row, _name, before, after, want) => {
    expect(judged(before, after).sort()).toEqual([...want].sort());
  });

  it("a new enum value is breaking with exhaustiveEnums", () => {
    expect(judged(SDL, SDL.replace("A B", "A B C"), true)).toEqual(["E.C enum-value-added breaking"]);
  });

  it("reports the types and defaults before and after", () => {
    const changes = compareSchemas(parse(SDL), parse(SDL.replace("(x: E)", "(x: E! = A)")));
    expect(changes.map(({ before, after }) => [before, after])).toEqual([
      ["E", "E! = A"],
      [null, "A"],
    ]);
  });

  it("reports the type and the default of one argument as two changes", () => {
    expect(judged(SDL.replace("(x: E)", "(x: E! = A)"), SDL.replace("(x: E)", "(x: E = B)"))).toEqual([
      "Query.b(x:) argument-type-changed additive",
      "Query.b(x:) argument-default-changed risky",
    ]);
  });
});
