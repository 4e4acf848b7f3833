import { describe, expect, it } from "vitest";
import { parseRows } from "../../../emulator/custom/parse-rows.ts";
import { servedStyles } from "../../../emulator/styles/index.ts";
import { EmulatorError } from "../../../src/base/errors.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import type { StyleName } from "../../../src/dialects/surface.ts";

const ENTITIES = `
  enum Kind { A B }
  interface Party { id: Bytes! }
  type Thing @entity {
    id: ID!  text: String  bytes: Bytes  int: Int  int8: Int8  big: BigInt  decimal: BigDecimal  float: Float
    flag: Boolean  at: Timestamp  json: Json  kind: Kind  list: [BigInt!]  kinds: [Kind!]  party: Party  note: Note
    notes: [Note!]  needed: String!  mine: [Note!]! @derivedFrom(field: "thing")
  }
  type Note implements Party @entity { id: Bytes!  thing: Thing }
  type Count @entity { id: Int!  of: Count }
  type Tick @entity(timeseries: true) { id: Int8!  timestamp: Timestamp!  n: Int! }
  type Sum @aggregation(intervals: ["hour"], source: "Tick") {
    id: Int8!  timestamp: Timestamp!  n: Int! @aggregate(fn: "sum", arg: "n")
  }
`;
const MODEL = parseEntities(ENTITIES, "entities.graphql");
const parse = (rows: unknown, style: StyleName = "subgraph") =>
  parseRows(rows, { model: MODEL, style: servedStyles[style], place: "rows.json" });
const thing = (fields: object) => ({ Thing: [{ id: "a", needed: "", ...fields }] });

function problems(rows: unknown): readonly string[] {
  try {
    parse(rows);
    return [];
  } catch (error) {
    if (error instanceof EmulatorError && error.code === "EMULATOR_ROWS_INVALID") return error.context;
    throw error;
  }
}

describe("a value", () => {
  it.each<[field: string, given: unknown, want: unknown, style?: StyleName]>([
    ["text", "", ""],
    ["text", null, null],
    ["bytes", "0xABcd", "0xabcd"],
    ["bytes", "0xABcd", "0xABcd", "multichain"],
    ["bytes", "0x", "0x"],
    ["int", -0, 0],
    ["int", 2147483647, 2147483647],
    ["int8", "9223372036854775807", "9223372036854775807"],
    ["int8", 5, "5"],
    ["big", "-0012", "-12"],
    ["big", 9007199254740991, "9007199254740991"],
    ["big", "123456789012345678901234567890", "123456789012345678901234567890"],
    ["decimal", "1.50", "1.50"],
    ["decimal", "1e3", "1e3"],
    ["decimal", 1.5, "1.5"],
    ["float", 1.5, 1.5],
    ["float", "1.5e3", 1500],
    // JSON has no such numbers.
    ["float", "NaN", Number.NaN],
    ["float", "-Infinity", Number.NEGATIVE_INFINITY],
    ["float", "-0", -0],
    ["flag", false, false],
    ["at", "1700000000000001", "1700000000000001"],
    ["at", 1700000000000001, "1700000000000001"],
    ["at", "2023-11-14T22:13:20Z", "1700000000000000"],
    ["at", "2023-11-14 22:13:20.123456", "1700000000123456"],
    ["at", "2023-11-15T00:13:20.1+02:00", "1700000000100000"],
    ["at", "1970-01-01", "0"],
    ["at", "1969-12-31T23:59:59.5Z", "-500000"],
    ["at", "2024-06-30T23:59:60+00", "1719792000000000"],
    ["at", "1970-01-01T00:00:00.1234567Z", "123457"],
    ["json", { a: [1, null] }, '{"a":[1,null]}'],
    ["json", "text", '"text"'],
    ["kind", "B", "B"],
    ["list", ["1", 2], ["1", "2"]],
    ["kinds", ["A"], ["A"]],
    ["party", "0xAA", "0xaa"],
    ["note", "0xAA", "0xaa"],
    ["notes", ["0xAA"], ["0xaa"]],
  ])("of %s: %j is parsed as %j", (field, value, want, style) => {
    expect(parse(thing({ [field]: value }), style)[0]?.tables.get("Thing")?.[0]?.[field]).toEqual(want);
  });

  it.each<[field: string, given: unknown, want: string]>([
    ["text", 1, "has to be a string, not 1"],
    ["text", "\u0000", String.raw`has to be a string, not "\u0000"`],
    ["bytes", "0xabc", 'has to be hex in a string, 0x and two digits a byte, not "0xabc"'],
    ["bytes", "abcd", 'has to be hex in a string, 0x and two digits a byte, not "abcd"'],
    ["int", 2147483648, "has to be a whole number of 32 bits, not 2147483648"],
    ["int", 1.5, "has to be a whole number of 32 bits, not 1.5"],
    ["int", "1", 'has to be a whole number of 32 bits, not "1"'],
    ["int8", "9223372036854775808", "has to be a whole number of 64 bits in a string"],
    ["big", 9007199254740992, "has to be a whole number in a string, not 9007199254740992"],
    ["big", "1.5", "has to be a whole number in a string"],
    ["big", "0x10", "has to be a whole number in a string"],
    ["decimal", "1,5", "has to be a decimal number in a string"],
    ["float", "1,5", "has to be a number"],
    ["float", "1e999", "has to be a number"],
    ["float", "", "has to be a number"],
    ["flag", 1, "has to be true or false, not 1"],
    ["at", "2023-02-30", "has to be microseconds in a string or an ISO 8601 time"],
    ["at", "soon", "has to be microseconds in a string or an ISO 8601 time"],
    ["kind", "C", 'has to be one of A, B, not "C"'],
    ["list", "1", 'has to be a list, [BigInt!], not "1"'],
    ["list", ["1", null], "item 1 is missing, though its type is BigInt!"],
    ["list", ["1", []], "item 1 has to be a whole number in a string, not []"],
    ["note", { id: "0x" }, "refers to Note by its id, which has to be hex in a string"],
    ["mine", [], "is derived, so it cannot have a value"],
    ["needed", null, "is missing, though its type is String!"],
  ])("of %s: %j is refused", (field, value, want) => {
    const [only, ...more] = problems(thing({ [field]: value }));
    expect(only).toMatch(`Thing[0].${field}: ${want}`);
    expect(more).toEqual([]);
  });

  it("null of a required Json field is stored as JSON null", () => {
    const model = parseEntities("type Doc { id: ID!  body: Json!  more: Json }", "entities.graphql");
    const place = { model, style: servedStyles.multichain, place: "rows.json" };
    const docs = (body: object) => parseRows({ Doc: [{ id: "a", ...body }] }, place);
    const [first] = docs({ body: null, more: null });
    expect(first?.tables.get("Doc")).toEqual([{ id: "a", body: "null", more: null }]);
    expect(() => docs({})).toThrow("Doc[0].body: is missing, though its type is Json!");
  });

  it("of a missing optional field is null", () => {
    expect(parse(thing({}))[0]?.tables.get("Thing")?.[0]).toMatchObject({
      text: null,
      notes: null,
      needed: "",
    });
  });

  it("of an Int id may be a number, also in a reference", () => {
    const rows = [{ id: 1, of: 2 }];
    expect(parse({ Count: rows }, "multichain")[0]?.tables.get("Count")).toEqual(rows);
  });
});

describe("rows", () => {
  it.each<[unknown, string[]]>([
    [{ Thng: [] }, ['there is no entity "Thng", did you mean "Thing"?']],
    [{ Party: [] }, ["Party: is an interface; its rows are those of what implements it"]],
    [{ Kind: [] }, ['there is no entity "Kind"']],
    [thing({ flagg: true }), ['Thing[0]: there is no field "flagg", did you mean "flag"?']],
    [thing({ constructor: 1 }), ['Thing[0]: there is no field "constructor"']],
    [{ Thing: {} }, ["Thing: has to be a list"]],
    [{ Thing: [1] }, ["Thing[0]: has to be an object"]],
    [null, ["has to be an object from entity to list"]],
    [{ Note: [{ id: "0xAA" }, { id: "0xaa" }] }, ['Note[1].id: "0xaa" is there twice']],
    [
      { Note: [{}], Thing: [{ id: 1 }] },
      [
        "Note[0].id: is missing, though its type is Bytes!",
        "Thing[0].id: has to be a string, not 1",
        "Thing[0].needed: is missing, though its type is String!",
      ],
    ],
  ])("%j are refused", (rows, want) => {
    expect(problems(rows)).toEqual(want);
  });

  it("of an aggregation may have an interval", () => {
    const sums = (interval: string) => [{ id: "1", timestamp: "0", n: 1, interval }];
    expect(parse({ Sum: sums("hour") })[0]?.tables.get("Sum")).toEqual(sums("hour"));
    const want = ['Sum[0].interval: has to be one of hour, day, not "week"'];
    expect(problems({ Sum: sums("week") })).toEqual(want);
  });

  it("with dangling references are accepted", () => {
    expect(problems(thing({ note: "0x11" }))).toEqual([]);
  });

  it("with very many problems report the first 50", () => {
    const lines = problems({ Note: Array.from({ length: 200 }, () => ({})) });
    expect(lines).toHaveLength(51);
    expect(lines.at(-1)).toBe("and 150 more");
  });
});

describe("blocks", () => {
  it("of rows without blocks are the one that writes them and the head", () => {
    const blocks = parse(thing({})).map(({ number, tables }) => `${number}: ${[...tables.keys()]}`);
    expect(blocks).toEqual(["1: Thing", "1000: "]);
  });

  it.each<[unknown, string[]]>([
    [[], ["has no block"]],
    [[{ rows: {} }], ["[0].block: has to be the number of a block, not undefined"]],
    [[{ block: -1 }], ["[0].block: has to be the number of a block, not -1"]],
    [[{ block: 2 }, { block: 2 }], ["[1].block: 2 is not after 2"]],
    [[{ block: 1, row: {} }], ['[0]: there is no key "row", did you mean "rows"?']],
    [
      [{ block: 7, rows: { Note: [{ id: 1 }] } }],
      ["block 7, Note[0].id: has to be hex in a string, 0x and two digits a byte, not 1"],
    ],
    [
      [{ block: 7, rows: { Note: [{ id: "0x01" }] }, deleted: { Note: ["0x01"] } }],
      ['block 7, deleted Note[0]: "0x01" is written in the same block'],
    ],
    [
      [{ block: 7, deleted: { Noet: [] } }],
      ['block 7, deleted there is no entity "Noet", did you mean "Note"?'],
    ],
  ])("%j are refused", (rows, want) => {
    expect(problems(rows)).toEqual(want);
  });
});
