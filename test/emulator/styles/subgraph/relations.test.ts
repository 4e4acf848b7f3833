import { describe, expect, test } from "vitest";
import type { Row } from "../../../../emulator/styles/read-view.ts";
import { asker, BAND_ROWS, BANDS, bands, messagesOf } from "./support.ts";

const ask = bands();

/** Serves the bands with one row changed. */
function changed(id: string, change: Row) {
  return asker(BANDS, {
    ...BAND_ROWS,
    Band: (BAND_ROWS["Band"] ?? []).map((row) => (row["id"] === id ? { ...row, ...change } : row)),
  });
}

describe("relations", () => {
  const rows: readonly [name: string, query: string, data: unknown][] = [
    ["a single reference", '{ band(id: "b1") { home { name } } }', { band: { home: { name: "Rome" } } }],
    ["a null reference", '{ band(id: "b3") { home { name } } }', { band: { home: null } }],
    ["a derived single", '{ band(id: "b1") { manager { id } } }', { band: { manager: { id: "g1" } } }],
    ["a derived single without one", '{ band(id: "b3") { manager { id } } }', { band: { manager: null } }],
    [
      "a stored list returns existing targets without duplicates, in collection order",
      '{ band(id: "b2") { members { id } } }',
      { band: { members: [{ id: "m1" }, { id: "m2" }] } },
    ],
    [
      "a stored list supports collection arguments",
      '{ band(id: "b2") { members(orderBy: name, first: 1) { id } } }',
      { band: { members: [{ id: "m2" }] } },
    ],
    ["an empty stored list", '{ band(id: "b3") { members { id } } }', { band: { members: [] } }],
    [
      "a derived list",
      '{ city(id: "0x0a") { bands { id } } }',
      { city: { bands: [{ id: "B4" }, { id: "b1" }] } },
    ],
    [
      "a list derived from a list",
      '{ musician(id: "m1") { bands { id } } }',
      { musician: { bands: [{ id: "b1" }, { id: "b2" }] } },
    ],
    [
      "an interface returns concrete objects, and fragments on implementers apply",
      '{ acts(where: { id_in: ["b1", "s1"] }) { __typename id ... on Band { nick } ... on Solo { name } ... on Act { home { id } } } }',
      {
        acts: [
          { __typename: "Band", id: "b1", nick: "alpha_x", home: { id: "0x0a" } },
          { __typename: "Solo", id: "s1", name: "Ari", home: { id: "0x0b" } },
        ],
      },
    ],
    [
      "an interface by id",
      '{ act(id: "s1") { __typename name } }',
      { act: { __typename: "Solo", name: "Ari" } },
    ],
    [
      "a reference to an interface",
      "{ musicians { favourite { __typename id } } }",
      {
        musicians: [
          { favourite: { __typename: "Solo", id: "s1" } },
          { favourite: { __typename: "Band", id: "b1" } },
        ],
      },
    ],
    [
      "a fragment on an interface applies to its implementers",
      '{ band(id: "b1") { ...F } } fragment F on Act { name }',
      { band: { name: "alpha" } },
    ],
    [
      "a circular relation",
      '{ song(id: "t2") { band { songs { band { id } } } } }',
      { song: { band: { songs: [{ band: { id: "b2" } }] } } },
    ],
    [
      "one entity under several parents, each with its own children",
      '{ bands(where: { id_in: ["b1", "B4"] }) { id home { id bands(first: 1) { id } } } }',
      {
        bands: [
          { id: "B4", home: { id: "0x0a", bands: [{ id: "B4" }] } },
          { id: "b1", home: { id: "0x0a", bands: [{ id: "B4" }] } },
        ],
      },
    ],
  ];
  test.each(rows)("%s", (_, query, data) => expect(ask(query)).toEqual({ data }));

  test("a missing target is null", () => {
    expect(changed("b1", { home: "0xff" })('{ band(id: "b1") { home { id } } }')).toEqual({
      data: { band: { home: null } },
    });
  });
  test("a missing target of a non-null field fails the request", () => {
    expect(changed("b1", { label: "99" })('{ band(id: "b1") { id\n label { id } } }')).toEqual({
      errors: [
        { locations: [{ line: 2, column: 2 }], message: "Null value resolved for non-null field `label`" },
      ],
    });
  });
  test("an error of an entity is reported at each position in the answer", () => {
    const answer = changed("b1", { label: "99" })("{ songs { band { label { id } } } }");
    // The band b1 has two songs.
    expect(answer).toEqual({
      errors: [1, 2].map(() => ({
        locations: [{ line: 1, column: 18 }],
        message: "Null value resolved for non-null field `label`",
      })),
    });
  });
  test("an interface without implementers is not fetched", () => {
    const empty = asker(
      `interface Act { id: ID!  size: Int }
       type Hall @entity { id: ID!  act: Act  acts: [Act!]  next: Hall }`,
      { Hall: [{ id: "h", act: null, acts: [] }] },
    );
    const message = (type: string, field: string) =>
      `Failed to get entities from store: internal error resolving ${type}.${field}: expected prefetched result, but found nothing`;
    expect(empty("{ acts(first: 0) { id } }")).toEqual({ errors: [{ message: message("Act", "acts") }] });
    expect(empty('{ act(id: "x") { id } }')).toEqual({ errors: [{ message: message("Act", "act") }] });
    expect(empty("{ halls { act { id } } }")).toEqual({ errors: [{ message: message("Act", "act") }] });
    expect(empty("{ halls { id acts { id } } acts }")).toEqual({ data: { halls: [{ id: "h", acts: [] }] } });
    expect(empty("{ halls(where: { act_: { size_gt: null } }) { id } }")).toEqual({ data: { halls: [] } });
    expect(empty("{ halls(where: { next_: { acts_: {} } }) { id } }")).toEqual({ data: { halls: [] } });
    expect(empty("{ halls(orderBy: act__size) { id } }")).toEqual({
      errors: [
        { message: "internal error: Cannot order by child interface with no implementing entity types" },
      ],
    });
  });
  test("null references to an interface of several types fail unless the parents' ids are text", () => {
    const act = "implements Act @entity { id: ID! }";
    const types = ["ID", "Bytes", "Int8"].map(
      (id) => `type In${id} @entity { id: ${id}!  act: Act  band: Band }`,
    );
    const none = asker(`interface Act { id: ID! } type Band ${act} type Solo ${act} ${types.join(" ")}`, {
      InID: [{ id: "a", act: null, band: null }],
      InBytes: [{ id: "0xaa", act: null, band: null }],
      InInt8: [{ id: "1", act: null, band: null }],
    });
    const some = asker(`interface Act { id: ID! } type Band ${act} type Solo ${act} ${types.join(" ")}`, {
      InBytes: [
        { id: "0xaa", act: null },
        { id: "0xab", act: "gone" },
      ],
    });
    const failure = (type: string) => ({
      errors: [{ message: `Failed to get entities from store: operator does not exist: text = ${type}` }],
    });
    expect(none("{ inIDs { act { id } } }")).toEqual({ data: { inIDs: [{ act: null }] } });
    expect(none("{ inBytes_collection { act { id } } }")).toEqual(failure("bytea"));
    expect(none("{ inBytes_collection { band { id } } }")).toEqual({
      data: { inBytes_collection: [{ band: null }] },
    });
    expect(none("{ inInt8S { act { id } } }")).toEqual(failure("bigint"));
    expect(some("{ inBytes_collection { act { id } } }")).toEqual({
      data: { inBytes_collection: [{ act: null }, { act: null }] },
    });
  });
  test("a field with a reserved name is null", () => {
    const odd = asker("type Odd @entity { id: ID!  __size: Int }", { Odd: [{ id: "a", __size: 3 }] });
    expect(odd("{ odds(where: { __size: 3 }) { id __size } }")).toEqual({
      data: { odds: [{ id: "a", __size: null }] },
    });
  });
  test("a database error is reported instead of an ambiguous derived field of the same block", () => {
    const ambiguous =
      "Ambiguous result for derived field `manager`: Multiple `Manager` entities refer back via `band`";
    const broken = 'cities(where: { bands_: { home_starts_with: "0a" } }) { id }';
    const failed = "Failed to get entities from store: operator does not exist: bytea ~~ text";
    expect(messagesOf(ask(`{ band(id: "b2") { manager { id } } ${broken} }`))).toEqual([failed]);
    expect(messagesOf(ask(`{ band(id: "b2", block: { number: 9 }) { manager { id } } ${broken} }`))).toEqual([
      ambiguous,
      failed,
    ]);
  });
  test("two rows for a derived single field fail", () => {
    expect(ask('{ band(id: "b2") {\n  m: manager { id } } }')).toEqual({
      errors: [
        {
          locations: [{ line: 2, column: 3 }],
          message:
            "Ambiguous result for derived field `manager`: Multiple `Manager` entities refer back via `band`",
        },
      ],
    });
  });
});
