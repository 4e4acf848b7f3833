import { expect, it } from "vitest";
import { compareSchemas } from "../../src/compare/compare-schemas.ts";
import { createJudge } from "../../src/compare/severity-rules.ts";
import { ROWS, sidesOf } from "./change-rows.ts";
import { schemaOf } from "./impact/fixtures.ts";

type Sides = { readonly before: string; readonly after: string };

function judged({ before, after }: Sides, exhaustiveEnums = false): string[] {
  const [a, b] = [schemaOf(before), schemaOf(after)];
  const judge = createJudge(a, b, { exhaustiveEnums });
  return compareSchemas(a, b).map((change) => `${change.coordinate} ${change.kind} ${judge(change)}`);
}

it.each(ROWS)("the kind and severity of a change: $name", ({ want, ...sides }) => {
  expect(judged(sides).sort()).toEqual([...want].sort());
});

it("a new enum value is breaking with exhaustiveEnums", () => {
  expect(judged(sidesOf("A B → A B C"), true)).toEqual(["E.C enum-value-added breaking"]);
});

it("a change has the types and defaults before and after", () => {
  const { before, after } = sidesOf("(x: E) → (x: E! = A)");
  const changes = compareSchemas(schemaOf(before), schemaOf(after));
  expect(changes.map((change) => [change.before, change.after])).toEqual([
    ["E", "E! = A"],
    [null, "A"],
  ]);
});
