import { describe, expect, it } from "vitest";
import { failure, readMark, serve } from "./support.ts";

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
    ["{ Parcel { ¦x } }", "Parcel"],
    ["{ Parcel { depot { ¦x } } }", "Depot"],
    ["{ p: Parcel { y: ¦x } }", "Parcel"],
    ["{ Parcel { ¦.x¦...F } } fragment F on Parcel { x }", "Parcel"],
    ["{ ¦Nope { id } }", "query_root"],
    ["{ ¦Depot_aggregate { aggregate { count } } }", "query_root"],
    ["{ ¦parcels(first: 1) { id } }", "query_root"],
    ["{ Parcel(where: {id: {¦_bogus: 1}}) { id } }", "String_comparison_exp"],
    ["{ Parcel(where: {¦nope: {}}) { id } }", "Parcel_bool_exp"],
    ["{ Parcel(where: {_or: [{}, {¦nope: {}}]}) { id } }", "Parcel_bool_exp"],
    ["{ Parcel(order_by: [{¦nope: asc}]) { id } }", "Parcel_order_by"],
  ])("an unknown field: %s", (marked, type) => {
    const { query, path } = readMark(marked);
    const message = `field '${path.split(".").at(-1)}' not found in type: '${type}'`;
    expect(failure(run(query))).toEqual([message, path, "validation-failed"]);
  });

  it.each([
    ["{ ¦Parcel(bogus: 1) { id } }", "'Parcel' has no argument named 'bogus'"],
    ["{ Parcel { ¦id(x: 1) } }", "'id' has no argument named 'x'"],
    ["{ Parcel_by_pk¦.args.id¦ { id } }", "missing required field 'id'"],
    [
      "{ Depot(where: {parcels_aggregate: {count: ¦.predicate¦{}}}) { id } }",
      "missing required field 'predicate'",
    ],
    ["{ Parcel_by_pk(id: ¦null) { id } }", "unexpected null value for type 'String'"],
    ["{ Parcel(where: ¦[]) { id } }", "expected an object for type 'Parcel_bool_exp', but found a list"],
    ['{ Parcel(where: ¦"x") { id } }', "expected an object for type 'Parcel_bool_exp', but found a string"],
    [
      "{ Parcel(order_by: ¦[0]¦asc) { id } }",
      "expected an object for type 'Parcel_order_by', but found an enum value",
    ],
    [
      "{ Parcel(order_by: [{}, ¦asc]) { id } }",
      "expected an object for type 'Parcel_order_by', but found an enum value",
    ],
    ["{ Parcel(where: {_and: ¦null}) { id } }", "expected a list, but found null"],
    [
      '{ Parcel(where: {id: ¦"p1"}) { id } }',
      "expected an object for type 'String_comparison_exp', but found a string",
    ],
    ["{ Parcel¦.selectionSet¦ }", "missing selection set for 'Parcel'"],
    ["{ Parcel { depot¦.selectionSet¦ } }", "missing selection set for 'Depot'"],
    ["{ Parcel { ¦id { x } } }", "unexpected subselection set for non-object field"],
    ["{ Parcel {¦ id @bogus } }", "directive 'bogus' is not defined in the schema"],
    ["¦query @bogus { Parcel { id } }", "directive 'bogus' is not defined in the schema"],
    ["¦query @skip(if: true) { Parcel { id } }", "directive 'skip' is not allowed on a query"],
    ["{¦ Parcel @cached { id } }", "directive 'cached' is not allowed on a field"],
    ["{ Parcel @skip¦.args.if¦ { id } }", "missing required field 'if'"],
    ['{ Parcel { id @skip(if: ¦"true") } }', "expected a boolean for type 'Boolean', but found a string"],
    [
      "{ Parcel {¦ id @skip(if: true) @skip(if: false) } }",
      "the following directives are used more than once: ['skip']",
    ],
    ["{ Parcel {¦ ...F } }", 'reference to undefined fragment "F"'],
    ["{¦ ...F }", 'reference to undefined fragment "F"'],
    [
      "{ Parcel { ¦.A1.selectionSet.B1.selectionSet¦...A1 } } fragment A1 on Parcel { ...B1 } fragment B1 on Parcel { ...A1 }",
      "the fragment definition(s) A1 and B1 form a cycle",
    ],
    [
      "{¦ Parcel(limit: 1) { id } Parcel(limit: 2) { id } }",
      "inconsistent arguments between multiple selections of field 'Parcel'",
    ],
    [
      "{ Parcel {¦ depot: depot_id depot { id } } }",
      "selection of both 'depot_id' and 'depot' specify the same response name, 'depot'",
    ],
    [
      "¦fragment F on Parcel { id }",
      "exactly one operation has to be present in the document when operationName is not specified",
    ],
    [
      "¦query A { Parcel { id } } query B { Parcel { id } }",
      "exactly one operation has to be present in the document when operationName is not specified",
    ],
    ["¦mutation ($x: Int!) { a }", "no mutations exist"],
    ["¦mutation { insert_Parcel { id } }", "no mutations exist"],
  ])("%s: %s", (marked, message) => {
    const { query, path } = readMark(marked);
    expect(failure(run(query))).toEqual([message, path, "validation-failed"]);
  });

  it.each([
    ["one of several operations", "query A { __typename } query B { a: __typename }", "B", "a"],
    ["the only operation", "query A { __typename }", "A", "__typename"],
  ])("operationName selects %s", (_name, query, operationName, key) => {
    expect(run(query, null, operationName).data).toEqual({ [key]: "query_root" });
  });

  it.each([
    ["an unknown operation", "query A { __typename }", "B", 'no such operation found in the document: "B"'],
    [
      "an anonymous operation",
      "{ __typename }",
      "A",
      "operationName cannot be used when an anonymous operation exists in the document",
    ],
  ])("operationName: %s", (_name, query, operationName, message) => {
    expect(failure(run(query, null, operationName))).toEqual([message, "$", "validation-failed"]);
  });

  it("only the variables of the selected operation are validated", () => {
    const query = "query A { Depot(limit: 1) { id } } query B($l: Int!) { Depot(limit: $l) { id } }";
    expect(run(query, null, "A").data).toEqual({ Depot: [{ id: "d1" }] });
  });
});
