import { describe, expect, test } from "vitest";
import { createSubgraphExecutor } from "../../../../emulator/styles/subgraph/execute.ts";
import { type Ask, BAND_ROWS, BANDS, bands, serve } from "./support.ts";

const execute = createSubgraphExecutor({ ...serve(BANDS, BAND_ROWS), settings: { strictValidation: true } });
const ask: Ask = (query, variables) => execute({ query, variables: variables ?? null, operationName: null });
const askLenient = bands();

/** The messages of strict validation; null if it passes, so that the answer is that of lenient validation. */
type Row = readonly [name: string, query: string, messages: readonly string[] | null];

function check(rows: readonly Row[]): void {
  test.each(rows)("%s", (_, query, messages) => {
    if (messages === null) expect(ask(query)).toEqual(askLenient(query));
    else expect(ask(query)).toEqual({ errors: messages.map((message) => ({ message })) });
  });
}

describe("strict validation", () => {
  check([
    ["unknown field", "{ foo }", ['Cannot query field "foo" on type "Query".']],
    [
      "introspection fields that only graphql-js has",
      '{ __type(name: "Band") { isOneOf inputFields(includeDeprecated: true) { name } fields(includeDeprecated: true) { name } } }',
      [
        'Cannot query field "isOneOf" on type "__Type".',
        'Unknown argument "includeDeprecated" on field "__Type.inputFields".',
      ],
    ],
    [
      "directives that only graphql-js has",
      '{ __typename @deprecated @specifiedBy(url: "x") @entity }',
      [
        'Unknown directive "@deprecated".',
        'Unknown directive "@specifiedBy".',
        'Directive "@entity" may not be used on FIELD',
      ],
    ],
    ["unknown argument", "{ bands(id: 1) { id } }", ['Unknown argument "id" on field "Query.bands".']],
    [
      "sub-selection on a scalar",
      "{ bands { name { first } } }",
      ['Field "name" must not have a selection since type "String!" has no subfields.'],
    ],
    [
      "object field without sub-selection",
      "{ bands { home } }",
      ['Field "home" of type "City" must have a selection of subfields. Did you mean "home { ... }"?'],
    ],
    ["undefined variable", "{ bands(first: $x) { id } }", ['Variable "$x" is not defined.']],
    [
      "undefined variable of a named operation",
      "query Q { bands(where: { and: [{ name: $x }] }) { id } }",
      ['Variable "$x" is not defined by operation "Q".'],
    ],
    [
      "unused variable",
      "query Q($x: Int) { bands { id } }",
      ['Variable "$x" is never used in operation "Q".'],
    ],
    [
      "same response key, different fields",
      "{ bands { t: id t: name } }",
      [
        'Fields "t" conflict because "id" and "name" are different fields. Use different aliases on the fields to fetch both if this was intentional.',
      ],
    ],
    [
      "unknown filter key",
      "{ bands(where: { foo: 1 }) { id } }",
      ['Field "foo" is not defined by type "Band_filter".'],
    ],
    [
      "unknown enum value",
      "{ bands(orderBy: foo) { id } }",
      ['Value "foo" does not exist in "Band_orderBy" enum.'],
    ],
    [
      "enum given as string literal",
      '{ bands(orderBy: id, orderDirection: "asc") { id } }',
      ['Enum "OrderDirection" cannot represent non-enum value: "asc"'],
    ],
    [
      "number as a String",
      "{ bands(where: { name: 5 }) { id } }",
      ['Expected value of type "String", found 5.'],
    ],
    [
      "a float beyond 64 bits as a String",
      "{ bands(where: { name: 1e400 }) { id } }",
      ['Expected value of type "String", found inf.'],
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
  check([
    [
      "names are unique",
      "query A { bands { id } } query A { bands { id } }",
      ['There can be only one operation named "A".'],
    ],
    [
      "an anonymous operation must be the only one",
      "{ bands { id } } query A { bands { id } }",
      ["This anonymous operation must be the only defined operation."],
    ],
    [
      "several valid operations are refused by lenient validation",
      "query A { bands { id } } query B { bands { id } }",
      null,
    ],
    ["a mutation is refused by lenient validation", "mutation { nope }", null],
    ["a subscription is refused by lenient validation", "subscription { nope }", null],
  ]);
});

describe("types", () => {
  check([
    [
      "of variables and fragments must exist",
      "query ($x: [Nope!]) { bands(where: $x) { ... on Nix { id } ...F } } fragment F on None { id }",
      [
        'Unknown type "Nope".',
        'Unknown type "Nix".',
        'Unknown type "None".',
        'Variable "$x" of type "[Nope!]" used in position expecting type "Band_filter".',
      ],
    ],
    ["introspection types exist", "{ __schema { ... on __Schema { queryType { name } } } }", null],
    [
      "inline fragments must be on types with fields",
      "{ bands { ... on Genre { id } ...F } } fragment F on BandNo_filter { id }",
      ['Unknown type "BandNo_filter".', 'Fragment cannot condition on non composite type "Genre".'],
    ],
    [
      "named fragments must be on types with fields",
      "{ bands { ...F } } fragment F on Band_filter { id }",
      ['Fragment "F" cannot condition on non composite type "Band_filter".'],
    ],
    [
      "variables must have input types",
      "query ($x: [Band!]!) { bands(where: $x) { id } }",
      [
        'Variable "$x" cannot be non-input type "[Band!]!".',
        'Variable "$x" of type "[Band!]!" used in position expecting type "Band_filter".',
      ],
    ],
  ]);
});

describe("fields", () => {
  check([
    ["a selection set on __typename is not validated", "{ bands { __typename { nope } } }", null],
    ["__typename is allowed everywhere", "{ __typename bands { __typename } }", null],
    [
      "meta and introspection are fields of Query",
      '{ _meta { deployment } __type(name: "Band") { name } }',
      null,
    ],
    [
      "__type needs its name",
      "{ __type { name } }",
      ['Field "__type" argument "name" of type "String!" is required, but it was not provided.'],
    ],
    [
      "fields of implementers need a fragment",
      "{ acts { id genre } }",
      ['Cannot query field "genre" on type "Act".'],
    ],
    ["fields of implementers are allowed in a fragment", "{ acts { id ... on Band { genre } } }", null],
    [
      "fields of unknown fields are not validated",
      "{ bands { nope { deeper } } }",
      ['Cannot query field "nope" on type "Band".'],
    ],
    [
      "enums are leaves",
      "{ bands { genre { name } } }",
      ['Field "genre" must not have a selection since type "Genre!" has no subfields.'],
    ],
  ]);
});

describe("fragments", () => {
  check([
    [
      "names are unique",
      "{ bands { ...F } } fragment F on Band { id } fragment F on Band { id }",
      ['There can be only one fragment named "F".'],
    ],
    ["a spread needs a defined fragment", "{ bands { id ...F } }", ['Unknown fragment "F".']],
    [
      "a fragment needs a spread",
      "{ bands { id } } fragment F on Band { id } fragment G on Band { id }",
      ['Fragment "F" is never used.', 'Fragment "G" is never used.'],
    ],
    [
      "a spread in an unused fragment is not a use",
      "{ bands { id } } fragment F on Band { ...G } fragment G on Band { id }",
      ['Fragment "F" is never used.', 'Fragment "G" is never used.'],
    ],
    [
      "a fragment must not spread itself",
      "{ bands { ...F } } fragment F on Band { id ...F }",
      ['Cannot spread fragment "F" within itself.'],
    ],
    [
      "a fragment must not spread itself through others",
      "{ bands { ...F } } fragment F on Band { ...G } fragment G on Band { home { ...H } } fragment H on City { bands { ...F } }",
      ['Cannot spread fragment "F" within itself via "G", "H".'],
    ],
    [
      "every cycle is reported, in order",
      "{ bands { ...A } } fragment A on Band { ...B } fragment B on Band { ...B ...C } fragment C on Band { ...A ...B }",
      [
        'Cannot spread fragment "B" within itself.',
        'Cannot spread fragment "A" within itself via "B", "C".',
        'Cannot spread fragment "B" within itself via "C".',
      ],
    ],
    [
      "a spread must be possible for the type",
      "{ bands { id ... on City { name } ...S } } fragment S on Solo { name }",
      [
        'Fragment cannot be spread here as objects of type "Band" can never be of type "City".',
        'Fragment "S" cannot be spread here as objects of type "Band" can never be of type "Solo".',
      ],
    ],
    ["an interface in its implementer is possible", "{ bands { ... on Act { name } } }", null],
    ["an implementer in its interface is possible", "{ acts { ... on Solo { name } } }", null],
  ]);
});

describe("overlapping fields", () => {
  const conflict = (key: string, reason: string) =>
    `Fields "${key}" conflict because ${reason}. Use different aliases on the fields to fetch both if this was intentional.`;
  const ALIKE = "the emulator does not support arguments that differ only in members that one of them has";
  check([
    [
      "the same field twice with equal arguments is allowed",
      "{ bands(first: 2) { id } bands(first: 2) { name id } }",
      null,
    ],
    [
      "the same field with different arguments conflicts",
      "{ bands(first: 2) { id } bands(first: 1) { id } }",
      [conflict("bands", "they have differing arguments")],
    ],
    [
      "objects with the same keys in another order are equal",
      '{ bands(where: { name: "x", nick: "y" }) { id } bands(where: { nick: "y", name: "x" }) { id } }',
      null,
    ],
    [
      "keys that only one of two objects has are not supported",
      '{ bands(where: { name: "x" }) { id } bands(where: { nick: "x", tags: [] }) { id } }',
      [ALIKE],
    ],
    [
      "items that only one of two lists has are not supported, at any depth",
      '{ bands { a: home { bands(where: { name_in: ["x"] }) { id } } a: home { bands(where: { name_in: ["x", "y"] }) { id } } } }',
      [ALIKE],
    ],
    [
      "different values of a key that both objects have conflict",
      '{ bands(where: { name: "x" }) { id } bands(where: { name: "y" }) { id } }',
      [conflict("bands", "they have differing arguments")],
    ],
    [
      "nested conflicts are reported with those of the parent",
      "{ bands { x: home { n: id } x: home { n: name } } }",
      [conflict("x", 'subfields "n" conflict because "id" and "name" are different fields')],
    ],
    [
      "conflicts between fragments are reported",
      "{ bands { n: id ...F ...G } } fragment F on Band { n: name } fragment G on Band { n: nick }",
      [
        conflict("n", '"id" and "name" are different fields'),
        conflict("n", '"name" and "nick" are different fields'),
        conflict("n", '"id" and "nick" are different fields'),
      ],
    ],
    [
      "mutually exclusive objects may differ in fields, not in types",
      "{ acts { ... on Band { x: name y: home { id } } ... on Solo { x: id y: name } } }",
      [
        conflict("x", 'they return conflicting types "String!" and "ID!"'),
        conflict("y", 'they return conflicting types "City" and "String!"'),
      ],
    ],
    [
      "a list and a single value conflict",
      "{ acts { ... on Band { x: tags } ... on Solo { x: name } } }",
      [conflict("x", 'they return conflicting types "[String!]" and "String!"')],
    ],
    [
      "a conflict is not supported if two fragments spread the same one",
      "{ bands { n: id ...E ...F } } fragment E on Band { ...H } fragment F on Band { ...H ...G } fragment G on Band { n: name } fragment H on Band { nick }",
      ["the emulator does not support conflicts if two fragments spread the same one"],
    ],
    [
      "a fragment that was not visited before is compared",
      "{ bands { n: id ...F } } fragment F on Band { nick ...G } fragment G on Band { n: name }",
      [conflict("n", '"id" and "name" are different fields')],
    ],
    [
      "two notations of a number are equal",
      "{ bands(where: { rating: 1.0 }) { id } bands(where: { rating: 1.00 }) { id } }",
      null,
    ],
    [
      "two different numbers conflict",
      "{ bands(where: { rating: 1.0 }) { id } bands(where: { rating: 1.5 }) { id } }",
      [conflict("bands", "they have differing arguments")],
    ],
    [
      "two fragments are compared once",
      "{ a: bands { ...F ...G } b: bands { ...G ...F } } fragment F on Band { n: id } fragment G on Band { n: name }",
      [conflict("n", '"id" and "name" are different fields')],
    ],
    [
      "required and nullable types conflict",
      "{ acts { ... on Band { x: nick } ... on Solo { x: name } } }",
      [conflict("x", 'they return conflicting types "String" and "String!"')],
    ],
    [
      "a fragment cycle ends",
      "{ bands { ...F } } fragment F on Band { home { bands { ...F } } }",
      ['Cannot spread fragment "F" within itself.'],
    ],
  ]);
});

describe("variables", () => {
  check([
    [
      "unused in an operation without a name",
      "query ($a: Int, $b: Int) { bands(first: $a) { id } }",
      ['Variable "$b" is never used.'],
    ],
    [
      "a use in a fragment or a directive counts",
      "query ($a: Int, $b: Boolean!) { bands { ...F } } fragment F on Band { id @skip(if: $b) songs(first: $a) { id } }",
      null,
    ],
    [
      "undefined in a fragment",
      "query Q { bands { ...F } } fragment F on Band { songs(first: $a, skip: $b) { id } }",
      ['Variable "$a" is not defined by operation "Q".', 'Variable "$b" is not defined by operation "Q".'],
    ],
    [
      "undefined in several fragments, in the order of their spreads",
      "{ bands { ...F ...G } } fragment G on Band { songs(first: $g) { id } } fragment F on Band { a: songs(first: $f) { id } }",
      ['Variable "$f" is not defined.', 'Variable "$g" is not defined.'],
    ],
    [
      "names are unique",
      "query ($a: Int, $a: Int, $a: Int) { bands(first: $a) { id } }",
      ['There can only be one variable named "$a".', 'There can only be one variable named "$a".'],
    ],
    [
      "names may repeat in another operation",
      "query A($a: Int) { bands(first: $a) { id } } query B($a: Int) { bands(first: $a) { id } }",
      null,
    ],
    [
      "of another type",
      "query ($a: String) { bands(first: $a) { id } }",
      ['Variable "$a" of type "String" used in position expecting type "Int".'],
    ],
    [
      "nullable at a required position",
      "query ($a: ID) { band(id: $a) { id } }",
      ['Variable "$a" of type "ID" used in position expecting type "ID!".'],
    ],
    ["required at a nullable position", "query ($a: Boolean!) { bands(where: { active: $a }) { id } }", null],
    [
      "an item of a list",
      "query ($a: String) { bands(where: { name_in: [$a] }) { id } }",
      ['Variable "$a" of type "String" used in position expecting type "String!".'],
    ],
    [
      "in a fragment",
      "query ($a: String) { bands { ...F } } fragment F on Band { songs(first: $a) { id } }",
      ['Variable "$a" of type "String" used in position expecting type "Int".'],
    ],
    [
      "a list with a default is reported with its item type",
      'query ($a: [String!] = ["x"]) { bands(where: { name_in: $a }) { id } }',
      ['Variable "$a" of type "String!!" used in position expecting type "[String!]".'],
    ],
  ]);
  test("a default other than null makes a nullable variable valid at a required position", () => {
    expect(ask('query ($a: ID = "b1") { band(id: $a) { id } }')).toEqual({ data: { band: { id: "b1" } } });
    expect(ask("query ($a: ID = null) { band(id: $a) { id } }").errors).toEqual([
      { message: 'Variable "$a" of type "ID" used in position expecting type "ID!".' },
    ]);
  });
});

describe("arguments and directives", () => {
  check([
    [
      "arguments of directives must exist",
      "{ bands { id @skip(unless: true) } }",
      [
        'Unknown argument "unless" on directive "@skip".',
        'Directive "@skip" argument "if" of type "Boolean!" is required, but it was not provided.',
      ],
    ],
    [
      "arguments of unknown fields are not validated",
      "{ bands { id nope(x: 1) } }",
      ['Cannot query field "nope" on type "Band".'],
    ],
    [
      "argument names are unique",
      '{ band(id: "b1", id: "b1", id: "b2") { id @skip(if: true, if: false) } }',
      ['There can be only one argument named "id".', 'There can be only one argument named "if".'],
    ],
    [
      "required arguments must be provided",
      "{ band { id } }",
      ['Field "band" argument "id" of type "ID!" is required, but it was not provided.'],
    ],
    [
      "directives must exist and have a valid location",
      "query @skip(if: true) { bands @nope { ...F @include(if: true) } } fragment F on Band @include(if: true) { id @entity }",
      [
        'Directive "@skip" may not be used on QUERY',
        'Unknown directive "@nope".',
        'Directive "@include" may not be used on FRAGMENT_DEFINITION',
        'Directive "@entity" may not be used on FIELD',
      ],
    ],
    [
      "directives are unique per location",
      "{ bands { id @skip(if: false) @skip(if: false) @include(if: true) name @nope @nope } }",
      ['Unknown directive "@nope".', 'Unknown directive "@nope".', 'Duplicate directive "skip"'],
    ],
    [
      "directives at valid locations",
      "{ bands @include(if: true) { ... @skip(if: false) { id } ...F @skip(if: false) } } fragment F on Band { name }",
      null,
    ],
  ]);
});

describe("values", () => {
  check([
    ["a float as an Int", "{ bands(first: 1.0) { id } }", ['Expected value of type "Int", found 1.']],
    [
      "a string as an Int",
      '{ bands(first: "a\\n  \\nb") { id } }',
      ['Expected value of type "Int", found """\n  a\n\n  b\n""".'],
    ],
    [
      "an enum value as a String",
      "{ bands(where: { name: BAR }) { id } }",
      ['Expected value of type "String", found BAR.'],
    ],
    ["a boolean as an ID", "{ band(id: true) { id } }", ['Expected value of type "ID", found true.']],
    ["a number as an ID is valid", "{ band(id: 1) { id } }", null],
    [
      "a number as a filter",
      "{ bands(where: 5) { id } }",
      ['Expected value of type "Band_filter", found 5.'],
    ],
    [
      "null for a required argument",
      "{ band(id: null) { id } }",
      ['Expected value of type "ID!", found null'],
    ],
    ["null for optional arguments is valid", "{ bands(first: null, where: null) { id } }", null],
    ["custom scalars accept any literal", "{ bands(where: { fans_gt: true }) { id } }", null],
    [
      "items of lists",
      '{ bands(where: { name_in: ["a", 1, null] }) { id } }',
      ['Expected value of type "String", found 1.', 'Expected value of type "String!", found null'],
    ],
    ["a single value for a list is validated as its item", '{ bands(where: { name_in: "a" }) { id } }', null],
    ["a list for a single value is not validated", "{ bands(first: [true]) { id } }", null],
    [
      "items of a required list are not validated",
      'query ($a: [Int!]! = ["x"], $b: [Int!] = ["y"]) { bands { id } }',
      [
        'Variable "$a" is never used.',
        'Variable "$b" is never used.',
        'Expected value of type "Int", found "y".',
      ],
    ],
    [
      "unknown keys are reported in alphabetical order",
      "{ bands(where: { zzz: 1, aaa: 1, name: 1 }) { id } }",
      [
        'Field "aaa" is not defined by type "Band_filter".',
        'Field "zzz" is not defined by type "Band_filter".',
        'Expected value of type "String", found 1.',
      ],
    ],
    [
      "a missing required key",
      "{ bands(where: { _change_block: {} }) { id } }",
      ['Field "BlockChangedFilter.number_gte" of required type "Int!" was not provided.'],
    ],
    [
      "defaults of variables",
      'query ($a: Int = "x") { bands(first: $a) { id } }',
      ['Expected value of type "Int", found "x".'],
    ],
  ]);
});

describe("hostile documents", () => {
  test("a long chain of fragments exceeds the depth limit", () => {
    const chain = Array.from({ length: 300 }, (_, n) => `fragment F${n} on Band { id ...F${n + 1} }`);
    const query = `{ bands { ...F0 ...F1 } } ${chain.join(" ")} fragment F300 on Band { id }`;
    expect(ask(query)).toEqual({
      errors: [{ message: "query has a depth that exceeds the limit of `255`" }],
    });
  });
});
