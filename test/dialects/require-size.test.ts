import { describe, expect, it } from "vitest";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import { canonicalize } from "../../src/dialects/canonicalize.ts";
import { buildIntrospection, parseIntrospection } from "../../src/dialects/introspection.ts";
import { MOST_MEMBERS, MOST_TYPES } from "../../src/dialects/validate-schema.ts";
import { catchError } from "../support/catch-error.ts";
import { readRepositoryFile } from "../support/repository.ts";

const FIELD = { name: "a", description: null, args: [], type: "Int", deprecationReason: null };
const ARGUMENT = { name: "a", description: null, type: "Int", defaultValue: null };
const QUERY = { kind: "OBJECT", name: "Query", description: null, interfaces: [], fields: [FIELD] } as const;
const EMPTY: ApiSchema = {
  queryType: "Query",
  mutationType: null,
  subscriptionType: null,
  types: [QUERY, { kind: "SCALAR", name: "Int", description: null }],
  directives: [],
};

function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

const scalars = (count: number): ApiSchema => ({
  ...EMPTY,
  types: [
    ...EMPTY.types,
    ...many(
      count - EMPTY.types.length,
      (index) => ({ kind: "SCALAR", name: `S${index}`, description: null }) as const,
    ),
  ],
});

const withType = (type: Partial<ApiSchema["types"][number]>): ApiSchema => ({
  ...EMPTY,
  types: [...EMPTY.types, { ...QUERY, name: "Large", ...type } as ApiSchema["types"][number]],
});

const HALF = MOST_MEMBERS / 2;

describe("parseIntrospection of a schema over the size limits", () => {
  it.each([
    ["types", scalars(MOST_TYPES + 1), `${MOST_TYPES + 1} types, and the limit is ${MOST_TYPES}`],
    [
      "fields",
      withType({ fields: many(MOST_MEMBERS, (index) => ({ ...FIELD, name: `f${index}` })) }),
      "members",
    ],
    [
      "arguments",
      withType({
        fields: many(2, (at) => ({
          ...FIELD,
          name: `f${at}`,
          args: many(HALF, (index) => ({ ...ARGUMENT, name: `a${index}` })),
        })),
      }),
      "members",
    ],
    [
      "members of an input object",
      withType({
        kind: "INPUT_OBJECT",
        fields: many(MOST_MEMBERS, (index) => ({ ...ARGUMENT, name: `f${index}` })),
      }),
      "members",
    ],
    [
      "values of an enum",
      withType({
        kind: "ENUM",
        values: many(MOST_MEMBERS, (index) => ({
          name: `V${index}`,
          description: null,
          deprecationReason: null,
        })),
      }),
      "members",
    ],
    [
      "members of a union",
      withType({ kind: "UNION", possibleTypes: many(MOST_MEMBERS, () => "Query") }),
      "members",
    ],
    [
      "arguments of directives",
      {
        ...EMPTY,
        directives: many(2, (at) => ({
          name: `d${at}`,
          description: null,
          locations: ["FIELD"],
          args: many(HALF, (index) => ({ ...ARGUMENT, name: `a${index}` })),
        })),
      } satisfies ApiSchema,
      "members",
    ],
  ])("error: more %s than the limit; the message has both numbers", (_, schema, words) => {
    const error = catchError(() => parseIntrospection(buildIntrospection(schema)));
    expect(error).toMatchObject({ code: "SCHEMA_TOO_LARGE" });
    expect(String(error)).toMatch(/has \d+ (types|members), and the limit is \d+, so it was not read/);
    expect(String(error)).toContain(words);
  });

  it("accepts exactly as many types as the limit", () => {
    expect(canonicalize(parseIntrospection(buildIntrospection(scalars(MOST_TYPES)))).types).toHaveLength(
      MOST_TYPES - 1,
    );
  });

  it("has its limits in the documentation", () => {
    const page = readRepositoryFile("docs/snapshots.md");
    for (const limit of [MOST_TYPES, MOST_MEMBERS]) expect(page).toContain(limit.toLocaleString("en-US"));
  });
});
