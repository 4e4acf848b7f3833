import { describe, expect, it } from "vitest";
import { failure, ids, serve, serveParcels } from "./support.ts";

const run = serve();
const where = (condition: string): string => ids(run(`{ Parcel(where: ${condition}) { id } }`));

const INVALID_REGEX = "invalid regular expression: unbalanced, or a quantifier without an operand";

describe("where", () => {
  it.each([
    ["{} is true", "{}", "p1 p2 p3 p4"],
    ["null is true", "null", "p1 p2 p3 p4"],
    ["_and: [] is true", "{_and: []}", "p1 p2 p3 p4"],
    ["_or: [] matches nothing", "{_or: []}", ""],
    ["_not: {} is false", "{_not: {}}", ""],
    ["several keys are ANDed", "{state: {_eq: SENT}, count: {_gt: 2}}", "p1"],
    ["several operators are ANDed", "{count: {_gt: 1, _lt: 3}}", "p4"],
    ["_and of two", "{_and: [{count: {_gt: 1}}, {fragile: {_eq: true}}]}", "p4"],
    ["_or of two", '{_or: [{id: {_eq: "p1"}}, {id: {_eq: "p3"}}]}', "p1 p3"],
    ["a single object instead of a list", '{_or: {id: {_eq: "p1"}}}', "p1"],
    ["{col: {}} is true", "{count: {}}", "p1 p2 p3 p4"],
    ["_in: [] matches no row", "{count: {_in: []}}", ""],
    ["_nin: [] matches every row, also nulls", "{count: {_nin: []}}", "p1 p2 p3 p4"],
    ["_neq never matches nulls", "{count: {_neq: 1}}", "p1 p4"],
    ["_nin never matches nulls", "{count: {_nin: [1]}}", "p1 p4"],
    ["_not of an unknown is unknown", "{_not: {count: {_eq: 1}}}", "p1 p4"],
    ["_or of true and unknown is true", "{_or: [{count: {_eq: 1}}, {state: {_eq: BACK}}]}", "p2 p3"],
    [
      "_and of unknown and true is unknown",
      "{_not: {_and: [{count: {_eq: 1}}, {fragile: {_eq: false}}]}}",
      "p1 p2 p4",
    ],
    ["_is_null: true", "{count: {_is_null: true}}", "p3"],
    ["_is_null: false", "{count: {_is_null: false}}", "p1 p2 p4"],
    ["{rel: {}} matches rows with a related row", "{depot: {}}", "p1 p2 p3"],
    ["_not {rel: {}} matches rows without a related row", "{_not: {returnedTo: {}}}", "p1 p4"],
    ["object relationship", '{depot: {name: {_eq: "Harbour"}}}', "p1 p2"],
    ["object relationship by id", '{depot: {id: {_eq: "d2"}}}', "p3"],
    ["a dangling reference is not related", '{depot: {id: {_eq: "nowhere"}}}', ""],
    ["a dangling reference matches by its column", '{depot_id: {_eq: "nowhere"}}', "p4"],
    ["two levels", "{depot: {parcels: {count: {_eq: 1}}}}", "p1 p2"],
  ])("%s", (_name, condition, want) => {
    expect(where(condition)).toBe(want);
  });

  it.each([
    ["array relationship: some related row matches", "{parcels: {fragile: {_eq: true}}}", "d1"],
    ["{rel: {}} on an array relationship", "{parcels: {}}", "d1 d2"],
    ["_not {rel: {}} on an array relationship", "{_not: {parcels: {}}}", "d3"],
    [
      "all conditions of an array relationship apply to the same row",
      "{parcels: {fragile: {_eq: true}, count: {_eq: 3}}}",
      "",
    ],
    [
      "two conditions on an array relationship may match different rows",
      "{_and: [{parcels: {fragile: {_eq: true}}}, {parcels: {count: {_eq: 3}}}]}",
      "d1",
    ],
  ])("%s", (_name, condition, want) => {
    expect(ids(run(`{ Depot(where: ${condition}) { id } }`))).toBe(want);
  });

  it.each([
    ["String _eq", '{title: {_eq: "Beta_2"}}', "p2"],
    ["String _gt by code point", '{title: {_gt: "Z"}}', "p1 p4"],
    ["String _in", '{id: {_in: ["p4", "p1"]}}', "p1 p4"],
    ["a single value in _in", '{id: {_in: "p4"}}', "p4"],
    ["Int _gte", "{count: {_gte: 2}}", "p1 p4"],
    ["Int from a string", '{count: {_eq: "2"}}', "p4"],
    ["Boolean", "{fragile: {_eq: true}}", "p2 p4"],
    ["Boolean from a string", '{fragile: {_eq: "true"}}', "p2 p4"],
    ["Boolean false < true", "{fragile: {_lt: true}}", "p1 p3"],
    ["enum bare", "{state: {_eq: BACK}}", "p3"],
    ["enum as a string", '{state: {_eq: "BACK"}}', "p3"],
    ["enum order is that of the declaration", "{state: {_gt: SENT}}", "p3"],
    ["enum _in", "{state: {_in: [NEW, BACK]}}", "p2 p3"],
    ["numeric by value, not as text", '{weight: {_gt: "99"}}', "p1 p4"],
    ["numeric beyond 2^53", '{weight: {_eq: "123456789012345678901234567890"}}', "p4"],
    ["numeric beyond 2^53, off by one", '{weight: {_eq: "123456789012345678901234567891"}}', ""],
    ["numeric from a number", "{weight: {_eq: 100}}", "p1"],
    ["numeric from a literal beyond 2^53", "{weight: {_lt: 123456789012345678901234567890}}", "p1 p2"],
    ["numeric equal at another scale", '{weight: {_eq: "100.0"}}', "p1"],
    ["numeric decimals equal at another scale", '{price: {_eq: "1.1"}}', "p1"],
    ["numeric decimals in a list", '{price: {_in: ["1.1", "2.00"]}}', "p1 p4"],
    ["numeric with an exponent", "{price: {_lt: 1e1}}", "p1 p4"],
    ["numeric: NaN is the greatest", '{weight: {_lt: "NaN"}}', "p1 p2 p4"],
    ["float8", "{ratio: {_gt: 1.5}}", "p2"],
    ["float8 from a string", '{ratio: {_lte: "1.5"}}', "p1 p4"],
    ["timestamptz", '{sent: {_eq: "2024-01-15T12:34:56+00:00"}}', "p1"],
    ["timestamptz microseconds", '{sent: {_eq: "2024-01-15 12:34:56.123456Z"}}', "p2"],
    ["timestamptz with another offset", '{sent: {_eq: "2024-01-15T14:34:56+02"}}', "p1"],
    ["timestamptz from a date", '{sent: {_gt: "2024-01-15"}}', "p1 p2 p4"],
    ["timestamptz later than all", '{sent: {_gt: "2024-01-16"}}', ""],
  ])("comparing %s", (_name, condition, want) => {
    expect(where(condition)).toBe(want);
  });

  it.each([
    ["_like", '{title: {_like: "alpha%"}}', "p1 p4"],
    ["_like matches the whole text", '{title: {_like: "alpha"}}', ""],
    ["_like is case-sensitive", '{title: {_like: "beta%"}}', ""],
    ["_like treats regex characters literally", '{title: {_like: "alpha.*"}}', ""],
    ["_nlike", '{title: {_nlike: "alpha%"}}', "p2"],
    ["_ilike", '{title: {_ilike: "BETA%"}}', "p2"],
    ["_nilike", '{title: {_nilike: "BETA%"}}', "p1 p4"],
    ["_similar", '{title: {_similar: "(alpha|Beta)_%"}}', "p1 p2 p4"],
    ["_similar matches the whole text", '{title: {_similar: "alpha|Beta"}}', ""],
    ["_nsimilar", '{title: {_nsimilar: "alpha%"}}', "p2"],
    ["_regex matches anywhere", '{title: {_regex: "ph.b"}}', "p4"],
    ["_regex is case-sensitive", '{title: {_regex: "^beta"}}', ""],
    ["_not _like of nulls is unknown", '{_not: {title: {_like: "alpha%"}}}', "p2"],
    ["_nregex", '{title: {_nregex: "^alpha"}}', "p2"],
    ["_iregex", '{title: {_iregex: "^BETA"}}', "p2"],
    ["_niregex", '{title: {_niregex: "^BETA"}}', "p1 p4"],
  ])("%s", (_name, condition, want) => {
    expect(where(condition)).toBe(want);
  });

  it.each([
    ["_contains", '{tags: {_contains: ["b", "a"]}}', "p1 p3"],
    ["_contains: [] is true", "{tags: {_contains: []}}", "p1 p2 p3 p4"],
    ["_contained_in", '{tags: {_contained_in: ["a", "b"]}}', "p1 p2 p4"],
    ["_eq", '{tags: {_eq: ["a", "b"]}}', "p1"],
    ["_eq an array literal", '{tags: {_eq: "{a,b}"}}', "p1"],
    ["_gt item by item", '{tags: {_gt: ["a", "b"]}}', "p2 p3"],
    ["of Int", "{sizes: {_contains: [2]}}", "p1"],
    ["of precise numeric", '{weights: {_contains: ["7.0"]}}', "p1"],
  ])("array %s", (_name, condition, want) => {
    expect(where(condition)).toBe(want);
  });

  it.each([
    ["_contains an object", '{meta: {_contains: {k: "v"}}}', "p1"],
    ["_contains a nested part", "{meta: {_contains: {a: {b: [20]}}}}", "p1"],
    ["_contains a scalar of an array", '{meta: {_contains: "x"}}', "p2"],
    ["_contains does not match a scalar of a nested array", "{meta: {_contains: {a: {b: 10}}}}", ""],
    ["_contained_in", '{meta: {_contained_in: ["x", "y", "z"]}}', "p2"],
    ["_eq ignores the order of keys", '{meta: {_eq: {k: "v", a: {b: [10, 20]}, aa: 1}}}', "p1"],
    ["_has_key", '{meta: {_has_key: "k"}}', "p1"],
    ["_has_key of an array", '{meta: {_has_key: "x"}}', "p2"],
    ["_has_key: null", "{meta: {_has_key: null}}", ""],
    ["_has_keys_all: []", "{meta: {_has_keys_all: []}}", "p1 p2 p4"],
    ["_has_keys_any: []", "{meta: {_has_keys_any: []}}", ""],
    ["_has_keys_any", '{meta: {_has_keys_any: ["x", "k"]}}', "p1 p2"],
    ["_cast keeps the quotes of a string", '{meta: {_cast: {String: {_eq: "\\"text\\""}}}}', "p4"],
    ["_cast of a null", "{meta: {_cast: {String: {_is_null: true}}}}", "p3"],
    ["_cast with _like", '{meta: {_cast: {String: {_like: "%: \\"v\\"%"}}}}', "p1"],
    ["_in: []", "{meta: {_in: []}}", ""],
    ["_gt: arrays before objects", '{meta: {_gt: ["z", "z"]}}', "p1"],
    ["_lte: scalars are after an empty array", '{meta: {_lte: "text"}}', "p4"],
    ["_gt: an empty array is before scalars", "{meta: {_gt: []}}", "p1 p2 p4"],
  ])("jsonb %s", (_name, condition, want) => {
    expect(where(condition)).toBe(want);
  });

  it.each([
    ["count", "{count: {predicate: {_gt: 1}}}", "d1"],
    ["count of no rows", "{count: {predicate: {_eq: 0}}}", "d3"],
    ["count with a filter", "{count: {filter: {fragile: {_eq: true}}, predicate: {_eq: 1}}}", "d1"],
    ["count of a column excludes nulls", "{count: {arguments: count, predicate: {_eq: 0}}}", "d2 d3"],
    ["count distinct", "{count: {arguments: [state], distinct: true, predicate: {_eq: 2}}}", "d1"],
    ["bool_and", "{bool_and: {arguments: fragile, predicate: {_eq: false}}}", "d1 d2"],
    ["bool_or", "{bool_or: {arguments: fragile, predicate: {_eq: true}}}", "d1"],
    ["bool_and of only nulls is unknown", "{bool_and: {arguments: insured, predicate: {_eq: false}}}", "d1"],
    ["bool_and of no rows is not true", "{bool_and: {arguments: insured, predicate: {_eq: true}}}", ""],
    ["float8 max", "{max: {arguments: ratio, predicate: {_gt: 2}}}", "d1"],
    ["float8 sum of no rows", "{sum: {arguments: ratio, predicate: {_is_null: true}}}", "d2 d3"],
  ])("aggregate predicate %s", (_name, predicate, want) => {
    expect(ids(run(`{ Depot(where: {parcels_aggregate: ${predicate}}) { id } }`))).toBe(want);
  });

  it("_not of an unknown aggregate predicate matches", () => {
    const unknown = "{parcels_aggregate: {bool_or: {arguments: insured, predicate: {_eq: true}}}}";
    expect(ids(run(`{ Depot(where: {_not: ${unknown}}) { id } }`))).toBe("d2 d3");
  });

  it.each([
    ["sum", "{sum: {arguments: ratio, predicate: {_eq: 4}}}"],
    ["sum distinct", "{sum: {arguments: ratio, distinct: true, predicate: {_eq: 3}}}"],
    ["corr", "{corr: {arguments: {X: ratio, Y: ratio}, predicate: {_gt: 0.99}}}"],
    ["covar_samp", "{covar_samp: {arguments: {X: ratio, Y: ratio}, predicate: {_lt: 0.4}}}"],
    [
      "covar_samp distinct",
      "{covar_samp: {arguments: {X: ratio, Y: ratio}, distinct: true, predicate: {_eq: 0.5}}}",
    ],
  ])("aggregate predicate %s of 1, 1, 2", (_name, predicate) => {
    const ask = serveParcels("ratio", [1, 1, 2]);
    expect(ids(ask(`{ Depot(where: {parcels_aggregate: ${predicate}}) { id } }`))).toBe("d1");
  });

  it.each([
    ['{tags: {_eq: "a"}}', 'malformed array literal: "a"', "data-exception"],
    ['{tags: {_eq: "{a,}"}}', 'malformed array literal: "{a,}"', "data-exception"],
    ['{tags: {_in: [["a"]]}}', "database query error", "unexpected"],
    ["{tags: {_nin: []}}", "database query error", "unexpected"],
    ["{meta: {_in: [1]}}", "invalid input syntax for type json", "data-exception"],
    [
      '{title: {_like: "a\\\\"}}',
      'the emulator does not support a LIKE pattern that ends with a backslash: "a\\\\"',
      "not-supported",
    ],
    ['{title: {_regex: "(a"}}', INVALID_REGEX, "data-exception"],
    [
      '{title: {_regex: "(?i)BETA"}}',
      'the emulator does not support the regular expression "(?i)BETA"',
      "not-supported",
    ],
    [
      "{depot: {parcels_aggregate: {count: {arguments: [id, state], predicate: {_eq: 0}}}}}",
      "database query error",
      "unexpected",
    ],
  ])("fails in the database: %s", (condition, message, code) => {
    expect(failure(run(`{ Parcel(where: ${condition}) { id } }`))).toEqual([message, "$", code]);
  });

  it.each(["_regex", "_niregex", "_nsimilar"])("%s is compiled even without rows", (operator) => {
    const answer = serve({ rows: {} })(`{ Parcel(where: {title: {${operator}: "(a"}}) { id } }`);
    expect(failure(answer)).toEqual([INVALID_REGEX, "$", "data-exception"]);
  });
});
