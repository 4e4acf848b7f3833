import { getIntrospectionQuery } from "graphql";
import { describe, expect, it } from "vitest";
import { createMultichainExecutor } from "../../../../emulator/styles/multichain/execute.ts";
import { canonicalize } from "../../../../src/dialects/canonicalize.ts";
import { buildIntrospection, parseIntrospection } from "../../../../src/dialects/introspection.ts";
import { createStore, derived, failure, readMark, serve } from "./support.ts";

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
    ["{ __schema { types { ¦specifiedByURL } } }", "field 'specifiedByURL' not found in type: '__Type'"],
    ['{ __type(name: "Parcel") { ¦isOneOf } }', "field 'isOneOf' not found in type: '__Type'"],
    [
      "{ __schema { types { fields { ¦args(includeDeprecated: true) { name } } } } }",
      "'args' has no argument named 'includeDeprecated'",
    ],
    [
      "{ __schema { types { ¦inputFields(includeDeprecated: true) { name } } } }",
      "'inputFields' has no argument named 'includeDeprecated'",
    ],
    [
      "{ __schema { types { inputFields { ¦isDeprecated } } } }",
      "field 'isDeprecated' not found in type: '__InputValue'",
    ],
    ["{ __type¦.args.name¦ { name } }", "missing required field 'name'"],
    ["{ __schema¦.selectionSet¦ }", "missing selection set for '__Schema'"],
    ["{ Parcel { ¦__schema { types { name } } } }", "field '__schema' not found in type: 'Parcel'"],
  ])("%s: %s", (marked, message) => {
    const { query, path } = readMark(marked);
    expect(failure(run(query))).toEqual([message, path, "validation-failed"]);
  });

  const required = (name: string) => ({
    kind: "NON_NULL",
    ofType: { kind: "SCALAR", name, fields: null, enumValues: null },
  });
  it.each([
    ["an unknown type is null", '__type(name: "Nope") { name }', null],
    [
      "a type by name",
      '__type(name: "order_by") { __typename kind name ofType { name } possibleTypes { name } }',
      { __typename: "__Type", kind: "ENUM", name: "order_by", ofType: null, possibleTypes: null },
    ],
    [
      "a type reference has all fields of its type",
      '__type(name: "Watcher") { fields(includeDeprecated: true) { name type { kind ofType { kind name fields { name } enumValues { name } } } } }',
      {
        fields: [
          { name: "chainId", type: required("numeric") },
          { name: "id", type: required("String") },
        ],
      },
    ],
    [
      "the roots are types",
      "__schema { description queryType { kind name } mutationType { name } subscriptionType { name } directives { name isRepeatable } }",
      {
        description: null,
        queryType: { kind: "OBJECT", name: "query_root" },
        mutationType: null,
        subscriptionType: { name: "subscription_root" },
        directives: ["include", "skip", "cached"].map((name) => ({ name, isRepeatable: false })),
      },
    ],
  ])("%s", (_name, field, want) => {
    expect(run(`{ it: ${field} }`).data).toEqual({ it: want });
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
    const query = '{ __type(name: "Depot") { kind } }';
    const answer = execute({ query, variables: null, operationName: null });
    expect(answer).toEqual({ data: { __type: { kind: "OBJECT" } } });
  });
});
