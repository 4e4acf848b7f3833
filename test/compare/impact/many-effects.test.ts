import { expect, it } from "vitest";
import { MOST_EFFECTS } from "../../../src/compare/impact/effect.ts";
import { assess, operationOf } from "./fixtures.ts";

const sdl = (values = "", members = "") =>
  `enum Kind { A ${values} } input Filter { a: Int ${members} }
  type Stream { kind: Kind! } type Query { streams(where: Filter): [Stream!]! }`;

const many = (member: string) =>
  Array.from({ length: MOST_EFFECTS * 2 }, (_, index) => member.replace("#", `${index}`)).join(" ");

it.each([
  ["new values of an enum it selects", "{ streams { kind } }", sdl(many("V#")), "changes-type"],
  [
    "new defaults in an object it sends",
    "{ streams(where: {a: 1}) { kind } }",
    sdl("", many("f#: Int = 1")),
    "changes-meaning",
  ],
  [
    "new defaults in a variable",
    "($w: Filter) { streams(where: $w) { kind } }",
    sdl("", many("f#: Int = 1")),
    "changes-meaning",
  ],
  [
    "new required members of a variable",
    "($w: Filter) { streams(where: $w) { kind } }",
    sdl("", many("f#: Int!")),
    "at-risk",
  ],
])("effects at one place of an operation are limited: %s", (_, operation, after, want) => {
  const [assessment] = assess([operationOf(["q.graphql", `query Q${operation}`])], [sdl(), after]);
  expect([assessment?.verdict, assessment?.effects.length]).toEqual([want, MOST_EFFECTS]);
});
