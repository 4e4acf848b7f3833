import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { ChainCounters } from "../../../generated/lockup/proxied.ts";
import {
  type Client,
  createClient,
  each,
  health,
  merged,
  pages,
  run,
  watch,
} from "../../../generated/proxied.ts";
import { closedUrl, testServer } from "../../support/test-server.ts";
import { rejection } from "../client/support.ts";

const AllStreams = { name: "AllStreams", protocol: "lockup" } as never;

/** Every call of a page. */
const CALLS: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  run: (client) => run(client, ChainCounters, {}, { chain: "base" }),
  each: (client) => each(client, ChainCounters, {}, { chains: ["base"] }),
  merged: (client) => merged(client, ChainCounters, {}, { chains: ["base"] }),
  pages: (client) => pages(client, AllStreams, {} as never, { chain: "base" } as never).next(),
  health: (client) => health(client, "lockup", { chains: ["base"] }),
  watch: (client) =>
    new Promise((_, reject) => {
      const stop = new AbortController();
      const onError = (error: unknown) => {
        stop.abort();
        reject(error);
      };
      const options = { chains: ["base"], onError, signal: stop.signal };
      watch(client, AllStreams, {} as never, options as never).next();
    }),
};

type Reply = readonly [status: number, body: string, headers?: Readonly<Record<string, string>>];

/** Returns a client of a server that always sends the same reply. */
async function clientOf([status, body, headers = {}]: Reply): Promise<Client> {
  const { url } = await testServer((_, response) => response.writeHead(status, headers).end(body));
  return createClient({ proxy: url });
}

const HTML = "<!doctype html><title>Sign in</title>";

/** Answers of servers in front of the proxy, and the errors that they are. */
const FOREIGN: readonly (readonly [name: string, reply: Reply, want: object])[] = [
  ["HTML with 200", [200, HTML], { code: "unavailable", status: 200 }],
  ["an empty 200", [200, ""], { code: "unavailable", status: 200 }],
  ["JSON null", [200, "null"], { code: "unavailable", status: 200 }],
  ["another JSON", [200, '{"data":{"watchers":[]}}'], { code: "unavailable", status: 200 }],
  ["a result of another shape", [200, '{"result":{"status":"ok"}}'], { code: "unavailable", status: 200 }],
  ["a result that is text", [200, '{"result":"ok"}'], { code: "unavailable", status: 200 }],
  ["401", [401, HTML], { code: "auth", status: 401 }],
  ["403", [403, ""], { code: "auth", status: 403 }],
  ["a redirect to a login page", [302, "", { location: "/login" }], { code: "auth", status: 302 }],
  [
    "404 of a hosting platform",
    [404, '{"error":{"code":"404","message":null}}'],
    { code: "unavailable", status: 404, message: "No proxy at this path." },
  ],
  ["404 with HTML", [404, HTML], { code: "unavailable", status: 404, message: "No proxy at this path." }],
  ["429", [429, "", { "retry-after": "7" }], { code: "rate-limited", status: 429, retryAfter: 7 }],
  ["429 without Retry-After", [429, ""], { code: "rate-limited", status: 429, retryAfter: null }],
  ["502 of a gateway", [502, "Bad Gateway"], { code: "unavailable", status: 502 }],
  [
    "an error that is not whole",
    [502, '{"error":{"code":"behind","message":"x","tried":[null]}}'],
    { code: "unavailable", status: 502 },
  ],
  [
    "an error with an unknown code and members of tomorrow's proxy",
    [429, '{"error":{"code":"too-eager","message":"slow down","more":1},"more":2}'],
    { code: "rate-limited", message: "slow down" },
  ],
  [
    "an error of the proxy",
    [503, '{"error":{"code":"behind","message":"late","deployment":"a","missingBlocks":5,"status":200}}'],
    { code: "behind", message: "late", deployment: "a", missingBlocks: 5, status: 200, tried: [] },
  ],
];

describe("an answer that is not of the proxy", () => {
  it.each(FOREIGN)("is an error by its status: %s", async (_, reply, want) => {
    const client = await clientOf(reply);
    for (const [name, call] of Object.entries(CALLS)) {
      expect(await rejection(call(client)), name).toMatchObject({ name: "IndexerError", ...want });
    }
  });

  it("is a result with unknown members of tomorrow's proxy", async () => {
    const result = { status: "ok", chain: "base", style: "moon", data: { watchers: [] }, more: 1 };
    const client = await clientOf([200, JSON.stringify({ result, more: 2 })]);
    expect(await run(client, ChainCounters, {}, { chain: "base" })).toEqual(result);
  });
});

describe("an answer in lines that is cut off", () => {
  const result = (chain: string) =>
    JSON.stringify({ result: { status: "ok", chain, style: "subgraph", data: {}, tried: [] } });

  /** Sends lines, and cuts the connection. */
  async function clientAfter(lines: readonly string[], end: (response: ServerResponse) => unknown) {
    const { url } = await testServer((_, response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      for (const line of lines) response.write(line);
      setTimeout(() => end(response), 30);
    });
    return createClient({ proxy: url });
  }

  const ENDS = [
    ["with an error", (response: ServerResponse) => response.destroy()],
    ["as if it were whole", (response: ServerResponse) => response.end()],
    ["within a line", (response: ServerResponse) => response.end('{"result":{"status"')],
  ] as const;

  it.each(ENDS)("after three of ten lines, %s, has failed for the other chains", async (_, end) => {
    const chains = ["base", "blast", "bsc", "chiliz", "ethereum"];
    const first = [
      `${JSON.stringify({ chains })}\n${result("bsc")}\n{"cha`,
      `in":"base","error":{"code":"auth","message":"x"}}\n`,
    ];
    const client = await clientAfter(first, end);
    const seen: string[] = [];
    const onResult = ({ chain }: { readonly chain: string }) => seen.push(chain);
    const results = await each(client, ChainCounters, {}, { chains: "all", onResult });
    expect(results.map((one) => [one.chain, one.status === "ok" || one.error.code])).toEqual([
      ["base", "auth"],
      ["blast", "network"],
      ["bsc", true],
      ["chiliz", "network"],
      ["ethereum", "network"],
    ]);
    expect(seen).toEqual(["bsc", "base", "blast", "chiliz", "ethereum"]);
  });

  it.each(ENDS)("before its first line, %s, is an error", async (_, end) => {
    const client = await clientAfter([], end);
    const error = await rejection(each(client, ChainCounters, {}, { chains: "all" }));
    expect(error).toMatchObject({ code: "network" });
  });

  it.each(ENDS)("after a page, %s, is an error with its cursor", async (_, end) => {
    const page = JSON.stringify({ page: { rows: [{}], cursor: "7" }, next: "x" });
    const client = await clientAfter([`${page}\n`], end);
    const walk = pages(client, AllStreams, {} as never, { chain: "base" } as never);
    expect((await walk.next()).value).toMatchObject({ cursor: "7" });
    expect(await rejection(walk.next())).toMatchObject({ code: "network", cursor: "7" });
  });
});

describe("a proxy that cannot be reached", () => {
  it("is a network error with its cause", async () => {
    const client = createClient({ proxy: await closedUrl() });
    for (const [name, call] of Object.entries(CALLS)) {
      const error = await rejection(call(client));
      expect(error, name).toMatchObject({ code: "network", cause: expect.any(TypeError) });
    }
  });

  it("is a timeout five seconds after the deadline", async () => {
    const { url } = await testServer(() => {});
    const client = createClient({ proxy: url, deadline: -4_900 });
    const error = await rejection(run(client, ChainCounters, {}, { chain: "base" }));
    expect(error).toMatchObject({ code: "timeout" });
  });

  it("says on a server that a relative URL is for pages", async () => {
    const client = createClient({ proxy: "/api/indexers" });
    const error = await rejection(run(client, ChainCounters, {}, { chain: "base" }));
    expect(error).toMatchObject({
      code: "network",
      message: "No answer of the proxy. On a server, import generated/client.ts.",
    });
  });
});

describe("a request of a page", () => {
  it("has the headers of the application", async () => {
    const { url, received } = await testServer((_, response) => response.end("{}"));
    const both = [{ "x-csrf": "a" }, async () => new Headers({ "x-csrf": "a" })];
    for (const headers of both) {
      await rejection(run(createClient({ proxy: url, headers }), ChainCounters, {}, { chain: "base" }));
    }
    expect(received.map(({ headers }) => [headers["x-csrf"], headers["content-type"]])).toEqual([
      ["a", "application/json"],
      ["a", "application/json"],
    ]);
  });

  it("is read whole where a body cannot be read in parts", async () => {
    const lines = `{"chains":["base"]}\n{"result":{"status":"ok","chain":"base","data":{}}}\n{"end":true}\n`;
    const fetch = async () => {
      const response = new Response(lines, { headers: { "content-type": "application/x-ndjson" } });
      Object.defineProperty(response, "body", { value: undefined });
      return response;
    };
    const client = createClient({ proxy: "/api", fetch });
    expect(await each(client, ChainCounters, {}, { chains: ["base"] })).toMatchObject([{ chain: "base" }]);
  });
});
