import { getIntrospectionQuery } from "graphql";
import { describe, expect, it } from "vitest";
import { createMultichainExecutor } from "../../../../emulator/styles/multichain/execute.ts";
import { canonicalize } from "../../../../src/dialects/canonicalize.ts";
import { buildIntrospection, parseIntrospection } from "../../../../src/dialects/introspection.ts";
import { createStore, derived, failure, serve } from "./support.ts";

const run = serve();
const CLASSIC = getIntrospectionQuery({ specifiedByUrl: false, inputValueDeprecation: false, oneOf: false });

describe("introspection", () => {
  it("the introspection query returns the derived schema, in order", () => {
    const { __schema: want } = buildIntrospection(derived().schema);
    // The query also selects the kind of the roots.
    const roots = {
      queryType: { name: "query_root", kind: "OBJECT" },
      mutationType: null,
      subscriptionType: { name: "subscription_root", kind: "OBJECT" },
    };
    expect(run(CLASSIC).data).toEqual(JSON.parse(JSON.stringify({ __schema: { ...want, ...roots } })));
  });

  it("the answer parses to the derived schema", () => {
    const { schema } = derived();
    expect(canonicalize(parseIntrospection(run(CLASSIC).data))).toEqual(canonicalize(schema));
  });

  it.each([
    [
      "specifiedByURL",
      "{ __schema { types { specifiedByURL } } }",
      "field 'specifiedByURL' not found in type: '__Type'",
      ".__schema.selectionSet.types.selectionSet.specifiedByURL",
    ],
    [
      "isOneOf",
      '{ __type(name: "Parcel") { isOneOf } }',
      "field 'isOneOf' not found in type: '__Type'",
      ".__type.selectionSet.isOneOf",
    ],
    [
      "args(includeDeprecated:)",
      "{ __schema { types { fields { args(includeDeprecated: true) { name } } } } }",
      "'args' has no argument named 'includeDeprecated'",
      ".__schema.selectionSet.types.selectionSet.fields.selectionSet.args",
    ],
    [
      "inputFields(includeDeprecated:)",
      "{ __schema { types { inputFields(includeDeprecated: true) { name } } } }",
      "'inputFields' has no argument named 'includeDeprecated'",
      ".__schema.selectionSet.types.selectionSet.inputFields",
    ],
    [
      "isDeprecated of an input value",
      "{ __schema { types { inputFields { isDeprecated } } } }",
      "field 'isDeprecated' not found in type: '__InputValue'",
      ".__schema.selectionSet.types.selectionSet.inputFields.selectionSet.isDeprecated",
    ],
    ["__type without a name", "{ __type { name } }", "missing required field 'name'", ".__type.args.name"],
    [
      "a missing selection set",
      "{ __schema }",
      "missing selection set for '__Schema'",
      ".__schema.selectionSet",
    ],
    [
      "__schema below the root",
      "{ Parcel { __schema { types { name } } } }",
      "field '__schema' not found in type: 'Parcel'",
      ".Parcel.selectionSet.__schema",
    ],
  ])("refused: %s", (_name, query, message, path) => {
    expect(failure(run(query))).toEqual([message, `$.selectionSet${path}`, "validation-failed"]);
  });

  it.each([
    ["an unknown type is null", '{ __type(name: "Nope") { name } }', { __type: null }],
    [
      "a type by name",
      '{ __type(name: "order_by") { __typename kind name ofType { name } possibleTypes { name } } }',
      { __type: { __typename: "__Type", kind: "ENUM", name: "order_by", ofType: null, possibleTypes: null } },
    ],
    [
      "a type reference has all fields of its type",
      '{ __type(name: "Watcher") { fields(includeDeprecated: true) { name type { kind ofType { kind name fields { name } enumValues { name } } } } } }',
      {
        __type: {
          fields: [
            {
              name: "chainId",
              type: {
                kind: "NON_NULL",
                ofType: { kind: "SCALAR", name: "numeric", fields: null, enumValues: null },
              },
            },
            {
              name: "id",
              type: {
                kind: "NON_NULL",
                ofType: { kind: "SCALAR", name: "String", fields: null, enumValues: null },
              },
            },
          ],
        },
      },
    ],
    [
      "the roots are types",
      "{ __schema { description queryType { kind name } mutationType { name } subscriptionType { name } directives { name isRepeatable } } }",
      {
        __schema: {
          description: null,
          queryType: { kind: "OBJECT", name: "query_root" },
          mutationType: null,
          subscriptionType: { name: "subscription_root" },
          directives: [
            { name: "include", isRepeatable: false },
            { name: "skip", isRepeatable: false },
            { name: "cached", isRepeatable: false },
          ],
        },
      },
    ],
  ])("%s", (_name, query, want) => {
    expect(run(query).data).toEqual(want);
  });

  it("the default query of graphql-js works", () => {
    expect(run(getIntrospectionQuery()).errors).toBeUndefined();
  });

  it("introspection works even if the served schema does not list the meta-types", () => {
    const { model, schema } = derived();
    const execute = createMultichainExecutor({
      model,
      schema: canonicalize(schema),
      release: "3.0",
      settings: {},
      now: () => ({ store: createStore({}), chains: [] }),
      history: null,
      deploymentHash: "",
    });
    expect(
      execute({ query: '{ __type(name: "Depot") { kind } }', variables: null, operationName: null }),
    ).toEqual({
      data: { __type: { kind: "OBJECT" } },
    });
  });
});
