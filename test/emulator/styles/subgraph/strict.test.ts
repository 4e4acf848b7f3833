import { describe, expect, test } from "vitest";
import { bands } from "./support.ts";

const ask = bands({ settings: { strictValidation: true } });
const askLenient = bands();

const conflict = (key: string, reason: string) =>
  `Fields "${key}" conflict because ${reason}. Use different aliases on the fields to fetch both if this was intentional.`;
const required = (owner: string, argument: string, type: string) =>
  `${owner} argument "${argument}" of type "${type}" is required, but it was not provided.`;
const used = (name: string, type: string, expected: string) =>
  `Variable "$${name}" of type "${type}" used in position expecting type "${expected}".`;
const unused = (fragment: string) => `Fragment "${fragment}" is never used.`;
const cycle = (fragment: string, more = "") => `Cannot spread fragment "${fragment}" within itself${more}.`;
const leaf = (field: string, type: string) =>
  `Field "${field}" must not have a selection since type "${type}" has no subfields.`;

/** Each query is refused with its messages. */
function refuses(rows: readonly (readonly [query: string, ...messages: string[]])[]): void {
  test.each(rows)("%s: %s", (query, ...messages) => {
    expect(ask(query)).toEqual({ errors: messages.map((message) => ({ message })) });
  });
}

/** Each query passes strict validation, so that the answer is that of lenient validation. */
function passes(rows: readonly (readonly [name: string, query: string])[]): void {
  test.each(rows)("passes: %s", (_, query) => expect(ask(query)).toEqual(askLenient(query)));
}

describe("strict validation", () => {
  refuses([
    ["{ foo }", 'Cannot query field "foo" on type "Query".'],
    // Only graphql-js has these fields and directives.
    [
      '{ __type(name: "Band") { isOneOf inputFields(includeDeprecated: true) { name } fields(includeDeprecated: true) { name } } }',
      'Cannot query field "isOneOf" on type "__Type".',
      'Unknown argument "includeDeprecated" on field "__Type.inputFields".',
    ],
    [
      '{ __typename @deprecated @specifiedBy(url: "x") @entity }',
      'Unknown directive "@deprecated".',
      'Unknown directive "@specifiedBy".',
      'Directive "@entity" may not be used on FIELD',
    ],
    ["{ bands(id: 1) { id } }", 'Unknown argument "id" on field "Query.bands".'],
    ["{ bands { name { first } } }", leaf("name", "String!")],
    ["{ bands { genre { name } } }", leaf("genre", "Genre!")],
    [
      "{ bands { home } }",
      'Field "home" of type "City" must have a selection of subfields. Did you mean "home { ... }"?',
    ],
    ["{ bands(where: { foo: 1 }) { id } }", 'Field "foo" is not defined by type "Band_filter".'],
    ["{ bands(orderBy: foo) { id } }", 'Value "foo" does not exist in "Band_orderBy" enum.'],
    [
      '{ bands(orderBy: id, orderDirection: "asc") { id } }',
      'Enum "OrderDirection" cannot represent non-enum value: "asc"',
    ],
  ]);

  test("valid queries are answered", () => {
    const query =
      "query Q($n: Int = 2, $w: Band_filter) { bands(first: $n, where: $w, orderBy: name) { ...F } } fragment F on Band { id home { name } }";
    expect(ask(query, { w: { active: true } })).toEqual(askLenient(query, { w: { active: true } }));
    expect(ask(query).errors).toBeUndefined();
  });
  test("a schema without the setting is validated leniently", () => {
    expect(askLenient("{ bands(first: 1) { t: id t: name } }")).toEqual({ data: { bands: [{ t: "B4" }] } });
  });
});

describe("operations", () => {
  refuses([
    ["query A { bands { id } } query A { bands { id } }", 'There can be only one operation named "A".'],
    [
      "{ bands { id } } query A { bands { id } }",
      "This anonymous operation must be the only defined operation.",
    ],
  ]);
  passes([
    ["several valid operations", "query A { bands { id } } query B { bands { id } }"],
    ["a mutation", "mutation { nope }"],
    ["a subscription", "subscription { nope }"],
  ]);
});

describe("types", () => {
  refuses([
    [
      "query ($x: [Nope!]) { bands(where: $x) { ... on Nix { id } ...F } } fragment F on None { id }",
      'Unknown type "Nope".',
      'Unknown type "Nix".',
      'Unknown type "None".',
      used("x", "[Nope!]", "Band_filter"),
    ],
    [
      "{ bands { ... on Genre { id } ...F } } fragment F on BandNo_filter { id }",
      'Unknown type "BandNo_filter".',
      'Fragment cannot condition on non composite type "Genre".',
    ],
    [
      "{ bands { ...F } } fragment F on Band_filter { id }",
      'Fragment "F" cannot condition on non composite type "Band_filter".',
    ],
    [
      "query ($x: [Band!]!) { bands(where: $x) { id } }",
      'Variable "$x" cannot be non-input type "[Band!]!".',
      used("x", "[Band!]!", "Band_filter"),
    ],
  ]);
  passes([["introspection types exist", "{ __schema { ... on __Schema { queryType { name } } } }"]]);
});

describe("fields", () => {
  refuses([
    ["{ __type { name } }", required('Field "__type"', "name", "String!")],
    ["{ acts { id genre } }", 'Cannot query field "genre" on type "Act".'],
    // Nothing below or of an unknown field is validated.
    ["{ bands { nope { deeper } } }", 'Cannot query field "nope" on type "Band".'],
    ["{ bands { id nope(x: 1) } }", 'Cannot query field "nope" on type "Band".'],
  ]);
  passes([
    ["a selection set on __typename is not validated", "{ bands { __typename { nope } } }"],
    ["__typename is allowed everywhere", "{ __typename bands { __typename } }"],
    ["meta and introspection are fields of Query", '{ _meta { deployment } __type(name: "Band") { name } }'],
    ["fields of implementers are allowed in a fragment", "{ acts { id ... on Band { genre } } }"],
  ]);
});

describe("fragments", () => {
  refuses([
    [
      "{ bands { ...F } } fragment F on Band { id } fragment F on Band { id }",
      'There can be only one fragment named "F".',
    ],
    ["{ bands { id ...F } }", 'Unknown fragment "F".'],
    ["{ bands { id } } fragment F on Band { id } fragment G on Band { id }", unused("F"), unused("G")],
    // A spread in an unused fragment is not a use.
    ["{ bands { id } } fragment F on Band { ...G } fragment G on Band { id }", unused("F"), unused("G")],
    ["{ bands { ...F } } fragment F on Band { id ...F }", cycle("F")],
    ["{ bands { ...F } } fragment F on Band { home { bands { ...F } } }", cycle("F")],
    [
      "{ bands { ...F } } fragment F on Band { ...G } fragment G on Band { home { ...H } } fragment H on City { bands { ...F } }",
      cycle("F", ' via "G", "H"'),
    ],
    [
      "{ bands { ...A } } fragment A on Band { ...B } fragment B on Band { ...B ...C } fragment C on Band { ...A ...B }",
      cycle("B"),
      cycle("A", ' via "B", "C"'),
      cycle("B", ' via "C"'),
    ],
    [
      "{ bands { id ... on City { name } ...S } } fragment S on Solo { name }",
      'Fragment cannot be spread here as objects of type "Band" can never be of type "City".',
      'Fragment "S" cannot be spread here as objects of type "Band" can never be of type "Solo".',
    ],
  ]);
  passes([
    ["an interface in its implementer", "{ bands { ... on Act { name } } }"],
    ["an implementer in its interface", "{ acts { ... on Solo { name } } }"],
  ]);
});

describe("overlapping fields", () => {
  const different = (key: string, one: string, other: string) =>
    conflict(key, `"${one}" and "${other}" are different fields`);
  const types = (key: string, one: string, other: string) =>
    conflict(key, `they return conflicting types "${one}" and "${other}"`);
  const ARGUMENTS = conflict("bands", "they have differing arguments");
  const ALIKE = "the emulator does not support arguments that differ only in members that one of them has";
  refuses([
    ["{ bands { t: id t: name } }", different("t", "id", "name")],
    ["{ bands(first: 2) { id } bands(first: 1) { id } }", ARGUMENTS],
    ['{ bands(where: { name: "x" }) { id } bands(where: { name: "y" }) { id } }', ARGUMENTS],
    ["{ bands(where: { rating: 1.0 }) { id } bands(where: { rating: 1.5 }) { id } }", ARGUMENTS],
    ['{ bands(where: { name: "x" }) { id } bands(where: { nick: "x", tags: [] }) { id } }', ALIKE],
    [
      '{ bands { a: home { bands(where: { name_in: ["x"] }) { id } } a: home { bands(where: { name_in: ["x", "y"] }) { id } } } }',
      ALIKE,
    ],
    [
      "{ bands { x: home { n: id } x: home { n: name } } }",
      conflict("x", 'subfields "n" conflict because "id" and "name" are different fields'),
    ],
    [
      "{ bands { n: id ...F ...G } } fragment F on Band { n: name } fragment G on Band { n: nick }",
      different("n", "id", "name"),
      different("n", "name", "nick"),
      different("n", "id", "nick"),
    ],
    // Mutually exclusive objects may differ in fields, not in types.
    [
      "{ acts { ... on Band { x: name y: home { id } } ... on Solo { x: id y: name } } }",
      types("x", "String!", "ID!"),
      types("y", "City", "String!"),
    ],
    ["{ acts { ... on Band { x: tags } ... on Solo { x: name } } }", types("x", "[String!]", "String!")],
    ["{ acts { ... on Band { x: nick } ... on Solo { x: name } } }", types("x", "String", "String!")],
    [
      "{ bands { n: id ...E ...F } } fragment E on Band { ...H } fragment F on Band { ...H ...G } fragment G on Band { n: name } fragment H on Band { nick }",
      "the emulator does not support conflicts if two fragments spread the same one",
    ],
    [
      "{ bands { n: id ...F } } fragment F on Band { nick ...G } fragment G on Band { n: name }",
      different("n", "id", "name"),
    ],
    // Two fragments are compared once.
    [
      "{ a: bands { ...F ...G } b: bands { ...G ...F } } fragment F on Band { n: id } fragment G on Band { n: name }",
      different("n", "id", "name"),
    ],
  ]);
  passes([
    ["the same field with equal arguments", "{ bands(first: 2) { id } bands(first: 2) { name id } }"],
    [
      "objects with the same keys in another order",
      '{ bands(where: { name: "x", nick: "y" }) { id } bands(where: { nick: "y", name: "x" }) { id } }',
    ],
    [
      "two notations of a number",
      "{ bands(where: { rating: 1.0 }) { id } bands(where: { rating: 1.00 }) { id } }",
    ],
  ]);
});

describe("variables", () => {
  refuses([
    ["{ bands(first: $x) { id } }", 'Variable "$x" is not defined.'],
    [
      "query Q { bands(where: { and: [{ name: $x }] }) { id } }",
      'Variable "$x" is not defined by operation "Q".',
    ],
    ["query Q($x: Int) { bands { id } }", 'Variable "$x" is never used in operation "Q".'],
    ["query ($a: Int, $b: Int) { bands(first: $a) { id } }", 'Variable "$b" is never used.'],
    [
      "query Q { bands { ...F } } fragment F on Band { songs(first: $a, skip: $b) { id } }",
      'Variable "$a" is not defined by operation "Q".',
      'Variable "$b" is not defined by operation "Q".',
    ],
    // The order is that of the spreads.
    [
      "{ bands { ...F ...G } } fragment G on Band { songs(first: $g) { id } } fragment F on Band { a: songs(first: $f) { id } }",
      'Variable "$f" is not defined.',
      'Variable "$g" is not defined.',
    ],
    [
      "query ($a: Int, $a: Int, $a: Int) { bands(first: $a) { id } }",
      'There can only be one variable named "$a".',
      'There can only be one variable named "$a".',
    ],
    ["query ($a: String) { bands(first: $a) { id } }", used("a", "String", "Int")],
    ["query ($a: ID) { band(id: $a) { id } }", used("a", "ID", "ID!")],
    ["query ($a: ID = null) { band(id: $a) { id } }", used("a", "ID", "ID!")],
    ["query ($a: String) { bands(where: { name_in: [$a] }) { id } }", used("a", "String", "String!")],
    [
      "query ($a: String) { bands { ...F } } fragment F on Band { songs(first: $a) { id } }",
      used("a", "String", "Int"),
    ],
    // A list with a default is reported with its item type.
    [
      'query ($a: [String!] = ["x"]) { bands(where: { name_in: $a }) { id } }',
      used("a", "String!!", "[String!]"),
    ],
  ]);
  passes([
    [
      "a use in a fragment or a directive",
      "query ($a: Int, $b: Boolean!) { bands { ...F } } fragment F on Band { id @skip(if: $b) songs(first: $a) { id } }",
    ],
    [
      "a name of another operation",
      "query A($a: Int) { bands(first: $a) { id } } query B($a: Int) { bands(first: $a) { id } }",
    ],
    ["required at a nullable position", "query ($a: Boolean!) { bands(where: { active: $a }) { id } }"],
    ["a default at a required position", 'query ($a: ID = "b1") { band(id: $a) { id } }'],
  ]);
});

describe("arguments and directives", () => {
  refuses([
    [
      "{ bands { id @skip(unless: true) } }",
      'Unknown argument "unless" on directive "@skip".',
      required('Directive "@skip"', "if", "Boolean!"),
    ],
    [
      '{ band(id: "b1", id: "b1", id: "b2") { id @skip(if: true, if: false) } }',
      'There can be only one argument named "id".',
      'There can be only one argument named "if".',
    ],
    ["{ band { id } }", required('Field "band"', "id", "ID!")],
    [
      "query @skip(if: true) { bands @nope { ...F @include(if: true) } } fragment F on Band @include(if: true) { id @entity }",
      'Directive "@skip" may not be used on QUERY',
      'Unknown directive "@nope".',
      'Directive "@include" may not be used on FRAGMENT_DEFINITION',
      'Directive "@entity" may not be used on FIELD',
    ],
    [
      "{ bands { id @skip(if: false) @skip(if: false) @include(if: true) name @nope @nope } }",
      'Unknown directive "@nope".',
      'Unknown directive "@nope".',
      'Duplicate directive "skip"',
    ],
  ]);
  passes([
    [
      "directives at valid locations",
      "{ bands @include(if: true) { ... @skip(if: false) { id } ...F @skip(if: false) } } fragment F on Band { name }",
    ],
  ]);
});

describe("values", () => {
  const expected = (type: string, found: string) => `Expected value of type "${type}", found ${found}.`;
  const nullAt = (type: string) => `Expected value of type "${type}", found null`;
  refuses([
    ["{ bands(where: { name: 5 }) { id } }", expected("String", "5")],
    ["{ bands(where: { name: 1e400 }) { id } }", expected("String", "inf")],
    ["{ bands(where: { name: BAR }) { id } }", expected("String", "BAR")],
    ["{ bands(first: 1.0) { id } }", expected("Int", "1")],
    ['{ bands(first: "a\\n  \\nb") { id } }', expected("Int", '"""\n  a\n\n  b\n"""')],
    ["{ band(id: true) { id } }", expected("ID", "true")],
    ["{ bands(where: 5) { id } }", expected("Band_filter", "5")],
    ["{ band(id: null) { id } }", nullAt("ID!")],
    ['{ bands(where: { name_in: ["a", 1, null] }) { id } }', expected("String", "1"), nullAt("String!")],
    // Items of a required list are not validated.
    [
      'query ($a: [Int!]! = ["x"], $b: [Int!] = ["y"]) { bands { id } }',
      'Variable "$a" is never used.',
      'Variable "$b" is never used.',
      expected("Int", '"y"'),
    ],
    // Unknown keys are in alphabetical order.
    [
      "{ bands(where: { zzz: 1, aaa: 1, name: 1 }) { id } }",
      'Field "aaa" is not defined by type "Band_filter".',
      'Field "zzz" is not defined by type "Band_filter".',
      expected("String", "1"),
    ],
    [
      "{ bands(where: { _change_block: {} }) { id } }",
      'Field "BlockChangedFilter.number_gte" of required type "Int!" was not provided.',
    ],
    ['query ($a: Int = "x") { bands(first: $a) { id } }', expected("Int", '"x"')],
  ]);
  passes([
    ["a number as an ID", "{ band(id: 1) { id } }"],
    ["null for optional arguments", "{ bands(first: null, where: null) { id } }"],
    ["any literal for a custom scalar", "{ bands(where: { fans_gt: true }) { id } }"],
    ["a single value for a list", '{ bands(where: { name_in: "a" }) { id } }'],
    ["a list for a single value", "{ bands(first: [true]) { id } }"],
  ]);
});

test("a long chain of fragments exceeds the depth limit", () => {
  const chain = Array.from({ length: 300 }, (_, n) => `fragment F${n} on Band { id ...F${n + 1} }`);
  const query = `{ bands { ...F0 ...F1 } } ${chain.join(" ")} fragment F300 on Band { id }`;
  const message = "query has a depth that exceeds the limit of `255`";
  expect(ask(query)).toEqual({ errors: [{ message }] });
});
