import { getIntrospectionQuery } from "graphql";
import { describe, expect, test } from "vitest";
import { createSubgraphExecutor } from "../../../../emulator/styles/subgraph/execute.ts";
import { BAND_ROWS, BANDS, bands, messagesOf, readMarks, serve } from "./support.ts";

const ask = bands();

describe("depth", () => {
  test.each([
    ["", "{ bands { ...A } } fragment A on Band { ...B } fragment B on Band { ...A }"],
    ["through fields", "{ bands { ...A } } fragment A on Band { home { bands { ...A } } }"],
    [
      "after a selection on a scalar",
      "{ bands { name { x { y } } ...A } } fragment A on Band { home { bands { ...A } } }",
    ],
  ])("a fragment cycle %s", (_, query) => {
    expect(ask(query)).toEqual({ errors: [{ message: "query has fragment cycle including `A`" }] });
  });
  test("unknown fields are reported before a fragment cycle", () => {
    const query = "{ nope { id } bands { ...A } } fragment A on Band { nope ...A }";
    const messages = ["Query", "Band"].map((type) => `Type \`${type}\` has no field \`nope\``);
    expect(messagesOf(ask(query))).toEqual(messages);
  });

  /** Returns a query of `depth` nested selection sets, through fragments. */
  function nested(depth: number): string {
    const fragments = Array.from({ length: depth - 2 }, (_, index) => {
      const next = index === depth - 3 ? "id" : `...F${index + 1}`;
      return `fragment F${index} on Band { ${next} }`;
    });
    return `{ bands(first: 1) { ...F0 } } ${fragments.join(" ")}`;
  }
  const tooDeep = ["query has a depth that exceeds the limit of `255`"];
  test("depth 255 is answered, and 256 is refused", () => {
    expect(ask(nested(255))).toEqual({ data: { bands: [{ id: "B4" }] } });
    expect(messagesOf(ask(nested(256)))).toEqual(tooDeep);
  });
  test("depth counts at each spread of a fragment, also if the fragment was measured before", () => {
    const chain = (name: string, length: number, end: string) =>
      Array.from(
        { length },
        (_, n) => `fragment ${name}${n} on Band { ${n === length - 1 ? end : `...${name}${n + 1}`} }`,
      ).join(" ");
    const query = (length: number) =>
      `{ bands(first: 1) { ...A0 ...B0 } } ${chain("A", 200, "id")} ${chain("B", length, "...A0")}`;
    expect(ask(query(53))).toHaveProperty("data");
    expect(messagesOf(ask(query(54)))).toEqual(tooDeep);
  });
  test("spreads that double at every level are measured in linear time", () => {
    const doubling = (n: number) => `fragment F${n} on Band { id ...F${n + 1} ...F${n + 1} }`;
    const fragments = Array.from({ length: 40 }, (_, n) => doubling(n)).join(" ");
    const query = `{ bands(first: 1) { ...F0 } } ${fragments} fragment F40 on Band { name }`;
    expect(ask(query)).toEqual({ data: { bands: [{ id: "B4", name: "delta" }] } });
  });
  test("an error of a fragment is reported at each spread", () => {
    const marked = "{ a: bands { ...F } b: bands { ...F } } fragment F on Band {\n ¦nope }";
    const { query, locations } = readMarks(marked);
    const error = { locations, message: "Type `Band` has no field `nope`" };
    expect(ask(query)).toEqual({ errors: [error, error] });
  });
});

describe("complexity", () => {
  const messageFor = (complexity: number | string, limit: number) =>
    `query potentially returns \`${complexity}\` entities or more and thereby exceeds the limit of \`${limit}\` entities. Possible solutions are reducing the depth of the query, querying fewer relationships or using \`first\` to return smaller collections`;

  function askWithin(maxComplexity: number, query: string, variables: Record<string, unknown> | null = null) {
    const execute = createSubgraphExecutor({ ...serve(BANDS, BAND_ROWS), settings: { maxComplexity } });
    return execute({ query, variables, operationName: null });
  }

  test.each<[query: string, complexity: number]>([
    ["{ bands { id } }", 100],
    ["{ bands(first: 7) { id } }", 7],
    // A variable counts as the default, and so does null.
    ["query ($n: Int = 7) { bands(first: $n) { id } }", 100],
    ["{ bands(first: null) { id } }", 100],
    ["{ a: bands(first: 7) { id } b: bands(first: 2) { id } }", 9],
    // Nested collections multiply: first + first × inside. A single entity counts only its collections.
    ["{ bands(first: 7) { songs(first: 3) { id } } }", 28],
    ["{ bands(first: 7) { home { bands(first: 2) { id } } } }", 21],
    [
      "{ bands(first: 7) { ...F ... on Band { songs(first: 1) { id } } } } fragment F on Band { songs(first: 3) { id } }",
      35,
    ],
    ["{ bands(first: 7) { tags } }", 7],
    ["{ bands(first: 7) @skip(if: true) { id } }", 7],
  ])("%s counts %i", (query, complexity) => {
    const message = messageFor(complexity, complexity - 1);
    expect(askWithin(complexity, query)).not.toHaveProperty("errors");
    expect(askWithin(complexity - 1, query)).toEqual({ errors: [{ message }] });
  });

  test("there is no limit by default", () => {
    const query = "{ bands(first: 1000) { songs(first: 1000) { band { songs(first: 1000) { id } } } } }";
    expect(ask(query)).toHaveProperty("data");
  });
  test("introspection costs about a million", () => {
    const query = getIntrospectionQuery({ inputValueDeprecation: false });
    expect(messagesOf(askWithin(1_000_000, query))).toEqual([messageFor(1060200, 1_000_000)]);
    expect(askWithin(1_060_200, query)).toHaveProperty("data");
  });
  test("a negative number is refused even without a limit", () => {
    for (const more of ["", "__schema { queryType { name } }"]) {
      const query = `{ bands(first: -1) { ${more} songs(first: -1) { id } } }`;
      expect(messagesOf(ask(query))).toEqual([messageFor("18446744073709551615", 0)]);
    }
  });
  test("a single entity resets the complexity", () => {
    const query = '{ bands(first: -1) { id } city(id: "0x0a") { bands { id } } }';
    expect(messagesOf(ask(query))).toEqual(["The `first` argument must be between 0 and 1000, but is -1"]);
  });
  test("fields after a nested selection on a scalar are not counted", () => {
    const scalar = "a: bands { name { of { it } } }";
    const many = "b: bands(first: -1) { songs(first: -1) { id } }";
    const refused = [messageFor("18446744073709551615", 0)];
    expect(messagesOf(ask(`{ a: bands { name { of } } ${many} }`))).toEqual(refused);
    expect(messagesOf(ask(`{ ${many} ${scalar} }`))).toEqual(refused);
    expect(messagesOf(ask(`{ ${scalar} ${many} }`))).toEqual([
      "The `first` argument must be between 0 and 1000, but is -1",
    ]);
  });
  test.each([
    ["{ bands { id } nope { id } }", "Type `Query` has no field `nope`"],
    ["query ($n: Int!) { bands(first: $n) { id } }", "No value provided for required variable `n`"],
    ["mutation ($n: Int!) { bands(first: $n) { id } }", "No value provided for required variable `n`"],
  ])("other errors are reported before the complexity: %s", (query, message) => {
    expect(messagesOf(askWithin(1, query))).toEqual([message]);
  });
});

describe("a repeated query text", () => {
  test("gets the same answer or error", () => {
    const texts = [
      "query ($id: ID!) { band(id: $id) { id } }",
      "{ nope }",
      "{",
      "{ a: bands { id } } { b: bands { id } }",
    ];
    for (const text of texts) expect(ask(text, { id: "b1" })).toEqual(ask(text, { id: "b1" }));
    expect(ask(texts[0] ?? "", { id: "b2" })).toEqual({ data: { band: { id: "b2" } } });
  });
});
