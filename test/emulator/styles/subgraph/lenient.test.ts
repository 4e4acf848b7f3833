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
    ["unused variable is fine", 'query ($n: Int) { band(id: "b1") { id } }', { band: { id: "b1" } }],
    [
      "of two fields under one key the first wins",
      '{ band(id: "b1") { t: id t: name } }',
      { band: { t: "b1" } },
    ],
    [
      "sub-selections under one key are merged",
      '{ band(id: "b1") { home { id } home { name } } }',
      { band: { home: { id: "0x0a", name: "Rome" } } },
    ],
    [
      "an object without a sub-selection does not win its key",
      '{ band(id: "b1") { t: home t: name } }',
      { band: { t: "alpha" } },
    ],
    [
      "a leaf under the key of an object gives way",
      '{ band(id: "b1") { t: home { id } t: name } }',
      { band: { t: { id: "0x0a" } } },
    ],
    [
      "an interface takes the sub-selection of a type that implements it",
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
      "no directive of __typename is looked at",
      '{ band(id: "b1") { __typename @skip(if: true) } }',
      { band: { __typename: "Band" } },
    ],
    ["other directives do nothing", '{ band(id: "b1") { id @nope(if: false) } }', { band: { id: "b1" } }],
    [
      "a directive's variable that is not given counts as false",
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
      "all unknown fields, skipped ones too",
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
      "number for a String",
      "{ bands(where: { name: 5 }) { id } }",
      [
        {
          locations: [{ line: 0, column: 0 }],
          message: 'Invalid value provided for argument `where`: Object({"name": Int(Number(5))})',
        },
      ],
    ],
    [
      "all arguments of one field that do not fit, and those of no other",
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
      "an object under the key of a leaf",
      "{ bands { t: id t: home { id } } }",
      [{ message: "invalid query: can not merge fields because type `City` showed up unexpectedly" }],
    ],
    [
      "an object under the key of another type's",
      "{ bands { t: label { id } t: home { id } } }",
      [{ message: "invalid query: can not merge fields because type `City` showed up unexpectedly" }],
    ],
    [
      "an interface under the key of a type that implements it",
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
      "a fragment that is not defined, behind what is not there",
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
      "bad arguments below what cannot be merged, in the order in which they are written",
      '{ bands { t: label { bands(first: "x") { id } } t: home { bands(first: "y") { id } } } }',
      [
        {
          locations: [{ line: 0, column: 0 }],
          message: 'Invalid value provided for argument `first`: String("x")',
        },
      ],
    ],
    [
      "bad arguments of a fragment that fits no row",
      '{ bands { ... on City { bands(first: "x") { id } } } }',
      [
        {
          locations: [{ line: 0, column: 0 }],
          message: 'Invalid value provided for argument `first`: String("x")',
        },
      ],
    ],
    [
      "a field of introspection below the root, the first of them alone",
      '{ band(id: "b1") { __schema @skip(if: true) { types { name } } __type } }',
      [{ locations: [{ line: 1, column: 20 }], message: "Type `Band` has no field `__schema`" }],
    ],
    [
      "a field of introspection below the root, after what is wrong above it",
      '{ bands(first: "x") { __schema { nope } } }',
      [{ locations: [{ line: 1, column: 34 }], message: "Type `__Schema` has no field `nope`" }],
    ],
    [
      "arguments above a field of introspection",
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

  test("an undefined fragment ends the server's work without an answer", () => {
    expect(() => ask("{ ...F }")).toThrow(ServerPanic);
    expect(() => ask("{ bands { nope ... on Band { ...F } } }")).toThrow(ServerPanic);
    // Variables are read before.
    expect(messagesOf(ask("query ($x: Int!) { ...F }"))).toEqual([
      "No value provided for required variable `x`",
    ]);
  });
  test("operationName is not read", () => {
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
