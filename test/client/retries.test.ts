import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { all, type Client, each, run } from "../../generated/client.ts";
import { AllStreams, ChainCounters } from "../../generated/lockup/portable.ts";
import { fastTime } from "../support/fast-time.ts";
import { testServer } from "../support/test-server.ts";
import { answerOf, clientAt, failureOf, observe, STYLES, serveSuite } from "./support.ts";

const served = serveSuite();
const ask = (client: Client, options = {}) => run(client, ChainCounters, {}, { chain: "base", ...options });

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a host that sends Retry-After", () => {
  it("is requested again after that time, and not before", async () => {
    fastTime();
    using _ = await served().emulator.fault({ kind: "429", retryAfter: 1, next: 1 });
    const start = performance.now();
    // The first answer may take long on a busy machine.
    const options = { styles: ["multichain"], timeout: 60_000, deadline: 60_000 } as const;
    const { result, sent, events } = await observe(served(), options, (client) => ask(client));
    expect(result.status).toBe("ok");
    expect(performance.now() - start).toBeGreaterThan(990);
    expect(sent.multichain).toBe(2);
    expect(events.map(({ status, code }) => [status, code])).toEqual([
      [429, "rate-limited"],
      [200, null],
    ]);
  });

  it("delays queued requests, too", async () => {
    fastTime();
    const arrived: number[] = [];
    const { url } = await testServer((_, response) => {
      arrived.push(performance.now());
      if (arrived.length === 1) response.writeHead(429, { "retry-after": "1" }).end();
      else answer(response);
    });
    const client = clientAt(url, { styles: ["subgraph"], concurrency: 1 });
    await Promise.all([1, 2, 3].map(() => ask(client)));
    expect(arrived).toHaveLength(4);
    const [first = 0, second = 0] = arrived;
    expect(second - first).toBeGreaterThan(900);
  });

  it("is skipped by the whole client if the wait is too long, and the other style is requested", async () => {
    using _ = await served().emulator.fault({ kind: "429", retryAfter: 60, style: "multichain", next: 1 });
    const { sent } = await observe(served(), {}, async (client) => {
      for (let question = 0; question < 3; question++) {
        const { style, tried } = await ask(client);
        expect(style).toBe("subgraph");
        expect(tried[0]?.error).toMatchObject({ code: "rate-limited", style: "multichain" });
        expect(tried[0]?.error.retryAfter).toBeGreaterThan(30);
      }
    });
    expect(sent).toEqual({ multichain: 1, subgraph: 3 });
  });
});

describe("a retry", () => {
  it("waits longer each time, and other requests continue meanwhile", async () => {
    fastTime();
    vi.spyOn(Math, "random").mockReturnValue(0.999);
    const arrived: [path: string, at: number][] = [];
    const { url } = await testServer(({ path }, response) => {
      arrived.push([path, performance.now()]);
      if (path.endsWith("-base")) response.writeHead(503).end();
      else answer(response, 1);
    });
    const client = clientAt(url, { styles: ["subgraph"], concurrency: 1 });
    const [error] = await Promise.all([
      failureOf(ask(client)),
      run(client, ChainCounters, {}, { chain: "ethereum" }),
    ]);
    expect(error.code).toBe("unavailable");
    expect(arrived.map(([path]) => path.split("-").at(-1))).toEqual(["base", "mainnet", "base", "base"]);
    const [a = 0, b = 0, c = 0] = arrived.flatMap(([path, at]) => (path.endsWith("-base") ? [at] : []));
    expect(b - a).toBeGreaterThan(240);
    expect(c - b).toBeGreaterThan(490);
  });

  it.each(STYLES)("follows a timeout of the %s style", async (style) => {
    using _ = await served().emulator.fault({ kind: "latency", milliseconds: 2000, style });
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { result, sent } = await observe(served(), { timeout: 150, retries: 1 }, (client) =>
      failureOf(ask(client, { style })),
    );
    expect(result).toMatchObject({ code: "timeout", status: null, style, tried: [{ style }] });
    expect(sent[style]).toBe(2);
  });
});

describe("several chains of a host that fails", () => {
  const BOTH = ["arbitrum", "avalanche", "base", "bsc", "ethereum", "gnosis", "linea", "polygon"] as const;
  /** Chains that only the multichain indexer serves. */
  const ONLY = ["morph", "sophon"] as const;
  const chains = [...BOTH, ...ONLY];
  const size = chains.length;

  it.each(["502", "reset", "401"] as const)("are queried elsewhere after one failure: %s", async (kind) => {
    using _ = await served().emulator.fault({ kind, style: "multichain" });
    const { result, sent } = await observe(served(), {}, (client) =>
      each(client, AllStreams, { first: 5 }, { chains }),
    );
    expect(result.flatMap((one) => (one.status === "failed" ? one.chain : []))).toEqual(ONLY);
    expect(sent.subgraph).toBe(BOTH.length);
    expect(sent.multichain).toBeLessThanOrEqual(6 + ONLY.length);
  });

  it("are queried elsewhere if the host is rate-limited, without waiting for it", async () => {
    using _ = await served().emulator.fault({ kind: "429", retryAfter: 1, style: "multichain" });
    const { result, sent } = await observe(served(), { concurrency: 2 }, (client) =>
      each(client, AllStreams, { first: 5 }, { chains: BOTH }),
    );
    expect(result.filter(({ status }) => status === "failed")).toEqual([]);
    expect(sent.subgraph).toBe(BOTH.length);
    expect(sent.multichain).toBeLessThanOrEqual(2);
  });

  it("are queried elsewhere by the pages of several chains", async () => {
    using _ = await served().emulator.fault({ kind: "502", style: "multichain" });
    const { result, sent } = await observe(served(), {}, (client) => all(client, AllStreams, {}, { chains }));
    expect(result.failed).toEqual(ONLY);
    expect(sent.subgraph).toBe(BOTH.length);
    // At the end, the failed chains are queried again.
    expect(sent.multichain).toBeLessThanOrEqual(6 + 3 * ONLY.length);
  });

  it("are all answered if only one request fails", async () => {
    using _ = await served().emulator.fault({ kind: "502", style: "multichain", next: 1 });
    const { result, sent } = await observe(served(), {}, (client) =>
      each(client, AllStreams, { first: 5 }, { chains }),
    );
    expect(result.filter(({ status }) => status === "failed")).toEqual([]);
    expect(sent.multichain + sent.subgraph).toBe(size + 1);
  });

  it("are retried as usual without another style", async () => {
    using _ = await served().emulator.fault({ kind: "502", style: "multichain" });
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { sent } = await observe(served(), { styles: ["multichain"] }, (client) =>
      each(client, AllStreams, { first: 5 }, { chains: ["base", "ethereum"] }),
    );
    expect(sent.multichain).toBe(6);
  });
});

describe("a platform that refuses further requests", () => {
  const limited = (most: number) => {
    let calls = 0;
    let refusals = 0;
    const client = served().client({
      fetch: async (...request) => {
        if (++calls <= most) return fetch(...request);
        refusals++;
        throw new Error("Too many subrequests by single Worker invocation.");
      },
    });
    return { client, refusals: () => refusals };
  };

  it("is not asked again in the call", async () => {
    const { client, refusals } = limited(0);
    const error = await failureOf(ask(client));
    expect(error.code).toBe("network");
    expect(error.cause).toMatchObject({ message: expect.stringContaining("Too many subrequests") });
    expect(refusals()).toBe(1);
    // The next call may belong to another event of a worker.
    await failureOf(ask(client));
    expect(refusals()).toBe(2);
  });

  it("fails the remaining chains", async () => {
    const { client, refusals } = limited(10);
    const results = await each(client, AllStreams, { first: 5 }, { chains: "mainnets" });
    expect(results.filter(({ status }) => status === "ok")).toHaveLength(10);
    expect(refusals()).toBeLessThanOrEqual(6);
    const { failed } = await all(limited(10).client, AllStreams, {}, { chains: "mainnets", size: 1000 });
    expect(failed.length).toBeGreaterThan(10);
  });
});

describe("a redirect", () => {
  it("is not followed with a key, and not retried", async () => {
    const other = await testServer((_, response) => answer(response));
    const { url, received } = await testServer((_, response) => {
      response.writeHead(307, { location: other.url }).end();
    });
    const error = await failureOf(ask(clientAt(url), { style: "subgraph" }));
    expect(error).toMatchObject({ code: "not-served", status: 307 });
    expect(error.message).toContain("the URL redirects, HTTP 307");
    expect([received.length, other.received]).toEqual([1, []]);
  });
});

function answer(response: ServerResponse, chainId = 8453): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ data: answerOf(chainId) }));
}
