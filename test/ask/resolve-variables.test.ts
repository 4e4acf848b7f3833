import { buildSchema, Kind, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { findPlaces } from "../../src/ask/time-places.ts";
import { parseVariables, resolveVariables } from "../../src/ask/variables.ts";
import { LockflowError } from "../../src/base/errors.ts";
import { styles } from "../../src/dialects/index.ts";
import { catchError } from "../support/catch-error.ts";

const SCHEMA = buildSchema(`
  scalar BigInt scalar Bytes scalar BigDecimal scalar Timestamp scalar numeric scalar jsonb scalar category
  scalar Int8
  enum OrderDirection { asc desc }
  input Stream_filter { id: ID amount_gt: BigInt amount_in: [BigInt!] sender: Bytes or: [Stream_filter!] asset_: Asset_filter cancelable: Boolean
    timestamp_gte: BigInt timestamp_lt: BigInt timestamp_not_in: [BigInt!] cliffTime: BigInt batch_: Batch_filter endTime_gt: Int }
  input Asset_filter { symbol: String! }
  input Batch_filter { timestamp_gt: BigInt endTime_gt: BigInt }
  input numeric_comparison_exp { _gte: numeric _in: [numeric!] _is_null: Boolean }
  input Stream_bool_exp { timestamp: numeric_comparison_exp depositAmount: numeric_comparison_exp _not: Stream_bool_exp _and: [Stream_bool_exp!] batch: Batch_bool_exp }
  input Batch_bool_exp { timestamp: numeric_comparison_exp }
  type Stream { id: ID actions(where: Stream_filter): [Stream!] }
  type Query { a(b: Float): Int streams(where: Stream_filter, from: BigInt): [Stream!] Stream(where: Stream_bool_exp): [Stream!] }
`);

/** 2026-01-31T12:00:00.900Z */
const NOW = 1_769_860_800_900;
const TIMES = [
  { entity: "*", field: "timestamp" },
  { entity: "Stream", field: "cliffTime" },
  { entity: "Stream", field: "endTime" },
];

const HUGE = "115792089237316195423570985008687907853269984665640564039457584007913129639935";

type Given = {
  readonly json?: string;
  readonly style?: "subgraph" | "multichain";
  readonly selection?: string;
  readonly keepsCase?: boolean;
};

function resolve(
  declared: string,
  texts: readonly string[],
  { json, style = "subgraph", selection = "a", keepsCase = false }: Given = {},
) {
  const [node] = parse(`query Ask(${declared}) { ${selection} }`).definitions;
  if (node?.kind !== Kind.OPERATION_DEFINITION) throw new TypeError("no operation");
  return resolveVariables(
    { texts, values: json === undefined ? {} : parseVariables(json) },
    {
      node,
      schema: SCHEMA,
      scalars: styles[style].scalars,
      others: ["chainIds"],
      now: NOW,
      keepsCase,
      placeOf: findPlaces(
        { node, fragments: [], schema: SCHEMA },
        { filters: styles[style].filters, times: TIMES },
      ),
    },
  );
}

function refusal(action: () => unknown): string {
  const error = catchError(action);
  expect(error).toBeInstanceOf(LockflowError);
  return error.message;
}

describe("a variable of the command line", () => {
  it.each<[type: string, text: string, want: unknown]>([
    ["Int", "20", 20],
    ["Int!", "-7", -7],
    ["Boolean!", "true", true],
    ["Boolean", "false", false],
    ["String!", "a=b, c", "a=b, c"],
    ["String!", "20", "20"],
    ["String!", "null", "null"],
    ["String!", "", ""],
    ["ID!", "LL-1-1", "LL-1-1"],
    ["ID!", "7", "7"],
    ["Bytes!", "0xABcd", "0xABcd"],
    ["BigInt!", HUGE, HUGE],
    ["BigInt!", "-5", "-5"],
    ["BigDecimal!", "1.10", "1.10"],
    ["Float", "1.5", 1.5],
    ["Timestamp", "1700000000000000", "1700000000000000"],
    ["OrderDirection", "desc", "desc"],
    ["[String!]!", "a,b, c", ["a", "b", "c"]],
    ["[String!]!", '["a,b"]', ["a,b"]],
    ["[BigInt!]", `1,${HUGE}`, ["1", HUGE]],
    ["[BigInt!]", `[1, ${HUGE}]`, ["1", HUGE]],
    ["[Int!]", "1,2", [1, 2]],
    ["[ID!]!", "", []],
    ["[[Int!]!]", "[[1],[2]]", [[1], [2]]],
    ["Stream_filter", `{"amount_gt": ${HUGE}, "or": [{"id": 5}]}`, { amount_gt: HUGE, or: [{ id: "5" }] }],
  ])("of the type %s: %j", (type, text, want) => {
    expect(resolve(`$x: ${type}`, [`x=${text}`])).toEqual({ x: want });
  });

  it.each<[type: string, text: string, want: unknown]>([
    ["numeric!", HUGE, HUGE],
    ["category", "Claim", "Claim"],
    ["jsonb", '{"a": [1, 12345678901234567890]}', { a: [1, "12345678901234567890"] }],
  ])("of the type %s of the other style: %j", (type, text, want) => {
    expect(resolve(`$x: ${type}`, [`x=${text}`], { style: "multichain" })).toEqual({ x: want });
  });

  it("can be written with a $", () => {
    expect(resolve("$first: Int", ["$first=1"])).toEqual({ first: 1 });
  });
});

describe("a time", () => {
  /** Reads a value of a variable that is compared in a selection of multichain, `Stream`, or of a subgraph. */
  const ask = (type: string, value: string, where: string) => {
    const selection = where.endsWith("}") ? where : `${where} { id }`;
    const style = where.startsWith("Stream") ? "multichain" : "subgraph";
    return resolve(`$x: ${type}`, [`x=${value}`], { style, selection }).x;
  };
  const NO_TIME = "$x is not compared with times";
  const AFTER = "streams(where: { timestamp_gte: $x })";

  it.each<[text: string, want: string]>([
    ["2025-04-01", "1743465600"],
    ["2025-04-01T12:00Z", "1743508800"],
    ["2025-04-01T12:00:30Z", "1743508830"],
    ["2025-04-01T12:00+02:00", "1743501600"],
    ["2024-02-29", "1709164800"],
    ["1969-12-31", "-86400"],
    ["now", "1769860800"],
    ["-7d", "1769256000"],
    ["-12h", "1769817600"],
    ["-30m", "1769859000"],
    ["-2w", "1768651200"],
    ["+1d", "1769947200"],
    ["1743465600", "1743465600"],
    ["-5", "-5"],
  ])("can be written as %s", (text, want) => {
    expect(ask("BigInt", text, AFTER)).toBe(want);
  });

  const day = "1743465600";
  const WEEK_AGO = "1769256000";

  it.each<[type: string, value: string, selection: string, want: unknown]>([
    ["BigInt", "2025-04-01", "streams(where: { or: [{ cliffTime: $x }, { timestamp_lt: $x }] })", day],
    ["[BigInt!]", "2025-04-01,5", "streams(where: { timestamp_not_in: $x })", [day, "5"]],
    ["Int", "2025-04-01", "streams(where: { endTime_gt: $x })", Number(day)],
    ["BigInt", "2025-04-01", "streams { actions(where: { batch_: { timestamp_gt: $x } }) { id } }", day],
    [
      "Stream_filter",
      '{ "timestamp_gte": "2025-04-01", "or": [{ "timestamp_not_in": ["-7d", 3] }], "batch_": { "timestamp_gt": "now" } }',
      "streams(where: $x)",
      {
        timestamp_gte: day,
        or: [{ timestamp_not_in: [WEEK_AGO, "3"] }],
        batch_: { timestamp_gt: "1769860800" },
      },
    ],
    ["numeric", "2025-04-01", "Stream(where: { timestamp: { _gte: $x } })", day],
    ["[numeric!]", "2025-04-01,-7d", "Stream(where: { _not: { timestamp: { _in: $x } } })", [day, WEEK_AGO]],
    ["numeric_comparison_exp", '{ "_gte": "2025-04-01" }', "Stream(where: { timestamp: $x })", { _gte: day }],
    [
      "Stream_bool_exp",
      '{ "_and": [{ "batch": { "timestamp": { "_gte": "2025-04-01", "_is_null": false } } }] }',
      "Stream(where: $x)",
      { _and: [{ batch: { timestamp: { _gte: day, _is_null: false } } }] },
    ],
  ])("can be of type %s: %s", (type, value, selection, want) => {
    expect(ask(type, value, selection)).toEqual(want);
  });

  it.each<[type: string, value: string, selection: string, want: string]>([
    ["BigInt", "2025-02-30", AFTER, "$x must be a time; got"],
    ["BigInt", "2025-04-01T12:00", AFTER, "$x must be a time; got"],
    ["BigInt", "-7y", AFTER, "Hint: write 2025-04-01, 2025-04-01T12:00Z"],
    ["BigInt", "2025-04-01", "streams(where: { amount_gt: $x })", NO_TIME],
    ["BigInt", "now", "streams(from: $x)", NO_TIME],
    // In one of its places, the variable is an amount.
    ["BigInt", "-7d", "streams(where: { amount_gt: $x, timestamp_gte: $x })", NO_TIME],
    ["BigInt", "-7d", "streams(where: { batch_: { endTime_gt: $x } })", NO_TIME],
    ["Stream_filter", '{ "amount_gt": "now" }', "streams(where: $x)", "$x.amount_gt is not compared with"],
    [
      "Stream_bool_exp",
      '{ "depositAmount": { "_gte": "now" } }',
      "Stream(where: $x)",
      "depositAmount._gte is",
    ],
  ])("is rejected as a value of %s: %s in %s", (type, value, selection, want) => {
    expect(refusal(() => ask(type, value, selection))).toContain(want);
  });
});

describe("an address", () => {
  const ADDRESS = "0x4DFACD7d72F26E34A31C308638226f6B56822170";
  const HASH = `0x${"aB".repeat(32)}`;

  it.each<[type: string, text: string]>([
    ["Bytes", ADDRESS],
    ["ID", `${ADDRESS}-8453-1`],
    ["String", `asset-8453-${ADDRESS}`],
    ["String", `batch-8453-${HASH}-${ADDRESS}`],
    ["Stream_filter", JSON.stringify({ sender: ADDRESS, or: [{ id: `${ADDRESS}-8453-1` }] })],
  ])("is sent in lower case as %s: %s", (type, text) => {
    const lower = text.replaceAll(/0x[\da-f]+/gi, (found) => found.toLowerCase());
    expect(resolve(`$x: ${type}`, [`x=${text}`])).toEqual({
      x: type === "Stream_filter" ? JSON.parse(lower) : lower,
    });
  });

  it("keeps its case if indexers may store it with a checksum", () => {
    const given = { style: "multichain", keepsCase: true } as const;
    expect(resolve("$x: String", [`x=${ADDRESS}`], given)).toEqual({ x: ADDRESS });
  });

  it.each(["LL-8453-1", "0xAB", `${ADDRESS}A`, `the token ${ADDRESS}`, `A${ADDRESS}`])(
    "is not changed in other text: %s",
    (text) => expect(resolve("$x: String", [`x=${text}`])).toEqual({ x: text }),
  );
});

describe("a value of the wrong type", () => {
  const QUOTED = `\nHint: quote it for the shell, as in --var 'where={"id": "1"}'.`;

  it.each<[type: string, text: string, want: string]>([
    ["Int", "abc", '$x must be of type Int; got "abc".'],
    ["Int", "1.5", "Int; got 1.5."],
    ["Int", "2147483648", "Int; got 2147483648."],
    ["Int", "", 'Int; got "".'],
    ["Boolean", "yes", 'Boolean; got "yes".'],
    ["BigInt", "a lot", 'BigInt; got "a lot".'],
    ["OrderDirection", "dessc", 'OrderDirection; got "dessc".\nHint: did you mean "desc"?'],
    ["[Int!]", "1,b", '$x[1] must be of type Int; got "b".'],
    ["[Int!]", "[1,null]", "$x[1] must be of type Int!; got null."],
    ["[String!]", "[20]", "$x[0] must be of type String; got 20."],
    ["[Int!]!", "[1", `$x of type [Int!] must be JSON; got [1${QUOTED}`],
    ["Stream_filter", "abc", `$x of type Stream_filter must be JSON; got abc${QUOTED}`],
    ["Stream_filter", "[]", "got a list.\nHint: write it as an object in JSON."],
    ["Stream_filter", '{"amount_gt": true}', "$x.amount_gt must be of type BigInt; got true."],
    ["Stream_filter", '{"cancelable": 1}', "Boolean; got 1.\nHint: write true or false."],
    ["Stream_filter", '{"asset_": {}}', 'Asset_filter; got an object.\nHint: "symbol" is required.'],
    [
      "Stream_filter",
      '{"amont_gt": 1}',
      'Unknown field "amont_gt" of Stream_filter in $x.\nHint: did you mean',
    ],
    [
      "Stream_filter",
      '{"__proto__": {}}',
      'Unknown field "__proto__" of Stream_filter in $x.\nHint: Stream_',
    ],
    [
      "Stream_filter",
      `${'{"or":['.repeat(600)}${"]}".repeat(600)}`,
      "$x of type Stream_filter must be JSON; ",
    ],
  ])("%s: %.50j", (type, text, want) => {
    expect(refusal(() => resolve(`$x: ${type}`, [`x=${text}`]))).toContain(want);
  });
});

describe("variables of a file", () => {
  it("keep every digit of a number", () => {
    const json = `\uFEFF{ "amount": ${HUGE}, "part": 1.10, "first": 20, "text": "1 \\" {2}", "where": { "amount_in": [9007199254740993] } }`;
    const declared =
      "$amount: BigInt!, $part: BigDecimal!, $first: Int, $text: String, $where: Stream_filter";
    expect(resolve(declared, [], { json })).toEqual({
      amount: HUGE,
      part: "1.10",
      first: 20,
      text: '1 " {2}',
      where: { amount_in: ["9007199254740993"] },
    });
  });

  it("are overridden by the command line, and null is omitted", () => {
    const json = '{ "a": 5, "b": 6, "c": null }';
    expect(resolve("$a: Int, $b: Int, $c: Int", ["a=1"], { json })).toEqual({ a: 1, b: 6 });
  });

  it.each(["[]", "12", "null", '"a"', "{", "{}x", "["])("throw if they are not an object: %s", (json) => {
    expect(refusal(() => resolve("$a: Int", [], { json }))).toContain("--variables must be a JSON object.");
  });
});

describe("the variables of an operation", () => {
  it.each<[texts: string[], want: string]>([
    [["sendr=0x"], "Ask has no variable $sendr.\nHint: did you mean $sender?"],
    [["q=0x"], "Ask has no variable $q.\nHint: it has $sender: Bytes!, $first: Int."],
    [["sender=0x", "sender=0x"], "--var gives $sender twice."],
    [["first=1"], "Ask needs a value for $sender: Bytes!.\nHint: add --var sender=…"],
    [["sender"], '--var must be name=value; got "sender".\nHint: write, for example, --var first=20.'],
    [["=0x"], '--var must be name=value; got "=0x".\nHint: write, for example, --var first=20.'],
  ])("are rejected: %j", (texts, want) => {
    expect(refusal(() => resolve("$sender: Bytes!, $first: Int", texts))).toBe(want);
  });

  it("that Lockflow adds itself are not required", () => {
    expect(resolve("$chainIds: [numeric!]!, $first: Int! = 5", [])).toEqual({});
  });
});
