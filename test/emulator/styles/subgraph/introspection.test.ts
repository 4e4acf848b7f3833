import { buildClientSchema, getIntrospectionQuery, type IntrospectionQuery } from "graphql";
import { describe, expect, test } from "vitest";
import { createSubgraphExecutor } from "../../../../emulator/styles/subgraph/execute.ts";
import { buildIntrospection, INTROSPECTION_QUERY } from "../../../../src/dialects/introspection.ts";
import { BAND_ROWS, BANDS, bands, messagesOf, serve } from "./support.ts";

const ask = bands();

describe("introspection", () => {
  test("the introspection query returns the derived schema", () => {
    expect(ask(INTROSPECTION_QUERY)).toEqual({ data: buildIntrospection(serve(BANDS, BAND_ROWS).schema) });
  });
  test("graphql-js can read the answer to its introspection query", () => {
    const query = getIntrospectionQuery({
      descriptions: true,
      specifiedByUrl: false,
      directiveIsRepeatable: false,
      schemaDescription: false,
      inputValueDeprecation: false,
    });
    const schema = buildClientSchema(ask(query).data as unknown as IntrospectionQuery);
    expect(String(schema.getQueryType()?.getFields()["bands"]?.type)).toBe("[Band!]!");
  });

  const rows: readonly [name: string, query: string, data: unknown][] = [
    [
      "root types",
      "{ __schema { queryType { name kind } mutationType { name } subscriptionType { name } description } }",
      {
        __schema: {
          queryType: { name: "Query", kind: "OBJECT" },
          mutationType: null,
          subscriptionType: null,
          description: null,
        },
      },
    ],
    [
      "an enum",
      '{ __type(name: "Genre") { kind name enumValues { name isDeprecated deprecationReason } fields { name } interfaces { name } } }',
      {
        __type: {
          kind: "ENUM",
          name: "Genre",
          enumValues: ["ROCK", "JAZZ", "FOLK"].map((name) => ({
            name,
            isDeprecated: false,
            deprecationReason: null,
          })),
          fields: null,
          interfaces: null,
        },
      },
    ],
    [
      "an interface",
      '{ __type(name: "Act") { interfaces { name } possibleTypes { name } } }',
      {
        __type: { interfaces: null, possibleTypes: [{ name: "Band" }, { name: "Solo" }] },
      },
    ],
    [
      "an object without interfaces",
      '{ __type(name: "City") { interfaces { name } possibleTypes { name } specifiedByURL } }',
      {
        __type: { interfaces: [], possibleTypes: null, specifiedByURL: null },
      },
    ],
    [
      "input values since v0.43",
      '{ __type(name: "Block_height") { inputFields(includeDeprecated: true) { name isDeprecated defaultValue __typename } } }',
      {
        __type: {
          inputFields: ["hash", "number", "number_gte"].map((name) => ({
            name,
            isDeprecated: false,
            defaultValue: null,
            __typename: "__InputValue",
          })),
        },
      },
    ],
    ["an unknown type", '{ __type(name: "Nope") { name } }', { __type: null }],
    ["an introspection type is unknown", '{ __type(name: "__Type") { name } }', { __type: null }],
    [
      "aliases and fragments",
      '{ t: __type(name: "Genre") { ...F } } fragment F on __Type { n: name }',
      { t: { n: "Genre" } },
    ],
  ];
  test.each(rows)("%s", (_, query, data) => expect(ask(query)).toEqual({ data }));

  test("types are in byte order, without introspection types", () => {
    const { __schema } = ask("{ __schema { types { name } } }").data as {
      __schema: { types: { name: string }[] };
    };
    const names = __schema.types.map((type) => type.name);
    expect(names).toEqual([...names].sort());
    expect(names.filter((name) => name.startsWith("__"))).toEqual([]);
    expect(names.indexOf("_Meta_")).toBeGreaterThan(names.indexOf("Timestamp"));
  });
  test("of two types with one name the first is returned", () => {
    const served = serve(BANDS, BAND_ROWS);
    const twice = { kind: "SCALAR", name: "Genre", description: "second" } as const;
    const execute = createSubgraphExecutor({
      ...served,
      schema: { ...served.schema, types: [...served.schema.types, twice] },
    });
    expect(
      execute({ query: '{ __type(name: "Genre") { kind } }', variables: null, operationName: null }),
    ).toEqual({
      data: { __type: { kind: "ENUM" } },
    });
  });

  const refused: readonly [query: string, message: string][] = [
    ['{ __type(name: "Genre") { isOneOf } }', "Type `__Type` has no field `isOneOf`"],
    ["{ __schema { nope } }", "Type `__Schema` has no field `nope`"],
    ["{ __schema { directives { isRepeatable } } }", "Null value resolved for non-null field `isRepeatable`"],
    ["{ __type { name } }", "No value provided for required argument: `name`"],
    ["{ band(id: 1) { __schema { description } } }", "Type `Band` has no field `__schema`"],
  ];
  test.each(refused)("%s fails", (query, message) => expect(messagesOf(ask(query))[0]).toBe(message));
});
