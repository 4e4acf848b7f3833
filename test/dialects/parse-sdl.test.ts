import { describe, expect, it } from "vitest";
import { SchemaError } from "../../src/base/errors.ts";
import { parseSdl } from "../../src/dialects/parse-sdl.ts";

describe("a handwritten schema", () => {
  it.each([
    ["an object type", "type __proto__ { id: ID }"],
    ["an input type", "input __proto__ { id: ID }"],
    ["an enum", "enum __proto__ { A }"],
    ["a union", "union __proto__ = Query"],
    ["an interface", "interface __proto__ { id: ID }"],
    ["a scalar", "scalar __proto__"],
  ])("error: has %s with a reserved name", (_, text) => {
    const parse = () => parseSdl(`type Query { id: ID }\n${text}`, "hand.graphql");
    expect(parse).toThrow(SchemaError);
    expect(parse).toThrow('hand.graphql defines the type "__proto__", a name that GraphQL reserves.');
  });

  it("may define an introspection type", () => {
    const { types } = parseSdl("type Query { id: ID } enum __TypeKind { SCALAR }", "hand.graphql");
    expect(types.map(({ name }) => name)).toEqual(["Query", "__TypeKind"]);
  });
});
