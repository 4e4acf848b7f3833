import { describe, expect, it } from "vitest";
import { failure, ids, serve } from "./support.ts";

const ROWS = {
  Key: [
    { id: "k1", hash: "0x00ff", tag: "0x", parts: ["0xaa", "0xbb"] },
    { id: "k2", hash: "0x0a", tag: null, parts: [] },
    { id: "k3", hash: "0x307830306666", tag: "0x5c", parts: null },
  ],
};

const run = serve({
  sdl: "type Key { id: ID! hash: Bytes! tag: Bytes parts: [Bytes!] }",
  release: "3.10",
  bytesType: "uint8array",
  aggregates: ["Key"],
  rows: ROWS,
});
const where = (filter: string) => run(`{ Key(where: ${filter}, order_by: {id: asc}) { id } }`);

describe("columns of bytes", () => {
  it("are returned as \\x and hex digits in lower case", () => {
    expect(run("{ Key(order_by: {id: asc}) { hash tag parts } }").data).toEqual({
      Key: [
        { hash: "\\x00ff", tag: "\\x", parts: ["\\xaa", "\\xbb"] },
        { hash: "\\x0a", tag: null, parts: [] },
        { hash: "\\x307830306666", tag: "\\x5c", parts: null },
      ],
    });
  });

  it.each([
    [String.raw`{hash: {_eq: "\\x00ff"}}`, "k1"],
    [String.raw`{hash: {_eq: "\\x00FF"}}`, "k1"],
    [String.raw`{hash: {_eq: "\\x 00 \n fF "}}`, "k1"],
    [String.raw`{hash: {_eq: "\\000\\377"}}`, "k1"],
    // Other text is compared by its own bytes.
    [`{hash: {_eq: "0x00ff"}}`, "k3"],
    [String.raw`{tag: {_eq: "\\\\"}}`, "k3"],
    [String.raw`{tag: {_eq: "\\x"}}`, "k1"],
    [`{tag: {_eq: ""}}`, "k1"],
    [String.raw`{hash: {_neq: "\\x00ff"}}`, "k2 k3"],
    [String.raw`{hash: {_in: ["\\x00ff", "\\x0a"]}}`, "k1 k2"],
    [String.raw`{hash: {_nin: ["\\x00ff", "\\x0a"]}}`, "k3"],
    [String.raw`{hash: {_gt: "\\x00ff"}}`, "k2 k3"],
    [String.raw`{hash: {_lte: "\\x0a"}}`, "k1 k2"],
    [`{tag: {_is_null: true}}`, "k2"],
    [String.raw`{parts: {_contains: ["\\xbb"]}}`, "k1"],
    [String.raw`{parts: {_eq: ["\\xaa", "\\xbb"]}}`, "k1"],
  ])("are filtered by %s", (filter, want) => {
    expect(ids(where(filter))).toBe(want);
  });

  it("are ordered by their bytes", () => {
    expect(ids(run("{ Key(order_by: {hash: desc}) { id } }"))).toBe("k3 k2 k1");
  });

  it.each([
    [String.raw`"\\y"`, "invalid input syntax for type bytea"],
    [String.raw`"\\400"`, "invalid input syntax for type bytea"],
    [String.raw`"\\x0g"`, 'invalid hexadecimal digit: "g"'],
    [String.raw`"\\x0 0"`, 'invalid hexadecimal digit: " "'],
    [String.raw`"\\x000"`, "invalid hexadecimal data: odd number of digits"],
  ])("refused by the database: %s", (value, message) => {
    expect(failure(where(`{hash: {_eq: ${value}}}`))).toEqual([message, "$", "data-exception"]);
  });

  it.each([
    ["5", "A string is expected for type: bytea", "parse-failed"],
    ["null", "unexpected null value for type 'bytea'", "validation-failed"],
  ])("refused: %s", (value, message, code) => {
    const path = "$.selectionSet.Key.args.where.hash._eq";
    expect(failure(where(`{hash: {_eq: ${value}}}`))).toEqual([message, path, code]);
  });

  it.each(["_like", "_ilike", "_similar", "_regex", "_iregex"])("have no %s", (operator) => {
    const [message] = failure(where(`{hash: {${operator}: "a"}}`));
    expect(message).toBe(`field '${operator}' not found in type: 'bytea_comparison_exp'`);
  });

  it("have no max and no min", () => {
    const [message] = failure(run("{ Key_aggregate { aggregate { max { hash } } } }"));
    expect(message).toBe("field 'hash' not found in type: 'Key_max_fields'");
    expect(run("{ Key_aggregate { aggregate { count(columns: tag) } } }").data).toEqual({
      Key_aggregate: { aggregate: { count: 2 } },
    });
  });

  it("can be used in distinct_on and in variables", () => {
    const query = "query Q($hash: bytea!) { Key(where: {hash: {_eq: $hash}}, distinct_on: hash) { id } }";
    expect(ids(run(query, { hash: "\\x0A" }))).toBe("k2");
  });
});
