import { describe, expect, test } from "vitest";
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
  type Version,
} from "./support.ts";

const ask = bands();
const found = { data: { band: { id: "b1" } } };
const ahead =
  "subgraph QmTest has only indexed up to block number 10 and data for block number 99 is therefore not yet available";

describe("block", () => {
  const answered = [
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
  ];
  test.each(answered)("block: %s is answered", (block) => {
    expect(ask(`{ band(id: "b1", block: ${block}) { id } }`)).toEqual(found);
  });

  const refused: readonly [block: string, message: string][] = [
    [
      `{ hash: "${blockAt(12).hash}" }`,
      "Failed to decode `block.number` value: `subgraph QmTest has only indexed up to block number 10 and data for block number 12 is therefore not yet available`",
    ],
    ["{ number: 99 }", `Failed to decode \`block.number\` value: \`${ahead}\``],
    ["{ number_gte: 99 }", `Failed to decode \`block.number_gte\` value: \`${ahead}\``],
    [
      "{ number: 1 }",
      "Failed to decode `block.number` value: `subgraph QmTest only has data starting at block number 5 and data for block number 1 is therefore not available`",
    ],
    ['{ hash: "0x12" }', "Failed to decode `block.hash` value: `no block with that hash found`"],
  ];
  test.each(refused)("block: %s is refused", (block, message) => {
    expect(ask(`{ band(id: "b1", block: ${block}) { id } }`)).toEqual({ errors: [{ message }] });
  });

  const invalid: readonly [block: string, shown: string][] = [
    ["{}", "Object({})"],
    ['{ hash: "x" }', 'Object({"hash": String("x")})'],
    ["{ nope: 1 }", 'Object({"nope": Int(Number(1))})'],
  ];
  test.each(invalid)("block: %s is invalid", (block, shown) => {
    expect(ask(`{ bands(block: ${block}) { id } }`)).toEqual({
      errors: [
        {
          locations: [{ line: 0, column: 0 }],
          message: `Invalid value provided for argument \`block\`: ${shown}`,
        },
      ],
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
  const rows: readonly [block: string, block_: object][] = [
    ["", head],
    ["(block: { number_gte: 7 })", head],
    [`(block: { hash: "${HEAD_HASH}" })`, head],
    [`(block: { hash: "${blockAt(6).hash}" })`, blockAt(6)],
    ["(block: { number: 7 })", { number: 7, hash: null, timestamp: null, parentHash: null }],
    ["(block: { number: 10 })", { number: 10, hash: null, timestamp: null, parentHash: null }],
  ];
  test.each(rows)("_meta%s", (block, expected) => expect(ask(query(block))).toEqual(meta(expected)));

  test.each(["{ _meta { b: block { number } } }", "{ _meta { block { number } b: block { hash } } }"])(
    "an alias of the field block fails: %s",
    (asked) => {
      expect(ask(asked)).toEqual({
        errors: [
          {
            message:
              "Failed to get entities from store: internal error resolving _Block_.block: expected prefetched result, but found nothing",
          },
        ],
      });
    },
  );
  test("_meta has its own block next to a field of another block", () => {
    const other = '{ band(id: "b1", block: { number: 7 }) { id } _meta { block { number } } }';
    expect(ask(other).data).toEqual({ band: { id: "b1" }, _meta: { block: { number: 10 } } });
  });
  test("an indexer that has not started returns an error", () => {
    const served = serve(BANDS, BAND_ROWS);
    const notStarted = askerOf({ ...served, now: () => ({ ...served.now(), chains: [] }) });
    expect(notStarted("{ bands { id } cities(block: { number: 7 }) { id } }")).toEqual({
      errors: [
        {
          message:
            "Store error: query execution failed: Subgraph `QmTest` has not started syncing yet. Wait for it to ingest a few blocks before querying it",
        },
      ],
    });
  });
});

/** Tom is bought at block 5, sold at 7 and deleted at 9; Ada is bought at 8 and stays. */
const HOMES = `
  type Home @entity { id: ID!  name: String!  cats: [Cat!]! @derivedFrom(field: "home") }
  type Cat @entity { id: ID!  name: String!  home: Home!  toys: [Toy!]! }
  type Toy @entity(immutable: true) { id: ID!  price: BigInt! }
`;
const HISTORY: readonly Version[] = [
  {
    block: 5,
    tables: {
      Home: [
        { id: "h1", name: "Barn" },
        { id: "h2", name: "Loft" },
      ],
      Cat: [{ id: "c1", name: "Tom", home: "h1", toys: [] }],
      Toy: [{ id: "t1", price: "5" }],
    },
  },
  { block: 7, tables: { Cat: [{ id: "c1", name: "Tom", home: "h2", toys: ["t1"] }] } },
  {
    block: 8,
    tables: {
      Cat: [
        { id: "c1", name: "Tom", home: "h2", toys: ["t1"] },
        { id: "c2", name: "Ada", home: "h1", toys: [] },
      ],
      Home: [
        { id: "h1", name: "Zoo" },
        { id: "h2", name: "Loft" },
      ],
    },
  },
  { block: 9, tables: { Cat: [{ id: "c2", name: "Ada", home: "h1", toys: [] }] } },
];

describe("time travel", () => {
  const homes = asker(HOMES, HISTORY);
  const cats = "cats { id home { name } toys { id } }";
  const rows: readonly [block: string, cats: readonly unknown[]][] = [
    ["{ number: 5 }", [{ id: "c1", home: { name: "Barn" }, toys: [] }]],
    ["{ number: 6 }", [{ id: "c1", home: { name: "Barn" }, toys: [] }]],
    ["{ number: 7 }", [{ id: "c1", home: { name: "Loft" }, toys: [{ id: "t1" }] }]],
    [
      `{ hash: "${blockAt(8).hash}" }`,
      [
        { id: "c1", home: { name: "Loft" }, toys: [{ id: "t1" }] },
        { id: "c2", home: { name: "Zoo" }, toys: [] },
      ],
    ],
    ["{ number: 9 }", [{ id: "c2", home: { name: "Zoo" }, toys: [] }]],
    ["{ number_gte: 6 }", [{ id: "c2", home: { name: "Zoo" }, toys: [] }]],
    ["null", [{ id: "c2", home: { name: "Zoo" }, toys: [] }]],
  ];
  test.each(rows)("rows and their references at %s", (block, expected) => {
    expect(homes(`{ ${cats.replace("cats", `cats(block: ${block})`)} }`)).toEqual({
      data: { cats: expected },
    });
  });

  test("the fields of one request may use different blocks", () => {
    expect(
      homes(
        `{ a: cat(id: "c1") { id } b: cat(id: "c1", block: { number: 6 }) { id }
           c: homes(block: { number: 7 }, orderBy: name) { name cats { id } } d: homes(orderBy: name) { name cats { id } } }`,
      ),
    ).toEqual({
      data: {
        a: null,
        b: { id: "c1" },
        c: [
          { name: "Barn", cats: [] },
          { name: "Loft", cats: [{ id: "c1" }] },
        ],
        d: [
          { name: "Loft", cats: [] },
          { name: "Zoo", cats: [{ id: "c2" }] },
        ],
      },
    });
  });

  const filtered: readonly [name: string, field: string, args: string, ids: readonly string[]][] = [
    ["child filters read the child at the same block", "cats", 'home_: { name: "Barn" }', ["c1"]],
    [
      "child filters of derived fields read the child at the same block",
      "homes",
      'cats_: { name: "Tom" }',
      ["h1"],
    ],
    ["_change_block matches a row of the first block", "cats", "_change_block: { number_gte: 5 }", ["c1"]],
    [
      "_change_block does not match a row of an earlier block",
      "cats",
      "_change_block: { number_gte: 6 }",
      [],
    ],
  ];
  test.each(filtered)("%s", (_, field, where, ids) => {
    expect(idsFor(homes, field, `block: { number: 6 }, where: { ${where} }`)).toEqual(ids);
  });
  const changed: readonly [where: string, block: number, ids: readonly string[]][] = [
    ["{ _change_block: { number_gte: 7 } }", 8, ["c1", "c2"]],
    ["{ _change_block: { number_gte: 8 } }", 8, ["c2"]],
    ["{ _change_block: { number_gte: 9 } }", 8, []],
    ["{ _change_block: { number_gte: 7 } }", 10, ["c2"]],
    ["{ home_: { _change_block: { number_gte: 8 } } }", 8, ["c2"]],
  ];
  test.each(changed)("%s at block %i", (where, block, ids) => {
    expect(idsFor(homes, "cats", `block: { number: ${block} }, where: ${where}`)).toEqual(ids);
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
    const pruned = asker(HOMES, HISTORY, { earliestBlock: 8 });
    expect(messagesOf(pruned("{ cats(block: { number: 7 }) { id } }"))).toEqual([
      "Failed to decode `block.number` value: `subgraph QmTest only has data starting at block number 8 and data for block number 7 is therefore not available`",
    ]);
    expect(messagesOf(pruned(`{ cats(block: { hash: "${blockAt(7).hash}" }) { id } }`))).toEqual([
      "Failed to decode `block.hash` value: `no block with that hash found`",
    ]);
    expect(idsFor(pruned, "cats", "block: { number: 8 }")).toEqual(["c1", "c2"]);
  });
  test("an indexer without a history has only its head", () => {
    const headOnly = askerOf({ ...serve(HOMES, HISTORY), history: null });
    expect(idsFor(headOnly, "cats", "block: { number: 10 }")).toEqual(["c2"]);
    expect(idsFor(headOnly, "cats", `block: { hash: "${HEAD_HASH}" }`)).toEqual(["c2"]);
    expect(idsFor(headOnly, "cats", "block: { number_gte: 3 }")).toEqual(["c2"]);
    expect(messagesOf(headOnly("{ cats(block: { number: 9 }) { id } }"))).toEqual([
      "Failed to decode `block.number` value: `subgraph QmTest only has data starting at block number 10 and data for block number 9 is therefore not available`",
    ]);
  });

  test("each request uses one read view", () => {
    const served = serve(HOMES, HISTORY);
    const head = served.now();
    let calls = 0;
    const views = [
      head,
      {
        ...head,
        store: served.history?.storeAt(8) ?? head.store,
        chains: head.chains.map((chain) => ({ ...chain, head: blockAt(8) })),
      },
    ];
    const moving = askerOf({ ...served, now: () => views[calls++ % 2] ?? head });
    const asked = "{ cats { id } _meta { block { number } } homes(block: { number_gte: 8 }) { id } }";
    expect(moving(asked).data).toMatchObject({ cats: [{ id: "c2" }], _meta: { block: { number: 10 } } });
    expect(moving(asked).data).toMatchObject({
      cats: [{ id: "c1" }, { id: "c2" }],
      _meta: { block: { number: 8 } },
    });
    expect(calls).toBe(2);
  });
});
