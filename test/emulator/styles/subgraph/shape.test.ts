import { describe, expect, test } from "vitest";
import { asker, bands } from "./support.ts";

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
    expect(
      ask('{ ... on Query { t: __typename ...F } } fragment F on Query { band(id: "none") { id } }'),
    ).toEqual({
      data: { t: "Query", band: null },
    });
  });
  test("a response key may be __proto__", () => {
    expect(JSON.stringify(ask('{ band(id: "b1") { __proto__: id } }'))).toBe(
      '{"data":{"band":{"__proto__":"b1"}}}',
    );
    expect(JSON.stringify(ask('{ __proto__: band(id: "b1") { id } }'))).toBe(
      '{"data":{"__proto__":{"id":"b1"}}}',
    );
  });

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

  test("_logs is empty, is the last key, and cannot be combined with entities", () => {
    expect(JSON.stringify(ask("{ _logs { id } _meta { deployment } }"))).toBe(
      '{"data":{"_meta":{"deployment":"QmTest"},"_logs":[]}}',
    );
    expect(ask("{ _logs { id } bands { id } }")).toEqual({
      errors: [
        { message: "The _logs query cannot be combined with other entity queries in the same request" },
      ],
    });
  });

  test("a null in a non-null position fails the request, with a location", () => {
    const broken = asker("type A @entity { id: ID!  n: BigInt!  tags: [String!]! }", {
      A: [{ id: "1", n: null, tags: [null] }],
    });
    expect(broken("{ as { n } }")).toEqual({
      errors: [
        { locations: [{ line: 1, column: 8 }], message: "Null value resolved for non-null field `n`" },
      ],
    });
    expect(broken("{ as { tags } }")).toEqual({
      errors: [
        { locations: [{ line: 1, column: 8 }], message: "Null value resolved for non-null field `tags`" },
      ],
    });
  });
  test("the keys of an error: locations, then message", () => {
    expect(JSON.stringify(ask("{ foo }"))).toBe(
      '{"errors":[{"locations":[{"line":1,"column":3}],"message":"Type `Query` has no field `foo`"}]}',
    );
  });
});
