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
    const answer = ask(getIntrospectionQuery({ inputValueDeprecation: false }));
    const schema = buildClientSchema(answer.data as unknown as IntrospectionQuery);
    expect(String(schema.getQueryType()?.getFields()["bands"]?.type)).toBe("[Band!]!");
  });

  const genres = ["ROCK", "JAZZ", "FOLK"];
  test.each<[field: string, data: unknown]>([
    [
      "__schema { queryType { name kind } mutationType { name } subscriptionType { name } description }",
      {
        queryType: { name: "Query", kind: "OBJECT" },
        mutationType: null,
        subscriptionType: null,
        description: null,
      },
    ],
    [
      '__type(name: "Genre") { kind name enumValues { name isDeprecated deprecationReason } fields { name } interfaces { name } }',
      {
        kind: "ENUM",
        name: "Genre",
        enumValues: genres.map((name) => ({ name, isDeprecated: false, deprecationReason: null })),
        fields: null,
        interfaces: null,
      },
    ],
    [
      '__type(name: "Act") { interfaces { name } possibleTypes { name } }',
      { interfaces: null, possibleTypes: [{ name: "Band" }, { name: "Solo" }] },
    ],
    [
      '__type(name: "City") { interfaces { name } possibleTypes { name } specifiedByURL }',
      { interfaces: [], possibleTypes: null, specifiedByURL: null },
    ],
    [
      '__type(name: "Block_height") { inputFields(includeDeprecated: true) { name isDeprecated defaultValue __typename } }',
      {
        inputFields: ["hash", "number", "number_gte"].map((name) => ({
          name,
          isDeprecated: false,
          defaultValue: null,
          __typename: "__InputValue",
        })),
      },
    ],
    ['__type(name: "Nope") { name }', null],
    ['__type(name: "__Type") { name }', null],
    ['__type(name: "Genre") { ...F }', { n: "Genre" }],
  ])("%s", (field, it) => {
    const fragment = field.includes("...F") ? "fragment F on __Type { n: name }" : "";
    expect(ask(`{ it: ${field} } ${fragment}`)).toEqual({ data: { it } });
  });

  test("types are in byte order, without introspection types", () => {
    const { data } = ask("{ __schema { types { name } } }");
    const { __schema } = data as { __schema: { types: { name: string }[] } };
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
    const query = '{ __type(name: "Genre") { kind } }';
    const answer = execute({ query, variables: null, operationName: null });
    expect(answer).toEqual({ data: { __type: { kind: "ENUM" } } });
  });

  test.each<[query: string, message: string]>([
    ['{ __type(name: "Genre") { isOneOf } }', "Type `__Type` has no field `isOneOf`"],
    ["{ __schema { nope } }", "Type `__Schema` has no field `nope`"],
    ["{ __schema { directives { isRepeatable } } }", "Null value resolved for non-null field `isRepeatable`"],
    ["{ __type { name } }", "No value provided for required argument: `name`"],
    ["{ band(id: 1) { __schema { description } } }", "Type `Band` has no field `__schema`"],
  ])("%s fails", (query, message) => expect(messagesOf(ask(query))[0]).toBe(message));
});
