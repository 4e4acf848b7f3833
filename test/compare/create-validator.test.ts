import { type DocumentNode, Kind, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { createValidator } from "../../src/compare/indexed-schema.ts";
import { toGraphqlSchema } from "../../src/dialects/to-graphql-schema.ts";
import { schemaOf } from "./impact/fixtures.ts";

const SCHEMA = toGraphqlSchema(
  schemaOf("type Query { one: T two: T } type T { a: Int b: String c(x: Int): Int }"),
);

/** Documents that share definitions, as the operations of one project do. */
function documentsOf(text: string, uses: readonly string[]): DocumentNode[] {
  const { definitions } = parse(text);
  return uses.map((names) => ({
    kind: Kind.DOCUMENT,
    definitions: definitions.filter((node) => "name" in node && names.includes(node.name?.value ?? "?")),
  }));
}

describe("createValidator", () => {
  it.each<[name: string, text: string, uses: readonly string[], want: readonly number[]]>([
    [
      "valid documents",
      "query A { one { ...F } } query B { two { ...F } } fragment F on T { a }",
      ["AF", "BF"],
      [0, 0],
    ],
    ["an invalid operation", "query A { one { d } } query B { two { a } }", ["A", "B"], [1, 0]],
    [
      "an invalid fragment that two of three operations use",
      "query A { one { ...F } } query B { two { ...F } } query C { one { a } } fragment F on T { d e }",
      ["AF", "BF", "C"],
      [2, 2, 0],
    ],
    [
      "two fragments that conflict in one operation only",
      "query A { one { ...F ...G } } query B { one { ...F } two { ...G } } fragment F on T { x: a } fragment G on T { x: b }",
      ["AFG", "BFG"],
      [1, 0],
    ],
    [
      "a variable that does not have the type its fragment needs",
      "query A($x: Int) { one { ...F } } query B($x: String) { one { ...F } } fragment F on T { c(x: $x) }",
      ["AF", "BF"],
      [0, 1],
    ],
  ])("returns the errors of each document as if it were validated alone: %s", (_, text, uses, want) => {
    const documents = documentsOf(text, uses);
    const validate = createValidator(SCHEMA);
    expect(validate(documents).map((errors) => errors.length)).toEqual(want);
    // Validating each document alone gives the same counts.
    expect(documents.map((document) => createValidator(SCHEMA)([document])[0]?.length)).toEqual(want);
    // Results are cached.
    const again = validate(documents);
    for (const [at, errors] of validate(documents).entries()) expect(errors).toBe(again[at]);
  });

  it("keeps fragments of the same name apart, and documents without locations", () => {
    const [first, second] = [
      parse("query A { one { ...F } } fragment F on T { c(x: $none) }"),
      parse("query B { one { ...F } } fragment F on T { a }"),
    ];
    expect(createValidator(SCHEMA)([first, second]).map((errors) => errors.length)).toEqual([1, 0]);
    const third = parse("query C { one { e } }", { noLocation: true });
    expect(createValidator(SCHEMA)([second, third]).map((errors) => errors.length)).toEqual([0, 1]);
  });
});
