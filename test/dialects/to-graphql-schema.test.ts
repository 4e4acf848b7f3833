import { buildASTSchema, type GraphQLSchema, lexicographicSortSchema, parse, printSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { canonicalize, hashSchema } from "../../src/dialects/canonicalize.ts";
import { parseSdl } from "../../src/dialects/parse-sdl.ts";
import { renderSdl } from "../../src/dialects/render-sdl.ts";
import { toGraphqlSchema } from "../../src/dialects/to-graphql-schema.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { readRepositoryTree } from "../support/repository.ts";

const OWN = `
  directive @cached(ttl: Int! = 60) repeatable on QUERY
  scalar JSON
  enum Kind { A B @deprecated(reason: "old") }
  interface Node { id: ID! }
  interface Named implements Node { id: ID! name: String }
  type Asset implements Node & Named { id: ID! name: String other(a: JSON = {k: [1, null]}, k: Kind = A): [Asset!] }
  type User implements Node { id: ID! kind: Kind @deprecated(reason: "gone") }
  union Thing = Asset | User
  input One @oneOf { a: Int b: String }
  input Filter { one: One and: [Filter!] weight: Float = 1.5 list: [Int!]! = [1, 2] }
  type Query { node(filter: Filter): Node thing: Thing }
  type Mutation { a: Boolean }
  type Subscription { a: Boolean }`;

const SNAPSHOTS = Object.entries(readRepositoryTree("generated/schemas")).filter(
  ([path]) => path.endsWith(".graphql") && (IS_THOROUGH || path.startsWith("lockup/")),
);

/** Prints a schema with graphql-js, without `repeatable`, which introspection omits. */
function facts(schema: GraphQLSchema): string {
  return printSchema(lexicographicSortSchema(schema)).replaceAll(" repeatable on ", " on ");
}

describe("toGraphqlSchema", () => {
  it.each([["every kind of type", OWN], ...SNAPSHOTS])(
    "builds the same schema as graphql-js: %s",
    (_, sdl) => {
      // graphql-js cannot print the default of an unknown scalar.
      const text = sdl.replace("a: JSON = {k: [1, null]}", "a: JSON");
      expect(facts(toGraphqlSchema(parseSdl(text, "a.graphql")))).toBe(facts(buildASTSchema(parse(text))));
    },
  );

  it("has the possible types of abstract types", () => {
    const schema = toGraphqlSchema(parseSdl(OWN, "a.graphql"));
    const possible = (name: string) => {
      const type = schema.getType(name);
      return type && "resolveType" in type ? schema.getPossibleTypes(type).map((object) => object.name) : [];
    };
    expect(possible("Node")).toEqual(["Asset", "User"]);
    expect(possible("Named")).toEqual(["Asset"]);
    expect(possible("Thing")).toEqual(["Asset", "User"]);
    expect(schema.getDirective("cached")?.isRepeatable).toBe(true);
    expect(schema.getType("__proto__")).toBeUndefined();
  });

  it("keeps @oneOf of an input object", () => {
    const schema = parseSdl(OWN, "a.graphql");
    const one = toGraphqlSchema(schema).getType("One");
    expect(one).toMatchObject({ isOneOf: true });
    expect(renderSdl(canonicalize(schema))).toContain("input One @oneOf {\n");
    expect(hashSchema(schema)).not.toEqual(hashSchema(parseSdl(OWN.replace(" @oneOf", ""), "a.graphql")));
  });
});
