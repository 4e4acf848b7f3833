import { describe, expect, it } from "vitest";
import { parseIntrospection } from "../../src/dialects/introspection.ts";
import { MOST_MEMBERS, MOST_TYPES, requireSize } from "../../src/dialects/validate-schema.ts";
import { catchError } from "../support/catch-error.ts";
import { readRepositoryFile } from "../support/repository.ts";

const items = (count: number): object[] => Array(count).fill({});
const HALF = MOST_MEMBERS / 2;

describe("parseIntrospection of a schema over the size limits", () => {
  it.each([
    ["types", { types: items(MOST_TYPES + 1) }, `${MOST_TYPES + 1} types, and the limit is ${MOST_TYPES},`],
    [
      "fields",
      { types: [{ fields: items(HALF) }, { fields: items(HALF + 1) }] },
      `${MOST_MEMBERS + 1} members`,
    ],
    ["arguments", { types: [{ fields: [{ args: items(HALF) }, { args: items(HALF) }] }] }, "members"],
    ["members of an input object", { types: [{ inputFields: items(MOST_MEMBERS + 1) }] }, "members"],
    ["values of an enum", { types: [{ enumValues: items(MOST_MEMBERS + 1) }] }, "members"],
    ["members of a union", { types: [{ possibleTypes: items(MOST_MEMBERS + 1) }] }, "members"],
    [
      "arguments of directives",
      { directives: [{ args: items(HALF) }, { args: items(HALF + 1) }] },
      "members",
    ],
  ])("error: more %s than the limit; the message has both numbers", (_, schema, words) => {
    const error = catchError(() => parseIntrospection({ __schema: schema }));
    expect(error).toMatchObject({ code: "SCHEMA_TOO_LARGE" });
    expect(String(error)).toMatch(/has \d+ (types|members), and the limit is \d+, so it was not read/);
    expect(String(error)).toContain(words);
  });

  it("accepts exactly as many types and members as the limits", () => {
    expect(() => requireSize({ types: items(MOST_TYPES) })).not.toThrow();
    expect(() => requireSize({ types: [{ fields: items(MOST_MEMBERS) }] })).not.toThrow();
  });

  it("has its limits in the documentation", () => {
    const page = readRepositoryFile("docs/snapshots.md");
    for (const limit of [MOST_TYPES, MOST_MEMBERS]) expect(page).toContain(limit.toLocaleString("en-US"));
  });
});
