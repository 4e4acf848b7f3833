import { describe, expect, it } from "vitest";
import { assessOperations } from "../../../src/compare/impact/assess-operations.ts";
import { assessEdit, type Edits, edit, operationOf, schemaOf } from "./fixtures.ts";

const SDL = `
  interface Node { id: ID! }
  interface Named { name: String }
  type Asset implements Node & Named { id: ID! name: String symbol: String! }
  type User implements Node { id: ID! name: String }
  union Thing = Asset | User
  input Filter { name: String limit: Int! = 5 }
  type Query { node(filter: Filter): Node tags(of: [String!]): Int thing(first: Int = 1): Thing assets: [Asset!]! }`;

const assess = (text: string, edits: Edits, sdl = SDL) =>
  assessOperations(
    [operationOf(["a.graphql", text])],
    { before: schemaOf(sdl), after: schemaOf(edit(sdl, edits)) },
    {
      exhaustiveEnums: false,
    },
  )[0];

describe("assessOperations", () => {
  it.each<[name: string, edits: Edits, verdict: string]>([
    ["still is", [["type User", "type Other { id: ID } type User"]], "was-broken"],
    ["is repaired now", [["symbol: String!", "symbol: String! decimals: Int"]], "repaired"],
  ])("an operation that was invalid before has no effects: %s", (_, edits, verdict) => {
    const assessment = assess("query A {\n  assets { decimals name }\n}", edits);
    expect(assessment).toEqual({
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
    expect(assess("mutation A { a }", [])?.verdict).toBe("was-broken");
    expect(assess("mutation A { a }", [["type Query", "type Mutation { a: Int } type Query"]])?.verdict).toBe(
      "repaired",
    );
  });

  it("does not validate operations if the schema is unchanged", () => {
    const schema = schemaOf(SDL);
    expect(
      assessOperations(
        [operationOf(["a.graphql", "query A { none }"])],
        { before: schema, after: schema },
        {
          exhaustiveEnums: false,
        },
      ),
    ).toEqual([{ name: "A", verdict: "unaffected", effects: [], errorsBefore: [] }]);
  });

  it.each<[name: string, text: string, edits: Edits, effects: readonly string[]]>([
    [
      "a fragment on an interface matches one more type",
      "query A { thing {\n ... on Named { name } } }",
      [["type User implements Node", "type User implements Node & Named"]],
      ["changes-type User Named @ a.graphql:2:2"],
    ],
    [
      "a fragment on an interface matches a different type",
      "query A { node {\n ... on Named { name } ... on Asset { symbol } } }",
      [
        ["type Asset implements Node & Named", "type Asset implements Node"],
        ["type User implements Node", "type User implements Node & Named"],
      ],
      ["changes-type Asset Named @ a.graphql:2:2", "changes-type User Named @ a.graphql:2:2"],
    ],
    [
      "a fragment that is spread twice, reported once",
      "query A { assets { ...F } a: assets { ...F } }\nfragment F on Asset { symbol }",
      [["symbol: String!", "symbol: String"]],
      ["changes-type Asset.symbol @ a.graphql:2:23"],
    ],
    [
      "the type of a field changes in an object, but not in its interface",
      "query A { node {\n id } }",
      [["type User implements Node { id: ID!", "type User implements Node { id: ID"]],
      ["changes-type User.id @ a.graphql:2:2"],
    ],
    [
      "the type of a field changes in an interface and its objects",
      "query A { node {\n id } }",
      [
        ["interface Node { id: ID!", "interface Node { id: ID"],
        ["type Asset implements Node & Named { id: ID!", "type Asset implements Node & Named { id: ID"],
        ["type User implements Node { id: ID!", "type User implements Node { id: ID"],
      ],
      ["changes-type Node.id @ a.graphql:2:2"],
    ],
    [
      "the input type of an argument changes",
      'query A { node(filter: { name: "a" }) { id } }',
      [
        ["node(filter: Filter)", "node(filter: Other)"],
        ["input Filter", "input Other { must: Int! } input Filter"],
      ],
      ["broken Query.node(filter:) @ a.graphql:1:24", "broken Query.node(filter:) @ a.graphql:1:26"],
    ],
    [
      "the default of a member that a literal omits changes",
      "query A($name: String) { node(filter: {\n name: $name }) { id } }",
      [["limit: Int! = 5", "limit: Int! = 6"]],
      ["changes-meaning Filter.limit @ a.graphql:1:39"],
    ],
    [
      "the default of a member that a variable may omit changes",
      "query A($filter: Filter) { node(filter: $filter) { id } }",
      [["limit: Int! = 5", "limit: Int! = 6"]],
      ["changes-meaning Filter.limit @ a.graphql:1:9"],
    ],
    [
      "an omitted argument with a default is removed",
      "query A { thing { __typename } }",
      [["thing(first: Int = 1)", "thing"]],
      ["changes-meaning Query.thing(first:) @ a.graphql:1:11"],
    ],
    [
      "the default of an argument with a literal value changes",
      "query A { thing(first: 3) { __typename } }",
      [["first: Int = 1", "first: Int = 2"]],
      [],
    ],
    [
      "the default of an argument with an optional variable changes",
      "query A($first: Int) { thing(first: $first) { __typename } }",
      [["first: Int = 1", "first: Int = 2"]],
      ["changes-meaning Query.thing(first:) @ a.graphql:1:37"],
    ],
    [
      "the default of an argument changes, and its variable has its own default",
      "query A($first: Int = 5) { thing(first: $first) { __typename } }",
      [["first: Int = 1", "first: Int = 2"]],
      [],
    ],
    [
      "an argument becomes non-null, and its variable has a default but is nullable",
      "query A($first: Int = 5) { thing(first: $first) { __typename } }",
      [["first: Int = 1", "first: Int!"]],
      ["at-risk Query.thing(first:) @ a.graphql:1:41"],
    ],
    [
      "a literal is sent as a custom scalar",
      'query A { node(filter: { name: "a" }) { id } }',
      [["input Filter { name: String", "scalar Bytes input Filter { name: Bytes"]],
      ["at-risk Filter.name @ a.graphql:1:32"],
    ],
    [
      "a list and an object are sent as a custom scalar",
      'query A { node(filter: { name: "a" }) { id } tags(of: ["a", "b"]) }',
      [
        ["node(filter: Filter)", "node(filter: Json)"],
        ["tags(of: [String!])", "tags(of: [Json!])"],
        ["input Filter", "scalar Json input Filter"],
      ],
      ["at-risk Query.node(filter:) @ a.graphql:1:24", "at-risk Query.tags(of:) @ a.graphql:1:55"],
    ],
    [
      "null and literals of another standard scalar are sent",
      'query A { node(filter: { name: null, limit: 1 }) { id } tags(of: ["a"]) }',
      [
        ["name: String limit: Int!", "name: Bytes limit: Float!"],
        ["tags(of: [String!])", "tags(of: [ID!])"],
        ["input Filter", "scalar Bytes input Filter"],
      ],
      [],
    ],
    [
      "the operation selects __typename of a renamed root",
      "query A { __typename }",
      [["type Query", "schema { query: Root } type Root"]],
      ["changes-type Query @ a.graphql:1:11"],
    ],
    [
      "the operation selects introspection fields",
      "query A { __schema { queryType { name } } }",
      [["symbol: String!", "symbol: String"]],
      [],
    ],
  ])("returns the effects: %s", (_, text, edits, effects) => {
    expect(assessEdit(operationOf(["a.graphql", text]), SDL, edits).effects).toEqual(effects);
  });

  it("effects have a path, a message and a fix", () => {
    const reported = (text: string, edits: Edits) =>
      assess(text, edits)?.effects.map(({ path, message, fix }) => [path, message, fix]);
    expect(reported("query A { thing { __typename } }", [["first: Int = 1", "first: Int = 2"]])).toEqual([
      [
        "thing",
        "The default of Query.thing(first:) was 1 and is 2.",
        "send `first: 1` to keep the old behaviour.",
      ],
    ]);
    expect(
      reported("query A($f: Int) { thing(first: $f) { __typename } }", [["first: Int = 1", "first: Int!"]]),
    ).toEqual([
      ["thing", 'Variable "$f" of type "Int" used in position expecting type "Int!".', "declare $f as Int!."],
    ]);
    expect(
      reported("query A { all: assets { what: symbol } }", [["symbol: String!", "symbol: String"]]),
    ).toEqual([
      [
        "all.what",
        "Asset.symbol was String! and is String.",
        "generate the types again, and fix what the compiler reports where `all.what` is used.",
      ],
    ]);
    expect(
      reported("query A($filter: Filter) { node(filter: $filter) { id } }", [
        ["name: String limit", "limit"],
      ]),
    ).toEqual([
      [
        "$filter",
        "$filter: Filter has no name any more.",
        "make sure that no caller sends name through $filter, and generate the types again.",
      ],
    ]);
  });
});
