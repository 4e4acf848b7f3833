import { describe, expect, it } from "vitest";
import { generateFrom } from "../support/generate-from.ts";

const SDL = `
  interface Node { id: ID! }
  interface Named { name: String }
  type A implements Node & Named { id: ID! name: String a: A }
  type B implements Node { id: ID! other: Int }
  union Thing = A | B
  type Query { thing: Thing! node: Node! a: A! }
`;

describe("the type of a selection", () => {
  it.each([
    [
      "has the fields of an interface fragment in a type fragment only for that type",
      "query Q { thing { __typename ... on A { ... on Node { id } } } }",
      '{ __typename: "A"; id: string; } | { __typename: "B"; }',
    ],
    [
      "has the fields of an interface fragment in another interface fragment",
      "query Q { node { __typename ... on Named { ... on Node { id } } } }",
      '{ __typename: "A"; id: string; } | { __typename: "B"; }',
    ],
    [
      "has the fields of an interface fragment in a union fragment",
      "query Q { thing { __typename ... on A { ... on Thing { ... on Node { id } } } } }",
      '{ __typename: "A"; id: string; } | { __typename: "B"; }',
    ],
    [
      "has the fields of conditional fragments in fragments",
      "query Q($f: Boolean!) { a { ...F @include(if: $f) ... on A { ...G @skip(if: $f) } } } fragment F on A { id ...G } fragment G on Node { ... on A { name } }",
      "{ id?: string; name: string | null; }",
    ],
    [
      "leaves out fields whose conditions exclude each other or are always false",
      "query Q($f: Boolean!) { a { id ... @include(if: $f) { name @skip(if: $f) } a @include(if: false) { id } } }",
      "{ id: string; }",
    ],
    [
      "has no fields for an object of a type without a selection",
      "query Q { thing { ... on A { id } } }",
      "{ id: string; } | Record<PropertyKey, undefined>",
    ],
    [
      "has fields under opposite conditions as one",
      "query Q($f: Boolean!) { a { a @include(if: $f) { id } a @skip(if: $f) { name } } }",
      "{ a: { id?: string; name?: string | null; } | null; }",
    ],
    [
      "has an optional field instead of trying every combination of many conditions",
      `query Q(${names(8, "$#: Boolean!")}) { a { ${names(8, "... @include(if: $#) { id }")} ... @skip(if: $c0) { id } } }`,
      "{ id?: string; }",
    ],
  ])("%s", async (_, operations, want) => {
    const { types } = await generateFrom({ sdl: SDL, operations });
    expect(rowIn(types)).toBe(want);
  });

  it.each([
    ["one fragment alone", "a { ...F } } fragment F on A { id }", "FFragment"],
    [
      "a fragment and fields",
      "a { ...F a { id } } } fragment F on A { id }",
      "FFragment & { a: { id: string; } | null; }",
    ],
    [
      "two fragments",
      "a { ...F ...G } } fragment F on A { id } fragment G on A { name }",
      "FFragment & GFragment",
    ],
    [
      "a nullable object",
      "thing { ... on A { id a { ...F name } } } } fragment F on A { id }",
      "{ id: string; a: (FFragment & { name: string | null; }) | null; } | Record<PropertyKey, undefined>",
    ],
    [
      "an interface of one of two objects",
      "thing { ...F ... on B { other } } } fragment F on Named { name }",
      "FFragment | { other: number | null; }",
    ],
  ])("reuses fragment types that select the same: %s", async (_, operations, want) => {
    const { types } = await generateFrom({ sdl: SDL, operations: `query Q { ${operations}` });
    expect(rowIn(types)).toBe(want);
  });

  it.each([
    [
      "a field with more fields in the selection than in the fragment",
      "query Q { a { ...F a { name } } } fragment F on A { id a { id } }",
      "{ id: string; a: { id: string; name: string | null; } | null; }",
    ],
    [
      "a field that is requested under another condition",
      "query Q($f: Boolean!) { a { ...F @include(if: $f) name } } fragment F on A { id }",
      "{ id?: string; name: string | null; }",
    ],
    [
      "a field that is always requested, but conditional in the fragment",
      "query Q($f: Boolean!) { a { ...F id } } fragment F on A { id @include(if: $f) }",
      "{ id: string; }",
    ],
    [
      "a fragment whose type is a union",
      "query Q { node { ...F } } fragment F on Node { __typename }",
      '{ __typename: "A"; } | { __typename: "B"; }',
    ],
  ])("does not reuse a fragment type: %s", async (_, operations, want) => {
    const { types } = await generateFrom({ sdl: SDL, operations });
    expect(rowIn(types)).toBe(want);
  });

  it("is computed once, however many types its parents may have", async () => {
    const objects = names(40, "type T# implements Node { id: ID! next: Node! }");
    const sdl = `type Query { node: Node! } interface Node { id: ID! next: Node! } ${objects}`;
    const startedAt = performance.now();
    const { types } = await generateFrom({
      sdl,
      operations: "query Q { node { next { next { next { next { id } } } } } }",
    });
    expect(types.match(/next: \{/g)).toHaveLength(4);
    // Otherwise it takes 40^4 steps.
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});

/** Returns the type of the row of query Q, on one line and without comments. */
function rowIn(module: string): string | undefined {
  const text = module.replaceAll(/\/\*\*[\s\S]*?\*\/|\s+/g, " ").replaceAll(/ +/g, " ");
  return /type QRow =(?: \|)? (.*?); (?=export)/.exec(text)?.[1];
}

function names(count: number, text: string): string {
  return Array.from({ length: count }, (_, index) => text.replace("#", `c${index}`)).join(" ");
}
