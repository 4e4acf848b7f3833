import { parse } from "graphql";
import { describe, expect, it } from "vitest";
import { assessOperations } from "../../../src/compare/impact/assess-operations.ts";
import { MOST_EFFECTS } from "../../../src/compare/impact/effect.ts";
import { parseSdl } from "../../../src/dialects/parse-sdl.ts";

const schema = (values: string, members: string) =>
  parseSdl(
    `enum Kind { A ${values} } input Filter { a: Int ${members} }
     type Stream { kind: Kind! } type Query { streams(where: Filter): [Stream!]! }`,
    "schema.graphql",
  );

const many = (make: (index: number) => string) =>
  Array.from({ length: MOST_EFFECTS * 2 }, (_, index) => make(index)).join(" ");

const assess = (operation: string, after: ReturnType<typeof schema>) =>
  assessOperations(
    [{ name: "Q", document: parse(`query Q${operation}`) }],
    { before: schema("", ""), after },
    {
      exhaustiveEnums: false,
    },
  ).map(({ verdict, effects }) => [verdict, effects.length]);

describe("effects at one place of an operation", () => {
  it.each([
    [
      "new values of an enum it selects",
      "{ streams { kind } }",
      schema(
        many((index) => `V${index}`),
        "",
      ),
      "changes-type",
    ],
    [
      "new defaults in an object it sends",
      "{ streams(where: {a: 1}) { kind } }",
      schema(
        "",
        many((index) => `f${index}: Int = 1`),
      ),
      "changes-meaning",
    ],
    [
      "new defaults in a variable",
      "($w: Filter) { streams(where: $w) { kind } }",
      schema(
        "",
        many((index) => `f${index}: Int = 1`),
      ),
      "changes-meaning",
    ],
    [
      "new required members of a variable",
      "($w: Filter) { streams(where: $w) { kind } }",
      schema(
        "",
        many((index) => `f${index}: Int!`),
      ),
      "at-risk",
    ],
  ])("are limited: %s", (_, operation, after, verdict) => {
    expect(assess(operation, after)).toEqual([[verdict, MOST_EFFECTS]]);
  });
});
