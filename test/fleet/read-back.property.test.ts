import fc from "fast-check";
import { buildASTSchema, isInputObjectType, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { LockflowError } from "../../src/base/errors.ts";
import { canonicalize, hashSchema } from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import { parseSdl } from "../../src/dialects/parse-sdl.ts";
import { toGraphqlSchema } from "../../src/dialects/to-graphql-schema.ts";
import { createSchemaReader } from "../../src/fleet/read-schema.ts";
import { renderSnapshot, requireReadable } from "../../src/workspace/snapshot-schema.ts";
import { BUILT_IN_DEFINITIONS } from "../support/built-in-definitions.ts";
import { catchError } from "../support/catch-error.ts";
import { introspectionAnswer } from "../support/indexer-answers.ts";
import { runs } from "../support/runs.ts";

const ENTITIES = `
  "Words." enum Category { A "b" B }
  type Watcher @entity { id: String! chainId: BigInt! }
  "More words." type Stream @entity { id: String! alias: String! category: Category! deposit: BigInt! }
`;

/** Strings that parsers of JSON, GraphQL and comments may read differently. */
const odd = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      ...['"', '"""', "\\", "\\u0041", "\\ud800", "\\u{41}", "\n", "\r", "\t", "\u2028", "\u0000", "\u0085"],
      ...["\ud800", "\udc00", "\ufeff", "😀", "é", ..."#{}[]:,-$@&! "],
      ...["a", "A", "0", "1", "e", ".", "true", "null", "__", "*/", "`"],
    ),
    maxLength: 12,
  }),
  fc.constantFrom("__proto__", "constructor", "true", "null", "Query", "Stream", "String", "Int", "__Type"),
  fc.constantFrom(
    '"a\\u00e9"',
    '"""\n  a\n b"""',
    "{}",
    "[[[]]]",
    "{ a: { b: [1, $c] } }",
    "-0",
    "1e400",
    "0x1",
  ),
);
const wild = fc.oneof(
  { weight: 6, arbitrary: odd },
  fc.constantFrom<unknown>(null, true, false, 0, -1, [], {}, [[]], { name: "Query" }),
  fc.constantFrom("OBJECT", "INTERFACE", "UNION", "ENUM", "INPUT_OBJECT", "SCALAR", "LIST", "NON_NULL"),
);

/** Returns the path of keys to every value inside a value. */
function placesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...path, key]))];
}

function put(root: unknown, path: readonly string[], value: unknown): void {
  let owner = root as Record<string, unknown>;
  for (const key of path.slice(0, -1)) {
    const inner = owner[key];
    // An earlier change may have replaced the owner.
    if (typeof inner !== "object" || inner === null) return;
    owner = inner as Record<string, unknown>;
  }
  owner[path.at(-1) ?? ""] = value;
}

describe.each(["subgraph", "multichain"] as const)("a randomly changed answer of a %s server", (style) => {
  const answer = introspectionAnswer(style, ENTITIES);
  const places = placesOf(JSON.parse(answer)).filter((path) => path.length > 2);
  // Half of all changes go to the places with free text of a server.
  const texts = places.filter((path) =>
    /description|Reason|defaultValue|isDeprecated/.test(path.at(-1) ?? ""),
  );
  const change = fc.tuple(fc.oneof(fc.constantFrom(...places), fc.constantFrom(...texts)), wild);

  it("is rejected with a LockflowError, or its snapshot parses to the same schema", () => {
    let accepted = 0;
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const root: unknown = JSON.parse(answer);
        for (const [path, value] of changes) put(root, path, value);
        const bytes = new TextEncoder().encode(JSON.stringify(root));
        try {
          const reading = createSchemaReader(BUILT_IN_DEFINITIONS, [])(bytes, styles[style]);
          requireReadable(reading);
          const text = renderSnapshot(reading.schema, { protocol: "lockup", style });
          const back = canonicalize(parseSdl(text, "snapshot"));
          expect(hashSchema(back)).toEqual(reading.hashes);
          expect(renderSnapshot(back, { protocol: "lockup", style })).toBe(text);
          touch(buildASTSchema(parse(text), { assumeValid: true, assumeValidSDL: true }));
          touch(toGraphqlSchema(back));
          accepted++;
        } catch (error) {
          if (!(error instanceof LockflowError)) throw error;
        }
      }),
      { numRuns: runs(12, 60) },
    );
    expect(accepted).toBeGreaterThan(0);
  });
});

/** Makes graphql-js compute every default. */
function touch(schema: ReturnType<typeof buildASTSchema>): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if ("getFields" in type) type.getFields();
    if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) void field.defaultValue;
  }
}

it("error: requireReadable names the first difference if the snapshot parses to another schema", () => {
  const schema = canonicalize(parseSdl('type Query { a: Int "words" b: Int }', "test"));
  const types = schema.types.map((type) => {
    if (type.kind !== "OBJECT") return type;
    return { ...type, fields: type.fields.map((field) => ({ ...field, description: "blanks  \n" })) };
  });
  const edited = { ...schema, types };
  expect(catchError(() => requireReadable({ schema: edited, hashes: hashSchema(edited) })).message).toContain(
    "parsing its snapshot would give another schema, from Query.a on",
  );
});
