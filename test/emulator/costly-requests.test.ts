import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/server/start-emulator.ts";
import { send, sendJson } from "./adapters/send-raw.ts";
import { endpoint } from "./support.ts";

/** Milliseconds. What has no budget takes many times as long, or ends for want of memory. */
const PATIENCE = 10_000;

let emulator: Emulator;
let multichain: string;
let subgraph: string;
beforeAll(async () => {
  emulator = await startEmulator({ streams: 60 });
  multichain = endpoint(emulator, "multichain").url;
  subgraph = endpoint(emulator, "subgraph", "testing").url;
  // The rows are made up by the first who asks.
  await sendJson(multichain, { query: "{ Stream(limit: 1) { id } Action(limit: 1) { id } }" });
  await sendJson(subgraph, { query: "{ streams(first: 1) { id } }" });
});
afterAll(() => emulator.close());

const matching = (pattern: string, operator = "_regex") =>
  `{ Stream(where: {hash: {${operator}: ${JSON.stringify(pattern)}}}) { id } }`;

/** Fragments that each spread the next one twice. */
function doubling(depth: number, fields: (next: string) => string): string {
  return Array.from({ length: depth }, (_, at) => {
    const next = at === depth - 1 ? "id" : `...F${at + 1}`;
    return `fragment F${at} on Stream { ${fields(next)} }`;
  }).join(" ");
}

describe("a request that costs too much", () => {
  /** Lists of streams within each other. */
  const sets = (depth: number, args = ""): string =>
    depth === 0 ? "id alias" : `id asset { streams${args} { ${sets(depth - 1, args)} } }`;
  const TIMED_OUT =
    '{"errors":[{"message":"database query error","extensions":{"path":"$","code":"unexpected"}}]}';

  it.each([
    ["lists within lists", `{ Stream { ${sets(3)} } }`],
    ["a pattern that can be repeated in many ways", matching("^(([0-9a-fx])+)+$!")],
    ["a pattern with one repetition and alternatives", matching("^(.|..)+!$")],
    ["a SQL pattern that goes back and forth", matching(`${"%a%".repeat(20)}!`, "_similar")],
    [
      "fragments that double",
      `{ Stream(limit: 1) { ...F0 } } ${doubling(24, (next) => `asset { a: streams { ${next} } b: streams(limit: 1) { ${next} } }`)}`,
    ],
    ["a long name for every row", `{ Action { ${"a".repeat(500_000)}: id } }`],
    [
      "an order by what has to be counted, many times",
      `{ ${Array.from({ length: 300 }, (_, at) => `a${at}: Stream { asset { streams(order_by: {alias: asc, asset: {id: desc}}) { id } } }`).join(" ")} }`,
    ],
  ])(
    "ends as a statement of the database that takes too long: %s",
    async (_, query) => {
      expect((await sendJson(multichain, { query })).text.slice(0, 200)).toBe(TIMED_OUT);
    },
    PATIENCE,
  );

  it.each([
    ["lists within lists", `{ streams(first: 900) { ${sets(5, "(first: 1000)")} } }`],
    ["a long name for every row", `{ actions(first: 1000) { ${"a".repeat(1_000_000)}: id } }`],
  ])(
    "ends as a query of a node that takes too long: %s",
    async (_, query) => {
      const { text } = await sendJson(subgraph, { query });
      expect(text.slice(0, 200)).toBe('{"errors":[{"message":"Query timed out"}]}');
    },
    PATIENCE,
  );

  it(
    "leaves time for others between the members of a batch",
    async () => {
      const costly = { query: `{ Stream { ${sets(3)} } }` };
      let hasEnded = false;
      const batch = sendJson(multichain, Array.from({ length: 3 }, () => costly) as never).then((answer) => {
        hasEnded = true;
        return answer;
      });
      const other = await send(new URL("/healthz", multichain).href, { method: "GET" });
      expect({ hasEnded, text: other.text }).toEqual({ hasEnded: false, text: "OK" });
      expect(JSON.parse((await batch).text)).toEqual(Array.from({ length: 3 }, () => JSON.parse(TIMED_OUT)));
    },
    PATIENCE * 2,
  );
});

describe("a request that only looks costly", () => {
  it.each([
    ["a pattern of many parts", matching("%a".repeat(200), "_like"), '{"data":{"Stream":[]}}'],
    ["one without regard to case", matching("%a".repeat(200), "_ilike"), '{"data":{"Stream":[]}}'],
    ["one that ends with a backslash", matching(`${"%_".repeat(30)}%z\\`, "_like"), '{"data":{"Stream":[]}}'],
    ["a pattern that matches at once", matching("^(?:0x|y)*!", "_regex"), '{"data":{"Stream":[]}}'],
  ])("is answered: %s", async (_, query, want) => {
    expect((await sendJson(multichain, { query })).text).toBe(want);
  });

  it("is answered: a text of many escapes", async () => {
    const query = `{ streams(where: {alias: "${"\\u0041".repeat(40_000)}"}) { id } }`;
    const startedAt = performance.now();
    expect((await sendJson(subgraph, { query })).text).toBe('{"data":{"streams":[]}}');
    expect(performance.now() - startedAt).toBeLessThan(PATIENCE);
  });
});
