import { buildSchema, Kind, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { LockflowError } from "../../../src/base/errors.ts";
import { styles } from "../../../src/dialects/index.ts";
import { parseVariables, resolveVariables } from "../../../src/tasks/ask/variables.ts";
import { catchError } from "../../support/catch-error.ts";

const SCHEMA = buildSchema(`
  scalar BigInt scalar Bytes scalar BigDecimal scalar Timestamp scalar numeric scalar jsonb scalar category
  enum OrderDirection { asc desc }
  input Stream_filter { id: ID amount_gt: BigInt amount_in: [BigInt!] sender: Bytes or: [Stream_filter!] asset_: Asset_filter cancelable: Boolean }
  input Asset_filter { symbol: String! }
  type Query { a(b: Float): Int }
`);

const HUGE = "115792089237316195423570985008687907853269984665640564039457584007913129639935";

function resolve(
  declared: string,
  texts: readonly string[],
  json: string | null = null,
  style: "subgraph" | "multichain" = "subgraph",
) {
  const [node] = parse(`query Ask(${declared}) { a }`).definitions;
  if (node?.kind !== Kind.OPERATION_DEFINITION) throw new TypeError("no operation");
  return resolveVariables(
    { texts, values: json === null ? {} : parseVariables(json) },
    { node, schema: SCHEMA, scalars: styles[style].scalars, others: ["chainIds"] },
  );
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
    expect(resolve(`$x: ${type}`, [`x=${text}`], null, "multichain")).toEqual({ x: want });
  });

  it("may be written with its dollar", () => {
    expect(resolve("$first: Int", ["$first=1"])).toEqual({ first: 1 });
  });
});

describe("a value that is not of its type", () => {
  it.each<[type: string, text: string, want: string]>([
    ["Int", "abc", '$x must be of type Int; got "abc".'],
    ["Int", "1.5", "$x must be of type Int; got 1.5."],
    ["Int", "2147483648", "$x must be of type Int; got 2147483648."],
    ["Int", "", '$x must be of type Int; got "".'],
    ["Boolean", "yes", '$x must be of type Boolean; got "yes".'],
    ["BigInt", "a lot", '$x must be of type BigInt; got "a lot".'],
    [
      "OrderDirection",
      "dessc",
      '$x must be of type OrderDirection; got "dessc".\nHint: did you mean "desc"?',
    ],
    ["[Int!]", "1,b", '$x[1] must be of type Int; got "b".'],
    ["[Int!]", "[1,null]", "$x[1] must be of type Int!; got null."],
    [
      "[Int!]!",
      "[1",
      '$x of type [Int!] must be JSON; got [1\nHint: quote it for the shell, as in --var \'where={"id": "1"}\'.',
    ],
    [
      "Stream_filter",
      "abc",
      '$x of type Stream_filter must be JSON; got abc\nHint: quote it for the shell, as in --var \'where={"id": "1"}\'.',
    ],
    [
      "Stream_filter",
      "[]",
      "$x must be of type Stream_filter; got a list.\nHint: write it as an object in JSON.",
    ],
    ["Stream_filter", '{"amount_gt": true}', "$x.amount_gt must be of type BigInt; got true."],
    [
      "Stream_filter",
      '{"cancelable": 1}',
      "$x.cancelable must be of type Boolean; got 1.\nHint: write true or false.",
    ],
    [
      "Stream_filter",
      '{"asset_": {}}',
      '$x.asset_ must be of type Asset_filter; got an object.\nHint: "symbol" is required.',
    ],
    [
      "Stream_filter",
      '{"amont_gt": 1}',
      'Unknown field "amont_gt" of Stream_filter in $x.\nHint: did you mean "amount_gt"?',
    ],
    [
      "Stream_filter",
      '{"__proto__": {}}',
      'Unknown field "__proto__" of Stream_filter in $x.\nHint: Stream_filter has ',
    ],
  ])("%s: %j", (type, text, want) => {
    const error = catchError(() => resolve(`$x: ${type}`, [`x=${text}`]));
    expect(error).toBeInstanceOf(LockflowError);
    expect((error as LockflowError).message).toContain(want);
  });

  it("throws when JSON is nested too deeply", () => {
    const text = `${'{"or":['.repeat(600)}${"]}".repeat(600)}`;
    const error = catchError(() => resolve("$x: Stream_filter", [`x=${text}`]));
    expect((error as LockflowError).message).toContain("$x of type Stream_filter must be JSON; got ");
  });
});

describe("variables of a file", () => {
  it("keep every digit of a number", () => {
    const json = `\uFEFF{ "amount": ${HUGE}, "part": 1.10, "first": 20, "text": "1 \\" {2}", "where": { "amount_in": [9007199254740993] } }`;
    const declared =
      "$amount: BigInt!, $part: BigDecimal!, $first: Int, $text: String, $where: Stream_filter";
    expect(resolve(declared, [], json)).toEqual({
      amount: HUGE,
      part: "1.10",
      first: 20,
      text: '1 " {2}',
      where: { amount_in: ["9007199254740993"] },
    });
  });

  it("give way to those of the command line, and null is left out", () => {
    expect(resolve("$a: Int, $b: Int, $c: Int", ["a=1"], '{ "a": 5, "b": 6, "c": null }')).toEqual({
      a: 1,
      b: 6,
    });
  });

  it.each([["[]"], ["12"], ["null"], ['"a"'], ["{"], ["{}x"], ["["]])(
    "throw if they are not an object: %s",
    (json) => {
      expect((catchError(() => resolve("$a: Int", [], json)) as LockflowError).message).toContain(
        "The file of --variables must be a JSON object.",
      );
    },
  );
});

describe("names", () => {
  it.each<[texts: string[], want: string]>([
    [["sendr=0x"], "Ask has no variable $sendr.\nHint: did you mean $sender?"],
    [["q=0x"], "Ask has no variable $q.\nHint: it has $sender: Bytes!, $first: Int."],
    [["sender=0x", "sender=0x"], "--var gives $sender twice."],
    [["first=1"], "Ask needs a value for $sender: Bytes!.\nHint: add --var sender=…"],
    [["sender"], '--var must be name=value; got "sender".\nHint: write, for example, --var first=20.'],
    [["=0x"], '--var must be name=value; got "=0x".\nHint: write, for example, --var first=20.'],
  ])("%j", (texts, want) => {
    expect((catchError(() => resolve("$sender: Bytes!, $first: Int", texts)) as LockflowError).message).toBe(
      want,
    );
  });

  it("that Lockflow adds itself are not required", () => {
    expect(resolve("$chainIds: [numeric!]!, $first: Int! = 5", [])).toEqual({});
  });
});
