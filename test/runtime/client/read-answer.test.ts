import { describe, expect, it } from "vitest";
import { findOdd, parseJson, readAnswer } from "../../../packages/client/src/requests/read-answer.ts";

describe("parseJson", () => {
  const lists = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

  it.each([
    ["lists", lists],
    ["objects", objects],
    ["lists of objects", (levels: number) => `[${objects(levels - 1)},2]`],
    ["objects with lists", (levels: number) => `{"a":"b","c":${lists(levels - 1)}}`],
  ])("accepts 64 levels of %s, but not 65", (_, nested) => {
    expect(parseJson(nested(64))).toEqual(JSON.parse(nested(64)));
    expect(parseJson(nested(65))).toBeUndefined();
  });
});

describe("readAnswer", () => {
  const codeOf = (message: string) => readAnswer({ errors: [{ message }] }, []).code;
  const wrapped = (reason: string) => `bad indexers: {0xa1: ${reason}, 0xb2: BadResponse(402)}`;

  it.each([
    "Unexpected `streams[Name]`\nExpected {, query, mutation, subscription or fragment",
    "Type `Query` has no field `streams`",
    "Invalid value provided for argument `where`: Object({})",
    "No value provided for required argument: `id`",
    "Variable `where` must have an input type",
    "fragment `F` is not defined",
    "Failed to resolve named type `Streams`",
    "Failed to decode `Bytes` value: `Odd number of digits`",
    "Cannot mix column filters with 'or' operator at the same level. Found column filter(s) 'a' alongside 'or' operator.",
    "Filter must by an object",
    "Non-list value passed to `in` filter",
    'Invalid fulltext search query syntax. Error: syntax error in tsquery: "a b". Hint: Search terms with spaces',
    "invalid query: can not merge fields because type `Stream` showed up unexpectedly",
    "Child filter nesting not supported by value `a`: `b`",
    "Entity `Stream` has no attribute `a`",
    "Query contains value with invalid type `Bytes`: `Int(1)`",
    "Ordering by `a` is not supported for type `Stream`",
    "The `first` argument must be between 0 and 1000, but is 2000",
    "Store error: unsupported filter `>` for value `null`",
    "Failed to get entities from store: unsupported filter `not` for value `null`",
    'Cannot query field "streams" on type "Query".',
    'Fragment "F" is never used.',
    'Unknown argument "a" on field "Query.streams".',
    'Field "id" must not have a selection since type "ID!" has no subfields.',
    'Variable "$a" is not defined.; Unknown type "A".',
    'Expected value of type "Int", found "a".',
    'Enum "Order" cannot represent non-enum value: "a"',
    'Value "a" does not exist in "Order" enum.',
  ])("reads as rejected, also behind a gateway: %s", (words) => {
    expect(codeOf(words)).toBe("rejected");
    for (const prefix of ["unattestable response", "no attestation"]) {
      expect(codeOf(wrapped(`BadResponse(${prefix}: ${words})`))).toBe("rejected");
    }
  });

  it.each([
    "Failed to get entities from store: canceling statement due to conflict with recovery, query = select 1",
    "Failed to get entities from store: no connection to the server",
    'Failed to get entities from store: relation "sgd17.stream" does not exist, query = select c."id" order by "id"',
    'Failed to get entities from store: type "sgd17.status" does not exist',
    "Store error: database unavailable",
    "internal error: no route to host",
    "connection pool is exhausted",
    "Unexpected error. Try again.",
    "",
  ])("reads as unavailable, and as indexers behind a gateway: %s", (words) => {
    expect(codeOf(words)).toBe("unavailable");
    expect(codeOf(wrapped(`BadResponse(no attestation: ${words})`))).toBe("indexers");
  });

  it.each([
    "Null value resolved for non-null field `asset`",
    "Non-list value resolved for list field `streams`",
    'Failed to coerce value `"A"` of field `category` to enum type `Category`. Possible values are: B',
    "Ambiguous result for derived field `stream`: Multiple `Stream` entities refer back via `batch`",
  ])("reads as inconsistent: %s", (words) => {
    expect(codeOf(words)).toBe("inconsistent");
    expect(codeOf(wrapped(`BadResponse(no attestation: ${words})`))).toBe("inconsistent");
  });

  it.each([
    "query has a depth that exceeds the limit of `255`",
    "query potentially returns `2000` entities or more and thereby exceeds the limit of `1000` entities",
  ])("reads as overloaded: %s", (words) => {
    expect(codeOf(words)).toBe("overloaded");
  });
});

describe("findOdd", () => {
  it.each<[value: unknown, found: string | undefined]>([
    [{ a: "1", b: true, c: null, d: [] }, undefined],
    [{ a: "1", b: 1 }, "b"],
    [{ a: [{ b: "1" }, { b: 0 }] }, "b"],
    [{ a: ["1", [2]] }, "a"],
    [{ known: 1, a: { known: [1, { b: 1 }] } }, undefined],
  ])("finds in %j the number %s", (value, found) => {
    expect(findOdd(value, ["known"])).toBe(found);
  });
});
