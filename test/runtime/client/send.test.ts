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

/** A host that gives the replies in turn, and the last again and again. */
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
  it("is data alone", async () => {
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
    ["nothing", 204, "", "unavailable"],
    ["no text", 200, "", "unavailable"],
    ["a page", 200, "<!doctype html><title>Hello</title>", "unavailable"],
    ["half of it", 200, ok.slice(0, 60), "unavailable"],
    ["a list", 200, `[${ok}]`, "unavailable"],
    ["a number", 200, "7", "unavailable"],
    ["null", 200, "null", "unavailable"],
    ["an object of nothing", 200, "{}", "unavailable"],
    ["no data", 200, '{"data":null}', "unavailable"],
    ["a list for data", 200, '{"data":[]}', "unavailable"],
    ["data without what was asked for", 200, '{"data":{}}', "unavailable"],
    ["no block", 200, JSON.stringify({ data: { ...ANSWER.data, _meta: null } }), "unavailable"],
    [
      "a block of words",
      200,
      JSON.stringify({ data: { ...ANSWER.data, _meta: { block: { number: "7" } } } }),
      "unavailable",
    ],
    ["null for the list", 200, JSON.stringify({ data: { streams: null, _meta: HEAD } }), "unavailable"],
    ["an object for the list", 200, JSON.stringify({ data: { streams: {}, _meta: HEAD } }), "unavailable"],
    ["a number for a row", 200, JSON.stringify({ data: { streams: [1], _meta: HEAD } }), "unavailable"],
    ["lists in lists", 200, `{"data":{"streams":${"[".repeat(99_999)}${"]".repeat(99_999)}}}`, "unavailable"],
    ["errors in lists", 200, `{"errors":${"[".repeat(99_999)}${"]".repeat(99_999)}}`, "unavailable"],
    [
      "words for a number",
      200,
      JSON.stringify({ data: { streams: [{ ...STREAM, timestamp: "soon" }], _meta: HEAD } }),
      "unavailable",
    ],
    [
      "an object for a chain",
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
      "no asset",
      200,
      JSON.stringify({ data: { streams: [{ ...STREAM, asset: null }], _meta: HEAD } }),
      "inconsistent",
    ],
    ["an error beside data", 200, JSON.stringify({ ...ANSWER, errors: [{ message: "boom" }] }), "rejected"],
    [
      "an error that is not a list",
      200,
      JSON.stringify({ ...ANSWER, errors: { message: "boom" } }),
      "rejected",
    ],
    ["an error of nothing", 200, JSON.stringify({ ...ANSWER, errors: [null] }), "rejected"],
    ["a redirect", 301, "", "not-served"],
    ["a bad request", 400, said("no"), "rejected"],
    ["no key", 401, ok, "auth"],
    ["no money", 402, "", "auth"],
    ["no right", 403, "", "auth"],
    ["no such thing", 404, ok, "not-served"],
    ["too slow a request", 408, "", "unavailable"],
    ["too large a request", 413, "", "rejected"],
    ["too many requests", 429, "", "rate-limited"],
    ["an error within", 500, ok, "unavailable"],
    ["another gateway", 502, "<html>", "unavailable"],
    ["no such route", 200, '{"message":"Not found"}', "not-served"],
    ["a key", 200, said("auth error: API key not found"), "auth"],
    ["an older key", 200, said("Invalid auth: Not found"), "auth"],
    ["a role", 200, said("no", { extensions: { code: "access-denied" } }), "auth"],
    ["no subgraph", 200, said("subgraph not found: Qm"), "not-served"],
    ["no deployment", 200, said("deployment `a/b` does not exist"), "not-served"],
    ["no indexers", 200, said("no indexers found"), "not-served"],
    ["time", 200, said("Query timed out"), "overloaded"],
    ["weight", 200, said("the query is too expensive"), "overloaded"],
    ["the database", 200, said("Store error: database unavailable"), "unavailable"],
    ["the gateway", 200, said("internal error: oh"), "unavailable"],
    ["indexers", 200, said("bad indexers: {0xa: Timeout, 0xb: Unavailable(blocked)}"), "indexers"],
    [
      "failed indexers",
      200,
      said("bad indexers: {0xa: BadResponse(no attestation: indexing_error)}"),
      "indexing",
    ],
    ["late indexers", 200, said("bad indexers: {0xa: Unavailable(missing block: 9, latest: 1)}"), "behind"],
    [
      "a range",
      200,
      said(
        "bad indexers: {0xa: BadResponse(unattestable response: The `first` argument must be between 0 and 1000)}",
      ),
      "rejected",
    ],
    [
      "a block to come",
      200,
      said("Failed to decode `block.number` value: `subgraph Qm has only indexed up to block number 1`"),
      "behind",
    ],
    ["a start", 200, said("Store error: Subgraph `Qm` has not started syncing yet"), "behind"],
    ["a lost block", 200, said("Failed to decode: `no block with that hash found`"), "pruned"],
    ["a past", 200, said("subgraph Qm only has data starting at block number 5"), "pruned"],
    ["another past", 200, said("the chain was reorganized while executing the query"), "reorganized"],
    [
      "a failed subgraph",
      200,
      JSON.stringify({ data: { _meta: HEAD }, errors: [{ message: "indexing_error" }] }),
      "indexing",
    ],
    ["a field", 200, said("Type `Query` has no field `x`"), "rejected"],
  ])("is not %s", async (_, status, body, code) => {
    const { ask, events } = host([status, body]);
    const error = await failure(ask());
    expect(error.code).toBe(code);
    expect(error).toMatchObject({ style: "subgraph", deployment: "protocol-lockup-base" });
    expect(error.tried.map(({ error }) => error.code)).toEqual([code]);
    expect(JSON.stringify([error, error.message, error.stack, events])).not.toMatch(/https?:|a-key-of/);
  });

  it("keeps what was said, and never what is or may be a key", async () => {
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

  it("is no larger than memory", async () => {
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

  it("is had by the fetch of a page, which is the method of nothing else", async () => {
    const asked: unknown[] = [];
    const { ask } = host();
    async function fetch(this: unknown): Promise<Response> {
      asked.push(this);
      return new Response(ok);
    }
    await ask({ fetch });
    expect(asked).toEqual([undefined]);
  });

  it("is had in workers, which know no error for what is moved", async () => {
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

  it("is not asked for where it is moved to", async () => {
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

  it("goes to its host, read as it is now", async () => {
    const { asked, ask } = host([200, ok]);
    await ask();
    expect(keyOf(asked[0]?.init)).toBe(`Bearer ${KEY}`);
  });

  it("is asked for before anything is sent, by its name", async () => {
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
    "is refused before anything is sent where no header holds it: %o",
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
  ])("does not go to %s", async (url) => {
    const { asked, ask } = host([200, ok]);
    const own = clientOf({ env: ENV }).endpoint({ protocol: "lockup", style: "subgraph", chain: "base" });
    await ask({ endpoint: () => own && { ...own, url } });
    expect(asked.map((one) => one.url)).toEqual([url]);
    expect(keyOf(asked[0]?.init)).toBeNull();
  });

  it("may come from further headers, which may fail", async () => {
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

describe("asking again", () => {
  retryAtOnce();

  it("helps where a host is unwell, and not where it has said no", async () => {
    const unwell = host([502, ""], [200, said("Query timed out")], [200, ok]);
    await unwell.ask({ retries: 2 });
    expect(unwell.asked).toHaveLength(3);
    const no = host([400, ""], [200, ok]);
    expect((await failure(no.ask({ retries: 2 }))).code).toBe("rejected");
    expect(no.asked).toHaveLength(1);
  });

  it("is done so often, and no more than a client can afford", async () => {
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
    ["a date that is over", "Thu, 01 Jan 1970 00:00:10 GMT", 0],
    ["nothing", undefined, null],
    ["less than nothing", "-1", null],
    ["words", "soon", null],
    ["a number of words", "1e3", null],
    ["hex", "0x10", null],
    ["a year, which is capped", "2030", 300],
  ])("waits as a host says: %s", async (_, header, wait) => {
    const { ask, asked } = host([429, "", header === undefined ? {} : { "retry-after": header }]);
    const error = await failure(ask({ now: () => 60_000, maxWait: -1, retries: 1 }));
    expect(error).toMatchObject({ code: "rate-limited", status: 429, retryAfter: wait });
    expect(asked).toHaveLength(1);
  });

  it("leaves a host alone for all of a client, once it has asked for that", async () => {
    const { options, asked } = host([429, "", { "retry-after": "30" }], [200, ok]);
    const client = clientOf({ ...options, retries: 1, maxWait: 1_000 });
    await failure(run(client, RecentStreams, {}, { chain: "base" }));
    const error = await failure(run(client, RecentStreams, {}, { chain: "blast" }));
    expect(error.code).toBe("rate-limited");
    expect(error.retryAfter).toBeGreaterThan(29);
    expect(asked).toHaveLength(1);
  });
});

// Together, because each of them takes a second.
describe("a host that asks for a second", () => {
  it.concurrent("is not asked again before it is over", async () => {
    const short = host([429, "", { "retry-after": "1" }], [200, ok]);
    const start = Date.now();
    await short.ask({ retries: 1 });
    expect(Date.now() - start).toBeGreaterThan(950);
  });

  it.concurrent("keeps no other question waiting", async () => {
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
  it("ends after its time, also if fetch ignores the signal", async () => {
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
    ["on its way", { fetch: () => new Promise(() => {}) }],
    [
      "in its body",
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
    ["in its headers", { headers: () => new Promise<never>(() => {}) }],
    [
      "between two tries",
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
    expect(client.shared.waiting.size).toBe(0);
  });

  const mostInFlight = async () => {
    let running = 0;
    let most = 0;
    const { options } = host();
    const client = clientOf({
      ...options,
      concurrency: 3,
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

  it("never outnumbers those that may be in flight", async () => {
    expect(await mostInFlight()).toBe(3);
  });

  it("waits for no other one in workers, which are ended for that", async () => {
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
    onTestFinished(() => {
      vi.unstubAllGlobals();
    });
    expect(await mostInFlight()).toBeGreaterThan(15);
  });
});
