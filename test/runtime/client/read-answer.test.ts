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
  const codeOf = (message: string, code?: string) =>
    readAnswer({ errors: [{ message, extensions: { code } }] }, []).code;
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
    ["query has a depth that exceeds the limit of `255`", "overloaded"],
    [
      "query potentially returns `2000` entities and thereby exceeds the limit of `1000` entities",
      "overloaded",
    ],
    ["Query timed out", "overloaded"],
    ["the query is too expensive", "overloaded"],
    ["auth error: API key not found", "auth"],
    ["Invalid auth: Not found", "auth"],
    ["subgraph not found: Qm", "not-served"],
    ["deployment `a/b` does not exist", "not-served"],
    ["no indexers found", "not-served"],
    ["Failed to decode `block.number` value: `subgraph Qm has only indexed up to block number 1`", "behind"],
    ["Store error: Subgraph `Qm` has not started syncing yet", "behind"],
    ["Failed to decode: `no block with that hash found`", "pruned"],
    ["subgraph Qm only has data starting at block number 5", "pruned"],
    ["the chain was reorganized while executing the query", "reorganized"],
    ["indexing_error", "indexing"],
  ])("reads %s as %s", (words, code) => {
    expect(codeOf(words)).toBe(code);
  });

  it.each([
    ["{0xa: BadResponse(no attestation: indexing_error), 0xb: Timeout}", "indexers"],
    ["{0xa: Unavailable(missing block: 99, latest: 10), 0xb: BadResponse(failed to connect)}", "indexers"],
    ["{0xa: BadResponse(402), 0xb: BadResponse(503)}", "indexers"],
    ["{0xa: Unavailable(too far behind), 0xb: Unavailable(internal error: x)}", "indexers"],
    ["{0xa: Unavailable(missing block: 99, latest: 10), 0xb: BadResponse(402)}", "behind"],
    ["{0xa: BadResponse(no attestation: indexing_error), 0xb: BadResponse(402)}", "indexing"],
    ["{0xa: BadResponse(402)}", "indexers"],
    ["{0xa: Unavailable(not supported: x)}", "indexers"],
    ["[BadResponse(401)]", "indexers"],
    ["{}", "indexers"],
    ["{0xa: BadResponse(unattestable response: Query timed out)}", "overloaded"],
    ["{0xa: Timeout, 0xb: BadResponse(unattestable response: Type `Query` has no field `a`)}", "indexers"],
    ["{0xa: BadResponse(no attestation: Store error: no connection to the server)}", "indexers"],
  ])("reads bad indexers of a gateway as its first transient reason: %s as %s", (indexers, code) => {
    expect(codeOf(`bad indexers: ${indexers}`)).toBe(code);
  });

  it.each([
    ["rate-limit-exceeded", "rate-limited"],
    ["time-limit-exceeded", "overloaded"],
    ["node-limit-exceeded", "overloaded"],
    ["depth-limit-exceeded", "overloaded"],
    ["postgres-error", "unavailable"],
    ["postgres-max-connections-error", "unavailable"],
    ["unexpected", "unavailable"],
    ["validation-failed", "rejected"],
    ["parse-failed", "rejected"],
    ["data-exception", "rejected"],
    ["bad-request", "rejected"],
    ["GRAPHQL_VALIDATION_FAILED", "rejected"],
    ["INTERNAL_SERVER_ERROR", "unavailable"],
    ["access-denied", "auth"],
    ["invalid-jwt", "auth"],
    ["invalid-headers", "auth"],
    ["jwt-missing-role-claims", "auth"],
  ])("reads the extension %s as %s", (extension, code) => {
    expect(codeOf("an unexpected token", extension)).toBe(code);
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
