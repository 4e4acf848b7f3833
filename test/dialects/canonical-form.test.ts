import fc from "fast-check";
import { buildSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { entitiesOf, PUBLIC_AGGREGATES } from "../../emulator/dataset/entities/index.ts";
import type { ApiSchema } from "../../src/dialects/api-schema.ts";
import {
  canonicalize,
  hashSchema,
  normalizeDescription,
  normalizeValue,
} from "../../src/dialects/canonicalize.ts";
import { styles } from "../../src/dialects/index.ts";
import { buildIntrospection, parseIntrospection } from "../../src/dialects/introspection.ts";
import { parseSdl } from "../../src/dialects/parse-sdl.ts";
import { renderSdl } from "../../src/dialects/render-sdl.ts";
import { STYLE_NAMES } from "../../src/dialects/surface.ts";
import { BUILT_IN_PROTOCOLS } from "../../src/project/protocols.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { readRepositoryFile } from "../support/repository.ts";
import { runs } from "../support/runs.ts";

/** The schemas of the reference deployments. */
const schemas = BUILT_IN_PROTOCOLS.flatMap((protocol) =>
  STYLE_NAMES.map((style): [surface: string, schema: ApiSchema] => {
    const release = style === "multichain" ? { release: "2.27" } : {};
    const options = { aggregates: PUBLIC_AGGREGATES, ...release };
    return [`${protocol}/${style}`, styles[style].deriver.derive(entitiesOf(protocol, style), options)];
  }),
);

it.each(schemas)("the committed snapshot is the schema that the platform derives: %s", (surface, schema) => {
  const snapshot = readRepositoryFile(`generated/schemas/${surface}.graphql`);
  expect(snapshot.slice(snapshot.indexOf("schema {"))).toBe(renderSdl(canonicalize(schema)));
});

/** A schema with every SDL construct, for the printer and the parser. */
const EVERYTHING = parseSdl(
  `
  schema { query: Root subscription: Sub }
  directive @tag(name: String = "a\\"b", options: Options = { b: [1, 2], a: { c: RED } }) repeatable on FIELD | QUERY
  scalar Date
  interface Node { id: ID! }
  interface Named { name: String }
  type Root implements Node & Named { id: ID! name: String "how" find(text: String! = "x", first: Int = 10): [Node!]! }
  type Sub { tick: Int @deprecated }
  union Any = Root | Sub
  enum Color { RED GREEN @deprecated(reason: "not \\"red\\"") }
  input Options { a: Options b: [Int!] = [1, 2] c: Color = RED }
  `,
  "everything.graphql",
);

function shuffle(schema: ApiSchema): ApiSchema {
  const reversed = <T>(items: readonly T[]) => [...items].reverse();
  return {
    ...schema,
    types: reversed(schema.types).map((type) => {
      if (type.kind === "OBJECT" || type.kind === "INTERFACE") {
        return {
          ...type,
          interfaces: reversed(type.interfaces),
          fields: reversed(type.fields).map((field) => ({ ...field, args: reversed(field.args) })),
        };
      }
      if (type.kind === "ENUM") return { ...type, values: reversed(type.values) };
      if (type.kind === "INPUT_OBJECT") return { ...type, fields: reversed(type.fields) };
      if (type.kind === "UNION") return { ...type, possibleTypes: reversed(type.possibleTypes) };
      return type;
    }),
    directives: reversed(schema.directives).map((directive) => ({
      ...directive,
      locations: reversed(directive.locations),
      args: reversed(directive.args),
    })),
  };
}

const TRIED = IS_THOROUGH ? schemas : schemas.slice(0, 2);

describe.each([...TRIED, ["everything", EVERYTHING] as const])("the canonical form: %s", (_, schema) => {
  const canonical = canonicalize(schema);

  it("does not change when it is canonicalized again", () => {
    expect(canonicalize(canonical)).toEqual(canonical);
  });

  it("does not depend on the order of types, members and directives", () => {
    expect(canonicalize(shuffle(schema))).toEqual(canonical);
    expect(hashSchema(canonicalize(shuffle(schema)))).toEqual(hashSchema(canonical));
  });

  it("is the same after printing and parsing its SDL", () => {
    expect(canonicalize(parseSdl(renderSdl(canonical), "snapshot"))).toEqual(canonical);
  });

  it("is the same after a round trip through introspection", () => {
    const answer: unknown = JSON.parse(JSON.stringify(buildIntrospection(schema)));
    expect(canonicalize(parseIntrospection(answer))).toEqual(canonical);
  });

  it("prints SDL that graphql-js accepts", () => {
    expect(() => buildSchema(renderSdl(canonical))).not.toThrow();
  });

  it("prints no tabs, carriage returns or trailing blanks, and one final line feed", () => {
    const text = renderSdl(canonical);
    expect(text).not.toMatch(/\t|\r|[ ]\n|\n\n\n|\n\n$/);
    expect(text.endsWith("\n")).toBe(true);
  });
});

describe("hashSchema", () => {
  const BASE = 'type Query { "a" x(y: Int = 1): String! } enum E { A } input I { f: Int }';
  const sdl = (text: string) => hashSchema(canonicalize(parseSdl(text, "test")));
  const base = sdl(BASE);

  it.each([
    ["nullability", "String!", "String"],
    ["a default", "= 1", "= 2"],
    ["an argument", "(y: Int = 1)", ""],
    ["an enum value", "{ A }", "{ A B }"],
    ["an input field", "f: Int", "f: Int g: Int"],
    ["the kind of a type", "input I", "type I"],
    ["a directive", "type Query", "directive @d on FIELD type Query"],
    ["a deprecation", "String!", "String! @deprecated"],
    ["an interface", "type Query", "interface A { x: String } type Query implements A"],
  ])("changes with %s", (_, from, to) => {
    expect(sdl(BASE.replace(from, to)).schema).not.toBe(base.schema);
  });

  it("distinguishes a change of wording from a change of shape", () => {
    const reworded = sdl(BASE.replace('"a"', '"b"'));
    expect(reworded.schema).toBe(base.schema);
    expect(reworded.docs).not.toBe(base.docs);
  });

  it("does not change with an unused standard scalar or a standard directive", () => {
    const unused = "scalar Float directive @specifiedBy(url: String!) on SCALAR";
    expect(sdl(`${unused} ${BASE}`)).toEqual(base);
  });
});

describe.each(["Boolean", "Float", "ID", "Int", "String"])("the standard scalar %s", (scalar) => {
  const answer = (field: string, listed: boolean) => {
    const types = `type Query { a: ${field} }${listed ? ` "The server's words." scalar ${scalar}` : ""}`;
    const { __schema } = buildIntrospection(parseSdl(types, "test"));
    return canonicalize(parseIntrospection({ __schema }));
  };

  it.each([
    ["used", scalar],
    ["unused", scalar === "Int" ? "String" : "Int"],
  ])("is ignored whether a server lists it or prunes it, if it is %s", (_, field) => {
    expect(answer(field, true)).toEqual(answer(field, false));
    expect(answer(field, true).types.map(({ name }) => name)).toEqual(["Query"]);
  });
});

describe("descriptions", () => {
  it.each([
    ["  a\n  b\n", "a\nb"],
    ["a\r\nb\rc", "a\nb\nc"],
    ["a  \n\tb", "a\n  b"],
    ["\n\n  a\n    b\n\n", "a\n  b"],
    ["", null],
    [" \n ", null],
    ["\u0000a\u001b[2J", "a[2J"],
    ["a\ud800b", "a\ufffdb"],
  ])("normalizes %j to %j", (given, want) => {
    expect(normalizeDescription(given)).toBe(want);
  });

  it("are the same after printing and parsing SDL, for any text", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom('"', "\\", "\n", " ", "#", "`", "$", "*/", "é", "\u2028"),
            fc.string({ maxLength: 3 }),
          ),
        }),
        (text) => {
          const description = normalizeDescription(text);
          const arg = { name: "b", description: text, type: "Int", defaultValue: null };
          const field = { name: "a", description: text, type: "Int", deprecationReason: null, args: [arg] };
          const schema = canonicalize({
            queryType: "Query",
            mutationType: null,
            subscriptionType: null,
            directives: [],
            types: [{ kind: "OBJECT", name: "Query", description: text, interfaces: [], fields: [field] }],
          });
          const [type] = canonicalize(parseSdl(renderSdl(schema), "test")).types;
          expect(type).toEqual(schema.types[0]);
          expect(type?.description).toBe(description);
        },
      ),
      { numRuns: runs(8, 200) },
    );
  });
});

describe("normalizeValue", () => {
  it.each([
    ["1", "1"],
    ["  desc ", "desc"],
    ["{b:1,a:2}", "{ a: 2, b: 1 }"],
    ["[1 , {x: [ A ]}]", "[1, { x: [A] }]"],
    ['"a, b: {c}"', '"a, b: {c}"'],
    ["{}", "{}"],
    ["{broken", "{broken"],
    ["[1", "[1"],
    ["", ""],
  ])("%j becomes %j", (given, want) => {
    expect(normalizeValue(given)).toBe(want);
  });
});
