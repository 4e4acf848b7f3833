import { describe, expect, test } from "vitest";
import { deriveFrom, filtersOf, shapeOf } from "./schema-shape.ts";

const COMPARISONS = ["", "_not", "_gt", "_lt", "_gte", "_lte", "_in", "_not_in"];
const TEXT = [
  ...COMPARISONS,
  ...["_contains", "_contains_nocase", "_not_contains", "_not_contains_nocase"],
  ...["_starts_with", "_starts_with_nocase", "_not_starts_with", "_not_starts_with_nocase"],
  ...["_ends_with", "_ends_with_nocase", "_not_ends_with", "_not_ends_with_nocase"],
];
const LIST = ["", "_not", "_contains", "_not_contains"];
const LIST_OF_TEXT = [
  ...["", "_not", "_contains", "_contains_nocase"],
  ...["_not_contains", "_not_contains_nocase"],
];

const TYPES = `
  enum Kind { A B }
  interface Party { home: Int }
  interface Detached { id: Bytes! }
  input Unused { x: Int }
  type Account implements Party @entity { id: Bytes! home: Int owners: [Stream!]! }
  type Token @entity { id: ID! stream: Stream! }
  type Counter @entity(immutable: true) { id: Int8! streams: [Stream!]! }
`;

/** The type of a stream's field, the operators in order, and the type of one value. */
const FIELDS: readonly (readonly [field: string, operators: readonly string[], value: string])[] = [
  ["Boolean!", ["", "_not", "_in", "_not_in"], "Boolean"],
  ["ID!", COMPARISONS, "ID"],
  ["Int", COMPARISONS, "Int"],
  ["Int8", COMPARISONS, "Int8"],
  ["BigInt!", COMPARISONS, "BigInt"],
  ["BigDecimal", COMPARISONS, "BigDecimal"],
  ["Timestamp!", COMPARISONS, "Timestamp"],
  ["Bytes", [...COMPARISONS, "_contains", "_not_contains"], "Bytes"],
  ["String!", TEXT, "String"],
  ["Kind!", ["", "_not", "_in", "_not_in"], "Kind"],
  ["Float", ["", "_not"], "Float"],
  ["Unused", [], ""],
  ["Token!", TEXT, "String"],
  ["Account", TEXT, "String"],
  ["Party!", TEXT, "String"],
  ["Detached", TEXT, "String"],
  ["Counter", COMPARISONS, "Int"],
  ["[String!]!", LIST_OF_TEXT, "[String!]"],
  ["[[String!]!]", LIST_OF_TEXT, "[String!]"],
  ["[ID!]", LIST, "[ID!]"],
  ["[Bytes!]", LIST, "[Bytes!]"],
  ["[Kind]", LIST, "[Kind!]"],
  ["[Token!]!", LIST_OF_TEXT, "[String!]"],
  ["[Detached!]!", LIST_OF_TEXT, "[String!]"],
  ["[Account!]!", LIST, "[String!]"],
  ["[Party!]!", LIST, "[String!]"],
  ["[Counter!]!", LIST, "[Int!]"],
  ['Token @derivedFrom(field: "stream")', [], ""],
  ['[Token!]! @derivedFrom(field: "stream")', [], ""],
  ['[Account!]! @derivedFrom(field: "owners")', [], ""],
];

const TARGETS = ["Token", "Account", "Party", "Detached", "Counter"];

describe("the filters of a field", () => {
  test.each(FIELDS)("%s", (field, operators, value) => {
    const schema = deriveFrom(`${TYPES} type Stream @entity { id: ID! f: ${field} }`, { release: "0.44" });
    const target = TARGETS.find((name) => field.includes(name));
    const plural = (operator: string) => (operator.endsWith("in") ? `[${value}!]` : value);
    expect(filtersOf(schema, "Stream", "f")).toEqual([
      ...operators.map((operator) => `f${operator}: ${value.startsWith("[") ? value : plural(operator)}`),
      ...(target ? [`f_: ${target}_filter`] : []),
    ]);
  });

  test.each(["[ID!]", "[Bytes!]", "[Kind]", "[BigInt!]!", "[Account!]!", "[Counter!]!"])(
    "%s has case-insensitive operators before 0.42",
    (field) => {
      const sdl = `${TYPES} type Stream @entity { id: ID! f: ${field} }`;
      const operators = (release: "0.41" | "0.42") =>
        filtersOf(deriveFrom(sdl, { release }), "Stream", "f")
          .map((line) => line.slice(1, line.indexOf(":")))
          .filter((operator) => operator !== "_");
      expect(operators("0.41")).toEqual(LIST_OF_TEXT);
      expect(operators("0.42")).toEqual(LIST);
    },
  );
});

describe("a filter", () => {
  test("ends with _change_block, and, or", () => {
    const schema = deriveFrom("type Stream @entity { paused: Boolean id: ID! }");
    expect(shapeOf(schema, "Stream_filter").slice(0, 4)).toEqual([
      "paused: Boolean",
      "paused_not: Boolean",
      "paused_in: [Boolean!]",
      "paused_not_in: [Boolean!]",
    ]);
    expect(shapeOf(schema, "Stream_filter").slice(-3)).toEqual([
      "_change_block: BlockChangedFilter",
      "and: [Stream_filter]",
      "or: [Stream_filter]",
    ]);
  });

  test("has no `and` and `or` if the operator disabled them", () => {
    const schema = deriveFrom("type Stream @entity { id: ID! }", { boolFilters: false });
    expect(shapeOf(schema, "Stream_filter").at(-1)).toBe("_change_block: BlockChangedFilter");
  });

  test("describes only `_change_block`", () => {
    const schema = deriveFrom('"d" type Stream @entity { "d" id: ID! }');
    const filter = schema.types.find((type) => type.name === "Stream_filter");
    if (filter?.kind !== "INPUT_OBJECT") throw new Error("no filter");
    expect(filter.description).toBeNull();
    expect(filter.fields.filter((field) => field.description !== null)).toEqual([
      {
        name: "_change_block",
        description: "Filter for the block changed event.",
        type: "BlockChangedFilter",
        defaultValue: null,
      },
    ]);
  });

  test("lists an operator twice if two fields produce the same name", () => {
    const schema = deriveFrom("type Stream @entity { id: ID! x: Boolean x_not: Boolean }");
    expect(filtersOf(schema, "Stream", "x_not")).toEqual([
      "x_not: Boolean",
      "x_not_in: [Boolean!]",
      "x_not: Boolean",
      "x_not_not: Boolean",
      "x_not_in: [Boolean!]",
      "x_not_not_in: [Boolean!]",
    ]);
  });

  test("of an interface has the interface's own fields only", () => {
    const schema = deriveFrom(`
      interface Party { id: Bytes! name: String streams: [Stream!]! @derivedFrom(field: "party") }
      type Account implements Party @entity {
        id: Bytes! name: String streams: [Stream!]! @derivedFrom(field: "party") extra: Int
      }
      type Stream @entity { id: ID! party: Party! }
    `);
    expect(filtersOf(schema, "Party", "streams")).toEqual(["streams_: Stream_filter"]);
    expect(filtersOf(schema, "Party", "extra")).toEqual([]);
    expect(filtersOf(schema, "Account", "extra")).toHaveLength(8);
  });
});

describe("the filter of an aggregation", () => {
  const schema = deriveFrom(
    `enum Kind { A B }
     type Token @entity { id: Int8! }
     type Data @entity(timeseries: true) {
       id: Int8! timestamp: Timestamp! token: Token! kind: Kind name: String bytes: Bytes flag: Boolean tags: [String!] amount: BigDecimal!
     }
     type Stats @aggregation(intervals: ["hour", "day"], source: "Data") {
       id: Int8! timestamp: Timestamp!
       total: BigDecimal! @aggregate(fn: "sum", arg: "amount")
       token: Token! kind: Kind name: String bytes: Bytes flag: Boolean tags: [String!] amount: BigDecimal!
     }`,
    { release: "0.44" },
  );

  const comparisons = (type: string) =>
    ["", "_gt", "_lt", "_gte", "_lte"].map((operator) => [operator, type]);
  test.each([
    ["id", [...comparisons("Int8"), ["_in", "[Int8!]"]]],
    ["timestamp", [...comparisons("Timestamp"), ["_in", "[Timestamp!]"]]],
    ["amount", [...comparisons("BigDecimal"), ["_in", "[BigDecimal!]"]]],
    ["name", [["", "String"]]],
    ["bytes", [["", "Bytes"]]],
    ["flag", [["", "Boolean"]]],
    ["token", [...comparisons("Int"), ["_in", "[Int!]"], ["_", "Token_filter"]]],
    [
      "kind",
      [
        ["", "Kind"],
        ["_not", "Kind"],
        ["_in", "[Kind!]"],
        ["_not_in", "[Kind!]"],
      ],
    ],
    ["tags", LIST_OF_TEXT.map((operator) => [operator, "[String!]"])],
    ["total", []],
  ])("%s", (field, operators) => {
    expect(filtersOf(schema, "Stats", field)).toEqual(
      operators.map(([operator, type]) => `${field}${operator}: ${type}`),
    );
  });

  test("ends with _change_block, and, or", () => {
    expect(shapeOf(schema, "Stats_filter").slice(-3)).toEqual([
      "_change_block: BlockChangedFilter",
      "and: [Stats_filter]",
      "or: [Stats_filter]",
    ]);
  });
});
