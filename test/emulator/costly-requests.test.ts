import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { ApiKeys } from "../../emulator/adapters/adapter.ts";
import { createQuota } from "../../emulator/adapters/adapter.ts";
import { multichainAdapter } from "../../emulator/adapters/multichain.ts";
import { entitiesOf, PUBLIC_AGGREGATES } from "../../emulator/dataset/entities/index.ts";
import { chainDataset } from "../../emulator/dataset/rows/chain-dataset.ts";
import type { Indexer } from "../../emulator/indexers/create-indexers.ts";
import type { EmulatedDeployment } from "../../emulator/indexers/emulated-deployment.ts";
import { type Emulator, startEmulator } from "../../emulator/server/start-emulator.ts";
import { createMultichainExecutor } from "../../emulator/styles/multichain/execute.ts";
import type { ReadView } from "../../emulator/styles/read-view.ts";
import type { ExecutorOptions } from "../../emulator/styles/served-style.ts";
import { styles } from "../../src/dialects/index.ts";
import { sendJson } from "./adapters/send-raw.ts";
import { endpoint } from "./support.ts";

/** Milliseconds. Without a budget, a request takes many times as long or runs out of memory. */
const PATIENCE = 10_000;
vi.setConfig({ testTimeout: PATIENCE });

let emulator: Emulator;
let multichain: string;
let subgraph: string;
beforeAll(async () => {
  emulator = await startEmulator({ streams: 60 });
  multichain = endpoint(emulator, "multichain").url;
  subgraph = endpoint(emulator, "subgraph", "testing").url;
  // The first query generates the rows.
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

const LOCKUP = entitiesOf("lockup", "multichain");
const RELEASE = styles.multichain.platform.defaultRelease;

/** Creates a function that queries the rows of one chain. */
function createAsk(mostWork: Pick<ExecutorOptions, "mostWork">): (query: string) => string {
  const chain = chainDataset({ seed: "a test", protocol: "lockup", chainId: 10, streams: 60 });
  const view: ReadView = { store: chain.storeAt(chain.firstHead), chains: [] };
  const settings = { aggregates: PUBLIC_AGGREGATES };
  const execute = createMultichainExecutor({
    model: LOCKUP,
    schema: styles.multichain.deriver.derive(LOCKUP, { ...settings, release: RELEASE }),
    release: RELEASE,
    settings,
    now: () => view,
    history: null,
    deploymentHash: "",
    ...mostWork,
  });
  return (query) => JSON.stringify(execute({ query, variables: null, operationName: null }));
}

/** Nested lists of streams. */
const sets = (depth: number, args = ""): string =>
  depth === 0 ? "id alias" : `id asset { streams${args} { ${sets(depth - 1, args)} } }`;

const TIMED_OUT =
  '{"errors":[{"message":"database query error","extensions":{"path":"$","code":"unexpected"}}]}';

describe("a request over the cost limit", () => {
  // A twentieth of the default.
  const ask = createAsk({ mostWork: 100_000 });

  it.each([
    ["nested lists", `{ Stream { ${sets(4)} } }`],
    ["a pattern with nested repetitions", matching("^(([0-9a-fx])+)+$!")],
    ["a pattern with one repetition and alternatives", matching("^(.|..)+!$")],
    ["a SQL pattern with much backtracking", matching(`${"%_".repeat(20)}!`, "_similar")],
    [
      "fragments that double",
      `{ Stream(limit: 1) { ...F0 } } ${doubling(24, (next) => `asset { a: streams { ${next} } b: streams(limit: 1) { ${next} } }`)}`,
    ],
    ["a long name for every row", `{ Action { ${"a".repeat(500_000)}: id } }`],
    [
      "many nested lists with an order",
      `{ ${Array.from({ length: 300 }, (_, at) => `a${at}: Stream { asset { streams(order_by: {alias: asc, asset: {id: desc}}) { id } } }`).join(" ")} }`,
    ],
  ])("returns the error of a statement timeout: %s", (_, query) => {
    expect(ask(query).slice(0, 200)).toBe(TIMED_OUT);
  });

  it("returns the error of a statement timeout with the default budget", async () => {
    const query = `{ Stream { ${sets(3)} } }`;
    expect((await sendJson(multichain, { query })).text.slice(0, 200)).toBe(TIMED_OUT);
  });

  it.each([
    ["nested lists", `{ streams(first: 900) { ${sets(5, "(first: 1000)")} } }`],
    ["a long name for every row", `{ actions(first: 1000) { ${"a".repeat(1_000_000)}: id } }`],
  ])("returns the error of a query timeout of graph-node: %s", async (_, query) => {
    const { text } = await sendJson(subgraph, { query });
    expect(text.slice(0, 200)).toBe('{"errors":[{"message":"Query timed out"}]}');
  });

  it("handles other requests between the members of a batch", async () => {
    const order: string[] = [];
    const answer = () => {
      order.push("a member");
      // A request that arrives during the answer.
      setImmediate(() => order.push("another request"));
      return { body: Buffer.from('{"data":{}}'), hasData: true, hasErrors: false, errors: [] };
    };
    const deployment = { style: "multichain" } as Partial<EmulatedDeployment> as EmulatedDeployment;
    const indexer = { answer } as Partial<Indexer> as Indexer;
    const reply = await multichainAdapter.reply({
      method: "POST",
      path: "/v1/graphql",
      search: "",
      headers: {},
      body: JSON.stringify(Array.from({ length: 3 }, () => ({ query: "{ __typename }" }))),
      endpoint: { deployment, environment: "production", path: "/v1/graphql" },
      indexerOf: () => Promise.resolve(indexer),
      quota: createQuota(1, () => 0),
      keys: { subgraph: null, multichain: null } as Partial<ApiKeys> as ApiKeys,
    });
    expect(order).toEqual(Array.from({ length: 3 }, () => ["a member", "another request"]).flat());
    expect(reply).toMatchObject({ status: 200 });
  });
});

describe("a cheap request that looks costly", () => {
  const ask = createAsk({});

  it.each([
    ["a LIKE pattern of many parts", matching("%a".repeat(200), "_like"), '{"data":{"Stream":[]}}'],
    ["an ILIKE pattern of many parts", matching("%a".repeat(200), "_ilike"), '{"data":{"Stream":[]}}'],
    ["a pattern that matches at once", matching("^(?:0x|y)*!", "_regex"), '{"data":{"Stream":[]}}'],
  ])("is answered: %s", (_, query, want) => {
    expect(ask(query)).toBe(want);
  });

  it("is answered: the last page of an order, many times", () => {
    const page = `Action(where: {id: {_gt: "~"}}, order_by: {id: asc}, limit: 1) { id }`;
    const query = `{ ${Array.from({ length: 500 }, (_, at) => `a${at}: ${page}`).join(" ")} }`;
    const few = createAsk({ mostWork: 100_000 });
    expect(few(query)).toMatch(/^\{"data":\{"a0":\[\],/);
  });

  it("is answered: a string with many escapes", async () => {
    const query = `{ streams(where: {alias: "${"\\u0041".repeat(40_000)}"}) { id } }`;
    const startedAt = performance.now();
    expect((await sendJson(subgraph, { query })).text).toBe('{"data":{"streams":[]}}');
    expect(performance.now() - startedAt).toBeLessThan(PATIENCE);
  });
});
