import { describe, expect, test } from "vitest";
import { asker, HEAD_TIME, idsFor, messagesOf, readMarks } from "./support.ts";

const HOUR = 3600;

/** The start of the head block's hour, which is incomplete. */
const now = HEAD_TIME - (HEAD_TIME % HOUR);
const micros = (seconds: number) => `${seconds}000000`;

const PRICES = `
  type Price @entity(timeseries: true) { id: Int8!  timestamp: Timestamp!  token: String!  price: BigDecimal! }
  type Candle @aggregation(intervals: ["hour", "day"], source: "Price") {
    id: Int8!
    timestamp: Timestamp!
    token: String!
    high: BigDecimal! @aggregate(fn: "max", arg: "price")
  }
`;
const candle = (id: string, timestamp: number, high: string, interval?: string) => ({
  id,
  timestamp: micros(timestamp),
  token: "X",
  high,
  ...(interval === undefined ? {} : { interval }),
});
const ask = asker(PRICES, {
  Candle: [
    candle("9", now - HOUR, "1.50", "hour"),
    candle("10", now - HOUR, "3", "hour"),
    candle("11", now - 2 * HOUR, "2", "hour"),
    candle("12", now, "9", "hour"),
    candle("13", now - 48 * HOUR, "4", "day"),
    candle("14", now - 12 * HOUR, "5", "day"),
    candle("15", now - 96 * HOUR, "6"),
  ],
});
const ids = (args: string, of = ask) => idsFor(of, "candles", args);

describe("aggregations", () => {
  test.each<[name: string, args: string, ids: readonly string[]]>([
    ["newest first, ties by id descending", "interval: hour", ["10", "9", "11", "15"]],
    ["rows of the other interval", "interval: day", ["13", "15"]],
    ["the enum as a string", 'interval: "day"', ["13", "15"]],
    ["with the current bucket", "interval: hour, current: include", ["12", "10", "9", "11", "15"]],
    ["without the current bucket", "interval: hour, current: exclude", ["10", "9", "11", "15"]],
    ["with the current day", "interval: day, current: include", ["14", "13", "15"]],
    ["orderBy an aggregate", "interval: hour, orderBy: high", ["9", "11", "10", "15"]],
    ["orderBy descending", "interval: hour, orderBy: high, orderDirection: desc", ["15", "10", "11", "9"]],
    ["orderDirection alone is ignored", "interval: hour, orderDirection: asc", ["10", "9", "11", "15"]],
    ["range", "interval: hour, first: 2, skip: 1", ["9", "11"]],
    ["a filter", `interval: hour, where: { timestamp_lt: "${micros(now - HOUR)}" }`, ["11", "15"]],
    ["a filter of a list", 'interval: hour, where: { id_in: [9, "11"] }', ["9", "11"]],
  ])("%s", (_, args, expected) => expect(ids(args)).toEqual(expected));

  /** Serves sums of sales with more fields of the sums, and a shop. */
  const shops = (field: string, more: string, shop = "") =>
    asker(
      `type Sale @entity(timeseries: true) { id: Int8!  timestamp: Timestamp!  ${field}  price: Int! }
       type Shop @entity { id: ID!  name: String  ${shop} }
       type Sum @aggregation(intervals: ["hour"], source: "Sale") {
         id: Int8!  timestamp: Timestamp!  ${field}  sum: Int! @aggregate(fn: "sum", arg: "price")
       } ${more}`,
      { Shop: [{ id: "s", name: null }] },
    );
  const sales = shops("shop: Shop", "", 'sums: [Sum!]! @derivedFrom(field: "shop")');

  test("an unsupported order is reported with the name of the interval's table", () => {
    const kinds = shops("kind: Kind!", "enum Kind { A B }");
    expect(messagesOf(kinds("{ sums(interval: hour, orderBy: kind) { id } }"))).toEqual([
      "Ordering by `kind` is not supported for type `Sum_hour`",
    ]);
  });

  const panic = "panic processing query: we only collect fields that are objects or interfaces";
  const wrongNull = "Invalid value provided for argument `current`: Null";
  const wrongFirst = "The `first` argument must be between 0 and 1000, but is 0";
  test.each([
    ["{ shops(first: 0) { id } sums(interval: day) { id } }", panic],
    ["{ shops { sums(interval: day, current: null) { id } } }", panic],
    ["{ shops(first: 0) { id } sums(interval: hour, current: null) { id } }", wrongNull],
    [
      "{ a: shops(first: 0) { id } shops { sums(interval: hour, current: null) { id } } }",
      wrongFirst,
      wrongNull,
    ],
  ])("an interval without a table, or null for current: %s", (query, ...messages) => {
    expect(messagesOf(sales(query))).toEqual(messages);
  });
  test("null for current has a location", () => {
    const { query, locations } = readMarks("{ ¦sums(interval: hour, current: null) { id } }");
    expect(sales(query).errors?.[0]?.locations).toEqual(locations);
  });
  test("an interval without a table fails only the fields of its block", () => {
    expect(sales("{ shops(block: { number: 8 }) { id } sums(interval: day) { id } }")).toEqual({
      data: { shops: [{ id: "s" }] },
      errors: [{ message: panic }],
    });
  });

  test.each([
    [
      "{ shops { sums(interval: hour, current: include) { id } } }",
      "current aggregation bucket is not supported for Parent-linked nested queries",
    ],
    [
      "{ sums(interval: hour, current: include, orderBy: shop__name) { id } }",
      'missing FROM-clause entry for table "i1"',
    ],
  ])("current: include fails in a nested list, or with an order by a reference: %s", (query, reason) => {
    expect(messagesOf(sales(query))).toEqual([`Failed to get entities from store: ${reason}`]);
    expect(messagesOf(sales(query.replace("include", "exclude")))).toEqual(["(there was data)"]);
  });
  test.each([
    ['where: { sum_: { id: "1" } }', "Filter must by an object"],
    ["orderBy: sum__timestamp", "Failed to resolve named type `Sum`"],
  ])("a reference to an aggregation cannot be followed: %s", (args, message) => {
    const answer = shops("kind: Int", "", "sum: Sum")(`{ shops(${args}) { id } }`);
    expect(messagesOf(answer)).toEqual([message]);
  });
  test("interval is required", () => {
    expect(messagesOf(ask("{ candles { id } }"))).toEqual([
      "No value provided for required argument: `interval`",
    ]);
    expect(messagesOf(ask("{ candles(interval: week) { id } }"))).toEqual([
      'Invalid value provided for argument `interval`: Enum("week")',
    ]);
  });
  test("scalars of an aggregation", () => {
    expect(ask("{ candles(interval: hour, first: 2) { id timestamp high __typename } }")).toEqual({
      data: {
        candles: [
          { id: "10", timestamp: micros(now - HOUR), high: "3", __typename: "Candle" },
          { id: "9", timestamp: micros(now - HOUR), high: "1.5", __typename: "Candle" },
        ],
      },
    });
  });
  test("before v0.42 the argument `current` is ignored and the current bucket is excluded", () => {
    const rows = { Candle: [candle("1", now, "1"), candle("2", now - HOUR, "1")] };
    const old = asker(PRICES, rows, { release: "0.41" });
    expect(ids("interval: hour, current: include", old)).toEqual(["2"]);
  });
  test("rows with a future timestamp are not in the current bucket", () => {
    const later = asker(PRICES, { Candle: [candle("1", now + HOUR, "1"), candle("2", now, "1")] });
    expect(ids("interval: hour", later)).toEqual(["1"]);
  });
  test("the current bucket depends on the queried block", () => {
    const past = "interval: hour, block: { number: 5 }";
    const start = HEAD_TIME - 60;
    const open = asker(PRICES, { Candle: [candle("1", start - (start % HOUR), "1")] });
    expect(ids(past, open)).toEqual([]);
    expect(ids(`${past}, current: include`, open)).toEqual(["1"]);
  });
  test("an aggregation's own field `interval` does not select rows", () => {
    const own = asker(PRICES.replace("high:", "interval: String!  high:"), {
      Candle: [candle("1", now - HOUR, "1", "week")],
    });
    expect(ids("interval: hour", own)).toEqual(["1"]);
  });
});
