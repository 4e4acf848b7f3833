import { describe, expect, test } from "vitest";
import type { Row } from "../../../../emulator/styles/read-view.ts";
import { asker, BAND_ROWS, BANDS, bands, messagesOf, readMarks } from "./support.ts";

const ask = bands();

/** Serves the bands with one row changed. */
function changed(id: string, change: Row) {
  return asker(BANDS, {
    ...BAND_ROWS,
    Band: (BAND_ROWS["Band"] ?? []).map((row) => (row["id"] === id ? { ...row, ...change } : row)),
  });
}

describe("relations", () => {
  test.each<[name: string, query: string, data: unknown]>([
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
    ["an interface by id", '{ act(id: "s1") { __typename id } }', { act: { __typename: "Solo", id: "s1" } }],
    [
      "a reference to an interface",
      "{ musicians { favourite { id } } }",
      { musicians: [{ favourite: { id: "s1" } }, { favourite: { id: "b1" } }] },
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
  ])("%s", (_, query, data) => expect(ask(query)).toEqual({ data }));

  test("a missing target is null", () => {
    const answer = changed("b1", { home: "0xff" })('{ band(id: "b1") { home { id } } }');
    expect(answer).toEqual({ data: { band: { home: null } } });
  });
  test("a missing target of a non-null field fails the request, at each position in the answer", () => {
    // The band b1 has two songs.
    const { query, locations } = readMarks("{ songs { band {\n ¦label { id } } } }");
    const error = { locations, message: "Null value resolved for non-null field `label`" };
    expect(changed("b1", { label: "99" })(query)).toEqual({ errors: [error, error] });
  });

  const halls = asker(
    `interface Act { id: ID!  size: Int }
     type Hall @entity { id: ID!  act: Act  acts: [Act!]  next: Hall }`,
    { Hall: [{ id: "h", act: null, acts: [] }] },
  );
  test.each([
    ["{ acts(first: 0) { id } }", "acts"],
    ['{ act(id: "x") { id } }', "act"],
    ["{ halls { act { id } } }", "act"],
  ])("an interface without implementers is not fetched: %s", (query, field) => {
    expect(messagesOf(halls(query))).toEqual([
      `Failed to get entities from store: internal error resolving Act.${field}: expected prefetched result, but found nothing`,
    ]);
  });
  test.each([
    ["{ halls { id acts { id } } acts }", [{ id: "h", acts: [] }]],
    ["{ halls(where: { act_: { size_gt: null } }) { id } }", []],
    ["{ halls(where: { next_: { acts_: {} } }) { id } }", []],
  ])("an interface without implementers has no rows: %s", (query, rows) => {
    expect(halls(query)).toEqual({ data: { halls: rows } });
  });
  test("rows cannot be ordered by an interface without implementers", () => {
    const message = "internal error: Cannot order by child interface with no implementing entity types";
    expect(messagesOf(halls("{ halls(orderBy: act__size) { id } }"))).toEqual([message]);
  });

  test("null references to an interface of several types fail unless the parents' ids are text", () => {
    const act = "implements Act @entity { id: ID! }";
    const types = ["ID", "Bytes", "Int8"].map(
      (id) => `type In${id} @entity { id: ${id}!  act: Act  band: Band }`,
    );
    const sdl = `interface Act { id: ID! } type Band ${act} type Solo ${act} ${types.join(" ")}`;
    const empty = (id: string) => [{ id, act: null, band: null }];
    const none = asker(sdl, { InID: empty("a"), InBytes: empty("0xaa"), InInt8: empty("1") });
    const some = asker(sdl, { InBytes: [...empty("0xaa"), { id: "0xab", act: "gone" }] });
    const failure = (type: string) => [
      `Failed to get entities from store: operator does not exist: text = ${type}`,
    ];
    expect(none("{ inIDs { act { id } } }")).toEqual({ data: { inIDs: [{ act: null }] } });
    expect(messagesOf(none("{ inBytes_collection { act { id } } }"))).toEqual(failure("bytea"));
    expect(messagesOf(none("{ inInt8S { act { id } } }"))).toEqual(failure("bigint"));
    expect(none("{ all: inBytes_collection { band { id } } }").data).toEqual({ all: [{ band: null }] });
    expect(some("{ all: inBytes_collection { act { id } } }").data).toEqual({
      all: [{ act: null }, { act: null }],
    });
  });
  test("a field with a reserved name is null", () => {
    const odd = asker("type Odd @entity { id: ID!  __size: Int }", { Odd: [{ id: "a", __size: 3 }] });
    expect(odd("{ odds(where: { __size: 3 }) { id __size } }")).toEqual({
      data: { odds: [{ id: "a", __size: null }] },
    });
  });
  const ambiguous =
    "Ambiguous result for derived field `manager`: Multiple `Manager` entities refer back via `band`";
  test("a database error is reported instead of an ambiguous derived field of the same block", () => {
    const broken = 'cities(where: { bands_: { home_starts_with: "0a" } }) { id }';
    const failed = "Failed to get entities from store: operator does not exist: bytea ~~ text";
    const messages = (args: string) => messagesOf(ask(`{ band(${args}) { manager { id } } ${broken} }`));
    expect(messages('id: "b2"')).toEqual([failed]);
    expect(messages('id: "b2", block: { number: 9 }')).toEqual([ambiguous, failed]);
  });
  test("two rows for a derived single field fail", () => {
    const { query, locations } = readMarks('{ band(id: "b2") {\n  ¦m: manager { id } } }');
    expect(ask(query)).toEqual({ errors: [{ locations, message: ambiguous }] });
  });
});
