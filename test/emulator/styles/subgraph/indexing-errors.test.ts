import { describe, expect, test } from "vitest";
import { INTROSPECTION_QUERY } from "../../../../src/dialects/introspection.ts";
import { bands, type ServeOptions } from "./support.ts";

const failed = bands({ errorBlock: 7 });
const healthy = bands();
const indexingError = { message: "indexing_error" };
const b1 = { id: "b1" };
const typename = { __typename: "_Meta_" };

describe("indexing errors", () => {
  const rows: readonly [name: string, query: string, answer: unknown][] = [
    ["data is denied by default", '{ band(id: "b1") { id } }', { errors: [indexingError] }],
    ["deny", '{ band(id: "b1", subgraphError: deny) { id } }', { errors: [indexingError] }],
    [
      "allow returns data and the error",
      '{ band(id: "b1", subgraphError: allow) { id } }',
      { data: { band: b1 }, errors: [indexingError] },
    ],
    [
      "the enum as a string",
      '{ band(id: "b1", subgraphError: "allow") { id } }',
      { data: { band: b1 }, errors: [indexingError] },
    ],
    [
      "one field with deny denies all data",
      '{ a: band(id: "b1", subgraphError: allow) { id } b: band(id: "b1") { id } }',
      { errors: [indexingError] },
    ],
    [
      "_meta alone has no error",
      "{ _meta { hasIndexingErrors } }",
      { data: { _meta: { hasIndexingErrors: true } } },
    ],
    ["by response key: an alias of _meta", "{ m: _meta { hasIndexingErrors } }", { errors: [indexingError] }],
    ["by response key: another field as _meta", '{ _meta: band(id: "b1") { id } }', { data: { _meta: b1 } }],
    [
      "by response key: another field as _logs",
      '{ _logs: band(id: "b1") { id } _meta { __typename } }',
      { data: { _logs: b1, _meta: typename } },
    ],
    [
      "_meta counts as deny",
      '{ band(id: "b1", subgraphError: allow) { id } _meta { __typename } }',
      { data: { _meta: typename }, errors: [indexingError] },
    ],
    [
      "__typename counts as deny",
      '{ band(id: "b1", subgraphError: allow) { id } __typename }',
      { errors: [indexingError] },
    ],
    [
      "introspection counts as deny, and keeps its data with the error",
      '{ band(id: "b1", subgraphError: allow) { id } __type(name: "Genre") { name } }',
      { data: { __type: { name: "Genre" } }, errors: [indexingError] },
    ],
    [
      "by response key: an alias of introspection",
      '{ t: __type(name: "Genre") { name } }',
      { errors: [indexingError] },
    ],
    [
      "an error of the query itself is the only one",
      "{ bands(first: 0, subgraphError: allow) { id } }",
      { errors: [{ message: "The `first` argument must be between 0 and 1000, but is 0" }] },
    ],
    ["an empty selection has no error", '{ band(id: "b1") @skip(if: true) { id } }', {}],
  ];
  test.each(rows)("%s", (_, query, answer) => expect(failed(query)).toEqual(answer));

  test("the introspection query returns the schema with the error", () => {
    expect(failed(INTROSPECTION_QUERY)).toEqual({
      ...healthy(INTROSPECTION_QUERY),
      errors: [indexingError],
    });
  });
  test("the remaining keys have a fixed order", () => {
    const answer = failed(
      '{ __type(name: "Genre") { name } __schema { description } _logs: band(id: "b1") { id } _meta { __typename } x: __typename }',
    );
    expect(Object.keys(answer.data ?? {})).toEqual(["_meta", "_logs", "__schema", "__type"]);
    expect(Object.keys(answer)).toEqual(["data", "errors"]);
  });

  test("the policy applies per group of fields at one block", () => {
    expect(
      failed(
        '{ a: band(id: "b1", subgraphError: allow) { id } b: band(id: "b1", block: { number: 8 }) { id } c: band(id: "b1", block: { number: 6 }) { id } }',
      ),
    ).toEqual({ data: { a: b1, c: b1 }, errors: [indexingError, indexingError] });
  });

  const blocks: readonly [block: string, errors: boolean][] = [
    ["{ number: 6 }", false],
    ["{ number: 7 }", true],
    ["{ number: 8 }", true],
    ["{ number_gte: 5 }", true],
    ["null", true],
  ];
  test.each(blocks)("the error applies from its block on: %s", (block, errors) => {
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
