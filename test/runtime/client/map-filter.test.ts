import { describe, expect, it } from "vitest";
import { IndexerError } from "../../../packages/client/src/client/indexer-error.ts";
import type { Columns, FilterTable } from "../../../packages/client/src/variables/map-filter.ts";
import { mapFilter, mapOrder } from "../../../packages/client/src/variables/map-filter.ts";
import { catchError } from "../../support/catch-error.ts";

const asset: Columns = {
  id: "text",
  address: "bytes",
  symbol: "text",
  kind: "enum",
  stream: "reference text",
  owner: "reference bytes",
};

const table: FilterTable = {
  columns: {
    id: "id",
    name: "text",
    sender: "bytes",
    amount: "bigInt",
    chainId: "int32",
    rate: "decimal",
    size: "int",
    paused: "boolean",
    kind: "enum",
    at: "timestamp",
    asset: "reference text",
    owner: "reference bytes",
    key: "idWithBytes",
    parent: "reference textWithBytes",
    tags: "list text",
    hashes: "list bytes",
    amounts: "list bigInt",
    constructor: "text" as const,
    amount_in: "orderOnly bigInt",
    kind_in: "orderOnly enum",
    amount__usd: "bigInt",
  },
  related: { asset, streams: asset },
};

const SUPPORTED = "a filter that both styles support";
const INTEGER = "an integer as a string or bigint";
const BYTES = "bytes in hex";
const PLAIN_TEXT = "text without NUL and lone surrogates";
const PATTERN = "a pattern that does not end in a backslash";

const map = (where: unknown, isSubgraph = false) => mapFilter(table, where, isSubgraph);

/** Returns the error if both styles reject a filter, else the filter of each. */
function outcome(where: unknown): unknown {
  const [multichain, subgraph] = [false, true].map((isSubgraph): unknown => {
    try {
      return map(where, isSubgraph);
    } catch (error) {
      if (!(error instanceof IndexerError)) throw error;
      expect(error.code).toBe("invalid-variables");
      return error.message;
    }
  });
  const isRefused = typeof multichain === "string";
  if (isRefused) expect(subgraph).toEqual(multichain);
  return isRefused ? multichain : { multichain, subgraph };
}

describe("mapFilter", () => {
  it.each<[string, unknown, object, object?]>([
    ["an empty filter", {}, {}],
    ["equality", { name: "a" }, { name: { _eq: "a" } }],
    ["an undefined value", { name: "a", sender: undefined }, { name: { _eq: "a" } }, { name: "a" }],
    ["inequality", { name_not: "a" }, { name: { _neq: "a" } }],
    ["null", { name: null }, { name: { _is_null: true } }],
    ["not null", { name_not: null }, { name: { _is_null: false } }],
    ["null of a timestamp", { at: null }, { at: { _is_null: true } }],
    ["null of a list", { tags_not: null }, { tags: { _is_null: false } }],
    ["null of a reference", { asset: null }, { asset_id: { _is_null: true } }],
    ["a range in one object", { amount_gte: "1", amount_lt: "5" }, { amount: { _gte: "1", _lt: "5" } }],
    ["a list", { name_in: ["a", "b"] }, { name: { _in: ["a", "b"] } }],
    ["an empty list", { name_in: [] }, { name: { _in: [] } }],
    ["values not in a list", { name_not_in: ["a"] }, { name: { _nin: ["a"] } }],
    ["values not in an empty list: no row", { name_not_in: [] }, { name: { _in: [] } }],
    ["a reference", { asset: "1" }, { asset_id: { _eq: "1" } }],
    ["bytes within an id", { key: "0xAB-1-X" }, { key: { _eq: "0xab-1-X" } }, { key: "0xab-1-X" }],
    [
      "bytes within the ids of a reference, whole or in part",
      { parent_in: ["0xAB-1"], parent_starts_with: "0xA" },
      { parent_id: { _in: ["0xab-1"], _like: "0xa%" } },
      { parent_in: ["0xab-1"], parent_starts_with: "0xa" },
    ],
    ["a part of a reference", { asset_starts_with: "1" }, { asset_id: { _like: "1%" } }],
    ["a reference by bytes", { owner_in: ["0xAB"] }, { owner_id: { _in: ["0xab"] } }, { owner_in: ["0xab"] }],
    [
      "a reference by bytes in a child filter",
      { asset_: { owner: "AB" } },
      { asset: { owner_id: { _eq: "0xab" } } },
      { asset_: { owner: "0xab" } },
    ],
    ["a child filter", { asset_: { symbol: "a" } }, { asset: { symbol: { _eq: "a" } } }],
    ["the existence of a child", { streams_: {} }, { streams: {} }],
    [
      "a reference and its child",
      { asset_not: "1", asset_: { symbol: "a" } },
      { asset_id: { _neq: "1" }, asset: { symbol: { _eq: "a" } } },
    ],
    ["alternatives", { or: [{ name: "a" }, { and: [] }] }, { _or: [{ name: { _eq: "a" } }, { _and: [] }] }],
    ["alternatives of a child", { asset_: { or: [] } }, { asset: { _or: [] } }],
    ["contained text", { name_contains: "a" }, { name: { _like: "%a%" } }],
    ["contained text with a wildcard at an end", { name_contains: "%a" }, { name: { _like: "%a" } }],
    ["text at the start, with wildcards", { name_starts_with: "%a%" }, { name: { _like: "%a%%" } }],
    ["text at the end", { name_not_ends_with: "a_\\b" }, { name: { _nlike: "%a_\\b" } }],
    ["text in any case", { name_contains_nocase: "a" }, { name: { _ilike: "%a%" } }],
    ["excluded text in any case", { name_not_starts_with_nocase: "a" }, { name: { _nilike: "a%" } }],
    ["a backslash before a wildcard", { name_starts_with: "a\\" }, { name: { _like: "a\\%" } }],
    [
      "one operator twice",
      { name_contains: "a", name_starts_with: "b", name: "c" },
      { _and: [{ name: { _like: "%a%", _eq: "c" } }, { name: { _like: "b%" } }] },
    ],
    [
      "null and not null",
      { name: null, name_not: null },
      { _and: [{ name: { _is_null: true } }, { name: { _is_null: false } }] },
    ],
    ["bytes in capitals", { sender: "0xABcd" }, { sender: { _eq: "0xabcd" } }, { sender: "0xabcd" }],
    ["bytes without a prefix", { sender: "AB" }, { sender: { _eq: "0xab" } }, { sender: "0xab" }],
    [
      "a part of bytes",
      { sender_contains: "0xAB" },
      { sender: { _regex: "^0x(..)*ab" } },
      { sender_contains: "0xab" },
    ],
    ["excluded bytes", { owner_not_contains: "0xab" }, { owner_id: { _nregex: "^0x(..)*ab" } }],
    ["a bigint", { amount: 5n }, { amount: { _eq: "5" } }, { amount: "5" }],
    ["a number as a bigint", { amount_gt: -5 }, { amount: { _gt: "-5" } }, { amount_gt: "-5" }],
    [
      "32-bit integers as a text or a bigint",
      { chainId_in: ["10", 1n] },
      { chainId: { _in: ["10", "1"] } },
      { chainId_in: ["10", "1"] },
    ],
    ["a decimal", { rate: "+1.5e3" }, { rate: { _eq: "+1.5e3" } }],
    ["a number as a decimal", { rate: 0.5 }, { rate: { _eq: "0.5" } }, { rate: "0.5" }],
    ["a number", { size_lte: 5 }, { size: { _lte: 5 } }],
    ["a boolean", { paused_in: [true] }, { paused: { _in: [true] } }],
    ["a member of an enum", { kind_not: "Claim" }, { kind: { _neq: "Claim" } }],
    ["a number as an id", { id: 5 }, { id: { _eq: "5" } }, { id: "5" }],
    ["a whole list", { tags: ["a"] }, { tags: { _eq: ["a"] } }],
    ["inequality of a list", { tags_not: [] }, { tags: { _neq: [] } }],
    [
      "parts of a list",
      { hashes_contains: ["0xAB"] },
      { hashes: { _contains: ["0xab"] } },
      { hashes_contains: ["0xab"] },
    ],
    [
      "integers in canonical form",
      { amounts: ["+007", "-0", 5n] },
      { amounts: { _eq: ["7", "0", "5"] } },
      { amounts: ["7", "0", "5"] },
    ],
    [
      "a list without any of several values",
      { tags_not_contains: ["a", "b"], tags_contains: ["c"] },
      {
        _and: [
          { tags: { _is_null: false } },
          { _not: { _or: [{ tags: { _contains: ["a"] } }, { tags: { _contains: ["b"] } }] } },
        ],
        tags: { _contains: ["c"] },
      },
    ],
    ["a name that objects inherit", { constructor: "a" }, { constructor: { _eq: "a" } }],
  ])("maps %s", (_, where, multichain, subgraph = where as object) => {
    expect(outcome(where)).toEqual({ multichain, subgraph });
    // A proxy maps the mapped filter again.
    expect(outcome(JSON.parse(JSON.stringify(map(where, true))))).toEqual({ multichain, subgraph });
  });

  it.each<[what: string, where: unknown, path: string, expected: string]>([
    ["null", null, "where", "a filter; got null"],
    ["undefined", undefined, "where", "a filter; got undefined"],
    ["a list", [], "where", "a filter; got a list"],
    ["a text", "a", "where", 'a filter; got "a"'],
    ["a Map", new Map([["name", "a"]]), "where", "a filter; got an object"],
    ["a function", () => ({}), "where", "a filter; got an object"],
    ["null in a list", { or: [null] }, "where.or", "a filter; got null"],
    ["undefined in a list", { or: [undefined] }, "where.or", "a filter; got undefined"],
    ["a hole in a list", { or: new Array(1) }, "where.or", "a filter; got undefined"],
    ["a list in a list", { or: [[]] }, "where.or", "a filter; got a list"],
    ["one filter as a list", { or: { name: "a" } }, "where.or", "a list; got an object"],
    ["null as a list", { and: null }, "where.and", "a list; got null"],
    ["a condition beside alternatives", { name: "a", or: [] }, "where.or", "the only key of its filter"],
    ["and beside or", { and: [], or: [] }, "where.and", "the only key of its filter"],
    ["a child of a child", { asset_: { stream_: {} } }, "where.asset_.stream_", SUPPORTED],
  ])("rejects %s in both styles", (_, where, path, expected) => {
    expect(outcome(where)).toBe(`${path} must be ${expected}.`);
  });

  it.each<[what: string, where: object, expected: string, got: string]>([
    ["a comparison with null", { amount_gt: null }, INTEGER, "null"],
    ["null in a list of values", { name_in: [null] }, "a string", "null"],
    ["null as a list of values", { name_in: null }, "a list", "null"],
    ["one value as a list", { name_in: "a" }, "a list", '"a"'],
    ["null as a child filter", { asset_: null }, "a filter", "null"],
    ["half a byte", { sender: "0xabc" }, BYTES, '"0xabc"'],
    ["letters that are not hex", { sender: "0xzz" }, BYTES, '"0xzz"'],
    ["a prefix in capitals", { sender: "0XAB" }, BYTES, '"0XAB"'],
    ["a fraction", { amount: "7.5" }, INTEGER, '"7.5"'],
    ["a leading space", { amount: " 7" }, INTEGER, '" 7"'],
    ["a trailing line break", { amount: "7\n" }, INTEGER, '"7\\n"'],
    ["an exponent", { amount: "7e0" }, INTEGER, '"7e0"'],
    ["a grouped number", { amount: "7_0" }, INTEGER, '"7_0"'],
    ["an unsafe integer", { amount: 2 ** 60 }, INTEGER, "1152921504606847000"],
    ["a number beyond 32 bits", { chainId: "2147483648" }, "an integer of 32 bits", '"2147483648"'],
    ["NaN", { rate: "NaN" }, "a decimal number of at most 34 digits", '"NaN"'],
    ["a text as a number", { size: "5" }, "an integer as a number", '"5"'],
    ["a fraction as an integer", { size: 1.5 }, "an integer as a number", "1.5"],
    ["a text as a boolean", { paused: "true" }, "true or false", '"true"'],
    ["a number as a text", { name: 5 }, "a string", "5"],
    ["a lone surrogate", { name: "\ud800" }, PLAIN_TEXT, '"\\ud800"'],
    ["a NUL", { name_in: ["a\0"] }, PLAIN_TEXT, '"a\\u0000"'],
    ["an object with its own toString", { name: { toString: () => "a" } }, "a string", "an object"],
    ["an object without toString", { name: Object.create(null) }, "a string", "an object"],
    ["a symbol", { name: Symbol("a") }, "a string", "Symbol(a)"],
    ["a backslash at the end", { name_ends_with: "a\\" }, PATTERN, '"a\\\\"'],
    ["three backslashes at the end", { name_contains: "%\\\\\\" }, PATTERN, '"%\\\\\\\\\\\\"'],
  ])("rejects %s in both styles", (_, where, expected, got) => {
    expect(outcome(where)).toBe(`where.${Object.keys(where)[0]} must be ${expected}; got ${got}.`);
  });

  it.each<[what: string, where: object]>([
    ["a change block", { _change_block: {} }],
    ["an unknown column", { sendr: "0x" }],
    ["the name __proto__", JSON.parse('{"__proto__": {}}')],
    ["an inherited name with a suffix", { toString_: {} }],
    ["an inherited name", { toString: "a" }],
    ["a column whose name reads as an operator", { amount_in: ["1"] }],
    ["an operator on that column", { amount_in_gt: "1" }],
    ["null for that column", { amount_in: null }],
    ["a timestamp column", { at_gt: "1" }],
    ["the order of an enum", { kind_gt: "A" }],
    ["the order of a boolean", { paused_lt: true }],
    ["the start of bytes", { sender_starts_with: "0x" }],
    ["bytes in any case", { owner_contains_nocase: "0x" }],
    ["a part of an id", { id_contains: "a" }],
    ["a part of a number", { amount_contains: "1" }],
    ["a list in any case", { tags_contains_nocase: ["a"] }],
    ["a list of lists", { tags_in: [["a"]] }],
  ])("rejects %s, which not both styles support", (_, where) => {
    expect(outcome(where)).toBe(`where.${Object.keys(where)[0]} must be ${SUPPORTED}.`);
  });

  it("rejects deep nesting without a stack overflow", () => {
    let where: object = {};
    for (let depth = 0; depth < 100_000; depth++) where = { and: [where] };
    expect(outcome(where)).toMatch(/^where\.and\.and.{180,195} must be a filter of at most 99 levels\.$/);
  });

  it("does not change prototypes", () => {
    const hostile: FilterTable = { columns: JSON.parse('{"__proto__": "text"}'), related: {} };
    const mapped = mapFilter(hostile, JSON.parse('{"__proto__": "a"}'), false) as object;
    expect(JSON.stringify(mapped)).toBe('{"__proto__":{"_eq":"a"}}');
    expect(({} as { _eq?: string })._eq).toBeUndefined();
  });
});

describe("mapOrder", () => {
  it.each<[string, unknown, unknown, object]>([
    ["an omitted order", undefined, "desc", [{ id: "asc" }]],
    ["a column", "amount", "desc", [{ amount: "desc" }, { id: "desc" }]],
    ["the id", "id", "desc", [{ id: "desc" }]],
    ["a timestamp", "at", "asc", [{ at: "asc" }, { id: "asc" }]],
    ["a reference's column", "asset__symbol", "desc", [{ asset: { symbol: "desc" } }, { id: "desc" }]],
    ["a column whose name reads as an operator", "amount_in", "asc", [{ amount_in: "asc" }, { id: "asc" }]],
    ["a name that objects inherit", "constructor", "asc", [{ constructor: "asc" }, { id: "asc" }]],
  ])("maps %s", (_, order, direction, want) => {
    expect(mapOrder(table, order, direction, false)).toEqual(want);
    expect(mapOrder(table, order, direction, true)).toBe(order);
  });

  it.each<[string, unknown, unknown?]>([
    ["an enum", "kind"],
    ["an enum whose name reads as an operator", "kind_in"],
    ["a reference", "asset"],
    ["a list", "tags"],
    ["a reference's id", "asset__id"],
    ["a reference's enum", "asset__kind"],
    ["a reference of a reference", "asset__owner__id"],
    ["a list's column", "streams__id"],
    ["a name with a double underscore", "amount__usd"],
    ["an inherited name", "toString"],
    ["an inherited name as a reference", "toString__id"],
    ["null", null],
    ["a number", 5],
    ["an unknown direction", "amount", "asc_nulls_first"],
  ])("rejects %s in both styles", (_, order, direction = "asc") => {
    const errors = [false, true].map((isSubgraph) =>
      catchError(() => mapOrder(table, order, direction, isSubgraph)),
    );
    expect(errors[0]).toBeInstanceOf(IndexerError);
    expect(errors[0]).toMatchObject({ code: "invalid-variables" });
    expect(errors[1]).toEqual(errors[0]);
  });

  it("rejects a reference's column within a row", () => {
    expect(mapOrder({ ...table, related: {} }, "amount", "asc", false)).toEqual([
      { amount: "asc" },
      { id: "asc" },
    ]);
    expect(() => mapOrder({ ...table, related: {} }, "asset__symbol", "asc", true, "by")).toThrow(
      "by must be a column that both styles can order by",
    );
  });
});
