import { describe, expect, test } from "vitest";
import { createSubgraphExecutor } from "../../../../src/styles/subgraph/execute.ts";
import { BAND_ROWS, BANDS, bands, HEAD_HASH, PARENT_HASH, serve } from "./support.ts";

const ask = bands();
const found = { data: { band: { id: "b1" } } };
const ahead =
  "subgraph QmTest has only indexed up to block number 10 and data for block number 99 is therefore not yet available";

describe("B.6 block", () => {
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
  ];
  test.each(answered)("block: %s is answered", (block) => {
    expect(ask(`{ band(id: "b1", block: ${block}) { id } }`)).toEqual(found);
  });

  const refused: readonly [block: string, message: string][] = [
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

describe("B.6 _meta", () => {
  const query = (block: string) =>
    `{ _meta${block} { deployment hasIndexingErrors block { number hash timestamp parentHash __typename } } }`;
  const meta = (block: object) => ({
    data: {
      _meta: { deployment: "QmTest", hasIndexingErrors: false, block: { ...block, __typename: "_Block_" } },
    },
  });
  const head = { number: 10, hash: HEAD_HASH, timestamp: 1_700_000_000, parentHash: PARENT_HASH };
  const rows: readonly [block: string, block_: object][] = [
    ["", head],
    ["(block: { number_gte: 7 })", head],
    [`(block: { hash: "${HEAD_HASH}" })`, head],
    ["(block: { number: 7 })", { number: 7, hash: null, timestamp: null, parentHash: null }],
    ["(block: { number: 10 })", { number: 10, hash: null, timestamp: null, parentHash: null }],
  ];
  test.each(rows)("_meta%s", (block, expected) => expect(ask(query(block))).toEqual(meta(expected)));

  test("an indexer that has not started", () => {
    const served = serve(BANDS, BAND_ROWS);
    const execute = createSubgraphExecutor({ ...served, now: () => ({ ...served.now(), chains: [] }) });
    expect(execute({ query: "{ bands { id } }", variables: null, operationName: null })).toEqual({
      errors: [
        {
          message:
            "Store error: query execution failed: Subgraph `QmTest` has not started syncing yet. Wait for it to ingest a few blocks before querying it",
        },
      ],
    });
  });
});
