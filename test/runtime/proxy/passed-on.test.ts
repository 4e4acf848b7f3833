import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { IndexerError, type RequestEvent } from "../../../generated/client.ts";
import { RecentStreams } from "../../../generated/lockup/proxied.ts";
import { createClient, each, run } from "../../../generated/proxied.ts";
import { createProxy, type ProxyOptions } from "../../../generated/proxy.ts";
import { retryAtOnce } from "../../support/retry-at-once.ts";
import { closedUrl, testServer } from "../../support/test-server.ts";
import { rejection } from "../client/support.ts";
import { post, runOnBase, serveProxy } from "./serve-proxy.ts";

retryAtOnce();

const KEY = "canary-of-a-key";

const DATA = '{"data":{"streams":[],"_meta":{"block":{"number":5,"hash":null,"timestamp":null}}}}';

/** The parts of a request that a page must not receive. */
type Heard = { readonly path: string; readonly headers: IncomingHttpHeaders };

/** Starts an indexer that answers as the test decides; returns it and its variables. */
async function indexerThat(answer: (heard: Heard, response: ServerResponse) => void) {
  const indexer = await testServer(answer);
  const env = {
    LOCKFLOW_SUBGRAPH_PRODUCTION_URL: `${indexer.url}/path/of/{deployment}`,
    LOCKFLOW_SUBGRAPH_API_KEY: KEY,
  };
  return { indexer, env };
}

const ON_BASE = { chain: "base", style: "subgraph" } as const;

/** Sends a call to a proxy as a page does. */
const ask = (options: ProxyOptions) =>
  post(createProxy({ retries: 0, ...options }), { ...runOnBase(RecentStreams), options: ON_BASE });

const QUERY_TIMED_OUT = '{"errors":[{"message":"Query timed out"}],"data":{"a":1}}';
const TOO_EARLY = '{"errors":[{"message":"subgraph Qm has only indexed up to block number 1"}]}';

type Reply = readonly [status: number, headers: Record<string, string>, body: string];

/** The failures of an indexer, and the proxy's responses. */
const FAILURES: readonly (readonly [name: string, reply: Reply, status: number, error: object])[] = [
  ["429", [429, { "retry-after": "7" }, ""], 429, { code: "rate-limited", status: 429, retryAfter: 7 }],
  [
    "502 with HTML",
    [502, { "content-type": "text/html" }, "<html>"],
    502,
    { code: "unavailable", status: 502 },
  ],
  ["401", [401, {}, "{}"], 500, { code: "auth", status: 401 }],
  ["404", [404, {}, '{"message":"Not found"}'], 404, { code: "not-served", status: 404 }],
  ["400", [400, {}, "{}"], 502, { code: "rejected", status: 400 }],
  [
    "errors",
    [200, { "cache-control": "max-age=60" }, QUERY_TIMED_OUT],
    503,
    { code: "overloaded", data: { a: 1 } },
  ],
  ["a block that is not reached", [200, {}, TOO_EARLY], 503, { code: "behind" }],
  ["HTML with status 200", [200, {}, "<html>"], 502, { code: "unavailable", status: 200 }],
  ["an unknown status", [799, {}, ""], 502, { code: "unavailable", status: 799 }],
  ["a redirect", [302, { location: "http://127.0.0.1:1/" }, ""], 404, { code: "not-served", status: 302 }],
];

describe("a proxy passes on", () => {
  it.each(FAILURES)("%s", async (_, [given, headers, body], status, error) => {
    const { env } = await indexerThat((__, response) => response.writeHead(given, headers).end(body));
    const answer = await ask({ env });
    expect(await answer.json()).toMatchObject({ error });
    expect(answer.status).toBe(status);
    expect(Object.fromEntries(answer.headers)).toEqual({
      "cache-control": "no-store",
      "content-type": "application/json",
      ...("retryAfter" in error && { "retry-after": "7" }),
    });
  });

  it("a refused connection, and a missing key or URL", async () => {
    const { env, indexer } = await indexerThat((_, response) => response.end(DATA));
    const gone = await ask({
      env: { ...env, LOCKFLOW_SUBGRAPH_PRODUCTION_URL: `${await closedUrl()}/{deployment}` },
    });
    expect([gone.status, await gone.json()]).toMatchObject([502, { error: { code: "network" } }]);
    const keyless = await ask({ env: { ...env, LOCKFLOW_SUBGRAPH_API_KEY: undefined } });
    expect([keyless.status, await keyless.json()]).toMatchObject([
      500,
      { error: { code: "auth", message: "protocol-lockup-base: set LOCKFLOW_SUBGRAPH_API_KEY" } },
    ]);
    const hostless = await ask({ env: {} });
    expect([hostless.status, await hostless.json()]).toMatchObject([
      404,
      { error: { code: "not-served", message: expect.stringContaining("LOCKFLOW_SUBGRAPH_PRODUCTION_URL") } },
    ]);
    expect(indexer.received).toEqual([]);
  });

  it("a result without the headers of the indexer", async () => {
    const headers = { "cache-control": "public", "set-cookie": "a=b", etag: '"a"', server: "indexer" };
    const { env, indexer } = await indexerThat((_, response) => response.writeHead(200, headers).end(DATA));
    const answer = await ask({ env });
    expect(await answer.json()).toMatchObject({
      result: { status: "ok", chain: "base", head: { block: 5 } },
    });
    expect(Object.fromEntries(answer.headers)).toEqual({
      "cache-control": "no-store",
      "content-type": "application/json",
    });
    expect(indexer.received[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  it('a request in Workers, where fetch must be called unbound and redirect: "error" is not supported', async () => {
    const { env } = await indexerThat((_, response) => response.end(DATA));
    const asWorkers: typeof fetch = function (this: unknown, url, init) {
      if (this !== undefined) throw new TypeError("Illegal invocation");
      if (init?.redirect === "error") throw new TypeError("Invalid redirect value.");
      return fetch(url, init);
    };
    expect((await ask({ env, fetch: asWorkers })).status).toBe(200);
  });

  it("a timeout of the indexer", async () => {
    const { env } = await indexerThat(() => {});
    const { url } = await serveProxy({ env, timeout: 50, retries: 0 });
    const error = await rejection(run(createClient({ proxy: url }), RecentStreams, {}, ON_BASE));
    expect(error).toMatchObject({ code: "timeout", status: null, deployment: "protocol-lockup-base" });
    expect((await ask({ env, timeout: 50 })).status).toBe(504);
  });

  it("an error with a Retry-After, without another request to the indexer", async () => {
    const { env, indexer } = await indexerThat((_, response) =>
      response.writeHead(429, { "retry-after": "30" }).end(),
    );
    const { url } = await serveProxy({ env });
    const client = createClient({ proxy: url });
    for (const _ of [1, 2]) {
      const error = await rejection(run(client, RecentStreams, {}, ON_BASE));
      expect(error).toMatchObject({ code: "rate-limited" });
      expect((error as IndexerError).retryAfter).toBeGreaterThan(28);
    }
    expect(indexer.received).toHaveLength(1);
  });
});

const withRow = (row: object) =>
  DATA.replace("[]", JSON.stringify([{ id: "a", chainId: "8453", timestamp: "5", ...row }]));
const withError = (error: object, more: object = {}) =>
  JSON.stringify({ errors: [{ message: "a", ...error }], ...more });
const escaped = (text: string) => JSON.stringify(text).replaceAll("c", "\\u0063");

/** The ways in which an indexer repeats its request. */
const ECHOES: readonly (readonly [name: string, status: number, echo: (text: string) => string])[] = [
  ["in a message", 200, (message) => withError({ message })],
  ["in a message, in upper case", 200, (text) => withError({ message: text.toUpperCase() })],
  ["in a code", 200, (code) => withError({ extensions: { code } })],
  ["in data beside an error", 200, (text) => withError({}, { data: { a: [text], [text]: 1 } })],
  ["in data", 200, (id) => withRow({ id })],
  ["in a name", 200, (text) => withRow({ [text]: 1 })],
  ["in escapes", 200, (text) => `{"errors":[{"message":"a"}],"data":{"a":${escaped(text)}}}`],
  ["as plain text", 200, (text) => text],
  ["as the plain text of an error", 500, (text) => text],
  ["in an auth error", 401, (text) => JSON.stringify({ message: text, error: { code: text } })],
];

describe("a proxy hides keys and indexer URLs", () => {
  it.each(ECHOES)("that an indexer repeats %s", async (_, status, echo) => {
    const seen: string[] = [];
    const { env, indexer } = await indexerThat((heard, response) => {
      const { headers, path } = heard;
      const text = `${headers.authorization} ${headers["x-tenant"]} http://${headers.host}${path}`;
      seen.push(text);
      response.writeHead(status, { "x-echo": text, "cache-control": text }).end(echo(text));
    });
    const logged = ["log", "info", "warn", "error", "debug"].map((name) =>
      vi.spyOn(console, name as "log").mockImplementation(() => {}),
    );
    onTestFinished(() => {
      for (const one of logged) one.mockRestore();
    });
    const events: RequestEvent[] = [];
    const { url } = await serveProxy({
      env,
      retries: 0,
      headers: () => ({ "x-tenant": "canary of a tenant" }),
      onRequest: (event) => events.push(event),
    });
    const client = createClient({ proxy: url });
    const reported = await run(client, RecentStreams, {}, ON_BASE).catch((error) => error);
    const several = await each(client, RecentStreams, {}, { chains: ["base"], style: "subgraph" });
    expect(seen[0]).toContain(`Bearer ${KEY} canary of a tenant http`);
    const texts = [
      JSON.stringify(several),
      JSON.stringify(events),
      reported instanceof IndexerError
        ? `${reported.stack} ${JSON.stringify(reported)} ${reported.cause}`
        : JSON.stringify(reported),
    ];
    for (const text of texts) {
      expect(text).not.toMatch(/canary/i);
      expect(text).not.toContain(new URL(indexer.url).host);
    }
    for (const one of logged) expect(one).not.toHaveBeenCalled();
    expect(events[0]).toMatchObject({ deployment: "protocol-lockup-base", operation: "RecentStreams" });
  });

  it("hides hosts and paths in errors, but not in rows, which may contain them", async () => {
    const text = "at /path/of/protocol-lockup-base";
    let body = withError({ message: text });
    const { env } = await indexerThat((_, response) => response.end(body));
    expect(await (await ask({ env })).text()).not.toContain("/path/of/");
    body = withRow({ id: text });
    expect(await (await ask({ env })).text()).toContain(text);
  });
});
