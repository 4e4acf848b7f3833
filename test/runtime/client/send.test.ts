import { describe, expect, it, onTestFinished, vi } from "vitest";
import { RecentStreams } from "../../../generated/lockup/portable.ts";
import { each } from "../../../packages/client/src/calls/each.ts";
import { run } from "../../../packages/client/src/calls/run.ts";
import type { ClientOptions, RequestEvent } from "../../../packages/client/src/client/client-types.ts";
import { IndexerError } from "../../../packages/client/src/client/indexer-error.ts";
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
/** A response whose body never arrives. */
const STUCK = {
  status: 200,
  headers: new Headers(),
  body: null,
  text: () => new Promise(() => {}),
} as Response;
const said = (message: string) => JSON.stringify({ errors: [{ message }] });

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
    ["data without the root field", 200, '{"data":{}}', "unavailable"],
    ["a 401 with data", 401, ok, "auth"],
    ["a 500 with data", 500, ok, "unavailable"],
    ["a missing route of a gateway", 200, '{"message":"Not found"}', "not-served"],
    ["an error", 200, said("Type `Query` has no field `x`"), "rejected"],
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

  it("may come from another host if the application has a fetch of its own", async () => {
    const { url } = await testServer((_, response) => {
      response.end(ok);
    });
    const { status } = await host().ask({ env: ENV, fetch: (_, init) => fetch(url, init) });
    expect(status).toBe("ok");
  });
});

describe("a key", () => {
  const keyOf = (init: RequestInit | undefined) => new Headers(init?.headers).get("authorization");

  it("is sent to its host", async () => {
    const { asked, ask } = host([200, ok]);
    await ask();
    expect(keyOf(asked[0]?.init)).toBe(`Bearer ${KEY}`);
  });

  it.each([" ", "two\nlines", "a\0b", "“quoted”"])(
    "is required before any request, and must be valid in a header: %o",
    async (key) => {
      const { asked, ask, events } = host([200, ok]);
      const error = await failure(ask({ env: { ...ENV, LOCKFLOW_SUBGRAPH_API_KEY: key }, retries: 2 }));
      expect(error).toMatchObject({ code: "auth", style: "subgraph", status: null });
      expect(error.message).toMatch(/: (set )?LOCKFLOW_SUBGRAPH_API_KEY( is not valid in a header)?$/);
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
    ["a fraction", "1.5", null],
    ["a date without a time", "1970-01-02", null],
    ["a date, which is capped", "Fri, 02 Jan 1970 00:01:10 GMT", 300],
    ["a year, which is capped", "2030", 300],
  ])("parses Retry-After: %s", async (_, header, wait) => {
    const { ask, asked } = host([429, "", header === undefined ? {} : { "retry-after": header }]);
    const error = await failure(ask({ now: () => 60_000, maxWait: -1, retries: 1 }));
    expect(error).toMatchObject({ code: "rate-limited", status: 429, retryAfter: wait });
    expect(asked).toHaveLength(1);
  });
});

describe("a request", () => {
  it.each<[what: string, options: ClientOptions, status: number | null]>([
    ["fetch", { fetch: () => new Promise(() => {}) }, null],
    ["the body", { fetch: async () => STUCK }, 200],
    ["headers()", { headers: () => new Promise<never>(() => {}) }, null],
  ])("times out, even if %s ignores the signal", async (_, options, status) => {
    const start = Date.now();
    const error = await failure(host().ask({ timeout: 30, ...options }));
    expect(error).toMatchObject({ code: "timeout", status });
    expect(Date.now() - start).toBeLessThan(500);
  });

  it("has no time limit with an infinite timeout", async () => {
    const fetch = () => Promise.reject(new Error(KEY));
    expect((await failure(host().ask({ timeout: Infinity, fetch }))).code).toBe("network");
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
