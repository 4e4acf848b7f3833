import { describe, expect, test } from "vitest";
import { INTROSPECTION_QUERY } from "../../../../src/dialects/introspection.ts";
import { bands, type ServeOptions } from "./support.ts";

const failed = bands({ errorBlock: 7 });
const healthy = bands();
const indexingError = { message: "indexing_error" };
const b1 = { id: "b1" };
const typename = { __typename: "_Meta_" };
const denied = '(id: "b1") { id }';
const allowed = '(id: "b1", subgraphError: allow) { id }';
const genre = '__type(name: "Genre") { name }';

describe("indexing errors", () => {
  test.each<[name: string, query: string, data: unknown]>([
    ["data is denied by default", `{ band${denied} }`, undefined],
    ["deny", '{ band(id: "b1", subgraphError: deny) { id } }', undefined],
    ["allow returns data and the error", `{ band${allowed} }`, { band: b1 }],
    ["the enum as a string", '{ band(id: "b1", subgraphError: "allow") { id } }', { band: b1 }],
    ["one field with deny denies all data", `{ a: band${allowed} b: band${denied} }`, undefined],
    ["by response key: an alias of _meta", "{ m: _meta { hasIndexingErrors } }", undefined],
    ["_meta counts as deny", `{ band${allowed} _meta { __typename } }`, { _meta: typename }],
    ["__typename counts as deny", `{ band${allowed} __typename }`, undefined],
    [
      "introspection counts as deny, and keeps its data",
      `{ band${allowed} ${genre} }`,
      { __type: { name: "Genre" } },
    ],
    ["by response key: an alias of introspection", `{ t: ${genre} }`, undefined],
  ])("%s", (_, query, data) => {
    expect(failed(query)).toEqual({ ...(data === undefined ? {} : { data }), errors: [indexingError] });
  });

  test.each<[name: string, query: string, answer: unknown]>([
    [
      "_meta alone has no error",
      "{ _meta { hasIndexingErrors } }",
      { data: { _meta: { hasIndexingErrors: true } } },
    ],
    ["by response key: another field as _meta", `{ _meta: band${denied} }`, { data: { _meta: b1 } }],
    [
      "by response key: another field as _logs",
      `{ _logs: band${denied} _meta { __typename } }`,
      { data: { _logs: b1, _meta: typename } },
    ],
    [
      "an error of the query itself is the only one",
      "{ bands(first: 0, subgraphError: allow) { id } }",
      { errors: [{ message: "The `first` argument must be between 0 and 1000, but is 0" }] },
    ],
    ["an empty selection has no error", '{ band(id: "b1") @skip(if: true) { id } }', {}],
  ])("%s", (_, query, answer) => expect(failed(query)).toEqual(answer));

  test("the introspection query returns the schema with the error", () => {
    expect(failed(INTROSPECTION_QUERY)).toEqual({
      ...healthy(INTROSPECTION_QUERY),
      errors: [indexingError],
    });
  });
  test("the remaining keys have a fixed order", () => {
    const answer = failed(
      `{ ${genre} __schema { description } _logs: band${denied} _meta { __typename } x: __typename }`,
    );
    expect(Object.keys(answer.data ?? {})).toEqual(["_meta", "_logs", "__schema", "__type"]);
    expect(Object.keys(answer)).toEqual(["data", "errors"]);
  });

  test("the policy applies per group of fields at one block", () => {
    const later = '(id: "b1", block: { number: 8 }) { id }';
    const before = '(id: "b1", block: { number: 6 }) { id }';
    const answer = failed(`{ a: band${allowed} b: band${later} c: band${before} }`);
    expect(answer).toEqual({ data: { a: b1, c: b1 }, errors: [indexingError, indexingError] });
  });

  test.each<[block: string, errors: boolean]>([
    ["{ number: 6 }", false],
    ["{ number: 7 }", true],
    ["{ number: 8 }", true],
    ["{ number_gte: 5 }", true],
    ["null", true],
  ])("the error applies from its block on: %s", (block, errors) => {
    expect(failed(`{ band(id: "b1", block: ${block}) { id } }`)).toEqual(
      errors ? { errors: [indexingError] } : { data: { band: b1 } },
    );
    expect(failed(`{ _meta(block: ${block}) { hasIndexingErrors } }`)).toEqual({
      data: { _meta: { hasIndexingErrors: errors } },
    });
  });

  const unaffected: readonly ServeOptions[] = [{}, { errorBlock: 11 }];
  test.each(unaffected)("an indexer with %o returns no error", (options) => {
    expect(bands(options)('{ band(id: "b1") { id } _meta { hasIndexingErrors } }')).toEqual({
      data: { band: b1, _meta: { hasIndexingErrors: false } },
    });
  });
});
