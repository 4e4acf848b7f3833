import { describe, expect, it } from "vitest";
import { createClient, run } from "../../../generated/client.ts";
import { RecentStreams } from "../../../generated/lockup/portable.ts";
import { createProxy, type ProxyOptions } from "../../../generated/proxy.ts";
import { closedUrl, testServer } from "../../support/test-server.ts";
import { rejection } from "../client/support.ts";
import { serveProxy } from "./serve-proxy.ts";

const KEY = "Canary-of-a-Key";
const DATA = '{"data":{"streams":[],"_meta":{"block":{"number":5,"hash":null,"timestamp":null}}}}';
const QUESTION = { protocol: "lockup", operation: "RecentStreams", style: "subgraph", chains: ["base"] };

const envOf = (url: string) => ({
  LOCKFLOW_SUBGRAPH_PRODUCTION_URL: `${url}/path/of/{deployment}`,
  LOCKFLOW_SUBGRAPH_API_KEY: KEY,
});

type Reply = readonly [status: number, body: string, headers?: Record<string, string>];

/** A proxy of an indexer that always sends the same reply, and the requests to the indexer. */
async function proxyOf([status, body, headers = {}]: Reply, options: ProxyOptions = {}) {
  const { url, received } = await testServer((_, response) => response.writeHead(status, headers).end(body));
  const proxy = createProxy({ env: envOf(url), ...options });
  return { received, ask: (question?: string | ReadableStream) => proxy(requestOf(question)) };
}

function requestOf(body: string | ReadableStream = JSON.stringify(QUESTION)): Request {
  const headers = { "content-type": "application/json" };
  return new Request("http://localhost/", { method: "POST", headers, body, duplex: "half" } as RequestInit);
}

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

describe("a proxy", () => {
  it.each([
    ["larger than 16 MB", `{"data":{"streams":[],"x":"${"x".repeat(16_777_300)}"}}`],
    ["deeper than 64 levels", `{"data":{"streams":${nested(70)}}}`],
    ["deeper than the platform's stack", `{"data":{"streams":${nested(200_000)}}}`],
  ])("answers unavailable if the answer is %s", async (_, body) => {
    const { ask } = await proxyOf([200, body]);
    const answer = await ask();
    expect([answer.status, await answer.json()]).toMatchObject([502, { error: { code: "unavailable" } }]);
  });

  it("answers unavailable if the platform throws a RangeError", async () => {
    const fail = () => {
      throw new RangeError("Maximum call stack size exceeded");
    };
    const operations = { find: fail } as unknown as ProxyOptions["operations"];
    const { ask } = await proxyOf([200, DATA], { operations });
    const answer = await ask();
    expect([answer.status, await answer.json()]).toMatchObject([502, { error: { code: "unavailable" } }]);
  });

  it("rejects a request of more than 64 levels", async () => {
    const { ask, received } = await proxyOf([200, DATA]);
    const answer = await ask(
      `${JSON.stringify(QUESTION).slice(0, -1)},"variables":{"where":${nested(20_000)}}}`,
    );
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { error: { message: expect.stringContaining("64 levels") } },
    ]);
    expect(received).toEqual([]);
  });

  it("answers 408 if the body does not arrive in time", async () => {
    const { ask, received } = await proxyOf([200, DATA], { timeout: 50 });
    const answer = await ask(
      new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([123])) }),
    );
    expect([answer.status, await answer.json()]).toMatchObject([
      408,
      { error: { message: "The body did not arrive within 50 ms." } },
    ]);
    expect(received).toEqual([]);
  });

  it("sends no more requests at once than its concurrency", async () => {
    let [running, most] = [0, 0];
    const { url } = await testServer((_, response) => {
      most = Math.max(most, ++running);
      setTimeout(() => {
        running--;
        response.end(DATA);
      }, 20);
    });
    const proxy = createProxy({ env: envOf(url), concurrency: 2 });
    const answers = await Promise.all(Array.from({ length: 7 }, () => proxy(requestOf())));
    expect(answers.map(({ status }) => status)).toEqual(Array(7).fill(200));
    expect(most).toBe(2);
  });

  it("shares a Retry-After among all pages", async () => {
    const { ask, received } = await proxyOf([429, "", { "retry-after": "30" }]);
    expect((await ask()).status).toBe(429);
    const answer = await ask();
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(28);
    expect(await answer.json()).toMatchObject({ error: { code: "rate-limited", status: 429 } });
    expect(received).toHaveLength(1);
  });

  it("hides the host, the path and the key in messages, in any case", async () => {
    const env = { ...envOf("https://Secret-Host.example:8443"), LOCKFLOW_SUBGRAPH_API_KEY: KEY };
    const words = "connect SECRET-HOST.EXAMPLE and secret-host.example at /path/of/protocol-lockup-base";
    const fetch = async () =>
      new Response(JSON.stringify({ errors: [{ message: `${words} with ${KEY.toUpperCase()}` }] }));
    const answer = await createProxy({ env, fetch })(requestOf());
    const text = await answer.text();
    expect(text).toContain("connect … and … at … with …");
    expect(text).not.toMatch(/secret-host|canary|path\/of/i);
  });

  it("hides a key that the indexer escapes", async () => {
    const escaped = KEY.replace("C", "\\u0043");
    const body = `{"errors":[{"message":"a"}],"data":{"a":"${escaped}","${escaped}":1}}`;
    const { ask } = await proxyOf([200, body]);
    expect(await (await ask()).text()).not.toMatch(/canary/i);
    const { url } = await testServer((_, response) => response.end(body));
    const client = createClient({ env: envOf(url), retries: 0 });
    const error = await rejection(run(client, RecentStreams, {}, { chain: "base", style: "subgraph" }));
    expect(JSON.stringify(error)).not.toMatch(/canary/i);
  });
});

describe("a client behind a proxy", () => {
  it("reports HTML of another route as unavailable", async () => {
    for (const [status, code] of [
      [200, "unavailable"],
      [404, "unavailable"],
    ] as const) {
      const { url } = await testServer((_, response) => response.writeHead(status).end("<!doctype html>"));
      const client = createClient({ proxy: `${url}/api`, retries: 0 });
      const error = await rejection(run(client, RecentStreams, {}, { chain: "base", style: "subgraph" }));
      expect(error).toMatchObject({ code, status });
    }
  });

  it("has the network error of the proxy without its host", async () => {
    const closed = await closedUrl();
    const { url } = await serveProxy({ env: envOf(closed) });
    const client = createClient({ proxy: url, retries: 0 });
    const error = await rejection(run(client, RecentStreams, {}, { chain: "base", style: "subgraph" }));
    expect(error).toMatchObject({ code: "network", message: expect.stringContaining("ECONNREFUSED") });
    expect(JSON.stringify(error)).not.toContain(new URL(closed).host);
  });
});
