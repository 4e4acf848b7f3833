import { describe, expect, test } from "vitest";
import { ServerPanic } from "../../../../emulator/styles/served-style.ts";
import { createSubgraphExecutor } from "../../../../emulator/styles/subgraph/execute.ts";
import { BAND_ROWS, BANDS, bands, messagesOf, serve } from "./support.ts";

const ask = bands();

describe("lenient validation", () => {
  const answered: readonly [name: string, query: string, data: unknown][] = [
    ["unknown argument is ignored", '{ band(id: "b1", nope: 1) { id } }', { band: { id: "b1" } }],
    [
      "sub-selection on a scalar is ignored",
      '{ band(id: "b1") { name { first } } }',
      { band: { name: "alpha" } },
    ],
    ["object without a sub-selection is dropped", '{ band(id: "b1") { id home } }', { band: { id: "b1" } }],
    ["undefined variable is null", "query { bands(first: $n) { id } }", fourBands],
    ["unused variable is allowed", 'query ($n: Int) { band(id: "b1") { id } }', { band: { id: "b1" } }],
    [
      "of two fields with one key the first wins",
      '{ band(id: "b1") { t: id t: name } }',
      { band: { t: "b1" } },
    ],
    [
      "sub-selections of one key are merged",
      '{ band(id: "b1") { home { id } home { name } } }',
      { band: { home: { id: "0x0a", name: "Rome" } } },
    ],
    [
      "an object without a sub-selection does not win its key",
      '{ band(id: "b1") { t: home t: name } }',
      { band: { t: "alpha" } },
    ],
    [
      "an object replaces a leaf with the same key",
      '{ band(id: "b1") { t: home { id } t: name } }',
      { band: { t: { id: "0x0a" } } },
    ],
    [
      "an interface gets the sub-selection of an implementer with the same key",
      '{ t: act(id: "b1") { name } t: band(id: "b2") { nick } }',
      { t: { name: "alpha", nick: "alpha_x" } },
    ],
    [
      "enum given as string",
      '{ bands(first: 1, orderBy: "id", orderDirection: "desc") { id } }',
      { bands: [{ id: "b3" }] },
    ],
    [
      "@skip and @include on fields",
      '{ band(id: "b1") { id @skip(if: true) name @include(if: false) nick @include(if: true) } }',
      { band: { nick: "alpha_x" } },
    ],
    [
      "@skip on inline fragments",
      '{ band(id: "b1") { id ... @skip(if: true) { name } } }',
      { band: { id: "b1" } },
    ],
    [
      "@skip on fragment definitions",
      '{ band(id: "b1") { id ...F } } fragment F on Band @skip(if: true) { name }',
      { band: { id: "b1" } },
    ],
    [
      "@skip on fragment spreads is ignored",
      '{ band(id: "b1") { id ...F @skip(if: true) } } fragment F on Band { name }',
      { band: { id: "b1", name: "alpha" } },
    ],
    [
      "an empty list with an empty selection",
      '{ band(id: "b3") { id members { id @skip(if: true) } } }',
      { band: { id: "b3", members: [] } },
    ],
    [
      "a fragment spread twice is expanded once",
      '{ band(id: "b1") { ...F ...F } } fragment F on Band { name }',
      { band: { name: "alpha" } },
    ],
    [
      "directives of __typename are ignored",
      '{ band(id: "b1") { __typename @skip(if: true) } }',
      { band: { __typename: "Band" } },
    ],
    ["unknown directives are ignored", '{ band(id: "b1") { id @nope(if: false) } }', { band: { id: "b1" } }],
    [
      "a missing variable of a directive counts as false",
      'query ($n: Boolean) { band(id: "b1") { id name @include(if: $n) nick @skip(if: $n) } }',
      { band: { id: "b1", nick: "alpha_x" } },
    ],
  ];
  function fourBands() {
    return { bands: ["B4", "b1", "b2", "b3"].map((id) => ({ id })) };
  }
  test.each(answered)("%s", (_, query, data) => {
    expect(ask(query)).toEqual({ data: typeof data === "function" ? data() : data });
  });

  const refused: readonly [name: string, query: string, errors: readonly unknown[]][] = [
    [
      "unknown field, with its location",
      "{ foo }",
      [{ locations: [{ line: 1, column: 3 }], message: "Type `Query` has no field `foo`" }],
    ],
    [
      "all unknown fields, including skipped ones",
      "{ bands {\n  nope\n  x: no @skip(if: true)\n} }",
      [
        { locations: [{ line: 2, column: 3 }], message: "Type `Band` has no field `nope`" },
        { locations: [{ line: 3, column: 3 }], message: "Type `Band` has no field `no`" },
      ],
    ],
    [
      "unknown filter key",
      "{ bands(where: { foo: 1 }) { id } }",
      [
        {
          locations: [{ line: 0, column: 0 }],
          message: 'Invalid value provided for argument `where`: Object({"foo": Int(Number(1))})',
        },
      ],
    ],
    [
      "unknown enum value",
      "{ bands(orderBy: foo) { id } }",
      [
        {
          locations: [{ line: 0, column: 0 }],
          message: 'Invalid value provided for argument `orderBy`: Enum("foo")',
        },
      ],
    ],
    [
      "number as a String",
      "{ bands(where: { name: 5 }) { id } }",
      [
        {
          locations: [{ line: 0, column: 0 }],
          message: 'Invalid value provided for argument `where`: Object({"name": Int(Number(5))})',
        },
      ],
    ],
    [
      "all invalid arguments of one field only",
      '{ bands { id songs(first: "x", skip: "y") { id } } band { id } }',
      [
        {
          locations: [{ line: 0, column: 0 }],
          message: 'Invalid value provided for argument `skip`: String("y")',
        },
        {
          locations: [{ line: 0, column: 0 }],
          message: 'Invalid value provided for argument `first`: String("x")',
        },
      ],
    ],
    [
      "an object with the key of a leaf",
      "{ bands { t: id t: home { id } } }",
      [{ message: "invalid query: can not merge fields because type `City` showed up unexpectedly" }],
    ],
    [
      "an object with the key of an object of another type",
      "{ bands { t: label { id } t: home { id } } }",
      [{ message: "invalid query: can not merge fields because type `City` showed up unexpectedly" }],
    ],
    [
      "an interface with the key of an implementer",
      '{ t: band(id: "b1") { id } t: act(id: "b1") { id } }',
      [{ message: "invalid query: can not merge fields because type `Solo` showed up unexpectedly" }],
    ],
    [
      "a sub-selection with every field skipped",
      '{ band(id: "b1") { home { id @skip(if: true) } } }',
      [
        {
          message:
            "Failed to get entities from store: internal error resolving City.home: expected prefetched result, but found nothing",
        },
      ],
    ],
    [
      "an undefined fragment after an unknown field",
      "{ bands { nope { id } ...F } }",
      [
        { locations: [{ line: 1, column: 11 }], message: "Type `Band` has no field `nope`" },
        { message: "fragment `F` is not defined" },
      ],
    ],
    [
      "a stored list with an empty selection",
      "{ bands { members { id @skip(if: true) } } }",
      [{ message: "panic processing query: internal error: entered unreachable code" }],
    ],
    [
      "invalid arguments below fields that cannot be merged, in document order",
      '{ bands { t: label { bands(first: "x") { id } } t: home { bands(first: "y") { id } } } }',
      [
        {
          locations: [{ line: 0, column: 0 }],
          message: 'Invalid value provided for argument `first`: String("x")',
        },
      ],
    ],
    [
      "invalid arguments in a fragment that matches no row",
      '{ bands { ... on City { bands(first: "x") { id } } } }',
      [
        {
          locations: [{ line: 0, column: 0 }],
          message: 'Invalid value provided for argument `first`: String("x")',
        },
      ],
    ],
    [
      "only the first introspection field below the root",
      '{ band(id: "b1") { __schema @skip(if: true) { types { name } } __type } }',
      [{ locations: [{ line: 1, column: 20 }], message: "Type `Band` has no field `__schema`" }],
    ],
    [
      "an unknown field in introspection below the root before invalid arguments",
      '{ bands(first: "x") { __schema { nope } } }',
      [{ locations: [{ line: 1, column: 34 }], message: "Type `__Schema` has no field `nope`" }],
    ],
    [
      "missing arguments above an introspection field",
      "{ band { __type } }",
      [{ locations: [{ line: 0, column: 0 }], message: "No value provided for required argument: `id`" }],
    ],
    [
      "several operations",
      "query A { bands { id } } query B { bands { id } }",
      [{ message: "Operation name required" }],
    ],
    ["no operation", "fragment F on Band { id }", [{ message: "Operation name required" }]],
    ["mutation", "mutation { bands { id } }", [{ message: "Not supported: Mutations are not supported" }]],
    [
      "subscription",
      "subscription { bands { id } }",
      [{ message: "Not supported: Subscriptions are not supported" }],
    ],
    [
      "unknown type condition",
      "{ ... on Nope { id } }",
      [{ message: "Failed to resolve named type `Nope`" }],
    ],
  ];
  test.each(refused)("refuses %s", (_, query, errors) => {
    expect(ask(query)).toEqual({ errors });
  });

  test("an undefined fragment panics without an answer", () => {
    expect(() => ask("{ ...F }")).toThrow(ServerPanic);
    expect(() => ask("{ bands { nope ... on Band { ...F } } }")).toThrow(ServerPanic);
    // Variables are validated first.
    expect(messagesOf(ask("query ($x: Int!) { ...F }"))).toEqual([
      "No value provided for required variable `x`",
    ]);
  });
  test("operationName is ignored", () => {
    const execute = createSubgraphExecutor(serve(BANDS, BAND_ROWS));
    const two = "query A { bands { id } } query B { bands { id } }";
    expect(execute({ query: two, variables: null, operationName: "A" })).toEqual({
      errors: [{ message: "Operation name required" }],
    });
    expect(execute({ query: '{ band(id: "b1") { id } }', variables: null, operationName: "Nope" })).toEqual({
      data: { band: { id: "b1" } },
    });
  });
});
