import { describe, expect, it } from "vitest";
import type { RequestFault } from "../../../emulator/faults/fault.ts";
import { type ClientOptions, IndexerError } from "../../../generated/client.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { countRequests, withEmulator } from "../client/support.ts";
import { type Api, directApi, proxiedApi } from "./both-clients.ts";
import { serveProxy } from "./serve-proxy.ts";

const emulator = withEmulator({ streams: 4 });

/** Options of the client of the indexers and of that of the proxy. */
const FIXED = { retries: 0, now: () => 1_800_000_000_000 };

/** Returns a client of the indexers, and one that only has the URL of a proxy. */
async function bothApis(options: ClientOptions = {}): Promise<readonly [direct: Api, page: Api]> {
  const own = { ...FIXED, env: emulator().env(), ...options };
  const { url } = await serveProxy(own);
  return [directApi(own), proxiedApi({ proxy: url })];
}

/** Returns the result of some work as plain data, including all details of an error. */
async function outcome(work: Promise<unknown>): Promise<unknown> {
  return plain(await work.catch((error: unknown) => ({ rejected: error })));
}

function plain(value: unknown): unknown {
  if (value instanceof IndexerError) return plain({ ...value, message: value.message });
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]));
}

const MAINNETS = IS_THOROUGH ? "mainnets" : (["base", "blast", "ethereum"] as const);

const SENDER = "0x355BA6d17d318069d8b008f41cb36fba6572e985";

async function allPages({ client, functions, lockup }: Api, options: object): Promise<unknown[]> {
  const found: unknown[] = [];
  const walk = functions.pages(client, lockup.AllStreams, {}, options as { readonly chain: "base" });
  let step = await walk.next();
  for (; !step.done; step = await walk.next()) found.push(step.value);
  return [...found, step.value];
}

const signal = new AbortController().signal;

type Ask = (api: Api) => Promise<unknown>;

/** Calls a function with an operation, and the function of a query that it returns. */
function call(name: string, operation: string, variables: object, options?: object): Ask {
  return ({ client, functions, lockup }) => {
    const own = functions[name as "run"] as unknown as (...given: unknown[]) => Promise<unknown> | Asked;
    const answer = own(client, lockup[operation as "AllStreams"], variables, options);
    return "queryFn" in answer ? answer.queryFn({ signal }) : answer;
  };
}

type Asked = { readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<unknown> };

const recent = (variables: object, options: object) => call("run", "RecentStreams", variables, options);
const ON_BASE = { chain: "base" } as const;
const ON_MAINNETS = { chains: MAINNETS } as const;

/** Every function of the client. */
const ASKED: readonly (readonly [name: string, ask: Ask])[] = [
  ["run", call("run", "StreamsBySender", { sender: SENDER }, { chain: 8453 })],
  ["run, of flow", ({ client, functions, flow }) => functions.run(client, flow.RecentStreams, {}, ON_BASE)],
  ["run, of a subgraph", recent({ first: 3 }, { ...ON_BASE, style: "subgraph" })],
  ["run, with a big number", call("run", "ActionsFeed", { after: 5n, first: 3 }, ON_BASE)],
  ["run, with null and unknown variables", recent({ skip: null, more: 1 }, ON_BASE)],
  ["run, of an id that contains its chain", call("run", "StreamById", { id: "0xab-8453-1" })],
  ["run, of an id without a chain", call("run", "StreamById", { id: "none" })],
  ["run, of an unknown chain", recent({}, { chain: "moon" })],
  ["run, of a block that the subgraph does not have", recent({}, { ...ON_BASE, block: { number: 5n } })],
  [
    "run, in a style without past blocks",
    recent({}, { ...ON_BASE, style: "multichain", block: { number: 5 } }),
  ],
  ["run, of a block that is not reached", recent({}, { ...ON_BASE, minBlock: { base: 9n ** 16n } })],
  ["run, of a block that an indexer has", recent({}, { ...ON_BASE, minBlock: { base: 5n } })],
  ["run, for a chain of one style", recent({ first: 1 }, { chain: "blast" })],
  ["run, for a chain that the style does not serve", recent({}, { chain: "blast", style: "multichain" })],
  ["run, with wrong variables", recent({ first: 0 }, { chain: 1 })],
  ["run, with all answers behind maxLag", recent({}, { ...ON_BASE, maxLag: 0.5 })],
  ["run, with the best answer", recent({}, { ...ON_BASE, maxLag: { seconds: 1, or: "best" } })],
  [
    "each, of some chains",
    call("each", "RecentStreams", { first: 1 }, { chains: [8453, "base", "moon", "blast"] }),
  ],
  ["each, with wrong variables", call("each", "RecentStreams", { first: 0 }, { chains: "all" })],
  ["each", call("each", "RecentStreams", { first: 1 }, { chains: IS_THOROUGH ? "all" : MAINNETS })],
  ["merged", call("merged", "RecentStreams", { first: 20, skip: 3 }, ON_MAINNETS)],
  ["pages, of multichain", (api) => allPages(api, { ...ON_BASE, size: 7, style: "multichain" })],
  ["pages, of a subgraph", (api) => allPages(api, { ...ON_BASE, size: 7, style: "subgraph" })],
  ["pages, that switch their style", (api) => allPages(api, { ...ON_BASE, size: 7, switchStyle: true })],
  ["pages, after a cursor", (api) => allPages(api, { ...ON_BASE, after: "2" })],
  ["pages, without rows", (api) => allPages(api, { ...ON_BASE, after: "2000000" })],
  ["pages, of several chains", (api) => allPages(api, { ...ON_MAINNETS, size: 5 })],
  ["pages, after a cursor by hand", (api) => allPages(api, { ...ON_MAINNETS, after: '{"base":"2"}' })],
  ["pages, after a wrong cursor", (api) => allPages(api, { ...ON_MAINNETS, after: "[1]" })],
  ["pages, of a wrong size", (api) => allPages(api, { ...ON_MAINNETS, size: 5000 })],
  ["all", call("all", "AllStreams", {}, ON_MAINNETS)],
  ["all, with a limit", call("all", "AllStreams", {}, { ...ON_MAINNETS, limit: 3 })],
  ["health", ({ client, functions }) => functions.health(client, "flow", ON_MAINNETS)],
  ["bind", ({ client, functions, lockup }) => functions.bind(client, lockup).recentStreams({}, ON_BASE)],
  ["query", call("query", "RecentStreams", { first: 2 }, ON_BASE)],
  ["queryMerged", call("queryMerged", "RecentStreams", { first: 2 }, ON_MAINNETS)],
  [
    "queryHealth",
    ({ client, functions }) => functions.queryHealth(client, "lockup", ON_MAINNETS).queryFn({ signal }),
  ],
  ["queryEach", call("queryEach", "RecentStreams", { first: 2 }, { chains: ["base", 1] })],
  ["queryAll", call("queryAll", "AllStreams", {}, { ...ON_MAINNETS, limit: 3 })],
  ["queryPages", (api) => screen(api, { ...ON_BASE, size: 5 })],
  ["queryPages, of a subgraph", (api) => screen(api, { ...ON_BASE, size: 5, style: "subgraph" })],
  ["queryPages, of several chains", (api) => screen(api, { ...ON_MAINNETS, size: 5 })],
];

/** The pages of a list for a screen. */
async function screen({ client, functions, lockup }: Api, options: object): Promise<unknown[]> {
  const query = functions.queryPages(client, lockup.AllStreams, {}, options as { readonly chain: "base" });
  const found: unknown[] = [];
  let pageParam: typeof query.initialPageParam | null = query.initialPageParam;
  for (let count = 0; count === 0 || pageParam !== null; count++) {
    const read = await query.queryFn({ signal, pageParam: pageParam as never });
    found.push(read.page);
    pageParam = query.getNextPageParam(read);
  }
  return found;
}

describe("a client returns the same through a proxy", () => {
  it.each(ASKED)("%s", async (_, ask) => {
    const [direct, page] = await bothApis();
    let wanted: unknown;
    const asked = await countRequests(emulator(), async () => {
      wanted = await outcome(ask(direct));
    });
    expect(
      await countRequests(emulator(), async () => expect(await outcome(ask(page))).toEqual(wanted)),
    ).toEqual(asked);
  });

  it("refuses a number that JSON does not have", async () => {
    for (const api of await bothApis()) {
      const answer = outcome(recent({ first: Number.NaN }, ON_BASE)(api));
      expect(await answer).toMatchObject({ rejected: { code: "invalid-variables" } });
    }
  });

  it("with freshness: false", async () => {
    const [direct, page] = await bothApis({ freshness: false });
    const answer = await recent({ first: 2 }, ON_BASE)(page);
    expect(answer).toMatchObject({ head: null });
    expect(answer).toEqual(await recent({ first: 2 }, ON_BASE)(direct));
  });
});

const FAULTS: readonly RequestFault[] = [
  { kind: "reset" },
  { kind: "reset", at: "body" },
  { kind: "401" },
  { kind: "402" },
  { kind: "403" },
  { kind: "404" },
  { kind: "429", retryAfter: 0 },
  { kind: "500" },
  { kind: "502" },
  { kind: "truncated-json" },
  { kind: "truncated-json", length: "whole" },
  { kind: "errors-beside-data" },
  { kind: "errors-beside-data", message: "Query timed out" },
  { kind: "indexing-error" },
  { kind: "wrong-chain", chain: "polygon" },
  { kind: "missing-chain", chain: "base" },
  { kind: "wrong-protocol" },
  { kind: "lagging-head", blocks: 1000 },
  { kind: "drop-field", field: "Stream.sender" },
];

describe("an error is the same through a proxy", () => {
  // By default every second fault, with one of the functions in turn.
  const tried = FAULTS.filter((_, at) => IS_THOROUGH || at % 2 === 0);

  it.each(tried.map((fault) => [JSON.stringify(fault), fault] as const))("%s", async (_, fault) => {
    using _fault = await emulator().fault(fault);
    const [direct, page] = await bothApis();
    const chains = ["base", "blast", "ethereum"] as const;
    const asked: readonly Ask[] = [
      recent({ first: 2 }, ON_BASE),
      call("merged", "RecentStreams", { first: 2 }, { chains }),
      ({ client, functions }) => functions.health(client, "lockup", { chains }),
      (api) => allPages(api, { chains }),
    ];
    for (const ask of asked.filter((_, at) => IS_THOROUGH || at === FAULTS.indexOf(fault) % 4)) {
      expect(await outcome(ask(page))).toEqual(await outcome(ask(direct)));
    }
  });

  it("after Retry-After, without another request", async () => {
    using _fault = await emulator().fault({ kind: "429", retryAfter: 60 });
    const [direct, page] = await bothApis();
    const ask = (api: Api) => outcome(recent({}, { ...ON_BASE, style: "multichain" })(api));
    expect(await ask(page)).toEqual(await ask(direct));
    expect(
      await countRequests(emulator(), async () => expect(await ask(page)).toEqual(await ask(direct))),
    ).toEqual({});
  });
});
