import { describe, expect, test } from "vitest";
import { ServerPanic } from "../../../../emulator/styles/served-style.ts";
import { createSubgraphExecutor } from "../../../../emulator/styles/subgraph/execute.ts";
import { BAND_ROWS, BANDS, bands, messagesOf, readMarks, serve } from "./support.ts";

const ask = bands();

describe("lenient validation answers", () => {
  /** The query selects fields of the band b1. */
  test.each<[name: string, selection: string, band: unknown]>([
    ["a sub-selection on a scalar, ignored", "name { first }", { name: "alpha" }],
    ["an object without a sub-selection, dropped", "id home", { id: "b1" }],
    ["of two fields with one key the first", "t: id t: name", { t: "b1" }],
    [
      "sub-selections of one key, merged",
      "home { id } home { name }",
      { home: { id: "0x0a", name: "Rome" } },
    ],
    ["a leaf with the key of an object without a sub-selection", "t: home t: name", { t: "alpha" }],
    ["an object with the key of a leaf", "t: home { id } t: name", { t: { id: "0x0a" } }],
    [
      "@skip and @include on fields",
      "id @skip(if: true) name @include(if: false) nick @include(if: true)",
      { nick: "alpha_x" },
    ],
    ["@skip on inline fragments", "id ... @skip(if: true) { name }", { id: "b1" }],
    ["@skip on fragment spreads, ignored", "id ...F @skip(if: true)", { id: "b1", name: "alpha" }],
    ["@skip on fragment definitions", "id ...Skipped", { id: "b1" }],
    ["a fragment spread twice, expanded once", "...F ...F", { name: "alpha" }],
    ["@skip on __typename, ignored", "__typename @skip(if: true)", { __typename: "Band" }],
    ["unknown directives, ignored", "id @nope(if: false)", { id: "b1" }],
    [
      "a missing variable of a directive as false",
      "id name @include(if: $n) nick @skip(if: $n)",
      { id: "b1", nick: "alpha_x" },
    ],
  ])("%s", (_, selection, band) => {
    const fragments = "fragment F on Band { name } fragment Skipped on Band @skip(if: true) { name }";
    const query = `query ($n: Boolean) { band(id: "b1") { ${selection} } } ${fragments}`;
    expect(ask(query)).toEqual({ data: { band } });
  });

  test.each<[name: string, query: string, data: unknown]>([
    ["an unknown argument, ignored", '{ band(id: "b1", nope: 1) { id } }', { band: { id: "b1" } }],
    [
      "an undefined variable as null",
      "query { bands(first: $n) { id } }",
      { bands: ["B4", "b1", "b2", "b3"].map((id) => ({ id })) },
    ],
    ["an unused variable", 'query ($n: Int) { band(id: "b1") { id } }', { band: { id: "b1" } }],
    [
      "an interface with the sub-selection of an implementer with the same key",
      '{ t: act(id: "b1") { name } t: band(id: "b2") { nick } }',
      { t: { name: "alpha", nick: "alpha_x" } },
    ],
    [
      "an enum given as string",
      '{ bands(first: 1, orderBy: "id", orderDirection: "desc") { id } }',
      { bands: [{ id: "b3" }] },
    ],
    [
      "an empty list with an empty selection",
      '{ band(id: "b3") { id members { id @skip(if: true) } } }',
      { band: { id: "b3", members: [] } },
    ],
  ])("%s", (_, query, data) => expect(ask(query)).toEqual({ data }));
});

describe("lenient validation refuses", () => {
  const merge = (type: string) =>
    `invalid query: can not merge fields because type \`${type}\` showed up unexpectedly`;
  test.each<[query: string, message: string]>([
    ["{ bands { t: id t: home { id } } }", merge("City")],
    ["{ bands { t: label { id } t: home { id } } }", merge("City")],
    ['{ t: band(id: "b1") { id } t: act(id: "b1") { id } }', merge("Solo")],
    [
      '{ band(id: "b1") { home { id @skip(if: true) } } }',
      "Failed to get entities from store: internal error resolving City.home: expected prefetched result, but found nothing",
    ],
    [
      "{ bands { members { id @skip(if: true) } } }",
      "panic processing query: internal error: entered unreachable code",
    ],
    ["query A { bands { id } } query B { bands { id } }", "Operation name required"],
    ["fragment F on Band { id }", "Operation name required"],
    ["mutation { bands { id } }", "Not supported: Mutations are not supported"],
    ["subscription { bands { id } }", "Not supported: Subscriptions are not supported"],
    ["{ ... on Nope { id } }", "Failed to resolve named type `Nope`"],
  ])("%s: %s", (query, message) => expect(ask(query)).toEqual({ errors: [{ message }] }));

  const noField = (type: string, field: string) => `Type \`${type}\` has no field \`${field}\``;
  test.each<[marked: string, ...messages: string[]]>([
    ["{ ¦foo }", noField("Query", "foo")],
    ["{ bands {\n  ¦nope\n  ¦x: no @skip(if: true)\n} }", noField("Band", "nope"), noField("Band", "no")],
    // Only the first introspection field below the root is reported.
    [
      '{ band(id: "b1") { ¦__schema @skip(if: true) { types { name } } __type } }',
      noField("Band", "__schema"),
    ],
    // An unknown field in introspection below the root is reported before invalid arguments.
    ['{ bands(first: "x") { __schema { ¦nope } } }', noField("__Schema", "nope")],
  ])("%s: %s", (marked, ...messages) => {
    const { query, locations } = readMarks(marked);
    const errors = messages.map((message, index) => ({ locations: [locations[index]], message }));
    expect(ask(query)).toEqual({ errors });
  });
  test("an undefined fragment after an unknown field", () => {
    const { query, locations } = readMarks("{ bands { ¦nope { id } ...F } }");
    const errors = [
      { locations, message: noField("Band", "nope") },
      { message: "fragment `F` is not defined" },
    ];
    expect(ask(query)).toEqual({ errors });
  });

  const invalid = (argument: string, shown: string) =>
    `Invalid value provided for argument \`${argument}\`: ${shown}`;
  test.each<[query: string, ...messages: string[]]>([
    ["{ bands(where: { foo: 1 }) { id } }", invalid("where", 'Object({"foo": Int(Number(1))})')],
    ["{ bands(orderBy: foo) { id } }", invalid("orderBy", 'Enum("foo")')],
    ["{ bands(where: { name: 5 }) { id } }", invalid("where", 'Object({"name": Int(Number(5))})')],
    // All invalid arguments of the first field, in document order, also where no row matches.
    [
      '{ bands { id songs(first: "x", skip: "y") { id } } band { id } }',
      invalid("skip", 'String("y")'),
      invalid("first", 'String("x")'),
    ],
    [
      '{ bands { t: label { bands(first: "x") { id } } t: home { bands(first: "y") { id } } } }',
      invalid("first", 'String("x")'),
    ],
    ['{ bands { ... on City { bands(first: "x") { id } } } }', invalid("first", 'String("x")')],
    ["{ band { __type } }", "No value provided for required argument: `id`"],
  ])("%s: %s", (query, ...messages) => {
    const errors = messages.map((message) => ({ locations: [{ line: 0, column: 0 }], message }));
    expect(ask(query)).toEqual({ errors });
  });

  test("an undefined fragment with a panic, without an answer", () => {
    expect(() => ask("{ ...F }")).toThrow(ServerPanic);
    expect(() => ask("{ bands { nope ... on Band { ...F } } }")).toThrow(ServerPanic);
    // Variables are validated first.
    const message = "No value provided for required variable `x`";
    expect(messagesOf(ask("query ($x: Int!) { ...F }"))).toEqual([message]);
  });
  test("several operations also with operationName, which is ignored", () => {
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
