import { buildSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { createClient } from "../../packages/client/src/client/create-client.ts";
import { IndexerError } from "../../packages/client/src/client/indexer-error.ts";
import { findBlock, findClock } from "../../src/ask/find-block.ts";
import { buildRoutes } from "../../src/project/manifest-rows.ts";
import { resolveProject } from "../../src/project/project.ts";

const SCHEMA = buildSchema(`
  scalar BigInt
  enum Order { block }
  type Change { block: BigInt! at: Int! timestamp: BigInt! }
  type Query { change(id: ID): Change changes(orderBy: Order): [Change!]! }
`);
const CLOCK = { entity: "Change", block: "block", time: "timestamp" };
const ROUTES = buildRoutes(resolveProject({ protocols: ["lockup"] }, "/project"));
const ENV = {
  LOCKFLOW_SUBGRAPH_PRODUCTION_URL: "https://sub.example/{deployment}",
  LOCKFLOW_SUBGRAPH_API_KEY: "secret",
};

const change = (block: unknown, timestamp: unknown) => ({ block, timestamp });

/** Finds the block at the time 1000, with an indexer of these changes and blocks. */
async function find({
  before = [change("10", "990")],
  after = [change("30", "1300")],
  head = { number: 40, timestamp: 2000 } as { number: number; timestamp: number | null },
  earliest = 0,
}) {
  const queries: string[] = [];
  const fetch = async (_: string, init: { readonly body: string }) => {
    const { query, variables } = JSON.parse(init.body);
    queries.push(query);
    const number: number = variables.block?.number ?? head.number;
    const message = `Failed to decode \`block.number\` value: \`subgraph Qm only has data starting at block number ${earliest} and data for block number ${number} is therefore not available\``;
    const block = { ...head, number, hash: null };
    const data = { before, after, _meta: { block, hasIndexingErrors: false } };
    return new Response(JSON.stringify(number < earliest ? { errors: [{ message }] } : { data }));
  };
  const client = createClient(ROUTES, {
    env: ENV,
    retries: 0,
    styles: ["subgraph"],
    fetch: fetch as never,
  });
  const clock = findClock("lockup", CLOCK, SCHEMA);
  if (clock === null) throw new TypeError("no clock");
  const found = await findBlock(client, clock, { chain: "base", time: 1000 }).catch((error: unknown) => {
    if (error instanceof IndexerError) return `${error.code}: ${error.message}`;
    throw error;
  });
  return { found, queries };
}

describe("the block of a time", () => {
  it("is the block of the last change, found with two requests", async () => {
    const { found, queries } = await find({});
    expect(found).toEqual({ block: { number: 10 }, notice: "base: block 10 of 1970-01-01T00:16:30Z" });
    expect(queries).toHaveLength(2);
    expect(queries[0]).toContain(
      'before: changes(where: { timestamp_lte: "1000" }, orderBy: block, orderDirection: desc, first: 1)',
    );
    expect(queries[0]).toContain('after: changes(where: { timestamp_gt: "1000" }, orderBy: block');
  });

  const NONE = "base: no rows at that time";
  const LATER = {
    notice: expect.stringContaining("unchanged since the pruned block 10 of 1970-01-01T00:16:30Z"),
  };
  const headOf = (timestamp: number | null) => ({ number: 40, timestamp });

  const OLD = "block 10 of 1970-01-01T00:16:30Z";

  it.each<[what: string, indexer: Parameters<typeof find>[0], want: unknown]>([
    ["the last unchanged block if it is pruned", { earliest: 20 }, { block: { number: 29 }, ...LATER }],
    ["the head if nothing changed since", { after: [], earliest: 20 }, { block: { number: 40 }, ...LATER }],
    [
      "none before the first change",
      { before: [] },
      { block: null, notice: `${NONE}; the first change is of 1970-01-01T00:21:40Z` },
    ],
    ["none without a change", { before: [], after: [] }, { block: null, notice: NONE }],
    ["none of its blocks", { earliest: 30 }, `pruned: The subgraph of base does not have ${OLD} any more.`],
    [
      "later",
      { after: [], head: headOf(1000) },
      "behind: base has only reached block 40 of 1970-01-01T00:16:40Z.",
    ],
    [
      "unknown",
      { after: [], head: headOf(null) },
      "behind: base has only reached block 40, whose time it does not return.",
    ],
    [
      "of another form",
      { before: [change("x", "990")] },
      "inconsistent: The answer of the subgraph indexer of base does not match its schema.",
    ],
  ])("is %s", async (_, indexer, want) => {
    expect((await find(indexer)).found).toEqual(want);
  });

  const found = { protocol: "a", root: "changes", block: "block", time: "at", isInt: true };

  it.each([
    [{ ...CLOCK, entity: "Other" }, null],
    [{ ...CLOCK, time: "missing" }, null],
    [null, null],
    [{ ...CLOCK, time: "at" }, found],
  ])("needs a list in the schema: %j", (clock, want) => {
    expect(findClock("a", clock, SCHEMA)).toEqual(want);
  });
});
