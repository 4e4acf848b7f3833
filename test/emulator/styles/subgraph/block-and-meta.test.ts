import { describe, expect, test } from "vitest";
import type { Write } from "../../../../emulator/dataset/rows/create-store-versions.ts";
import {
  asker,
  askerOf,
  BAND_ROWS,
  BANDS,
  bands,
  blockAt,
  HEAD_HASH,
  HEAD_TIME,
  idsFor,
  messagesOf,
  PARENT_HASH,
  serve,
  type TableRows,
} from "./support.ts";

const ask = bands();
const found = { data: { band: { id: "b1" } } };
const invalid = (argument: string, reason: string) =>
  `Failed to decode \`block.${argument}\` value: \`${reason}\``;
const ahead = (block: number) =>
  `subgraph QmTest has only indexed up to block number 10 and data for block number ${block} is therefore not yet available`;
const tooEarly = (first: number, block: number) =>
  `subgraph QmTest only has data starting at block number ${first} and data for block number ${block} is therefore not available`;

describe("block", () => {
  test.each([
    "null",
    "{ number: 10 }",
    "{ number: 5 }",
    "{ number_gte: 10 }",
    "{ number_gte: 1 }",
    `{ hash: "${HEAD_HASH}" }`,
    `{ hash: "${HEAD_HASH.slice(2).toUpperCase()}" }`,
    `{ hash: "${HEAD_HASH}", number: 99 }`,
    "{ number: 10, number_gte: 99 }",
    `{ hash: "${blockAt(6).hash}" }`,
    "{ number_gte: -1 }",
  ])("block: %s is answered", (block) => {
    expect(ask(`{ band(id: "b1", block: ${block}) { id } }`)).toEqual(found);
  });

  test.each([
    [`{ hash: "${blockAt(12).hash}" }`, invalid("number", ahead(12))],
    ["{ number: 99 }", invalid("number", ahead(99))],
    ["{ number_gte: 99 }", invalid("number_gte", ahead(99))],
    ["{ number: 1 }", invalid("number", tooEarly(5, 1))],
    ['{ hash: "0x12" }', invalid("hash", "no block with that hash found")],
  ])("block: %s is refused", (block, message) => {
    expect(ask(`{ band(id: "b1", block: ${block}) { id } }`)).toEqual({ errors: [{ message }] });
  });

  test.each([
    ["{}", "Object({})"],
    ['{ hash: "x" }', 'Object({"hash": String("x")})'],
    ["{ nope: 1 }", 'Object({"nope": Int(Number(1))})'],
  ])("block: %s is invalid", (block, shown) => {
    const message = `Invalid value provided for argument \`block\`: ${shown}`;
    expect(ask(`{ bands(block: ${block}) { id } }`)).toEqual({
      errors: [{ locations: [{ line: 0, column: 0 }], message }],
    });
  });
});

describe("_meta", () => {
  const query = (block: string) =>
    `{ _meta${block} { deployment hasIndexingErrors block { number hash timestamp parentHash __typename } } }`;
  const meta = (block: object) => ({
    data: {
      _meta: { deployment: "QmTest", hasIndexingErrors: false, block: { ...block, __typename: "_Block_" } },
    },
  });
  const head = { number: 10, hash: HEAD_HASH, timestamp: HEAD_TIME, parentHash: PARENT_HASH };
  test.each<[block: string, want: object]>([
    ["", head],
    ["(block: { number_gte: 7 })", head],
    [`(block: { hash: "${HEAD_HASH}" })`, head],
    [`(block: { hash: "${blockAt(6).hash}" })`, blockAt(6)],
    ["(block: { number: 7 })", { number: 7, hash: null, timestamp: null, parentHash: null }],
    ["(block: { number: 10 })", { number: 10, hash: null, timestamp: null, parentHash: null }],
  ])("_meta%s", (block, want) => expect(ask(query(block))).toEqual(meta(want)));

  test.each(["{ _meta { b: block { number } } }", "{ _meta { block { number } b: block { hash } } }"])(
    "an alias of the field block fails: %s",
    (asked) => {
      expect(messagesOf(ask(asked))).toEqual([
        "Failed to get entities from store: internal error resolving _Block_.block: expected prefetched result, but found nothing",
      ]);
    },
  );
  test("_meta has its own block next to a field of another block", () => {
    const other = '{ band(id: "b1", block: { number: 7 }) { id } _meta { block { number } } }';
    expect(ask(other).data).toEqual({ band: { id: "b1" }, _meta: { block: { number: 10 } } });
  });
  test("an indexer that has not started returns an error", () => {
    const served = serve(BANDS, BAND_ROWS);
    const notStarted = askerOf({ ...served, now: () => ({ ...served.now(), chains: [] }) });
    const answer = notStarted("{ bands { id } cities(block: { number: 7 }) { id } }");
    expect(messagesOf(answer)).toEqual([
      "Store error: query execution failed: Subgraph `QmTest` has not started syncing yet. Wait for it to ingest a few blocks before querying it",
    ]);
  });
});

/** Tom is bought at block 5, sold at 7 and deleted at 9; Ada is bought at 8 and stays. */
const HOMES = `
  type Home @entity { id: ID!  name: String!  cats: [Cat!]! @derivedFrom(field: "home") }
  type Cat @entity { id: ID!  name: String!  home: Home!  toys: [Toy!]! }
  type Toy @entity(immutable: true) { id: ID!  price: BigInt! }
`;
const tom = (home: string, ...toys: string[]) => ({ id: "c1", name: "Tom", home, toys });
const ROWS: TableRows = {
  Home: [
    { id: "h1", name: "Barn" },
    { id: "h2", name: "Loft" },
  ],
  Cat: [tom("h1")],
  Toy: [{ id: "t1", price: "5" }],
};
const writes: readonly Write[] = [
  { block: 7, entity: "Cat", id: "c1", row: tom("h2", "t1") },
  { block: 8, entity: "Cat", id: "c2", row: { id: "c2", name: "Ada", home: "h1", toys: [] } },
  { block: 8, entity: "Home", id: "h1", row: { id: "h1", name: "Zoo" } },
  { block: 9, entity: "Cat", id: "c1", row: null },
];

describe("time travel", () => {
  const homes = asker(HOMES, ROWS, { writes });
  const tomAt = (name: string, ...toys: object[]) => ({ id: "c1", home: { name }, toys });
  const adaAtZoo = { id: "c2", home: { name: "Zoo" }, toys: [] };
  test.each<[block: string, cats: readonly unknown[]]>([
    ["{ number: 5 }", [tomAt("Barn")]],
    ["{ number: 6 }", [tomAt("Barn")]],
    ["{ number: 7 }", [tomAt("Loft", { id: "t1" })]],
    [`{ hash: "${blockAt(8).hash}" }`, [tomAt("Loft", { id: "t1" }), adaAtZoo]],
    ["{ number: 9 }", [adaAtZoo]],
    ["{ number_gte: 6 }", [adaAtZoo]],
    ["null", [adaAtZoo]],
  ])("rows and their references at %s", (block, cats) => {
    const query = `{ cats(block: ${block}) { id home { name } toys { id } } }`;
    expect(homes(query)).toEqual({ data: { cats } });
  });

  test("the fields of one request may use different blocks", () => {
    const query = `{ a: cat(id: "c1") { id } b: cat(id: "c1", block: { number: 6 }) { id }
      c: homes(block: { number: 7 }, orderBy: name) { cats { id } } d: homes(orderBy: name) { cats { id } } }`;
    expect(homes(query).data).toEqual({
      a: null,
      b: { id: "c1" },
      c: [{ cats: [] }, { cats: [{ id: "c1" }] }],
      d: [{ cats: [] }, { cats: [{ id: "c2" }] }],
    });
  });

  test.each<[block: number, field: string, where: string, ids: readonly string[]]>([
    [6, "cats", '{ home_: { name: "Barn" } }', ["c1"]],
    [6, "homes", '{ cats_: { name: "Tom" } }', ["h1"]],
    [6, "cats", "{ _change_block: { number_gte: 5 } }", ["c1"]],
    [6, "cats", "{ _change_block: { number_gte: 6 } }", []],
    [8, "cats", "{ _change_block: { number_gte: 7 } }", ["c1", "c2"]],
    [8, "cats", "{ _change_block: { number_gte: 8 } }", ["c2"]],
    [8, "cats", "{ _change_block: { number_gte: 9 } }", []],
    [10, "cats", "{ _change_block: { number_gte: 7 } }", ["c2"]],
    [8, "cats", "{ home_: { _change_block: { number_gte: 8 } } }", ["c2"]],
  ])("filters read the rows of their block: at %i %s(where: %s)", (block, field, where, ids) => {
    expect(idsFor(homes, field, `block: { number: ${block} }, where: ${where}`)).toEqual(ids);
  });

  test("only root fields use the argument block", () => {
    expect(homes("{ homes { cats(block: { number: 5 }) { id } } }")).toEqual(
      homes("{ homes { cats { id } } }"),
    );
  });
  test("a collection is ordered by the values at its block", () => {
    const byHome = "orderBy: home__name";
    expect(idsFor(homes, "cats", `block: { number: 8 }, ${byHome}`)).toEqual(["c1", "c2"]);
    expect(idsFor(homes, "cats", byHome)).toEqual(["c2"]);
  });

  test("a block below the earliest readable block is refused", () => {
    const pruned = asker(HOMES, ROWS, { writes, earliestBlock: 8 });
    const messages = (block: string) => messagesOf(pruned(`{ cats(block: { ${block} }) { id } }`));
    expect(messages("number: 7")).toEqual([invalid("number", tooEarly(8, 7))]);
    expect(messages(`hash: "${blockAt(7).hash}"`)).toEqual([
      invalid("hash", "no block with that hash found"),
    ]);
    expect(idsFor(pruned, "cats", "block: { number: 8 }")).toEqual(["c1", "c2"]);
  });
  test("an indexer without a history has only its head", () => {
    const headOnly = askerOf({ ...serve(HOMES, ROWS, { writes }), history: null });
    for (const block of ["number: 10", `hash: "${HEAD_HASH}"`, "number_gte: 3"]) {
      expect(idsFor(headOnly, "cats", `block: { ${block} }`)).toEqual(["c2"]);
    }
    const answer = headOnly("{ cats(block: { number: 9 }) { id } }");
    expect(messagesOf(answer)).toEqual([invalid("number", tooEarly(10, 9))]);
  });

  test("each request uses one read view", () => {
    const served = serve(HOMES, ROWS, { writes });
    const head = served.now();
    let calls = 0;
    const chains = head.chains.map((chain) => ({ ...chain, head: blockAt(8) }));
    const earlier = { store: served.history?.storeAt(8) ?? head.store, chains };
    const moving = askerOf({ ...served, now: () => (calls++ === 0 ? head : earlier) });
    const asked = "{ cats { id } _meta { block { number } } homes(block: { number_gte: 8 }) { id } }";
    expect(moving(asked).data).toMatchObject({ cats: [{ id: "c2" }], _meta: { block: { number: 10 } } });
    expect(moving(asked).data).toMatchObject({
      cats: [{ id: "c1" }, { id: "c2" }],
      _meta: { block: { number: 8 } },
    });
    expect(calls).toBe(2);
  });
});
