import { describe } from "vitest";
import { pinned } from "./pinned.ts";

describe("variables and arguments", () => {
  pinned([
    [
      "an unused variable",
      ["query Q($n: Int) { ships(first: 1) { id } }", ["s1"], { n: 1 }],
      ["query Q($n: Int) { Ship(limit: 1) { id } }", "unexpected variables in variableValues: n", { n: 1 }],
    ],
    [
      "an undeclared variable",
      ["{ ships(where: { name: $n }) { id } }", ["s3"]],
      ["{ Ship(where: { name: { _eq: $n } }) { id } }", 'unbound variable "n"'],
    ],
    [
      "an id as a variable",
      ["query Q($id: ID!) { ship(id: $id) { id } }", { data: { ship: { id: "s1" } } }, { id: "s1" }],
      [
        "query Q($id: ID!) { Ship_by_pk(id: $id) { id } }",
        "variable 'id' is declared as 'ID!', but used where 'String!' is expected",
        { id: "s1" },
      ],
    ],
    [
      "a number as an id",
      ["{ ship(id: 1) { id } }", { data: { ship: null } }],
      ["{ Ship_by_pk(id: 1) { id } }", "parsing Text failed, expected String, but encountered Number"],
    ],
    [
      "a big number as a JSON number",
      [
        "query Q($n: BigInt) { ships(where: { tons_lt: $n }) { id } }",
        "Invalid value provided for argument `n`: Float(5000000000.0)",
        { n: 5_000_000_000 },
      ],
      [
        "query Q($n: numeric) { Ship(where: { tons: { _lt: $n } }) { id } }",
        ["s1", "s2"],
        { n: 5_000_000_000 },
      ],
    ],
    [
      "a fraction as an integer",
      [
        '{ ships(where: { tons_lt: "7.5" }) { id } }',
        "Failed to decode `BigInt` value: `invalid digit found in string`",
      ],
      ['{ Ship(where: { tons: { _lt: "7.5" } }) { id } }', ["s2"]],
    ],
    [
      "a time in a filter",
      ['{ ships(where: { seen: "1700000000000001" }) { id } }', ["s1"]],
      ['{ Ship(where: { seen: { _eq: "2023-11-14 23:13:20.000001+01" } }) { id } }', ["s1"]],
    ],
    [
      "a number as a string",
      [
        "{ ships(where: { name: 5 }) { id } }",
        'Invalid value provided for argument `where`: Object({"name": Int(Number(5))})',
      ],
      [
        "{ Ship(where: { name: { _eq: 5 } }) { id } }",
        "parsing Text failed, expected String, but encountered Number",
      ],
    ],
    [
      "an unknown argument",
      ["{ ships(limit: 1) { id } }", ["s1", "s2", "s3"]],
      ["{ Ship(first: 1) { id } }", "'Ship' has no argument named 'first'"],
    ],
    [
      "a missing id argument",
      ["{ ship { id } }", "No value provided for required argument: `id`"],
      ["{ Ship_by_pk { id } }", "missing required field 'id'"],
    ],
  ]);
});

describe("values and relations", () => {
  pinned([
    [
      "decimals and times",
      [
        '{ ship(id: "s1") { tons price prices seen } }',
        { data: { ship: { tons: "12", price: "1.5", prices: ["1.5"], seen: "1700000000000001" } } },
      ],
      [
        '{ Ship_by_pk(id: "s1") { tons price prices seen } }',
        {
          data: {
            Ship_by_pk: {
              tons: "12",
              price: "1.50",
              prices: ["1.50"],
              seen: "2023-11-14T22:13:20.000001+00:00",
            },
          },
        },
      ],
    ],
    [
      "a required reference without a target",
      ['{ ship(id: "s3") { home { id } } }', "Null value resolved for non-null field `home`"],
      [
        '{ Ship_by_pk(id: "s3") { home_id home { id } } }',
        { data: { Ship_by_pk: { home_id: "gone", home: null } } },
      ],
    ],
    [
      "the id of a dangling reference",
      ['{ ship(id: "s1") { last { id } } }', { data: { ship: { last: null } } }],
      [
        '{ Ship_by_pk(id: "s1") { last_id last { id } } }',
        { data: { Ship_by_pk: { last_id: "gone", last: null } } },
      ],
    ],
    [
      "counts and sums",
      ["{ Ship_aggregate { count } }", "Type `Query` has no field `Ship_aggregate`"],
      [
        "{ Ship_aggregate { aggregate { count sum { tons } } } }",
        { data: { Ship_aggregate: { aggregate: { count: 3, sum: { tons: "19" } } } } },
      ],
    ],
    [
      "the progress of the indexer",
      [
        "{ _meta { block { number } hasIndexingErrors } }",
        { data: { _meta: { block: { number: 10 }, hasIndexingErrors: false } } },
      ],
      [
        "{ _meta { chainId progressBlock isReady } }",
        { data: { _meta: [{ chainId: 1, progressBlock: 10, isReady: true }] } },
      ],
    ],
  ]);
});

describe("documents and results", () => {
  pinned([
    [
      "the order of the root fields",
      [
        '{ __typename _meta { block { number } } ship(id: "s1") { id } }',
        { data: { ship: { id: "s1" }, __typename: "Query", _meta: { block: { number: 10 } } } },
      ],
      [
        '{ __typename _meta { progressBlock } Ship_by_pk(id: "s1") { id } }',
        { data: { __typename: "query_root", _meta: [{ progressBlock: 10 }], Ship_by_pk: { id: "s1" } } },
      ],
    ],
    [
      "a selection set on a scalar",
      ['{ ship(id: "s1") { id { x } } }', { data: { ship: { id: "s1" } } }],
      ['{ Ship_by_pk(id: "s1") { id { x } } }', "unexpected subselection set for non-object field"],
    ],
    [
      "a missing selection set on an entity",
      ['{ ship(id: "s1") { id last } }', { data: { ship: { id: "s1" } } }],
      ['{ Ship_by_pk(id: "s1") { id last } }', "missing selection set for 'Port'"],
    ],
    [
      "one response key for two fields",
      ['{ ship(id: "s1") { a: id a: name } }', { data: { ship: { a: "s1" } } }],
      [
        '{ Ship_by_pk(id: "s1") { a: id a: name } }',
        "selection of both 'id' and 'name' specify the same response name, 'a'",
      ],
    ],
    [
      "one response key for different arguments",
      ["{ x: ships(first: 1) { id } x: ships(first: 2) { id } }", ["s1"]],
      [
        "{ x: Ship(limit: 1) { id } x: Ship(limit: 2) { id } }",
        "inconsistent arguments between multiple selections of field 'Ship'",
      ],
    ],
    [
      "a fragment spread with @skip",
      [
        '{ ship(id: "s2") { id ...F @skip(if: true) } } fragment F on Ship { name }',
        { data: { ship: { id: "s2", name: "a_b" } } },
      ],
      [
        '{ Ship_by_pk(id: "s2") { id ...F @skip(if: true) } } fragment F on Ship { name }',
        { data: { Ship_by_pk: { id: "s2" } } },
      ],
    ],
    [
      "an unknown field",
      ["{ ships { id nope } }", "Type `Ship` has no field `nope`"],
      ["{ Ship { id nope } }", "field 'nope' not found in type: 'Ship'"],
    ],
    [
      "two operations without an operation name",
      ["query A { ships { id } } query B { ships { id } }", "Operation name required"],
      [
        "query A { Ship { id } } query B { Ship { id } }",
        "exactly one operation has to be present in the document when operationName is not specified",
      ],
    ],
    [
      "mutations",
      ["mutation { nope }", "Not supported: Mutations are not supported"],
      ["mutation { nope }", "no mutations exist"],
    ],
    [
      "subscriptions",
      ["subscription { ships { id } }", "Not supported: Subscriptions are not supported"],
      ["subscription { Ship { id } }", "subscriptions are not supported over HTTP, use websockets instead"],
    ],
  ]);
});
