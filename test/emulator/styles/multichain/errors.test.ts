import { describe, expect, it } from "vitest";
import { failure, serve } from "./support.ts";

const run = serve();

describe("error catalogue", () => {
  it.each([
    ["a syntax error", "{ Parcel { id }"],
    ["an empty document", ""],
    ["an empty selection", "{ }"],
    ["a duplicate argument", "{ Parcel(limit: 1, limit: 2) { id } }"],
    ["a duplicate argument of a directive", "{ Parcel { id @skip(if: true, if: true) } }"],
    ["a duplicate key", '{ Parcel(where: {id: {_eq: "a"}, id: {_eq: "b"}}) { id } }'],
    ["a bad escape", '{ Parcel(where: {id: {_eq: "\\x"}}) { id } }'],
    ["a type definition", "type A { b: String }"],
    ["deep nesting", "{ a ".repeat(20_000)],
  ])("%s", (_name, query) => {
    expect(failure(run(query))).toEqual(["not a valid graphql query", "$.query", "validation-failed"]);
  });

  it.each([
    [
      "unknown field",
      "{ Parcel { x } }",
      "field 'x' not found in type: 'Parcel'",
      "$.selectionSet.Parcel.selectionSet.x",
    ],
    [
      "unknown field in a relationship",
      "{ Parcel { depot { x } } }",
      "field 'x' not found in type: 'Depot'",
      "$.selectionSet.Parcel.selectionSet.depot.selectionSet.x",
    ],
    [
      "unknown field with an alias",
      "{ p: Parcel { y: x } }",
      "field 'x' not found in type: 'Parcel'",
      "$.selectionSet.Parcel.selectionSet.x",
    ],
    [
      "unknown field in a fragment",
      "{ Parcel { ...F } } fragment F on Parcel { x }",
      "field 'x' not found in type: 'Parcel'",
      "$.selectionSet.Parcel.selectionSet.x",
    ],
    [
      "unknown root",
      "{ Nope { id } }",
      "field 'Nope' not found in type: 'query_root'",
      "$.selectionSet.Nope",
    ],
    [
      "hidden aggregate",
      "{ Depot_aggregate { aggregate { count } } }",
      "field 'Depot_aggregate' not found in type: 'query_root'",
      "$.selectionSet.Depot_aggregate",
    ],
    [
      "a subgraph's root",
      "{ parcels(first: 1) { id } }",
      "field 'parcels' not found in type: 'query_root'",
      "$.selectionSet.parcels",
    ],
    [
      "unknown argument",
      "{ Parcel(bogus: 1) { id } }",
      "'Parcel' has no argument named 'bogus'",
      "$.selectionSet.Parcel",
    ],
    [
      "unknown operator",
      "{ Parcel(where: {id: {_bogus: 1}}) { id } }",
      "field '_bogus' not found in type: 'String_comparison_exp'",
      "$.selectionSet.Parcel.args.where.id._bogus",
    ],
    [
      "unknown input key",
      "{ Parcel(where: {nope: {}}) { id } }",
      "field 'nope' not found in type: 'Parcel_bool_exp'",
      "$.selectionSet.Parcel.args.where.nope",
    ],
    [
      "unknown input key under _or",
      "{ Parcel(where: {_or: [{}, {nope: {}}]}) { id } }",
      "field 'nope' not found in type: 'Parcel_bool_exp'",
      "$.selectionSet.Parcel.args.where._or[1].nope",
    ],
    [
      "unknown order",
      "{ Parcel(order_by: [{nope: asc}]) { id } }",
      "field 'nope' not found in type: 'Parcel_order_by'",
      "$.selectionSet.Parcel.args.order_by[0].nope",
    ],
    [
      "missing argument",
      "{ Parcel_by_pk { id } }",
      "missing required field 'id'",
      "$.selectionSet.Parcel_by_pk.args.id",
    ],
    [
      "missing predicate",
      "{ Depot(where: {parcels_aggregate: {count: {}}}) { id } }",
      "missing required field 'predicate'",
      "$.selectionSet.Depot.args.where.parcels_aggregate.count.predicate",
    ],
    [
      "null for a required argument",
      "{ Parcel_by_pk(id: null) { id } }",
      "unexpected null value for type 'String'",
      "$.selectionSet.Parcel_by_pk.args.id",
    ],
    [
      "a list as an object",
      "{ Parcel(where: []) { id } }",
      "expected an object for type 'Parcel_bool_exp', but found a list",
      "$.selectionSet.Parcel.args.where",
    ],
    [
      "a string as an object",
      '{ Parcel(where: "x") { id } }',
      "expected an object for type 'Parcel_bool_exp', but found a string",
      "$.selectionSet.Parcel.args.where",
    ],
    [
      "an enum value as an object",
      "{ Parcel(order_by: asc) { id } }",
      "expected an object for type 'Parcel_order_by', but found an enum value",
      "$.selectionSet.Parcel.args.order_by[0]",
    ],
    [
      "an enum value in a list of objects",
      "{ Parcel(order_by: [{}, asc]) { id } }",
      "expected an object for type 'Parcel_order_by', but found an enum value",
      "$.selectionSet.Parcel.args.order_by[1]",
    ],
    [
      "null as a list",
      "{ Parcel(where: {_and: null}) { id } }",
      "expected a list, but found null",
      "$.selectionSet.Parcel.args.where._and",
    ],
    [
      "a value as a comparison",
      '{ Parcel(where: {id: "p1"}) { id } }',
      "expected an object for type 'String_comparison_exp', but found a string",
      "$.selectionSet.Parcel.args.where.id",
    ],
    [
      "a missing selection set",
      "{ Parcel }",
      "missing selection set for 'Parcel'",
      "$.selectionSet.Parcel.selectionSet",
    ],
    [
      "a missing selection set of a relationship",
      "{ Parcel { depot } }",
      "missing selection set for 'Depot'",
      "$.selectionSet.Parcel.selectionSet.depot.selectionSet",
    ],
    [
      "a selection on a leaf",
      "{ Parcel { id { x } } }",
      "unexpected subselection set for non-object field",
      "$.selectionSet.Parcel.selectionSet.id",
    ],
    [
      "an argument on a leaf",
      "{ Parcel { id(x: 1) } }",
      "'id' has no argument named 'x'",
      "$.selectionSet.Parcel.selectionSet.id",
    ],
    [
      "a nested argument",
      "{ Depot { parcels(limit: -1) { id } } }",
      "expected a non-negative 32-bit integer for type 'Int', but found an integer",
      "$.selectionSet.Depot.selectionSet.parcels.args.limit",
    ],
    [
      "unknown directive",
      "{ Parcel { id @bogus } }",
      "directive 'bogus' is not defined in the schema",
      "$.selectionSet.Parcel.selectionSet",
    ],
    [
      "unknown directive on the query",
      "query @bogus { Parcel { id } }",
      "directive 'bogus' is not defined in the schema",
      "$",
    ],
    [
      "skip on a query",
      "query @skip(if: true) { Parcel { id } }",
      "directive 'skip' is not allowed on a query",
      "$",
    ],
    [
      "cached on a field",
      "{ Parcel @cached { id } }",
      "directive 'cached' is not allowed on a field",
      "$.selectionSet",
    ],
    [
      "skip without if",
      "{ Parcel @skip { id } }",
      "missing required field 'if'",
      "$.selectionSet.skip.args.if",
    ],
    [
      "skip with a string",
      '{ Parcel { id @skip(if: "true") } }',
      "expected a boolean for type 'Boolean', but found a string",
      "$.selectionSet.Parcel.selectionSet.skip.args.if",
    ],
    [
      "a directive twice",
      "{ Parcel { id @skip(if: true) @skip(if: false) } }",
      "the following directives are used more than once: ['skip']",
      "$.selectionSet.Parcel.selectionSet",
    ],
    [
      "undefined fragment",
      "{ Parcel { ...F } }",
      'reference to undefined fragment "F"',
      "$.selectionSet.Parcel.selectionSet",
    ],
    ["undefined fragment at the root", "{ ...F }", 'reference to undefined fragment "F"', "$.selectionSet"],
    [
      "a cycle of fragments",
      "{ Parcel { ...A1 } } fragment A1 on Parcel { ...B1 } fragment B1 on Parcel { ...A1 }",
      "the fragment definition(s) A1 and B1 form a cycle",
      "$.selectionSet.Parcel.selectionSet.A1.selectionSet.B1.selectionSet",
    ],
    [
      "one response key with different arguments",
      "{ Parcel(limit: 1) { id } Parcel(limit: 2) { id } }",
      "inconsistent arguments between multiple selections of field 'Parcel'",
      "$.selectionSet",
    ],
    [
      "one response key for different fields",
      "{ Parcel { depot: depot_id depot { id } } }",
      "selection of both 'depot_id' and 'depot' specify the same response name, 'depot'",
      "$.selectionSet.Parcel.selectionSet",
    ],
    [
      "no operation",
      "fragment F on Parcel { id }",
      "exactly one operation has to be present in the document when operationName is not specified",
      "$",
    ],
    [
      "two operations",
      "query A { Parcel { id } } query B { Parcel { id } }",
      "exactly one operation has to be present in the document when operationName is not specified",
      "$",
    ],
    ["a mutation with variables", "mutation ($x: Int!) { a }", "no mutations exist", "$"],
    ["a mutation", "mutation { insert_Parcel { id } }", "no mutations exist", "$"],
    [
      "two roots in a subscription",
      "subscription { Parcel { id } Depot { id } }",
      "subscriptions must select one top level field",
      "$",
    ],
  ])("%s", (_name, query, message, path) => {
    expect(failure(run(query))).toEqual([message, path, "validation-failed"]);
  });

  it("subscription over HTTP", () => {
    expect(failure(run("subscription { Parcel { id } }"))).toEqual([
      "subscriptions are not supported over HTTP, use websockets instead",
      "$",
      "unexpected-payload",
    ]);
  });

  it.each([
    [
      "one of several operations",
      "query A { __typename } query B { a: __typename }",
      "B",
      { a: "query_root" },
    ],
    ["the only operation", "query A { __typename }", "A", { __typename: "query_root" }],
  ])("operationName selects %s", (_name, query, operationName, want) => {
    expect(run(query, null, operationName).data).toEqual(want);
  });

  it.each([
    [
      "an unknown operation",
      "query A { __typename }",
      "B",
      'no such operation found in the document: "B"',
      "$",
      "validation-failed",
    ],
    [
      "an anonymous operation",
      "{ __typename }",
      "A",
      "operationName cannot be used when an anonymous operation exists in the document",
      "$",
      "validation-failed",
    ],
    ["an empty name", "{ __typename }", "", " is not valid GraphQL name", "$.operationName", "parse-failed"],
  ])("operationName: %s", (_name, query, operationName, message, path, code) => {
    expect(failure(run(query, null, operationName))).toEqual([message, path, code]);
  });

  it("only the variables of the selected operation are validated", () => {
    const query = "query A { Depot(limit: 1) { id } } query B($l: Int!) { Depot(limit: $l) { id } }";
    expect(run(query, null, "A").data).toEqual({ Depot: [{ id: "d1" }] });
  });
});
