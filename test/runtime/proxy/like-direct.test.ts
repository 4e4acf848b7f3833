import { describe, expect, it } from "vitest";
import type { RequestFault } from "../../../emulator/faults/fault.ts";
import {
  type Client,
  createClient,
  each,
  health,
  IndexerError,
  merged,
  pages,
  query,
  queryEach,
  queryPages,
  run,
} from "../../../generated/client.ts";
import * as flow from "../../../generated/flow/portable.ts";
import * as lockup from "../../../generated/lockup/portable.ts";
import { createProxy } from "../../../generated/proxy.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { countRequests, withEmulator } from "../client/support.ts";
import { serveProxy } from "./serve-proxy.ts";

const emulator = withEmulator({ streams: 4 });

/** Options that all clients share. */
const FIXED = { retries: 0, now: () => 1_800_000_000_000 };

/** Returns a client of the indexers, and one that only has the URL of a proxy. */
async function bothClients(options: object = {}): Promise<readonly [direct: Client, page: Client]> {
  const env = emulator().env();
  const { url } = await serveProxy({ env });
  return [createClient({ ...FIXED, env, ...options }), createClient({ ...FIXED, proxy: url, ...options })];
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

async function allPages(client: Client, style: "multichain" | "subgraph"): Promise<unknown[]> {
  const found: unknown[] = [];
  const walk = pages(client, lockup.AllStreams, {}, { chain: "base", size: 7, style });
  let step = await walk.next();
  for (; !step.done; step = await walk.next()) found.push(step.value);
  return [...found, step.value];
}

const signal = new AbortController().signal;

/** Every function of the client. */
const ASKED: readonly (readonly [name: string, ask: (client: Client) => Promise<unknown>])[] = [
  ["run", (client) => run(client, lockup.StreamsBySender, { sender: SENDER }, { chain: 8453 })],
  ["run, of flow", (client) => run(client, flow.RecentStreams, { first: 3 }, { chain: "base" })],
  [
    "run, of a subgraph",
    (client) => run(client, lockup.RecentStreams, { first: 3 }, { chain: "base", style: "subgraph" }),
  ],
  [
    "run, with a big number",
    (client) => run(client, lockup.ActionsFeed, { after: 5n, first: 3 }, { chain: "base" }),
  ],
  [
    "run, with null and unknown variables",
    (client) => run(client, lockup.ActionsFeed, { after: null, more: 1 } as object, { chain: "base" }),
  ],
  [
    "run, of a row on another chain",
    (client) => run(client, lockup.StreamById, { id: "none" }, { chain: "ethereum" }),
  ],
  [
    "run, of a block that the subgraph does not have",
    (client) => run(client, lockup.RecentStreams, { first: 1 }, { chain: "base", block: { number: 5 } }),
  ],
  [
    "run, of a block in a style without past blocks",
    (client) =>
      run(client, lockup.RecentStreams, {}, { chain: "base", style: "multichain", block: { number: 5 } }),
  ],
  [
    "run, for a chain of one style",
    (client) => run(client, lockup.RecentStreams, { first: 1 }, { chain: "blast" }),
  ],
  [
    "run, for a chain that the style does not serve",
    (client) => run(client, lockup.RecentStreams, {}, { chain: "blast", style: "multichain" }),
  ],
  ["run, with wrong variables", (client) => run(client, lockup.RecentStreams, { first: 0 }, { chain: 1 })],
  [
    "run, with all answers behind maxLag",
    (client) => run(client, lockup.RecentStreams, {}, { chain: "base", maxLag: 0.5 }),
  ],
  [
    "each",
    (client) => each(client, lockup.RecentStreams, { first: 1 }, { chains: IS_THOROUGH ? "all" : MAINNETS }),
  ],
  ["merged", (client) => merged(client, lockup.RecentStreams, { first: 20, skip: 3 }, { chains: MAINNETS })],
  ["pages, of multichain", (client) => allPages(client, "multichain")],
  ["pages, of a subgraph", (client) => allPages(client, "subgraph")],
  ["health", (client) => health(client, "flow", { chains: MAINNETS })],
  [
    "query",
    (client) => query(client, lockup.RecentStreams, { first: 2 }, { chain: "base" }).queryFn({ signal }),
  ],
  [
    "queryEach",
    (client) =>
      queryEach(client, lockup.RecentStreams, { first: 2 }, { chains: ["base", 1] }).queryFn({ signal }),
  ],
  [
    "queryPages",
    (client) => {
      const asked = queryPages(client, lockup.AllStreams, {}, { chain: "base", size: 5 });
      return asked.queryFn({ signal, pageParam: asked.initialPageParam });
    },
  ],
];

describe("a client returns the same through a proxy", () => {
  it.each(ASKED)("%s", async (_, ask) => {
    const [direct, page] = await bothClients();
    let wanted: unknown;
    const asked = await countRequests(emulator(), async () => {
      wanted = await outcome(ask(direct));
    });
    expect(
      await countRequests(emulator(), async () => expect(await outcome(ask(page))).toEqual(wanted)),
    ).toEqual(asked);
  });

  it("if the proxy is a path on the page's host", async () => {
    const env = emulator().env();
    const proxy = createProxy({ env });
    const urls: string[] = [];
    const page = createClient({
      ...FIXED,
      proxy: "/api/indexers",
      endpoint: () => null,
      headers: ({ deployment }) => ({ "x-csrf": deployment }),
      fetch: (url, init) => {
        urls.push(`${url} ${new Headers(init?.headers).get("x-csrf")}`);
        return proxy(new Request(new URL(String(url), "http://localhost"), init));
      },
    });
    const ask = (client: Client) => run(client, lockup.RecentStreams, { first: 2 }, { chain: "base" });
    expect(await ask(page)).toEqual(await ask(createClient({ ...FIXED, env })));
    expect(urls).toEqual(["/api/indexers protocol-lockup-multichain"]);
  });

  it("with freshness: false", async () => {
    const [direct, page] = await bothClients({ freshness: false });
    const ask = (client: Client) => run(client, lockup.RecentStreams, { first: 2 }, { chain: "base" });
    const answer = await ask(page);
    expect(answer.head).toBeNull();
    expect(answer).toEqual(await ask(direct));
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
    const [direct, page] = await bothClients();
    const functions = [
      (client: Client) => run(client, lockup.RecentStreams, { first: 2 }, { chain: "base" }),
      (client: Client) =>
        merged(client, lockup.RecentStreams, { first: 2 }, { chains: ["base", "blast", "ethereum"] }),
      (client: Client) => health(client, "lockup", { chains: ["base", "blast"] }),
    ];
    for (const ask of functions.filter((_, at) => IS_THOROUGH || at === FAULTS.indexOf(fault) % 3)) {
      expect(await outcome(ask(page))).toEqual(await outcome(ask(direct)));
    }
  });

  it("after Retry-After, without another request", async () => {
    using _fault = await emulator().fault({ kind: "429", retryAfter: 60 });
    const [direct, page] = await bothClients();
    const ask = (client: Client) =>
      outcome(run(client, lockup.RecentStreams, {}, { chain: "base", style: "multichain" }));
    expect(await ask(page)).toEqual(await ask(direct));
    expect(
      await countRequests(emulator(), async () => expect(await ask(page)).toEqual(await ask(direct))),
    ).toEqual({});
  });
});
