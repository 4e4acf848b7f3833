import { describe, expect, it } from "vitest";
import { assess, assessEdit, type Edits, edit, operationOf } from "./fixtures.ts";

const SDL = `
  interface Node { id: ID! }
  interface Named { name: String }
  type Asset implements Node & Named { id: ID! name: String symbol: String! }
  type User implements Node { id: ID! name: String }
  union Thing = Asset | User
  input Filter { name: String limit: Int! = 5 }
  type Query { node(filter: Filter): Node tags(of: [String!]): Int thing: Thing count(first: Int = 1): Int assets: [Asset!]! }`;

const operation = (text: string) => operationOf(["a.graphql", text]);

const assessOne = (text: string, edits: string | Edits) =>
  assess([operation(text)], [SDL, edit(SDL, edits)])[0];

describe("assessOperations", () => {
  it.each<[name: string, edits: string, verdict: string]>([
    ["still is", "type User → type Other { id: ID } type User", "was-broken"],
    ["is repaired now", "symbol: String!¦ decimals: Int", "repaired"],
  ])("an operation that was invalid before has no effects: %s", (_, edits, verdict) => {
    expect(assessOne("query A {\n  assets { decimals name }\n}", edits)).toEqual({
      name: "A",
      verdict,
      effects: [],
      errorsBefore: [
        {
          impact: "broken",
          severity: "breaking",
          coordinates: ["Asset.decimals"],
          path: "assets.decimals",
          message: 'Cannot query field "decimals" on type "Asset".',
          fix: 'remove "decimals" from the selection, or select its replacement.',
          file: "a.graphql",
          line: 2,
          column: 12,
        },
      ],
    });
  });

  it("an operation on a missing root was broken, and is repaired if the root is added", () => {
    expect(assessOne("mutation A { a }", "type User → type Other { a: Int } type User")?.verdict).toBe(
      "was-broken",
    );
    expect(assessOne("mutation A { a }", "type User → type Mutation { a: Int } type User")?.verdict).toBe(
      "repaired",
    );
  });

  it.each<[name: string, text: string, edits: string | Edits, ...effects: string[]]>([
    [
      "a fragment on an interface matches one more type",
      "{ thing { ... on Named { name } } }",
      "type User implements Node¦ & Named",
      "changes-type User Named @ ...",
    ],
    [
      "a fragment on an interface matches a different type",
      "{ node { ... on Named { name } ... on Asset { symbol } } }",
      [
        "type Asset implements Node & Named → type Asset implements Node",
        "type User implements Node¦ & Named",
      ],
      "changes-type Asset Named @ ...",
      "changes-type User Named @ ...",
    ],
    [
      "a fragment that is spread twice, reported once",
      "{ assets { ...F } a: assets { ...F } } fragment F on Asset { symbol }",
      "symbol: String! → symbol: String",
      "changes-type Asset.symbol @ symbol",
    ],
    [
      "the type of a field changes in an object, but not in its interface",
      "{ node { id } }",
      "type User implements Node { id: ID! → type User implements Node { id: ID",
      "changes-type User.id @ id",
    ],
    [
      "the type of a field changes in an interface and its objects",
      "{ node { id } }",
      [
        "interface Node { id: ID! → interface Node { id: ID",
        "type Asset implements Node & Named { id: ID! → type Asset implements Node & Named { id: ID",
        "type User implements Node { id: ID! → type User implements Node { id: ID",
      ],
      "changes-type Node.id @ id",
    ],
    [
      "the input type of an argument changes",
      '{ node(filter: { name: "a" }) { id } }',
      ["node(filter: Filter) → node(filter: Other)", "union → input Other { must: Int! } union"],
      "broken Query.node(filter:) @ {",
      "broken Query.node(filter:) @ name:",
    ],
    [
      "the default of a member that a literal omits changes",
      "query A($name: String) { node(filter: { name: $name }) { id } }",
      "limit: Int! = 5 → limit: Int! = 6",
      "changes-meaning Filter.limit @ {",
    ],
    [
      "the default of a member that a variable may omit changes",
      "query A($filter: Filter) { node(filter: $filter) { id } }",
      "limit: Int! = 5 → limit: Int! = 6",
      "changes-meaning Filter.limit @ $filter:",
    ],
    [
      "an omitted default is removed",
      "{ count }",
      "(first: Int = 1) →",
      "changes-meaning Query.count(first:) @ count",
    ],
    ["the default of a literal argument changes", "{ count(first: 3) }", "first: Int = 1 → first: Int = 2"],
    [
      "the default of an optional variable changes",
      "query A($first: Int) { count(first: $first) }",
      "first: Int = 1 → first: Int = 2",
      "changes-meaning Query.count(first:) @ $first",
    ],
    [
      "the default of an argument changes, and its variable has its own default",
      "query A($first: Int = 5) { count(first: $first) }",
      "first: Int = 1 → first: Int = 2",
    ],
    [
      "an argument becomes non-null, and its variable has a default but is nullable",
      "query A($first: Int = 5) { count(first: $first) }",
      "first: Int = 1 → first: Int!",
      "at-risk Query.count(first:) @ $first",
    ],
    [
      "a literal is sent as a custom scalar",
      '{ node(filter: { name: "a" }) { id } }',
      "input Filter { name: String → scalar Bytes input Filter { name: Bytes",
      'at-risk Filter.name @ "',
    ],
    [
      "a list and an object are sent as a custom scalar",
      '{ node(filter: { name: "a" }) { id } tags(of: ["a", "b"]) }',
      ["filter: Filter → filter: Json", "of: [String!] → of: [Json!]", "union → scalar Json union"],
      "at-risk Query.node(filter:) @ {",
      "at-risk Query.tags(of:) @ [",
    ],
    [
      "null and literals of another standard scalar are sent",
      '{ node(filter: { name: null, limit: 1 }) { id } tags(of: ["a"]) }',
      [
        "{ name: String limit: Int! → { name: Bytes limit: Float!",
        "[String!] → [ID!]",
        "union → scalar Bytes union",
      ],
    ],
    [
      "the operation selects __typename of a renamed root",
      "{ __typename }",
      "type Query → schema { query: Root } type Root",
      "changes-type Query @ __typename",
    ],
    [
      "the operation selects introspection fields",
      "{ __schema { queryType { name } } }",
      "symbol: String! → symbol: String",
    ],
  ])("returns the effects: %s", (_, text, edits, ...effects) => {
    expect(assessEdit(operation(text), SDL, edits).effects).toEqual(effects);
  });

  it.each([
    [
      "{ count }",
      "first: Int = 1 → first: Int = 2",
      "count",
      "The default of Query.count(first:) was 1 and is 2.",
      "send `first: 1` to keep the old behaviour.",
    ],
    [
      "query A($f: Int) { count(first: $f) }",
      "first: Int = 1 → first: Int!",
      "count",
      'Variable "$f" of type "Int" used in position expecting type "Int!".',
      "declare $f as Int!.",
    ],
    [
      "{ all: assets { what: symbol } }",
      "symbol: String! → symbol: String",
      "all.what",
      "Asset.symbol was String! and is String.",
      "generate the types again, and fix what the compiler reports where `all.what` is used.",
    ],
    [
      "query A($filter: Filter) { node(filter: $filter) { id } }",
      "name: String limit → limit",
      "$filter",
      "$filter: Filter has no name any more.",
      "make sure that no caller sends name through $filter, and generate the types again.",
    ],
  ])("effects have a path, a message and a fix: %s %s", (text, change, ...want) => {
    expect(assessOne(text, change)?.effects.map(({ path, message, fix }) => [path, message, fix])).toEqual([
      want,
    ]);
  });
});
