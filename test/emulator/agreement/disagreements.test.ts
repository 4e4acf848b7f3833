import { describe, expect, it } from "vitest";
import { countMany, pinned, type Want } from "./pin.ts";

// Questions that at least one style answers. agreement.test.ts tests with random questions that everything else agrees.

/** What the styles say, in their dialects, of the same ships. */
type Pair = readonly [name: string, subgraph: string, want: Want, multichain: string, want: Want];

/** Lists with some arguments. */
function lists(rows: readonly Pair[]): void {
  pinned(
    rows.map(([name, subgraph, want, multichain, other]) => [
      name,
      [`{ ships(${subgraph}) { id } }`, want],
      [`{ Ship(${multichain}) { id } }`, other],
    ]),
  );
}

/** Lists with a filter. */
function filters(rows: readonly Pair[]): void {
  lists(
    rows.map(([name, subgraph, want, multichain, other]) => [
      name,
      `where: { ${subgraph} }`,
      want,
      `where: { ${multichain} }`,
      other,
    ]),
  );
}

type Ship = object | RegExp;

/** The same fields of the first ship. */
function ships(rows: readonly (readonly [name: string, fields: string, want: Ship, other: Ship])[]): void {
  const wanted = (key: string, want: Ship) => (want instanceof RegExp ? want : { data: { [key]: want } });
  pinned(
    rows.map(([name, fields, want, other]) => [
      name,
      [`{ ship(id: "s1") { ${fields} } }`, wanted("ship", want)],
      [`{ Ship_by_pk(id: "s1") { ${fields} } }`, wanted("Ship_by_pk", other)],
    ]),
  );
}

const ALL = ["s1", "s2", "s3"];
const INVALID = /^Invalid value provided for argument `where`: Object/;
const UNEXPECTED_NULL = /^unexpected null value for type 'String'$/;
const NOT_TEXT = /^parsing Text failed, expected String, but encountered Number$/;

describe("filters", () => {
  filters([
    ["not in an empty list", "tons_not_in: []", [], "tons: { _nin: [] }", ALL],
    ["equality with null", "name: null", ["s3"], "name: { _eq: null }", UNEXPECTED_NULL],
    ["contains a text that ends in %", 'name_contains: "b%"', [], 'name: { _like: "%b%%" }', ["s2"]],
    ["case beyond ASCII", 'name_starts_with_nocase: "é"', [], 'name: { _ilike: "é%" }', ["s1"]],
    ["contains a part of bytes", 'hull_contains: "0xbc"', ["s2"], 'hull: { _like: "%bc%" }', ALL],
    ["bytes in upper case", 'hull: "0xABCD"', ["s1", "s3"], 'hull: { _eq: "0xABCD" }', []],
    [
      "lists that do not contain some values",
      'tags_not_contains: ["a", "z"]',
      ["s2"],
      '_not: { tags: { _contains: ["a", "z"] } }',
      ["s1", "s2"],
    ],
    ["a list as a string", 'tags_contains: "{a}"', INVALID, 'tags: { _contains: "{a}" }', ["s1"]],
    ["a single value as a list", 'tons_in: "12"', INVALID, 'tons: { _in: "12" }', ["s1"]],
    ["greater than an enum value", "mood_gt: WILD", INVALID, "mood: { _gt: WILD }", ["s1", "s2"]],
    [
      "and together with a column",
      'tons: "12", and: [{ mood: BRISK }]',
      /^Filter must by an object$/,
      'tons: { _eq: "12" }, _and: [{ mood: { _eq: BRISK } }]',
      ["s1"],
    ],
    [
      "or together with a column",
      'tons: "12", or: [{ name: "x" }]',
      /^Cannot mix column filters with 'or' operator at the same level/,
      'tons: { _eq: "12" }, _or: [{ mood: { _eq: BRISK } }]',
      ["s1"],
    ],
    [
      "and together with or",
      "and: [{ mood: BRISK }], or: [{ mood: BRISK }, { mood: CALM }]",
      [],
      "_and: [{ mood: { _eq: BRISK } }], _or: [{ mood: { _eq: BRISK } }, { mood: { _eq: CALM } }]",
      ["s1"],
    ],
    [
      "rows changed since a block",
      "_change_block: { number_gte: 1 }",
      ALL,
      "_change_block: { number_gte: 1 }",
      /^field '_change_block' not found in type: 'Ship_bool_exp'$/,
    ],
    [
      "a fraction as an integer",
      'tons_lt: "7.5"',
      /^Failed to decode `BigInt` value/,
      'tons: { _lt: "7.5" }',
      ["s2"],
    ],
    ["a time", 'seen: "1700000000000001"', ["s1"], 'seen: { _eq: "2023-11-14 23:13:20.000001+01" }', ["s1"]],
    ["an undeclared variable", "name: $n", ["s3"], "name: { _eq: $n }", /^unbound variable "n"$/],
  ]);
  pinned([
    [
      "a missing variable in a filter",
      ["query Q($n: String) { ships(where: { name: $n }) { id } }", ["s3"], {}],
      ["query Q($n: String) { Ship(where: { name: { _eq: $n } }) { id } }", UNEXPECTED_NULL, {}],
    ],
    [
      "nested related conditions",
      [
        '{ ports(where: { ships_: { home_: { name: "Oslo" } } }) { id } }',
        /^Child filter nesting not supported by value `home`/,
      ],
      ['{ Port(where: { ships: { home: { name: { _eq: "Oslo" } } } }) { id } }', ["p1"]],
    ],
  ]);
});

const notSupported = (field: string) =>
  new RegExp(`^Ordering by \`${field}\` is not supported for type \`Ship\`$`);
const notBetween = (argument: string, most: number, value: number) =>
  new RegExp(`^The \`${argument}\` argument must be between 0 and ${most}, but is ${value}$`);

describe("order and pages", () => {
  lists([
    ["a page of 0 rows", "first: 0", notBetween("first", 1000, 0), "limit: 0", []],
    [
      "a negative offset",
      "skip: -1",
      notBetween("skip", 5000, -1),
      "offset: -1",
      /^OFFSET must not be negative$/,
    ],
    ["an offset above 5000", "skip: 5001", notBetween("skip", 5000, 5001), "offset: 5001", []],
    [
      "a direction without an order",
      "orderDirection: desc",
      ALL,
      "order_by: [{ id: desc }]",
      ALL.toReversed(),
    ],
    ["by an enum", "orderBy: mood", notSupported("mood"), "order_by: [{ mood: asc }]", ALL.toReversed()],
    ["by a list", "orderBy: tags", notSupported("tags"), "order_by: [{ tags: asc }]", ["s2", "s1", "s3"]],
    [
      "by a reference",
      "orderBy: home",
      notSupported("home"),
      "order_by: [{ home_id: asc }, { id: asc }]",
      ["s3", "s1", "s2"],
    ],
    [
      "nulls first",
      "orderBy: tons",
      ["s2", "s1", "s3"],
      "order_by: [{ tons: asc_nulls_first }]",
      ALL.toReversed(),
    ],
    [
      "an order as a string",
      'orderBy: "tons"',
      ["s2", "s1", "s3"],
      'order_by: [{ tons: "asc" }]',
      /^expected an enum value for type 'order_by', but found a string$/,
    ],
    [
      "a past block",
      "block: { number: 10 }, first: 1",
      ["s1"],
      "block: { number: 10 }",
      /^'Ship' has no argument named 'block'$/,
    ],
    ["an unknown argument", "limit: 1", ALL, "first: 1", /^'Ship' has no argument named 'first'$/],
  ]);

  it("a list has 100 rows by default, or as many as the row cap", () => {
    expect(countMany("{ ships { id } }", "{ Ship { id } }")).toEqual([100, 1000]);
    expect(
      countMany('{ port(id: "p1") { ships { id } } }', '{ Port_by_pk(id: "p1") { ships { id } } }'),
    ).toEqual([100, 1000]);
  });

  it("more than 1000 rows are refused, or silently truncated", () => {
    expect(countMany("{ ships(first: 1000) { id } }", "{ Ship(limit: 1100) { id } }")).toEqual([1000, 1000]);
    expect(() => countMany("{ ships(first: 1001) { id } }", "{ Ship { id } }")).toThrow(
      "between 0 and 1000, but is 1001",
    );
  });
});

describe("variables and arguments", () => {
  pinned([
    [
      "an unused variable",
      ["query Q($n: Int) { ships(first: 1) { id } }", ["s1"], { n: 1 }],
      ["query Q($n: Int) { Ship(limit: 1) { id } }", /^unexpected variables in variableValues: n$/, { n: 1 }],
    ],
    [
      "an id as a variable",
      ["query Q($id: ID!) { ship(id: $id) { id } }", { data: { ship: { id: "s1" } } }, { id: "s1" }],
      [
        "query Q($id: ID!) { Ship_by_pk(id: $id) { id } }",
        /^variable 'id' is declared as 'ID!', but used where 'String!' is expected$/,
        { id: "s1" },
      ],
    ],
    [
      "a number as an id",
      ["{ ship(id: 1) { id } }", { data: { ship: null } }],
      ["{ Ship_by_pk(id: 1) { id } }", NOT_TEXT],
    ],
    [
      "a big number as a JSON number",
      [
        "query Q($n: BigInt) { ships(where: { tons_lt: $n }) { id } }",
        /^Invalid value provided for argument `n`: Float\(5000000000\.0\)$/,
        { n: 5_000_000_000 },
      ],
      [
        "query Q($n: numeric) { Ship(where: { tons: { _lt: $n } }) { id } }",
        ["s1", "s2"],
        { n: 5_000_000_000 },
      ],
    ],
  ]);
});

describe("values and relations", () => {
  const [micros, time] = ["1700000000000001", "2023-11-14T22:13:20.000001+00:00"];
  ships([
    [
      "decimals and times",
      "tons price prices seen",
      { tons: "12", price: "1.5", prices: ["1.5"], seen: micros },
      { tons: "12", price: "1.50", prices: ["1.50"], seen: time },
    ],
  ]);
  pinned([
    [
      "a required reference without a target",
      ['{ ship(id: "s3") { home { id } } }', /^Null value resolved for non-null field `home`$/],
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
      ["{ Ship_aggregate { count } }", /^Type `Query` has no field `Ship_aggregate`$/],
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
  ships([
    [
      "a selection set on a scalar",
      "id { x }",
      { id: "s1" },
      /^unexpected subselection set for non-object field$/,
    ],
    ["a missing selection set on an entity", "id last", { id: "s1" }, /^missing selection set for 'Port'$/],
    [
      "one response key for two fields",
      "a: id a: name",
      { a: "s1" },
      /^selection of both 'id' and 'name' specify the same response name, 'a'$/,
    ],
  ]);
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
      "one response key for different arguments",
      ["{ x: ships(first: 1) { id } x: ships(first: 2) { id } }", ["s1"]],
      [
        "{ x: Ship(limit: 1) { id } x: Ship(limit: 2) { id } }",
        /^inconsistent arguments between multiple selections of field 'Ship'$/,
      ],
    ],
  ]);
});
