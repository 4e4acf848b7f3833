import { describe, expect, it } from "vitest";
import { countMany } from "./pin.ts";
import { pinned } from "./pinned.ts";

// The differences of the specifications. agreement.test.ts tests with random questions that everything else agrees.

const invalid = (where: string) => `Invalid value provided for argument \`where\`: Object({${where}})`;

describe("filters", () => {
  pinned([
    [
      "not in an empty list",
      ["{ ships(where: { tons_not_in: [] }) { id } }", []],
      ["{ Ship(where: { tons: { _nin: [] } }) { id } }", ["s1", "s2", "s3"]],
    ],
    [
      "equality with null",
      ["{ ships(where: { name: null }) { id } }", ["s3"]],
      ["{ Ship(where: { name: { _eq: null } }) { id } }", "unexpected null value for type 'String'"],
    ],
    [
      "a missing variable in a filter",
      ["query Q($n: String) { ships(where: { name: $n }) { id } }", ["s3"], {}],
      [
        "query Q($n: String) { Ship(where: { name: { _eq: $n } }) { id } }",
        "unexpected null value for type 'String'",
        {},
      ],
    ],
    [
      "contains a text that ends in %",
      ['{ ships(where: { name_contains: "b%" }) { id } }', []],
      ['{ Ship(where: { name: { _like: "%b%%" } }) { id } }', ["s2"]],
    ],
    [
      "case-insensitive letters beyond ASCII",
      ['{ ships(where: { name_starts_with_nocase: "é" }) { id } }', []],
      ['{ Ship(where: { name: { _ilike: "é%" } }) { id } }', ["s1"]],
    ],
    [
      "contains a part of bytes",
      ['{ ships(where: { hull_contains: "0xbc" }) { id } }', ["s2"]],
      ['{ Ship(where: { hull: { _like: "%bc%" } }) { id } }', ["s1", "s2", "s3"]],
    ],
    [
      "bytes in upper case",
      ['{ ships(where: { hull: "0xABCD" }) { id } }', ["s1", "s3"]],
      ['{ Ship(where: { hull: { _eq: "0xABCD" } }) { id } }', []],
    ],
    [
      "lists that do not contain some values",
      ['{ ships(where: { tags_not_contains: ["a", "z"] }) { id } }', ["s2"]],
      ['{ Ship(where: { _not: { tags: { _contains: ["a", "z"] } } }) { id } }', ["s1", "s2"]],
    ],
    [
      "a list as a string",
      ['{ ships(where: { tags_contains: "{a}" }) { id } }', invalid('"tags_contains": String("{a}")')],
      ['{ Ship(where: { tags: { _contains: "{a}" } }) { id } }', ["s1"]],
    ],
    [
      "a single value as a list",
      ['{ ships(where: { tons_in: "12" }) { id } }', invalid('"tons_in": String("12")')],
      ['{ Ship(where: { tons: { _in: "12" } }) { id } }', ["s1"]],
    ],
    [
      "greater than an enum value",
      ["{ ships(where: { mood_gt: WILD }) { id } }", invalid('"mood_gt": Enum("WILD")')],
      ["{ Ship(where: { mood: { _gt: WILD } }) { id } }", ["s1", "s2"]],
    ],
    [
      "an unknown enum value",
      ["{ ships(where: { mood: NOPE }) { id } }", invalid('"mood": Enum("NOPE")')],
      ["{ Ship(where: { mood: { _eq: NOPE } }) { id } }", 'invalid input value for enum mood: "NOPE"'],
    ],
    [
      "an unknown operator",
      ['{ ships(where: { name_nope: "a" }) { id } }', invalid('"name_nope": String("a")')],
      [
        '{ Ship(where: { name: { _nope: "a" } }) { id } }',
        "field '_nope' not found in type: 'String_comparison_exp'",
      ],
    ],
    [
      "and together with a column",
      ['{ ships(where: { tons: "12", and: [{ mood: BRISK }] }) { id } }', "Filter must by an object"],
      ['{ Ship(where: { tons: { _eq: "12" }, _and: [{ mood: { _eq: BRISK } }] }) { id } }', ["s1"]],
    ],
    [
      "or together with a column",
      [
        '{ ships(where: { tons: "12", or: [{ name: "x" }] }) { id } }',
        "Cannot mix column filters with 'or' operator at the same level. Found column filter(s) 'tons' alongside 'or' operator.\n\nInstead of:\nwhere: { 'tons', or: [...] }\n\nUse:\nwhere: { or: [{ 'tons', ... }, { 'tons', ... }] }",
      ],
      ['{ Ship(where: { tons: { _eq: "12" }, _or: [{ mood: { _eq: BRISK } }] }) { id } }', ["s1"]],
    ],
    [
      "and together with or",
      ["{ ships(where: { and: [{ mood: BRISK }], or: [{ mood: BRISK }, { mood: CALM }] }) { id } }", []],
      [
        "{ Ship(where: { _and: [{ mood: { _eq: BRISK } }], _or: [{ mood: { _eq: BRISK } }, { mood: { _eq: CALM } }] }) { id } }",
        ["s1"],
      ],
    ],
    [
      "nested related conditions",
      [
        '{ ports(where: { ships_: { home_: { name: "Oslo" } } }) { id } }',
        "Child filter nesting not supported by value `home`: `join on home with Port(name = Oslo)`",
      ],
      ['{ Port(where: { ships: { home: { name: { _eq: "Oslo" } } } }) { id } }', ["p1"]],
    ],
    [
      "rows changed since a block",
      ["{ ships(where: { _change_block: { number_gte: 1 } }) { id } }", ["s1", "s2", "s3"]],
      [
        "{ Ship(where: { _change_block: { number_gte: 1 } }) { id } }",
        "field '_change_block' not found in type: 'Ship_bool_exp'",
      ],
    ],
  ]);
});

describe("order and pages", () => {
  pinned([
    [
      "a page of 0 rows",
      ["{ ships(first: 0) { id } }", "The `first` argument must be between 0 and 1000, but is 0"],
      ["{ Ship(limit: 0) { id } }", []],
    ],
    [
      "a negative offset",
      ["{ ships(skip: -1) { id } }", "The `skip` argument must be between 0 and 5000, but is -1"],
      ["{ Ship(offset: -1) { id } }", "OFFSET must not be negative"],
    ],
    [
      "an offset above 5000",
      ["{ ships(skip: 5001) { id } }", "The `skip` argument must be between 0 and 5000, but is 5001"],
      ["{ Ship(offset: 5001) { id } }", []],
    ],
    [
      "a direction without an order",
      ["{ ships(orderDirection: desc) { id } }", ["s1", "s2", "s3"]],
      ["{ Ship(order_by: [{ id: desc }]) { id } }", ["s3", "s2", "s1"]],
    ],
    [
      "by an enum",
      ["{ ships(orderBy: mood) { id } }", "Ordering by `mood` is not supported for type `Ship`"],
      ["{ Ship(order_by: [{ mood: asc }]) { id } }", ["s3", "s2", "s1"]],
    ],
    [
      "by a list",
      ["{ ships(orderBy: tags) { id } }", "Ordering by `tags` is not supported for type `Ship`"],
      ["{ Ship(order_by: [{ tags: asc }]) { id } }", ["s2", "s1", "s3"]],
    ],
    [
      "by a reference",
      ["{ ships(orderBy: home) { id } }", "Ordering by `home` is not supported for type `Ship`"],
      ["{ Ship(order_by: [{ home_id: asc }, { id: asc }]) { id } }", ["s3", "s1", "s2"]],
    ],
    [
      "nulls first",
      ["{ ships(orderBy: tons) { id } }", ["s2", "s1", "s3"]],
      ["{ Ship(order_by: [{ tons: asc_nulls_first }]) { id } }", ["s3", "s2", "s1"]],
    ],
    [
      "an order as a string",
      ['{ ships(orderBy: "tons") { id } }', ["s2", "s1", "s3"]],
      [
        '{ Ship(order_by: [{ tons: "asc" }]) { id } }',
        "expected an enum value for type 'order_by', but found a string",
      ],
    ],
    [
      "a past block",
      ["{ ships(block: { number: 10 }, first: 1) { id } }", ["s1"]],
      ["{ Ship(block: { number: 10 }) { id } }", "'Ship' has no argument named 'block'"],
    ],
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
