import { describe, expect, it, onTestFinished, vi } from "vitest";
import { RecentStreams } from "../../../generated/lockup/portable.ts";
import { each } from "../../../packages/client/src/calls/each.ts";
import { run } from "../../../packages/client/src/calls/run.ts";
import type { ClientOptions, RequestEvent } from "../../../packages/client/src/client/client-types.ts";
import { IndexerError } from "../../../packages/client/src/client/indexer-error.ts";
import { fastTime } from "../../support/fast-time.ts";
import { retryAtOnce } from "../../support/retry-at-once.ts";
import { testServer } from "../../support/test-server.ts";
import { clientOf, rejection } from "./support.ts";

const KEY = "a-key-of-theirs";
const ENV = {
  LOCKFLOW_MULTICHAIN_URL: "https://indexer.test/{id}/v1/graphql",
  LOCKFLOW_MULTICHAIN_LOCKUP_ID: "lockup",
  LOCKFLOW_SUBGRAPH_PRODUCTION_URL: "https://gateway.test/{deployment}",
  LOCKFLOW_SUBGRAPH_API_KEY: KEY,
};
const STREAM = { id: "a", chainId: "8453", timestamp: "1", asset: { id: "b" } };
const HEAD = { block: { number: 7, hash: "0xab", timestamp: 1 }, hasIndexingErrors: false };
const ANSWER = { data: { streams: [STREAM], _meta: HEAD } };

type Reply = readonly [status: number, body: string, headers?: Record<string, string>];

/** A host that sends the replies in turn and repeats the last. */
function host(...replies: readonly Reply[]) {
  const asked: { readonly url: string; readonly init: RequestInit }[] = [];
  const events: RequestEvent[] = [];
  const options: ClientOptions = {
    env: ENV,
    styles: ["subgraph"],
    retries: 0,
    onRequest: (event) => events.push(event),
    fetch: async (url, init = {}) => {
      asked.push({ url: String(url), init });
      const [status, body, headers = {}] = replies[Math.min(asked.length, replies.length) - 1] ?? [200, ""];
      return new Response(status === 204 ? null : body, { status, headers });
    },
  };
  const ask = (more: ClientOptions = {}) =>
    run(clientOf({ ...options, ...more }), RecentStreams, { first: 2 }, { chain: "base" });
  return { asked, events, options, ask };
}

const ok = JSON.stringify(ANSWER);
const said = (message: string, more: object = {}) => JSON.stringify({ errors: [{ message, ...more }] });

async function failure(promise: Promise<unknown>): Promise<IndexerError> {
  const error = await rejection(promise);
  expect(error).toBeInstanceOf(IndexerError);
  return error as IndexerError;
}

describe("an answer", () => {
  it("has only the data of the operation", async () => {
    const { ask, asked, events } = host([200, ok]);
    expect((await ask()).data).toEqual({ streams: [STREAM] });
    expect(asked[0]?.init).toMatchObject({ method: "POST", redirect: "manual" });
    const { query, variables } = JSON.parse(String(asked[0]?.init.body));
    expect(variables).toEqual({ first: 2 });
    expect(query).toContain("_meta(block: $block)");
    expect(events).toMatchObject([
      {
        deployment: "protocol-lockup-base",
        style: "subgraph",
        operation: "RecentStreams",
        status: 200,
        code: null,
      },
    ]);
  });

  it.each<[what: string, status: number, body: string, code: string]>([
    ["an empty 204", 204, "", "unavailable"],
    ["an empty body", 200, "", "unavailable"],
    ["an HTML page", 200, "<!doctype html><title>Hello</title>", "unavailable"],
    ["truncated JSON", 200, ok.slice(0, 60), "unavailable"],
    ["a list", 200, `[${ok}]`, "unavailable"],
    ["a number", 200, "7", "unavailable"],
    ["null", 200, "null", "unavailable"],
    ["an empty object", 200, "{}", "unavailable"],
    ["null as data", 200, '{"data":null}', "unavailable"],
    ["a list as data", 200, '{"data":[]}', "unavailable"],
    ["data without the root field", 200, '{"data":{}}', "unavailable"],
    ["data without a block", 200, JSON.stringify({ data: { ...ANSWER.data, _meta: null } }), "unavailable"],
    [
      "a block number that is not whole",
      200,
      JSON.stringify({ data: { ...ANSWER.data, _meta: { block: { number: "7.5" } } } }),
      "unavailable",
    ],
    ["null as the list", 200, JSON.stringify({ data: { streams: null, _meta: HEAD } }), "unavailable"],
    ["an object as the list", 200, JSON.stringify({ data: { streams: {}, _meta: HEAD } }), "unavailable"],
    ["a number as a row", 200, JSON.stringify({ data: { streams: [1], _meta: HEAD } }), "unavailable"],
    [
      "deeply nested lists",
      200,
      `{"data":{"streams":${"[".repeat(99_999)}${"]".repeat(99_999)}}}`,
      "unavailable",
    ],
    ["deeply nested errors", 200, `{"errors":${"[".repeat(99_999)}${"]".repeat(99_999)}}`, "unavailable"],
    [
      "words as a number",
      200,
      JSON.stringify({ data: { streams: [{ ...STREAM, timestamp: "soon" }], _meta: HEAD } }),
      "unavailable",
    ],
    [
      "an object as a chain id",
      200,
      JSON.stringify({ data: { streams: [{ ...STREAM, chainId: { toString: 1 } }], _meta: HEAD } }),
      "wrong-chain",
    ],
    [
      "a row of another chain",
      200,
      JSON.stringify({ data: { streams: [{ ...STREAM, chainId: "1" }], _meta: HEAD } }),
      "wrong-chain",
    ],
    [
      "a row without its required asset",
      200,
      JSON.stringify({ data: { streams: [{ ...STREAM, asset: null }], _meta: HEAD } }),
      "inconsistent",
    ],
    [
      "an error beside data",
      200,
      JSON.stringify({ ...ANSWER, errors: [{ message: "boom" }] }),
      "unavailable",
    ],
    [
      "errors that are not a list",
      200,
      JSON.stringify({ ...ANSWER, errors: { message: "boom" } }),
      "unavailable",
    ],
    ["null as an error", 200, JSON.stringify({ ...ANSWER, errors: [null] }), "unavailable"],
    ["a redirect", 301, "", "not-served"],
    ["a bad request", 400, said("no"), "rejected"],
    ["a 401", 401, ok, "auth"],
    ["a 402", 402, "", "auth"],
    ["a 403", 403, "", "auth"],
    ["a 404 with data", 404, ok, "not-served"],
    ["a 408", 408, "", "unavailable"],
    ["a 413", 413, "", "rejected"],
    ["a 429", 429, "", "rate-limited"],
    ["a 500 with data", 500, ok, "unavailable"],
    ["a 502 with HTML", 502, "<html>", "unavailable"],
    ["a missing route of a gateway", 200, '{"message":"Not found"}', "not-served"],
    ["an unknown API key", 200, said("auth error: API key not found"), "auth"],
    ["an unknown API key, as older gateways report it", 200, said("Invalid auth: Not found"), "auth"],
    ["access denied", 200, said("no", { extensions: { code: "access-denied" } }), "auth"],
    ["an unknown subgraph", 200, said("subgraph not found: Qm"), "not-served"],
    ["an unknown deployment", 200, said("deployment `a/b` does not exist"), "not-served"],
    ["no indexers found", 200, said("no indexers found"), "not-served"],
    ["a query that timed out", 200, said("Query timed out"), "overloaded"],
    ["a query that is too expensive", 200, said("the query is too expensive"), "overloaded"],
    ["an unavailable database", 200, said("Store error: database unavailable"), "unavailable"],
    ["an internal error of the gateway", 200, said("internal error: oh"), "unavailable"],
    [
      "unavailable indexers",
      200,
      said("bad indexers: {0xa: Timeout, 0xb: Unavailable(blocked)}"),
      "indexers",
    ],
    [
      "indexers with indexing errors",
      200,
      said("bad indexers: {0xa: BadResponse(no attestation: indexing_error)}"),
      "indexing",
    ],
    [
      "indexers that are behind",
      200,
      said("bad indexers: {0xa: Unavailable(missing block: 9, latest: 1)}"),
      "behind",
    ],
    [
      "an argument out of range",
      200,
      said(
        "bad indexers: {0xa: BadResponse(unattestable response: The `first` argument must be between 0 and 1000)}",
      ),
      "rejected",
    ],
    [
      "a block that is not indexed yet",
      200,
      said("Failed to decode `block.number` value: `subgraph Qm has only indexed up to block number 1`"),
      "behind",
    ],
    [
      "a subgraph that has not started",
      200,
      said("Store error: Subgraph `Qm` has not started syncing yet"),
      "behind",
    ],
    ["an unknown block hash", 200, said("Failed to decode: `no block with that hash found`"), "pruned"],
    ["a pruned block", 200, said("subgraph Qm only has data starting at block number 5"), "pruned"],
    ["a reorganization", 200, said("the chain was reorganized while executing the query"), "reorganized"],
    [
      "a failed subgraph",
      200,
      JSON.stringify({ data: { _meta: HEAD }, errors: [{ message: "indexing_error" }] }),
      "indexing",
    ],
    ["an unknown field", 200, said("Type `Query` has no field `x`"), "rejected"],
  ])("fails: %s", async (_, status, body, code) => {
    const { ask, events } = host([status, body]);
    const error = await failure(ask());
    expect(error.code).toBe(code);
    expect(error).toMatchObject({ style: "subgraph", deployment: "protocol-lockup-base" });
    expect(error.tried.map(({ error }) => error.code)).toEqual([code]);
    expect(JSON.stringify([error, error.message, error.stack, events])).not.toMatch(/https?:|a-key-of/);
  });

  it("keeps messages, but removes keys and texts that look like keys", async () => {
    const long = "0123456789abcdef0123456789abcdef";
    const body = {
      data: { streams: [] },
      errors: [{ message: ` ${KEY} of ${long} ` }, { message: "x".repeat(400) }],
    };
    const error = await failure(host([200, JSON.stringify(body)]).ask());
    expect(error.messages).toEqual(["… of …", "x".repeat(300)]);
    expect(error.message).toBe("protocol-lockup-base: … of …");
    expect(error.data).toBeUndefined();
    const beside = { data: { streams: [] }, errors: [{ message: "boom" }] };
    expect((await failure(host([200, JSON.stringify(beside)]).ask())).data).toEqual({ streams: [] });
  });

  it("fails if it is larger than the limit", async () => {
    const { url } = await testServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const piece = Buffer.alloc(2 ** 22, "x");
      let left = 20;
      const write = () => {
        if (left-- === 0) response.end('"}');
        else response.write(piece, write);
      };
      response.write('{"data":"', write);
    });
    const env = { ...ENV, LOCKFLOW_SUBGRAPH_PRODUCTION_URL: `${url}/{deployment}` };
    const error = await failure(host().ask({ env, fetch }));
    expect(error.code).toBe("unavailable");
  });

  it("is requested by an unbound fetch, as browsers require", async () => {
    const asked: unknown[] = [];
    const { ask } = host();
    async function fetch(this: unknown): Promise<Response> {
      asked.push(this);
      return new Response(ok);
    }
    await ask({ fetch });
    expect(asked).toEqual([undefined]);
  });

  it("is received in Workers, which do not support redirect: error", async () => {
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
    onTestFinished(() => {
      vi.unstubAllGlobals();
    });
    let [status, location] = [200, "/"];
    const { url, received } = await testServer((_, response) => {
      response.writeHead(status, { location }).end(ok);
    });
    const ask = () =>
      host().ask({
        env: { ...ENV, LOCKFLOW_SUBGRAPH_PRODUCTION_URL: `${url}/{deployment}` },
        fetch: (to, init) => {
          if (init?.redirect === "error") throw new TypeError("Invalid redirect value.");
          return fetch(to, init);
        },
      });
    expect((await ask()).status).toBe("ok");
    [status, location] = [307, "/other"];
    expect((await failure(ask())).code).toBe("not-served");
    expect(received).toHaveLength(2);
  });

  it("may come from another host if the application has a fetch of its own", async () => {
    const { url } = await testServer((_, response) => {
      response.end(ok);
    });
    const { status } = await host().ask({ env: ENV, fetch: (_, init) => fetch(url, init) });
    expect(status).toBe("ok");
  });

  it("is not requested from the target of a redirect", async () => {
    const { url, received } = await testServer((_, response) => {
      response.writeHead(307, { location: "/other" }).end();
    });
    const env = { ...ENV, LOCKFLOW_SUBGRAPH_PRODUCTION_URL: `${url}/{deployment}` };
    expect((await failure(host().ask({ env, fetch }))).code).toBe("not-served");
    expect(received).toHaveLength(1);
  });
});

describe("a key", () => {
  const keyOf = (init: RequestInit | undefined) => new Headers(init?.headers).get("authorization");

  it("is sent to its host", async () => {
    const { asked, ask } = host([200, ok]);
    await ask();
    expect(keyOf(asked[0]?.init)).toBe(`Bearer ${KEY}`);
  });

  it("is required before any request, and the error names its variable", async () => {
    const { asked, ask, events } = host([200, ok]);
    const error = await failure(ask({ env: { ...ENV, LOCKFLOW_SUBGRAPH_API_KEY: " " } }));
    expect(error).toMatchObject({
      code: "auth",
      style: "subgraph",
      message: expect.stringContaining("LOCKFLOW_SUBGRAPH_API_KEY"),
    });
    expect([asked, events]).toEqual([[], []]);
  });

  it.each(["two\nlines", "a\0b", "“quoted”"])(
    "is rejected before any request if it is invalid in a header: %o",
    async (key) => {
      const { asked, ask, events } = host([200, ok]);
      const error = await failure(ask({ env: { ...ENV, LOCKFLOW_SUBGRAPH_API_KEY: key }, retries: 2 }));
      expect(error).toMatchObject({
        code: "auth",
        message: expect.stringContaining("LOCKFLOW_SUBGRAPH_API_KEY"),
      });
      expect(error.message).not.toContain(key);
      expect([asked, events]).toEqual([[], []]);
    },
  );

  it.each([
    "https://gateway.test.evil.test/x",
    "https://gateway.test:8443/x",
    "https://evil.test/gateway.test",
    "http://gateway.test/x",
  ])("is not sent to %s", async (url) => {
    const { asked, ask } = host([200, ok]);
    const own = clientOf({ env: ENV }).endpoint({ protocol: "lockup", style: "subgraph", chain: "base" });
    await ask({ endpoint: () => own && { ...own, url } });
    expect(asked.map((one) => one.url)).toEqual([url]);
    expect(keyOf(asked[0]?.init)).toBeNull();
  });

  it("is not replaced by the headers option, whose failure is an auth error", async () => {
    const { asked, ask } = host([200, ok]);
    await ask({ headers: async (target) => new Headers({ "x-team": String(target.chains) }) });
    expect(new Headers(asked[0]?.init.headers).get("x-team")).toBe("base");
    await ask({ headers: () => [["authorization", "Basic of-a-proxy"]] });
    expect(keyOf(asked[1]?.init)).toBe(`Bearer ${KEY}`);
    const error = await failure(ask({ headers: () => Promise.reject(new Error(KEY)) }));
    expect(error.code).toBe("auth");
    expect(error.message).not.toContain(KEY);
  });
});

describe("a retry", () => {
  retryAtOnce();

  it("is sent after a 502 or a timed-out query, and not after a rejection", async () => {
    const unwell = host([502, ""], [200, said("Query timed out")], [200, ok]);
    await unwell.ask({ retries: 2 });
    expect(unwell.asked).toHaveLength(3);
    const no = host([400, ""], [200, ok]);
    expect((await failure(no.ask({ retries: 2 }))).code).toBe("rejected");
    expect(no.asked).toHaveLength(1);
  });

  it("is limited by the retries option and by the budget of the client", async () => {
    const { ask, asked, options } = host([502, ""]);
    await failure(ask({ retries: 1 }));
    expect(asked).toHaveLength(2);
    const client = clientOf({ ...options, retries: 1_000, timeout: 1_000 });
    await failure(run(client, RecentStreams, {}, { chain: "base" }));
    expect(asked.length - 2).toBe(21);
    for (let question = 0; question < 10; question++)
      await failure(run(client, RecentStreams, {}, { chain: "base" }));
    expect(asked.length - 2).toBe(21 + 12);
  });

  it.each<[what: string, header: string | undefined, wait: number | null]>([
    ["seconds", "3", 3],
    ["a date", "Thu, 01 Jan 1970 00:01:10 GMT", 10],
    ["an older date", "Thursday, 01-Jan-70 00:01:10 GMT", 10],
    ["a date without its zone", "Thu Jan  1 00:01:10 1970", 10],
    ["a date in another zone", "Thu, 01 Jan 1970 02:01:10 +0200", 10],
    ["a past date", "Thu, 01 Jan 1970 00:00:10 GMT", 0],
    ["no header", undefined, null],
    ["a negative number", "-1", null],
    ["words", "soon", null],
    ["an exponent", "1e3", null],
    ["hex", "0x10", null],
    ["a year, which is capped", "2030", 300],
  ])("parses Retry-After: %s", async (_, header, wait) => {
    const { ask, asked } = host([429, "", header === undefined ? {} : { "retry-after": header }]);
    const error = await failure(ask({ now: () => 60_000, maxWait: -1, retries: 1 }));
    expect(error).toMatchObject({ code: "rate-limited", status: 429, retryAfter: wait });
    expect(asked).toHaveLength(1);
  });

  it("waits for Retry-After in the whole client", async () => {
    const { options, asked } = host([429, "", { "retry-after": "30" }], [200, ok]);
    const client = clientOf({ ...options, retries: 1, maxWait: 1_000 });
    await failure(run(client, RecentStreams, {}, { chain: "base" }));
    const error = await failure(run(client, RecentStreams, {}, { chain: "blast" }));
    expect(error.code).toBe("rate-limited");
    expect(error.retryAfter).toBeGreaterThan(29);
    expect(asked).toHaveLength(1);
  });
});

describe("a host that sends Retry-After: 1", () => {
  it("is not requested again within that second", async () => {
    fastTime();
    const short = host([429, "", { "retry-after": "1" }], [200, ok]);
    const start = performance.now();
    await short.ask({ retries: 1 });
    expect(performance.now() - start).toBeGreaterThan(950);
  });

  it("does not delay requests for other chains", async () => {
    fastTime();
    let isFirst = true;
    const { options } = host();
    const order: string[] = [];
    const client = clientOf({
      ...options,
      retries: 1,
      concurrency: 1,
      fetch: async (url) => {
        order.push(String(url).split("-").at(-1) ?? "");
        const isLimited = isFirst;
        isFirst = false;
        const chain = String(url).includes("base") ? "8453" : "1";
        const body = JSON.stringify({ data: { streams: [{ ...STREAM, chainId: chain }], _meta: HEAD } });
        return isLimited
          ? new Response("", { status: 503, headers: { "retry-after": "1" } })
          : new Response(body);
      },
    });
    await each(client, RecentStreams, {}, { chains: ["base", "ethereum"] });
    expect(order).toEqual(["base", "mainnet", "base"]);
  });
});

describe("a request", () => {
  it("times out, even if fetch, the body or headers() ignores the signal", async () => {
    const never = () => new Promise<Response>(() => {});
    const start = Date.now();
    const error = await failure(host().ask({ timeout: 30, fetch: never }));
    expect(error).toMatchObject({ code: "timeout", status: null });
    expect(Date.now() - start).toBeLessThan(500);
    const stuck = () =>
      Promise.resolve({
        status: 200,
        headers: new Headers(),
        body: null,
        text: () => new Promise(() => {}),
      } as Response);
    expect((await failure(host().ask({ timeout: 30, fetch: stuck }))).code).toBe("timeout");
    expect(
      (await failure(host().ask({ timeout: 30, headers: () => new Promise<never>(() => {}) }))).code,
    ).toBe("timeout");
    expect(
      (
        await failure(
          host().ask({ timeout: Number.POSITIVE_INFINITY, fetch: () => Promise.reject(new Error(KEY)) }),
        )
      ).code,
    ).toBe("network");
  });

  it.each<[what: string, options: ClientOptions]>([
    ["while fetch is pending", { fetch: () => new Promise(() => {}) }],
    [
      "while the body is pending",
      {
        fetch: async () =>
          ({
            status: 200,
            headers: new Headers(),
            body: null,
            text: () => new Promise(() => {}),
          }) as Response,
      },
    ],
    ["while headers() is pending", { headers: () => new Promise<never>(() => {}) }],
    [
      "between two attempts",
      { retries: 1, fetch: async () => new Response("", { status: 503, headers: { "retry-after": "9" } }) },
    ],
    ["in the queue", { concurrency: 1, fetch: () => new Promise(() => {}) }],
  ])("is aborted at once %s, and leaves no timer", async (_, more) => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    const client = clientOf({ ...host().options, ...more });
    const controller = new AbortController();
    const reason = new IndexerError("network", "A reason that looks like an error of ours.");
    const asked = each(
      client,
      RecentStreams,
      {},
      { chains: ["base", "ethereum"], signal: controller.signal },
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    const start = performance.now();
    controller.abort(reason);
    expect(await rejection(asked)).toBe(reason);
    expect(performance.now() - start).toBeLessThan(50);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(timers()).toBeLessThanOrEqual(before);
    expect(client.shared.running).toBe(0);
    expect(client.shared.slots.size).toBe(0);
  });

  const mostInFlight = async () => {
    let running = 0;
    let most = 0;
    const { options } = host();
    const client = clientOf({
      ...options,
      totalConcurrency: 3,
      fetch: async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running--;
        return new Response(JSON.stringify({ data: { streams: [], _meta: HEAD } }));
      },
    });
    const results = await each(client, RecentStreams, {}, { chains: "mainnets" });
    expect(results.filter(({ status }) => status === "ok").length).toBeGreaterThan(15);
    return most;
  };

  it("waits while the concurrency limit is reached", async () => {
    expect(await mostInFlight()).toBe(3);
  });

  it("does not wait for others in Workers, which cancel waiting requests", async () => {
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
    onTestFinished(() => {
      vi.unstubAllGlobals();
    });
    expect(await mostInFlight()).toBeGreaterThan(15);
  });
});
