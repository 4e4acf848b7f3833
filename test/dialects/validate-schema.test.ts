import { describe, expect, it } from "vitest";
import type { LockflowError } from "../../src/base/errors.ts";
import { buildIntrospection, parseIntrospection } from "../../src/dialects/introspection.ts";
import { parseSdl } from "../../src/dialects/parse-sdl.ts";
import { catchError } from "../support/catch-error.ts";

const SCHEMA = parseSdl(
  `
  directive @tag(name: String = "a") on FIELD
  scalar Date
  interface Node { id: ID! }
  type Query implements Node { id: ID! find(first: Int = 10, color: Color): [Node!]! }
  type Mutation { a: Int }
  union Any = Query
  enum Color { RED }
  input Options { a: Options b: [Int!] = [1, 2] }
  `,
  "test",
);

type Member = Record<string, unknown>;
type Answer = { readonly __schema: Member & { readonly types: Member[]; readonly directives: Member[] } };

const answer = () => structuredClone(buildIntrospection(SCHEMA)) as unknown as Answer;

function part(of: unknown, list: string, name: string): Member {
  const found = (of as Record<string, Member[]>)[list]?.find((member) => member["name"] === name);
  if (!found) throw new Error(`no ${name} in ${list}`);
  return found;
}

const named = (kind: string, name: string) => ({ kind, name, ofType: null });
const type = (data: Answer, name: string) => part(data.__schema, "types", name);
const field = (data: Answer, owner: string, name: string) => part(type(data, owner), "fields", name);
const first = (data: Answer) => part(field(data, "Query", "find"), "args", "first");
const option = (data: Answer, name: string) => part(type(data, "Options"), "inputFields", name);
const tag = (data: Answer) => part(data.__schema, "directives", "tag");

const date = (data: Answer) => type(data, "Date");
const any = (data: Answer) => type(data, "Any");
const color = (data: Answer) => type(data, "Color");
const mutations = (data: Answer) => type(data, "Mutation");
const query = (data: Answer) => type(data, "Query");
const mutation = (data: Answer) => field(data, "Mutation", "a");
const enumValue = (data: Answer) => part(type(data, "Color"), "enumValues", "RED");
const tagName = (data: Answer) => part(tag(data), "args", "name");
const root = (data: Answer) => data.__schema;
const nonNull = (ofType: unknown) => ({ kind: "NON_NULL", name: null, ofType });
const GONE = { type: named("SCALAR", "Gone") };

/** Part of the error, the invalid member of the answer, and its values. */
type Row = readonly [want: string, member: (data: Answer) => Member, values: Member];

const MALFORMED: readonly Row[] = [
  ['the default of Query.find(first:) is "", which is not a GraphQL value', first, { defaultValue: "" }],
  ['the default of Query.find(first:) is "\\") { evil"', first, { defaultValue: '") { evil' }],
  ['the default of Options.b is "[1"', (data) => option(data, "b"), { defaultValue: "[1" }],
  ['the default of @tag(name:) is "\\"a\\nb\\""', tagName, { defaultValue: '"a\nb"' }],
  ...["true", "false", "null"].map(
    (name): Row => [`the value "${name}", which is not a valid name of a value`, enumValue, { name }],
  ),
  ['the query root refers to type "Node" of kind INTERFACE, but', root, { queryType: { name: "Node" } }],
  ['the mutation root refers to type "Color" of kind ENUM, but', root, { mutationType: { name: "Color" } }],
  ['root refers to type "Any" of kind UNION, but only OBJECT', root, { subscriptionType: { name: "Any" } }],
  ['the mutation root refers to type "Int" of kind SCALAR, but', root, { mutationType: { name: "Int" } }],
  ['@tag has the unknown location "EVERYWHERE"', tag, { locations: ["FIELD", "EVERYWHERE"] }],
  ['the type "Int!!", required twice', mutation, { type: nonNull(nonNull(named("SCALAR", "Int"))) }],
  [
    "of kind INPUT_OBJECT, but only SCALAR, OBJECT, INTERFACE, UNION, ENUM are valid there",
    mutation,
    { type: named("INPUT_OBJECT", "Options") },
  ],
  ['find(first:) refers to type "Query" of kind OBJECT, but', first, { type: named("OBJECT", "Query") }],
  [
    "of kind UNION, but only SCALAR, ENUM, INPUT_OBJECT are",
    (data) => option(data, "a"),
    { type: named("UNION", "Any") },
  ],
  ['@tag(name:) refers to type "Node" of kind INTERFACE, but', tagName, { type: named("INTERFACE", "Node") }],
  [
    "of kind OBJECT, but only INTERFACE are valid there",
    query,
    { interfaces: [named("OBJECT", "Mutation")] },
  ],
  [
    "of kind INTERFACE, but only OBJECT are valid there",
    any,
    { possibleTypes: [named("INTERFACE", "Node")] },
  ],
  [
    "Float is of kind OBJECT, but should be of kind SCALAR",
    date,
    { name: "Float", kind: "OBJECT", fields: [] },
  ],
  [`.name should be a GraphQL name, but is "${"a".repeat(60)}"…`, color, { name: "a".repeat(2000) }],
  ['.name should be a GraphQL name, but is "a\\nb"', color, { name: "a\nb" }],
  ["a name that GraphQL reserves", color, { name: "__proto__" }],
  ['Color.kind is "TUPLE"', color, { kind: "TUPLE" }],
  ["should have text or null, but has a list", color, { description: [] }],
  ["queryType should be an object, but is null", root, { queryType: null }],
  ["types should be a list, but is an object", root, { types: {} }],
];

const INCOMPLETE: readonly Row[] = [
  ['the query root refers to type "Gone", which is missing', root, { queryType: { name: "Gone" } }],
  ['the mutation root refers to type "Gone", which is missing', root, { mutationType: { name: "Gone" } }],
  ['the subscription root refers to type "Gone"', root, { subscriptionType: { name: "Gone" } }],
  ["Mutation has no fields", mutations, { fields: [] }],
  ["Node has no fields", (data) => type(data, "Node"), { fields: [] }],
  ["Color has no values", color, { enumValues: [] }],
  ["Options has no fields", (data) => type(data, "Options"), { inputFields: [] }],
  ["Any has no members", any, { possibleTypes: [] }],
  ["@tag has no locations", tag, { locations: [] }],
  ['@tag(name:) refers to type "Gone", which is missing', tagName, GONE],
  ['Query.find(first:) refers to type "Gone", which is missing', first, GONE],
  ['Mutation.a refers to type "Gone", which is missing', mutation, GONE],
];

function errorOf([, member, values]: Row): LockflowError {
  const data = answer();
  Object.assign(member(data), values);
  return catchError(() => parseIntrospection(data)) as LockflowError;
}

describe("parseIntrospection", () => {
  it.each(MALFORMED)("error: %s", (...row) => {
    const { code, sentence } = errorOf(row);
    expect(code).toBe("SCHEMA_NOT_INTROSPECTION");
    expect(sentence).toMatch(/^The answer is not an introspection result: .*\.$/);
    expect(sentence).toContain(row[0]);
  });

  it.each(INCOMPLETE)("error: %s", (...row) => {
    const { code, sentence } = errorOf(row);
    expect(code).toBe("SCHEMA_INCOMPLETE");
    expect(sentence).toMatch(/^The schema is incomplete: .*\.$/);
    expect(sentence).toContain(row[0]);
  });

  it.each([
    [5, "data should be an object, but is 5"],
    [{}, "__schema should be an object, but is missing"],
  ])("error: the answer is %j", (data, want) => {
    expect(() => parseIntrospection(data)).toThrow(want);
  });

  it("error: a type is nested more deeply than the introspection query selects", () => {
    let deep: unknown = named("SCALAR", "Int");
    for (let depth = 0; depth < 20; depth++) deep = { kind: "LIST", name: null, ofType: deep };
    const data = answer();
    Object.assign(mutation(data), { type: deep });
    expect(() => parseIntrospection(data)).toThrow(/nested too deeply/);
  });

  it.each<[name: string, ...types: Member[]]>([
    [
      "a loose meta-type",
      {
        kind: "OBJECT",
        name: "__Field",
        interfaces: [],
        fields: [
          {
            name: "args",
            args: [{ name: "a", type: named("OBJECT", "__Type"), defaultValue: "(" }],
            type: named("INPUT_OBJECT", "Options"),
          },
        ],
      },
      { kind: "OBJECT", name: "__Type", fields: [], interfaces: [] },
    ],
    [
      "a second type with the same name",
      { kind: "OBJECT", name: "Color", fields: [{ name: "a", args: [], type: named("SCALAR", "Int") }] },
    ],
    ["listed standard scalars", { kind: "SCALAR", name: "Int" }, { kind: "SCALAR", name: "ID" }],
  ])("accepts %s", (_, ...types) => {
    const data = answer();
    data.__schema.types.push(...types);
    expect(() => parseIntrospection(data)).not.toThrow();
  });

  it("accepts a schema without directives", () => {
    const data = answer();
    Object.assign(data.__schema, { directives: [] });
    expect(() => parseIntrospection(data)).not.toThrow();
  });
});
