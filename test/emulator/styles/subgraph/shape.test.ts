import { describe, expect, test } from "vitest";
import { asker, bands, readMarks } from "./support.ts";

const ask = bands();
const keys = (value: unknown) => Object.keys(value as object);

describe("shape of the result", () => {
  test("data is absent on an error, not null", () => {
    expect(keys(ask('{ band(id: "b1") { id } bands(first: 0) { id } }'))).toEqual(["errors"]);
  });
  test("keys are in the order of the query", () => {
    const answer = ask('{ z: band(id: "b1") { nick id z: name } bands(first: 1) { id } }');
    expect(keys(answer.data)).toEqual(["z", "bands"]);
    expect(keys(answer.data?.["z"])).toEqual(["nick", "id", "z"]);
  });
  test("a dropped field does not affect the order of keys", () => {
    const answer = ask('{ band(id: "b1") { label name ... on Band { nick label { id } } } }');
    expect(keys(answer.data?.["band"])).toEqual(["name", "nick", "label"]);
  });
  test("at the root, __typename, _meta and introspection are after other fields", () => {
    const answer = ask(
      '{ __schema { queryType { name } } __typename _meta { deployment } a: band(id: "b1") { id } __type(name: "Nope") { name } b: bands(first: 1) { id } }',
    );
    expect(keys(answer.data)).toEqual(["a", "b", "__typename", "_meta", "__schema", "__type"]);
  });
  test("__typename at the root and in fragments on Query", () => {
    const query = '{ ... on Query { t: __typename ...F } } fragment F on Query { band(id: "none") { id } }';
    expect(ask(query)).toEqual({ data: { t: "Query", band: null } });
  });
  test.each([
    [
      "a response key may be __proto__",
      '{ band(id: "b1") { __proto__: id } }',
      '{"data":{"band":{"__proto__":"b1"}}}',
    ],
    ["also at the root", '{ __proto__: band(id: "b1") { id } }', '{"data":{"__proto__":{"id":"b1"}}}'],
    [
      "_logs is empty, and the last key",
      "{ _logs { id } _meta { deployment } }",
      '{"data":{"_meta":{"deployment":"QmTest"},"_logs":[]}}',
    ],
    [
      "an error has locations, then a message",
      "{ foo }",
      '{"errors":[{"locations":[{"line":1,"column":3}],"message":"Type `Query` has no field `foo`"}]}',
    ],
  ])("%s", (_, query, want) => expect(JSON.stringify(ask(query))).toBe(want));

  test("errors of one group drop all of its data", () => {
    expect(ask('{ a: band(id: "b1") { id } b: bands(first: 0) { id } c: bands(skip: -1) { id } }')).toEqual({
      errors: [
        { message: "The `first` argument must be between 0 and 1000, but is 0" },
        { message: "The `skip` argument must be between 0 and 5000, but is -1" },
      ],
    });
  });
  test("errors of fetching are reported without errors of serialization", () => {
    expect(ask('{ a: bands(first: 0) { id } b: band(id: "b2") { manager { id } } }')).toEqual({
      errors: [{ message: "The `first` argument must be between 0 and 1000, but is 0" }],
    });
  });
  test("root fields of another block succeed or fail independently", () => {
    const answer = ask(
      '{ a: band(id: "b1") { id } b: bands(first: 0, block: { number: 8 }) { id } c: band(id: "b3", block: { number: 7 }) { id } }',
    );
    expect(keys(answer)).toEqual(["data", "errors"]);
    expect(answer.data).toEqual({ a: { id: "b1" }, c: { id: "b3" } });
    expect(answer.errors).toHaveLength(1);
  });
  test("an unavailable block fails the whole request with one error", () => {
    const message =
      "Failed to decode `block.number` value: `subgraph QmTest has only indexed up to block number 10 and data for block number 99 is therefore not yet available`";
    const ahead = 'b: band(id: "b1", block: { number: 99 }) { id }';
    expect(ask(`{ a: bands(first: 0) { id } ${ahead} c: bands(block: { number: 1 }) { id } }`)).toEqual({
      errors: [{ message }],
    });
    expect(ask(`{ ${ahead} c: bands { id } }`)).toEqual({ errors: [{ message }] });
  });
  test("root fields are grouped by block, in order", () => {
    const answer = ask(
      '{ _meta { deployment } a: band(id: "b1", block: { number: 7 }) { id } b: band(id: "b1", block: { number: 7 }) { id } c: bands(first: 1) { id } }',
    );
    expect(keys(answer.data)).toEqual(["_meta", "a", "b", "c"]);
  });
  test("an empty selection returns an empty answer", () => {
    expect(ask('{ band(id: "b1") @skip(if: true) { id } }')).toEqual({});
    expect(ask("{ bands }")).toEqual({});
  });

  test("_logs cannot be combined with entities", () => {
    const message = "The _logs query cannot be combined with other entity queries in the same request";
    expect(ask("{ _logs { id } bands { id } }")).toEqual({ errors: [{ message }] });
  });

  test.each(["n", "tags"])("a null in the non-null %s fails the request, with a location", (field) => {
    const broken = asker("type A @entity { id: ID!  n: BigInt!  tags: [String!]! }", {
      A: [{ id: "1", n: null, tags: [null] }],
    });
    const { query, locations } = readMarks(`{ as { ¦${field} } }`);
    const message = `Null value resolved for non-null field \`${field}\``;
    expect(broken(query)).toEqual({ errors: [{ locations, message }] });
  });
});
