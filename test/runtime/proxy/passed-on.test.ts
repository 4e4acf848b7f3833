import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { IndexerError, type RequestEvent } from "../../../generated/client.ts";
import { RecentStreams } from "../../../generated/lockup/proxied.ts";
import { createClient, each, run } from "../../../generated/proxied.ts";
import { createProxy, type ProxyOptions } from "../../../generated/proxy.ts";
import { retryAtOnce } from "../../support/retry-at-once.ts";
import { closedUrl, testServer } from "../../support/test-server.ts";
import { rejection } from "../client/support.ts";
import { serveProxy } from "./serve-proxy.ts";

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
function ask(options: ProxyOptions): Promise<Response> {
  const { name, protocol, digest } = RecentStreams;
  const call = { call: "run", protocol, operation: name, digest, options: ON_BASE };
  return createProxy({ retries: 0, ...options })(
    new Request("http://localhost/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(call),
    }),
  );
}

/** The failures of an indexer and the proxy's responses. */
const FAILURES: readonly (readonly [
  name: string,
  answer: readonly [status: number, headers: Record<string, string>, body: string],
  want: { readonly status: number; readonly error: object; readonly retryAfter?: string },
])[] = [
  [
    "429",
    [429, { "retry-after": "7" }, ""],
    { status: 429, error: { code: "rate-limited", status: 429, retryAfter: 7 }, retryAfter: "7" },
  ],
  [
    "502 with HTML",
    [502, { "content-type": "text/html" }, "<html>"],
    { status: 502, error: { code: "unavailable", status: 502 } },
  ],
  ["401", [401, {}, "{}"], { status: 500, error: { code: "auth", status: 401 } }],
  ["404", [404, {}, '{"message":"Not found"}'], { status: 404, error: { code: "not-served", status: 404 } }],
  ["400", [400, {}, "{}"], { status: 502, error: { code: "rejected", status: 400 } }],
  [
    "errors with status 200",
    [200, { "cache-control": "max-age=60" }, '{"errors":[{"message":"Query timed out"}],"data":{"a":1}}'],
    { status: 503, error: { code: "overloaded", messages: ["Query timed out"], data: { a: 1 } } },
  ],
  [
    "a block that is not reached",
    [200, {}, '{"errors":[{"message":"subgraph Qm has only indexed up to block number 1"}]}'],
    { status: 503, error: { code: "behind" } },
  ],
  ["HTML with status 200", [200, {}, "<html>"], { status: 502, error: { code: "unavailable", status: 200 } }],
  ["an unknown status", [799, {}, ""], { status: 502, error: { code: "unavailable", status: 799 } }],
  [
    "a redirect",
    [302, { location: "http://127.0.0.1:1/" }, ""],
    { status: 404, error: { code: "not-served", status: 302 } },
  ],
];

describe("a proxy passes on", () => {
  it.each(FAILURES)("%s", async (_, [status, headers, body], want) => {
    const { env } = await indexerThat((__, response) => response.writeHead(status, headers).end(body));
    const answer = await ask({ env });
    expect(await answer.json()).toMatchObject({ error: want.error });
    expect(answer.status).toBe(want.status);
    expect(Object.fromEntries(answer.headers)).toEqual({
      "cache-control": "no-store",
      "content-type": "application/json",
      ...(want.retryAfter && { "retry-after": want.retryAfter }),
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

/** The ways in which an indexer repeats its request. */
const ECHOES: readonly (readonly [name: string, echo: (text: string) => readonly [number, string]])[] = [
  ["in a message", (text) => [200, JSON.stringify({ errors: [{ message: text }] })]],
  [
    "in a message, in upper case",
    (text) => [200, JSON.stringify({ errors: [{ message: text.toUpperCase() }] })],
  ],
  ["in a code", (text) => [200, JSON.stringify({ errors: [{ message: "a", extensions: { code: text } }] })]],
  [
    "in data beside an error",
    (text) => [200, JSON.stringify({ errors: [{ message: "a" }], data: { a: [text], [text]: 1 } })],
  ],
  [
    "in data",
    (text) => [200, DATA.replace("[]", JSON.stringify([{ id: text, chainId: "8453", timestamp: "5" }]))],
  ],
  [
    "in a name",
    (text) => [
      200,
      DATA.replace("[]", JSON.stringify([{ id: "a", chainId: "8453", timestamp: "5", [text]: 1 }])),
    ],
  ],
  [
    "in escapes",
    (text) => [
      200,
      `{"errors":[{"message":"a"}],"data":{"a":${JSON.stringify(text).replaceAll("c", "\\u0063")}}}`,
    ],
  ],
  ["as plain text", (text) => [200, text]],
  ["as the plain text of an error", (text) => [500, text]],
  ["in an auth error", (text) => [401, JSON.stringify({ message: text, error: { code: text } })]],
];

describe("a proxy hides keys and indexer URLs", () => {
  it.each(ECHOES)("that an indexer repeats %s", async (_, echo) => {
    const seen: string[] = [];
    const { env, indexer } = await indexerThat((heard, response) => {
      const { headers, path } = heard;
      const text = `${headers.authorization} ${headers["x-tenant"]} http://${headers.host}${path}`;
      seen.push(text);
      const [status, body] = echo(text);
      response.writeHead(status, { "x-echo": text, "cache-control": text }).end(body);
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
    const row = { id: "path/of", chainId: "8453", timestamp: "5" };
    const text = "at /path/of/protocol-lockup-base";
    let body = JSON.stringify({ errors: [{ message: text }] });
    const { env } = await indexerThat((_, response) => response.end(body));
    expect(await (await ask({ env })).text()).not.toContain("/path/of/");
    body = DATA.replace("[]", JSON.stringify([{ ...row, id: text }]));
    expect(await (await ask({ env })).text()).toContain(text);
  });
});
