import { describe, expect, it } from "vitest";
import { SchemaError } from "../../src/base/errors.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import { catchError } from "../support/catch-error.ts";

describe("a file without an entity schema", () => {
  it.each([
    ["is empty", "", "file.graphql:1:1 is not valid GraphQL: Unexpected <EOF>."],
    ["has comments only", "# one\n# two\n", "file.graphql:3:1 is not valid GraphQL: Unexpected <EOF>."],
    [
      "has a query",
      "type A @entity { id: ID! }\nquery Find { a { id } }",
      "file.graphql:2 is a query, but an entity schema has only types.",
    ],
    [
      "has a query without a name",
      "{ a { id } }",
      "file.graphql:1 is a query, but an entity schema has only types.",
    ],
    [
      "has a fragment",
      "fragment F on A { id }",
      "file.graphql:1 is a fragment, but an entity schema has only types.",
    ],
  ])("error: it %s", (_, text, sentence) => {
    let caught: unknown;
    try {
      parseEntities(text, "file.graphql");
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(SchemaError);
    expect(caught).toMatchObject({ code: "SCHEMA_SDL_SYNTAX", sentence });
  });
});

describe("an entity schema over the size limit", () => {
  it.each([
    ["characters", `# ${"a".repeat(8_000_000)}`, "file.graphql has 8000002 characters"],
    ["definitions", "enum A { B }\n".repeat(20_001), "file.graphql has 20001 definitions"],
  ])("error: it has too many %s", (_, text, sentence) => {
    expect(catchError(() => parseEntities(text, "file.graphql"))).toMatchObject({
      code: "SCHEMA_TOO_LARGE",
      sentence: expect.stringContaining(sentence),
    });
  });
});
