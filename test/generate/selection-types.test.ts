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
  const cases: [name: string, operations: string, want: string][] = [
    [
      "gives a fragment on an interface within one on a type to that type alone",
      "query Q { thing { __typename ... on A { ... on Node { id } } } }",
      '{ __typename: "A"; id: string; } | { __typename: "B"; }',
    ],
    [
      "has what an interface gives within another one",
      "query Q { node { __typename ... on Named { ... on Node { id } } } }",
      '{ __typename: "A"; id: string; } | { __typename: "B"; }',
    ],
    [
      "has what an interface gives within a union",
      "query Q { thing { __typename ... on A { ... on Thing { ... on Node { id } } } } }",
      '{ __typename: "A"; id: string; } | { __typename: "B"; }',
    ],
    [
      "has what conditional fragments within fragments select",
      "query Q($f: Boolean!) { a { ...F @include(if: $f) ... on A { ...G @skip(if: $f) } } } fragment F on A { id ...G } fragment G on Node { ... on A { name } }",
      "{ id?: string; name: string | null; }",
    ],
    [
      "leaves out what two conditions rule out, or one that never holds",
      "query Q($f: Boolean!) { a { id ... @include(if: $f) { name @skip(if: $f) } a @include(if: false) { id } } }",
      "{ id: string; }",
    ],
    [
      "promises nothing of an object that may be one of which nothing is asked",
      "query Q { thing { ... on A { id } } }",
      "{ id: string; } | Record<PropertyKey, undefined>",
    ],
    [
      "knows that one of two conditions holds",
      "query Q($f: Boolean!) { a { a @include(if: $f) { id } a @skip(if: $f) { name } } }",
      "{ a: { id?: string; name?: string | null; } | null; }",
    ],
    [
      "does not try every combination of many conditions, and leaves a question mark then",
      `query Q(${names(8)
        .map((name) => `$${name}: Boolean!`)
        .join(" ")}) { a { ${names(8)
        .map((name) => `... @include(if: $${name}) { id }`)
        .join(" ")} ... @skip(if: $c0) { id } } }`,
      "{ id?: string; }",
    ],
  ];

  it.each(cases)("%s", async (_, operations, want) => {
    const { nodes } = await generateFrom({ sdl: SDL, operations });
    const text = nodes.replaceAll(/\/\*\*[\s\S]*?\*\/|\s+/g, " ").replaceAll(/ +/g, " ");
    expect(/type QRow =(?: \|)? (.*?); (?=export)/.exec(text)?.[1]).toBe(want);
  });

  it("is made once, however many types may stand above it", async () => {
    const types = names(40).map((name) => `type T${name} implements Node { id: ID! next: Node! }`);
    const sdl = `type Query { node: Node! } interface Node { id: ID! next: Node! } ${types.join(" ")}`;
    const startedAt = performance.now();
    const { nodes } = await generateFrom({
      sdl,
      operations: "query Q { node { next { next { next { next { id } } } } } }",
    });
    expect(nodes.match(/next: \{/g)).toHaveLength(4);
    // Without that it is forty times forty times forty times forty.
    expect(performance.now() - startedAt).toBeLessThan(5000);
  });
});

function names(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `c${index}`);
}
