import { describe, expect, it } from "vitest";
import { IndexerError } from "../../../packages/client/src/client/indexer-error.ts";
import type { PortableOperation, Reader } from "../../../packages/client/src/client/portable-operation.ts";
import { mapFilter } from "../../../packages/client/src/variables/map-filter.ts";
import { mapVariables } from "../../../packages/client/src/variables/map-variables.ts";
import * as readers from "../../../packages/client/src/variables/readers.ts";
import { catchError } from "../../support/catch-error.ts";

type Given = Readonly<Record<string, unknown>>;

type Operation = PortableOperation<string, unknown, Given, "one">;

/** The facts from which the readers and the `map` function of an operation are built. */
type Facts = Partial<Operation> & {
  readonly bytes?: readonly string[];
  readonly ids?: readonly string[];
  readonly ranges?: readonly string[];
  readonly skips?: readonly string[];
  readonly wrap?: readonly {
    readonly to: string;
    readonly from: string;
    readonly before: string;
    readonly after: string;
  }[];
};

/** An operation whose texts declare the given variables. */
function operation(
  subgraph: string,
  multichain: string,
  { bytes = [], ids = [], ranges = [], skips = [], wrap = [], ...facts }: Facts = {},
): Operation {
  const inMultichain = declared(multichain);
  const isOfChains = ([name]: readonly [string, string]) => name.startsWith("chainIds");
  const readerOf = (name: string, type: string): Reader => {
    if (facts.map && type.endsWith("_filter")) return readers.filter;
    if (bytes.includes(name)) return readers.bytes;
    if (ids.includes(name)) return type === "ID" ? readers.idWithBytes : readers.textWithBytes;
    if (ranges.includes(name)) return readers.size;
    return skips.includes(name) ? readers.offset : (READERS[type] ?? readers.text);
  };
  const variables = declared(subgraph).map(([name, type]) => {
    const reader = readerOf(name, type.replace(/\W/g, ""));
    return [name, type.startsWith("[") ? ([reader] as const) : reader] as const;
  });
  const map: Operation["map"] = (given) => ({
    ...given,
    ...Object.fromEntries(
      wrap.map(({ to, from, before, after }) => [
        to,
        before + after === "" ? given[from] : readers.pattern(before, given[from], after, from),
      ]),
    ),
  });
  return {
    format: 1,
    name: "Any",
    protocol: "lockup",
    subgraph: "",
    multichain: "",
    variables: Object.fromEntries(variables),
    required: declared(subgraph).flatMap(([name, type]) => (type.endsWith("!") ? [name] : [])),
    sent: inMultichain.filter((one) => !isOfChains(one)).map(([name]) => name),
    chainIds: Object.fromEntries(
      inMultichain.filter(isOfChains).map(([name, type]) => {
        const reader = type.includes("Int") ? readers.chainNumber : readers.chainId;
        return [name, type.startsWith("[") ? ([reader] as const) : reader] as const;
      }),
    ),
    past: "subgraph",
    ...(wrap.length > 0 && { map }),
    ...facts,
  };
}

/** An operation whose texts declare the same variables. */
const same = (declared: string, facts?: Facts) => operation(declared, declared, facts);

const READERS: Readonly<Record<string, Reader>> = {
  BigDecimal: readers.decimal,
  BigInt: readers.bigInt,
  Boolean: readers.flag,
  Bytes: readers.bytes,
  ID: readers.id,
  Int: readers.int,
  OrderDirection: readers.direction,
};

/** Returns variables with their types. A variable with a default is optional. */
function declared(text: string): [name: string, type: string][] {
  return [...text.matchAll(/\$(\w+): ([\w[\]!]+)( =)?/g)].map(([, name = "", type = "", isDefault]) => [
    name,
    isDefault ? type.replace(/!$/, "") : type,
  ]);
}

const both = (one: Operation, variables: Given, chainIds: readonly (number | string | bigint)[] = [1]) => ({
  multichain: mapVariables(one, "multichain", variables, chainIds),
  subgraph: mapVariables(one, "subgraph", variables, chainIds),
});

const INTEGER = "an integer as a string or bigint";
const DECIMAL = "a decimal number of at most 34 digits";
const PLAIN_TEXT = "text without NUL and lone surrogates";
const PATTERN = "a pattern that does not end in a backslash";

/** Facts of the variable `a`. */
const BYTES: Facts = { bytes: ["a"] };
const ROWS: Facts = { ranges: ["a"] };
const SKIP: Facts = { skips: ["a"] };
const LIKE: Facts = { wrap: [{ to: "b", from: "a", before: "%", after: "" }] };
const COPY: Facts = { map: (variables) => ({ a: variables["a"] && "mapped" }) };

describe("mapVariables", () => {
  it.each<[string, Operation, Given, object, object?]>([
    ["a declared variable", same("$a: String!"), { a: "b" }, { a: "b" }],
    ["no null or undefined", same("$a: String, $b: Int"), { a: null, b: undefined }, {}],
    [
      "a variable that only one style declares",
      operation("$d: OrderDirection, $a: Int", "$a: Int"),
      { d: "desc", a: 1 },
      { a: 1 },
      { d: "desc", a: 1 },
    ],
    [
      "bytes in lower case",
      same("$a: Bytes!, $ids: [ID!]!", { bytes: ["a", "ids"] }),
      { a: "0xAB", ids: ["AB", "0xcD"] },
      { a: "0xab", ids: ["0xab", "0xcd"] },
    ],
    [
      "big numbers as text",
      same("$a: BigInt!, $b: BigDecimal!, $c: [BigInt!]!"),
      { a: 5n, b: 0.5, c: [7, "+08", 9n] },
      { a: "5", b: "0.5", c: ["7", "8", "9"] },
    ],
    ["ids as text", same("$a: ID!, $b: ID"), { a: 5, b: "x" }, { a: "5", b: "x" }],
    [
      "only the bytes within ids in lower case",
      same("$a: ID!, $b: [String!]!, $c: ID!", { ids: ["a", "b"] }),
      { a: "0xAbC-1-X0", b: ["LK-0xAA-0XbB"], c: "0xAB" },
      { a: "0xabc-1-X0", b: ["LK-0xaa-0xbb"], c: "0xAB" },
    ],
    ["no null for a variable with a default", same('$a: String! = "b", $b: Bytes'), { a: null }, {}],
    [
      "patterns",
      operation("$a: String!", "$a_like: String!, $a_start: String!, $a_end: String!, $a: String!", {
        wrap: [
          { to: "a_like", from: "a", before: "%", after: "%" },
          { to: "a_start", from: "a", before: "", after: "%" },
          { to: "a_end", from: "a", before: "%", after: "" },
          { to: "a", from: "a", before: "", after: "" },
        ],
      }),
      { a: "%b" },
      { a_like: "%b", a_start: "%b%", a_end: "%%b", a: "%b" },
      { a: "%b" },
    ],
    [
      "patterns of lists and of bytes",
      operation("$a: Bytes!, $b: [String!]!", "$a_bytes: String!, $b_like: [String!]!", {
        bytes: ["a"],
        wrap: [
          { to: "a_bytes", from: "a", before: "^0x(..)*", after: "" },
          { to: "b_like", from: "b", before: "%", after: "%" },
        ],
      }),
      { a: "0xAB", b: ["c", "d%"] },
      { a_bytes: "^0x(..)*ab", b_like: ["%c%", "d%"] },
      { a: "0xab", b: ["c", "d%"] },
    ],
    [
      "an id as text and as bytes",
      operation("$a: ID!", "$a: String!, $a_bytes: String!, $a_part: String!", {
        wrap: [
          { to: "a_bytes", from: "a", before: "0x", after: "" },
          { to: "a_part", from: "a", before: "^0x(..)*", after: "" },
        ],
      }),
      { a: "0xABCD" },
      { a: "0xABCD", a_bytes: "0xabcd", a_part: "^0x(..)*abcd" },
      { a: "0xABCD" },
    ],
    [
      "an id without a prefix as text and as bytes",
      operation("$a: ID!", "$a: String!, $a_bytes: String!", {
        wrap: [{ to: "a_bytes", from: "a", before: "0x", after: "" }],
      }),
      { a: "AB" },
      { a: "AB", a_bytes: "0xab" },
      { a: "AB" },
    ],
    [
      "unchanged copies",
      operation("$a: Int!", "$a: Int!, $a_2: Int!", {
        wrap: [{ to: "a_2", from: "a", before: "", after: "" }],
      }),
      { a: 1 },
      { a: 1, a_2: 1 },
      { a: 1 },
    ],
    [
      "no pattern of an omitted variable",
      operation('$a: String = "b"', '$a_like: String = "%b%"', {
        wrap: [{ to: "a_like", from: "a", before: "%", after: "%" }],
      }),
      {},
      {},
    ],
    [
      "the chain ids",
      operation("$a: Int", "$chainIds: [numeric!]!, $chainIdsInt: [Int!]!, $chainIdsOne: numeric!"),
      {},
      { chainIds: ["1"], chainIdsInt: [1], chainIdsOne: "1" },
      {},
    ],
    [
      "defaults that look like variables",
      same('$a: String = "\\", $b: Int", $c: Int = 1'),
      { c: 2 },
      { c: 2 },
    ],
    [
      "names that objects inherit",
      same("$constructor: Int, $toString: Int"),
      { toString: 1 },
      { toString: 1 },
    ],
    [
      "filters",
      operation(
        "$where: Stream_filter, $on: [Stream_filter!]",
        "$where: Stream_bool_exp! = {}, $on: [Stream_bool_exp!]!",
        {
          map: (variables, isSubgraph) => ({
            ...variables,
            where: mapFilter({ columns: { a: "bigInt" }, related: {} }, variables["where"], isSubgraph),
          }),
        },
      ),
      { where: { a_gt: 5n }, on: [] },
      { where: { a: { _gt: "5" } }, on: [] },
      { where: { a_gt: "5" }, on: [] },
    ],
  ])("sends %s", (_, one, variables, multichain, subgraph = multichain) => {
    expect(both(one, variables)).toEqual({ multichain, subgraph });
    // A proxy maps the mapped variables again.
    expect(both(one, JSON.parse(JSON.stringify(subgraph)))).toEqual({ multichain, subgraph });
  });

  it("sends all chains of a request", () => {
    const one = operation("$a: Int", "$chainIds: [numeric!]!, $chainIdsInt: [Int!]!");
    expect(both(one, {}, [1, "10", 8453n])).toEqual({
      multichain: { chainIds: ["1", "10", "8453"], chainIdsInt: [1, 10, 8453] },
      subgraph: {},
    });
  });

  it.each<[what: string, declared: string, facts: Facts, variables: Given, message: string]>([
    ["half a byte", "$a: Bytes!", BYTES, { a: "0xabc" }, 'a must be bytes in hex; got "0xabc".'],
    ["an id that is not bytes", "$a: ID!", BYTES, { a: 5 }, "a must be bytes in hex; got 5."],
    ["a decimal as an integer", "$a: BigInt!", {}, { a: "7.0" }, `a must be ${INTEGER}; got "7.0".`],
    ["an invalid integer in a list", "$a: [BigInt!]!", {}, { a: [" 7"] }, `a must be ${INTEGER}; got " 7".`],
    ["an invalid decimal", "$a: BigDecimal!", {}, { a: "1e" }, `a must be ${DECIMAL}; got "1e".`],
    ["a text as a number", "$a: Int!", {}, { a: "5" }, 'a must be an integer as a number; got "5".'],
    ["a number as a text", "$a: String!", {}, { a: 5 }, "a must be a string; got 5."],
    ["a NUL", "$a: String!", {}, { a: "\0" }, `a must be ${PLAIN_TEXT}; got "\\u0000".`],
    ["a lone surrogate", "$a: Kind!", {}, { a: "\udc00" }, `a must be ${PLAIN_TEXT}; got "\\udc00".`],
    ["one value as a list", "$a: [String!]!", {}, { a: "b" }, 'a must be a list; got "b".'],
    ["null in a list", "$a: [String]!", {}, { a: [null] }, "a must be a string; got null."],
    ["an unknown direction", "$d: OrderDirection!", {}, { d: "up" }, 'd must be "asc" or "desc"; got "up".'],
    ["an object", "$a: String!", {}, { a: {} }, "a must be a string; got an object."],
    ["a missing variable", "$a: Bytes!", BYTES, {}, "a must be bytes in hex; got undefined."],
    ["null", "$a: [Int!]!", {}, { a: null }, "a must be a list; got null."],
    ["an undefined filter", "$a: A_filter!", COPY, { a: undefined }, "a must be a filter; got undefined."],
    ["zero rows", "$a: Int!", ROWS, { a: 0 }, "a must be an integer from 1 to 1000; got 0."],
    ["too many rows", "$a: Int!", ROWS, { a: 1001 }, "a must be an integer from 1 to 1000; got 1001."],
    ["NaN rows", "$a: Int!", ROWS, { a: Number.NaN }, "a must be an integer as a number; got NaN."],
    ["a negative offset", "$a: Int!", SKIP, { a: -1 }, "a must be an integer from 0 to 5000; got -1."],
    ["an offset over 5000", "$a: Int!", SKIP, { a: 5001 }, "a must be an integer from 0 to 5000; got 5001."],
    ["no excluded values", "$a: [Int!]!", { nonEmpty: ["a"] }, { a: [] }, "a must be a non-empty list."],
    ["a backslash at the end", "$a: String!", LIKE, { a: "c\\" }, `a must be ${PATTERN}; got "c\\\\".`],
    // Mapping only defined values would let these pass: an empty filter matches every row.
    ["a text as a filter", "$a: A_filter", COPY, { a: "" }, 'a must be a filter; got "".'],
    ["zero as a filter", "$a: A_filter", COPY, { a: 0 }, "a must be a filter; got 0."],
    ["false as a filter", "$a: A_filter", COPY, { a: false }, "a must be a filter; got false."],
    ["NaN as a filter", "$a: A_filter", COPY, { a: Number.NaN }, "a must be a filter; got NaN."],
    ["an undeclared variable", "$a: Int, $b: Int", {}, { c: 1 }, 'variables must be a, b; got "c".'],
    ["the chain ids", "", {}, { chainIds: ["2"] }, 'variables must be omitted; got "chainIds".'],
  ])("rejects %s in both styles", (_, declared, facts, variables, message) => {
    const one = operation(declared, `${declared}, $chainIds: [numeric!]!`, facts);
    for (const style of ["multichain", "subgraph"] as const) {
      const error = catchError(() => mapVariables(one, style, variables, [1]));
      expect(error).toBeInstanceOf(IndexerError);
      expect(error).toMatchObject({ name: "IndexerError", code: "invalid-variables", message });
    }
  });

  it.each<[string, string, readonly (number | string)[], string]>([
    ["no chain id", "$chainIds: [numeric!]!", [], "chainIds must be a list of at least one chain id."],
    ["an invalid id", "$chainIds: [numeric!]!", ["base"], 'chainIds must be the id of a chain; got "base".'],
    [
      "several chain ids for one row",
      "$chainIdsOne: Int!",
      [1, 10],
      "chainIds must be a list of one chain id.",
    ],
  ])("rejects %s", (_, declared, chainIds, want) => {
    const one = operation("$a: Int", declared);
    expect(() => mapVariables(one, "multichain", {}, chainIds)).toThrow(want);
    expect(mapVariables(one, "subgraph", {}, chainIds)).toEqual({});
  });

  it("throws errors that have all details of a failure", () => {
    const failure = new IndexerError("rate-limited", "Too many.", {
      style: "subgraph",
      status: 429,
      retryAfter: 1,
    });
    expect(failure.toJSON()).toEqual({
      code: "rate-limited",
      message: "Too many.",
      style: "subgraph",
      deployment: null,
      status: 429,
      retryAfter: 1,
      messages: [],
      data: undefined,
      cursor: null,
      tried: [],
    });
  });
});
