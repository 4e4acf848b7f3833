import { getIntrospectionQuery } from "graphql";
import { describe, expect, test } from "vitest";
import { createSubgraphExecutor } from "../../../../emulator/styles/subgraph/execute.ts";
import { BAND_ROWS, BANDS, bands, messagesOf, serve } from "./support.ts";

const ask = bands();

describe("depth", () => {
  test("a fragment cycle", () => {
    const query = "{ bands { ...A } } fragment A on Band { ...B } fragment B on Band { ...A }";
    expect(ask(query)).toEqual({ errors: [{ message: "query has fragment cycle including `A`" }] });
  });
  test("a fragment cycle through fields", () => {
    const query = "{ bands { ...A } } fragment A on Band { home { bands { ...A } } }";
    expect(ask(query)).toEqual({ errors: [{ message: "query has fragment cycle including `A`" }] });
  });
  test("unknown fields are reported before a fragment cycle", () => {
    const query = "{ nope { id } bands { ...A } } fragment A on Band { nope ...A }";
    expect(messagesOf(ask(query))).toEqual([
      "Type `Query` has no field `nope`",
      "Type `Band` has no field `nope`",
    ]);
  });
  test("a fragment cycle after a selection on a scalar is reported", () => {
    const query = "{ bands { name { x { y } } ...A } } fragment A on Band { home { bands { ...A } } }";
    expect(ask(query)).toEqual({ errors: [{ message: "query has fragment cycle including `A`" }] });
  });

  /** Returns a query of `depth` nested selection sets, through fragments. */
  function nested(depth: number): string {
    const fragments = Array.from({ length: depth - 2 }, (_, index) => {
      const next = index === depth - 3 ? "id" : `...F${index + 1}`;
      return `fragment F${index} on Band { ${next} }`;
    });
    return `{ bands(first: 1) { ...F0 } } ${fragments.join(" ")}`;
  }
  test("depth 255 is answered", () => {
    expect(ask(nested(255))).toEqual({ data: { bands: [{ id: "B4" }] } });
  });
  test("depth 256 is refused", () => {
    expect(ask(nested(256))).toEqual({
      errors: [{ message: "query has a depth that exceeds the limit of `255`" }],
    });
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
    expect(messagesOf(ask(query(54)))).toEqual(["query has a depth that exceeds the limit of `255`"]);
  });
  test("spreads that double at every level are measured in linear time", () => {
    const fragments = Array.from(
      { length: 40 },
      (_, index) => `fragment F${index} on Band { id ...F${index + 1} ...F${index + 1} }`,
    );
    expect(ask(`{ bands(first: 1) { ...F0 } } ${fragments.join(" ")} fragment F40 on Band { name }`)).toEqual(
      { data: { bands: [{ id: "B4", name: "delta" }] } },
    );
  });
  test("an error of a fragment is reported at each spread", () => {
    const query = "{ a: bands { ...F } b: bands { ...F } } fragment F on Band {\n nope }";
    const error = { locations: [{ line: 2, column: 2 }], message: "Type `Band` has no field `nope`" };
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

  const rows: readonly [name: string, query: string, complexity: number][] = [
    ["a collection counts 100", "{ bands { id } }", 100],
    ["a collection with `first` counts that number", "{ bands(first: 7) { id } }", 7],
    ["a variable counts as the default", "query ($n: Int = 7) { bands(first: $n) { id } }", 100],
    ["null counts as the default", "{ bands(first: null) { id } }", 100],
    ["collections add up", "{ a: bands(first: 7) { id } b: bands(first: 2) { id } }", 9],
    [
      "nested collections multiply: first + first × inside",
      "{ bands(first: 7) { songs(first: 3) { id } } }",
      28,
    ],
    [
      "a single entity counts only its collections",
      "{ bands(first: 7) { home { bands(first: 2) { id } } } }",
      21,
    ],
    [
      "fragments count",
      "{ bands(first: 7) { ...F ... on Band { songs(first: 1) { id } } } } fragment F on Band { songs(first: 3) { id } }",
      35,
    ],
    ["lists of scalars do not count", "{ bands(first: 7) { tags } }", 7],
    ["a skipped field counts", "{ bands(first: 7) @skip(if: true) { id } }", 7],
  ];
  test.each(rows)("%s", (_, query, complexity) => {
    expect(askWithin(complexity, query)).not.toHaveProperty("errors");
    expect(askWithin(complexity - 1, query)).toEqual({
      errors: [{ message: messageFor(complexity, complexity - 1) }],
    });
  });

  test("there is no limit by default", () => {
    expect(
      ask("{ bands(first: 1000) { songs(first: 1000) { band { songs(first: 1000) { id } } } } }"),
    ).toHaveProperty("data");
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
    const [scalar, many] = [
      "a: bands { name { of { it } } }",
      "b: bands(first: -1) { songs(first: -1) { id } }",
    ];
    expect(messagesOf(ask(`{ a: bands { name { of } } ${many} }`))).toEqual([
      messageFor("18446744073709551615", 0),
    ]);
    expect(messagesOf(ask(`{ ${scalar} ${many} }`))).toEqual([
      "The `first` argument must be between 0 and 1000, but is -1",
    ]);
    expect(messagesOf(ask(`{ ${many} ${scalar} }`))).toEqual([messageFor("18446744073709551615", 0)]);
  });
  test("an unknown field is reported before the complexity", () => {
    expect(messagesOf(askWithin(1, "{ bands { id } nope { id } }"))).toEqual([
      "Type `Query` has no field `nope`",
    ]);
  });
  test("invalid variables are reported before the complexity", () => {
    expect(messagesOf(askWithin(1, "query ($n: Int!) { bands(first: $n) { id } }"))).toEqual([
      "No value provided for required variable `n`",
    ]);
    expect(messagesOf(ask("mutation ($n: Int!) { bands(first: $n) { id } }"))).toEqual([
      "No value provided for required variable `n`",
    ]);
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
  test("is evicted from a cache of limited size", () => {
    for (let n = 0; n < 1200; n++) ask(`{ band(id: "${n}") { id } }`);
    expect(ask('{ band(id: "b1") { id } }')).toEqual({ data: { band: { id: "b1" } } });
  });
});
