import { request } from "node:http";
import { describe, expect, it, vi } from "vitest";
import * as direct from "../../../generated/lockup/portable.ts";
import { AllStreams, ChainCounters } from "../../../generated/lockup/proxied.ts";
import { all, createClient, each, type merged, run } from "../../../generated/proxied.ts";
import { createProxy, type ProxyOptions } from "../../../generated/proxy.ts";
import { answerOf, sleep } from "../../client/support.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { retryAtOnce } from "../../support/retry-at-once.ts";
import { testServer } from "../../support/test-server.ts";
import { rejection } from "../client/support.ts";
import { post as postCall, runOnBase, serveProxy } from "./serve-proxy.ts";

retryAtOnce();

const CHAINS = { base: 8453, polygon: 137, mainnet: 1 } as const;

type Chain = keyof typeof CHAINS;

/** The pages of a burst. */
const PAGES = IS_THOROUGH ? 200 : 50;

/** Starts subgraphs, and a proxy of them. A function returns what a chain answers, late if it is a promise. */
async function proxyOf(
  answer: (chain: Chain, variables: Readonly<Record<string, unknown>>) => unknown,
  options: ProxyOptions = {},
) {
  const closed = vi.fn();
  const { url, received } = await testServer(async ({ path, body }, response) => {
    response.on("close", () => response.writableEnded || closed());
    const chain = (/-(\w+)$/.exec(path)?.[1] ?? "base") as Chain;
    const found = await answer(chain, JSON.parse(body).variables);
    if (typeof found === "number") response.writeHead(found).end();
    else response.end(typeof found === "string" ? found : JSON.stringify({ data: found }));
  });
  const env = {
    LOCKFLOW_SUBGRAPH_PRODUCTION_URL: `${url}/{deployment}`,
    LOCKFLOW_SUBGRAPH_API_KEY: "canary",
  };
  const own = { env, styles: ["subgraph"], retries: 0, ...options } as const;
  const served = await serveProxy(own);
  return {
    ...served,
    proxy: createProxy(own),
    client: createClient({ proxy: served.url }),
    received,
    closed,
  };
}

const countersOf = (chain: Chain) => answerOf(CHAINS[chain]);

const never = () => new Promise<never>(() => {});

/** Sends a call of `ChainCounters` to a proxy, except for some members. */
const post = (proxy: ReturnType<typeof createProxy>, call: object, init: RequestInit = {}) =>
  postCall(proxy, { ...runOnBase(direct.ChainCounters), ...call }, init);

describe("equal calls in flight", () => {
  it("are one, whatever the case of an address", async () => {
    const { proxy, received } = await proxyOf(async () => {
      await sleep(50);
      return { ...countersOf("base"), streams: [] };
    });
    const { name, digest } = direct.StreamsBySender;
    const ask = (sender: string) => post(proxy, { operation: name, digest, variables: { sender } });
    const answers = await Promise.all(["0xAB", "0xab", "0xab", "0xcd"].map(ask));
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(texts).size).toBe(1);
    expect(received).toHaveLength(2);
    await ask("0xab");
    expect(received).toHaveLength(3);
  });

  it("send a late page the earlier lines", async () => {
    let go = () => {};
    const ready = new Promise<void>((done) => {
      go = done;
    });
    const { client, received } = await proxyOf(async (chain) => {
      if (chain === "polygon") await ready;
      return countersOf(chain);
    });
    const chains = ["base", "polygon"] as const;
    const first: string[] = [];
    const second: string[] = [];
    const early = each(client, ChainCounters, {}, { chains, onResult: ({ chain }) => first.push(chain) });
    await vi.waitFor(() => expect(first).toEqual(["base"]));
    const late = each(client, ChainCounters, {}, { chains, onResult: ({ chain }) => second.push(chain) });
    await vi.waitFor(() => expect(second).toEqual(["base"]));
    go();
    expect(await late).toEqual(await early);
    expect(received).toHaveLength(2);
  });

  it("are aborted once all pages have left", async () => {
    const { client, received, closed, statuses } = await proxyOf(never);
    const controllers = [1, 2, 3].map(() => new AbortController());
    const asked = controllers.map(({ signal }) =>
      rejection(run(client, ChainCounters, {}, { chain: "base", signal })),
    );
    await vi.waitFor(() => expect(received).toHaveLength(1));
    controllers[0]?.abort(new Error("enough"));
    controllers[1]?.abort(new Error("enough"));
    expect(await asked[0]).toEqual(new Error("enough"));
    await sleep(50);
    expect(closed).not.toHaveBeenCalled();
    controllers[2]?.abort();
    await vi.waitFor(() => expect(closed).toHaveBeenCalledOnce());
    await vi.waitFor(() => expect(statuses).toEqual([499, 499, 499]));
  });

  it("are not shared in Workers, where a request may not wait for another one", async () => {
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
    try {
      const { proxy, received } = await proxyOf(async () => {
        await sleep(30);
        return countersOf("base");
      });
      const answers = await Promise.all([1, 2, 3].map(() => post(proxy, {})));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(received).toHaveLength(3);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it(`of ${PAGES} pages are answered, although half of the pages leave`, async () => {
    let go = () => {};
    const ready = new Promise<void>((done) => {
      go = done;
    });
    const { client, asked, received } = await proxyOf(async (chain) => {
      await ready;
      return { ...countersOf(chain), streams: [] };
    });
    const pages = Array.from({ length: PAGES }, (_, index) => {
      const controller = new AbortController();
      const options = { chain: "base", signal: controller.signal } as const;
      const answer = run(client, AllStreams, { after: BigInt(index % 20) }, options);
      return { controller, end: answer.then(({ status }) => status, String) };
    });
    await vi.waitFor(() => expect(asked).toHaveLength(PAGES), 20_000);
    for (const { controller } of pages.slice(PAGES / 2)) controller.abort("left");
    go();
    const ends = await Promise.all(pages.map(({ end }) => end));
    expect(ends).toEqual([...Array(PAGES / 2).fill("ok"), ...Array(PAGES / 2).fill("left")]);
    expect(received).toHaveLength(20);
  });
});

describe("a call of a page", () => {
  it("that is aborted at once sends nothing", async () => {
    const { client, asked } = await proxyOf(countersOf);
    const options = { chain: "base", signal: AbortSignal.abort(new Error("enough")) } as const;
    expect(await rejection(run(client, ChainCounters, {}, options))).toEqual(new Error("enough"));
    expect(asked).toEqual([]);
  });

  it("has at most the deadline of the server, and the stricter maxLag", async () => {
    const { client } = await proxyOf(never, { deadline: 100, timeout: 10_000 });
    const start = performance.now();
    const error = await rejection(run(client, ChainCounters, {}, { chain: "base", deadline: 86_400_000 }));
    expect(error).toMatchObject({ code: "timeout" });
    expect(performance.now() - start).toBeLessThan(3_000);
    const strict = await proxyOf(countersOf, { maxLag: 5 });
    for (const maxLag of [undefined, 1e12, { seconds: 1e12, or: "best" }] as const) {
      const late = await rejection(run(strict.client, ChainCounters, {}, { chain: "base", maxLag }));
      expect(late).toMatchObject({ code: "behind" });
    }
  });

  it("has a budget of requests", async () => {
    const { client, received } = await proxyOf(() => 503, { retries: 50, deadline: 20_000, maxWait: 1 });
    await rejection(run(client, ChainCounters, {}, { chain: "base" }));
    // The budget of retries of the client is smaller.
    expect(received.length).toBeLessThanOrEqual(2 * 51 + 3);
    const few = await proxyOf(() => 503, { retries: 1 });
    await each(few.client, ChainCounters, {}, { chains: ["base", "polygon"] });
    expect(few.received.length).toBeLessThanOrEqual(2 * (2 * 2 + 3));
  });

  const listsOf = (levels: number) => `{"data":{"watchers":${"[".repeat(levels)}${"]".repeat(levels)}}}`;

  it.each([
    ["deeper than 64 levels", listsOf(70)],
    ["deeper than the stack", listsOf(200_000)],
    ...(IS_THOROUGH ? [["larger than 16 MB", `{"data":{"watchers":[]}}${" ".repeat(16_777_300)}`]] : []),
  ])("is unavailable if the answer of an indexer is %s", async (_, body) => {
    const { proxy } = await proxyOf(() => body);
    const answer = await post(proxy, {});
    expect([answer.status, await answer.json()]).toMatchObject([502, { error: { code: "unavailable" } }]);
  });

  it.runIf(IS_THOROUGH)(
    "is unavailable for each chain whose line makes the answer larger than 16 MB",
    async () => {
      const { client } = await proxyOf((chain) => {
        const [row] = countersOf(chain)["watchers"] as readonly object[];
        return { ...countersOf(chain), watchers: [{ ...row, name: "x".repeat(7_000_000) }] };
      });
      const chains = ["base", "polygon", "ethereum"] as const;
      const results = await each(client, ChainCounters, {}, { chains });
      expect(results.map(({ status }) => status).sort()).toEqual(["failed", "ok", "ok"]);
      expect(results.find(({ status }) => status === "failed")).toMatchObject({
        error: { code: "unavailable" },
      });
    },
  );

  it.runIf(IS_THOROUGH)("has the error of a chain, and an end, after lines of exactly 16 MB", async () => {
    let name = "";
    // The lag of both answers has as many digits.
    const now = () => 1_800_000_000_000;
    const { client, proxy } = await proxyOf(
      async (chain) => {
        const [row] = countersOf(chain)["watchers"] as readonly object[];
        if (chain === "base") return { ...countersOf(chain), watchers: [{ ...row, name }] };
        await sleep(300);
        return 503;
      },
      { now },
    );
    const chains = ["base", "polygon"] as const;
    const lines = (await (await post(proxy, { call: "each", options: { chains } })).text()).split("\n");
    const bytes = lines.slice(0, 2).join("\n").length + 1;
    name = "x".repeat(16_777_216 - bytes);
    const results = await each(client, ChainCounters, {}, { chains });
    expect(results).toMatchObject([{ status: "ok" }, { status: "failed", error: { code: "unavailable" } }]);
  });

  it("answers 408 if its body does not arrive in time", async () => {
    const { proxy, received } = await proxyOf(countersOf, { timeout: 50 });
    const body = new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([123])) });
    const answer = await post(proxy, {}, { body, duplex: "half" } as RequestInit);
    expect([answer.status, await answer.json()]).toMatchObject([
      408,
      { error: { message: "The body did not arrive within 50 ms." } },
    ]);
    expect(received).toEqual([]);
  });

  it.runIf(IS_THOROUGH)("is cut off if its page takes no bytes", async () => {
    const big = {
      ...countersOf("base"),
      watchers: [{ id: "8453", chainId: "8453", x: "x".repeat(8_000_000) }],
    };
    const { url } = await proxyOf(() => big, { deadline: 1500 });
    const body = JSON.stringify(runOnBase(direct.ChainCounters));
    const cut = await new Promise<boolean>((resolve, reject) => {
      const headers = { "content-type": "application/json" };
      const sent = request(url, { method: "POST", headers }, (answer) => {
        answer.pause();
        // Node notices that the connection has ended when it reads.
        setTimeout(() => answer.resume(), 4_500);
        answer.on("error", () => resolve(true)).on("end", () => resolve(false));
      });
      sent.on("error", reject).end(body);
    });
    expect(cut).toBe(true);
  });
});

/** Starts a subgraph with rows of 1 KB, from 1 to a number. */
const rowsTo =
  (count: number) =>
  (chain: Chain, { after, first }: Readonly<Record<string, unknown>>) => {
    const start = Number(after ?? 0);
    const streams = Array.from({ length: Math.min(Number(first ?? 1000), count - start) }, (_, index) => {
      const subgraphId = String(start + index + 1);
      const row = { id: subgraphId, chainId: String(CHAINS[chain]), subgraphId, asset: {} };
      return { ...row, timestamp: "5", x: "x".repeat(900) };
    });
    return { ...countersOf(chain), streams };
  };

describe("the pages of a call", () => {
  it("come in one request to the proxy", async () => {
    const { client, asked, received } = await proxyOf(rowsTo(250));
    const { rows, complete } = await all(client, AllStreams, {}, { chains: ["base", "polygon"], size: 100 });
    expect([rows.length, complete]).toEqual([500, true]);
    expect([asked.length, received.length]).toEqual([1, 6]);
  });

  it.runIf(IS_THOROUGH)("continue in another request at 16 MB, without a row twice", async () => {
    const { client, asked, received } = await proxyOf(rowsTo(20_000));
    const { rows, complete } = await all(client, AllStreams, {}, { chains: ["base"], limit: 50_000 });
    expect([rows.length, complete]).toEqual([20_000, true]);
    expect(asked.length).toBe(2);
    expect(received.length).toBeLessThanOrEqual(23);
  });

  it("continue in another request at the deadline", async () => {
    const slow = async (chain: Chain, variables: Readonly<Record<string, unknown>>) => {
      await sleep(150);
      return rowsTo(40)(chain, variables);
    };
    const { client, asked } = await proxyOf(slow, { deadline: 500 });
    const { rows, complete } = await all(client, AllStreams, {}, { chains: ["base"], size: 8 });
    expect([rows.length, complete]).toEqual([40, true]);
    expect(asked.length).toBeGreaterThan(1);
    expect(asked[1]).toMatchObject({ options: { next: expect.any(String), chains: ["base"] } });
  });

  it.runIf(IS_THOROUGH)("have the rows of the other chains if one hangs until the deadline", async () => {
    const hung = (chain: Chain, variables: Readonly<Record<string, unknown>>) =>
      chain === "polygon" ? never() : rowsTo(25)(chain, variables);
    const { client, asked, received } = await proxyOf(hung, { deadline: 2000 });
    const { rows, complete, failed, heads, errors } = await all(
      client,
      AllStreams,
      {},
      { chains: ["base", "polygon"] },
    );
    expect([rows.length, complete, failed, Object.keys(heads)]).toEqual([25, false, ["polygon"], ["base"]]);
    expect(errors.polygon).toMatchObject({ code: "timeout" });
    // As without a proxy: once more after the others have ended.
    expect(received.filter(({ path }) => path.endsWith("polygon"))).toHaveLength(2);
    expect(asked).toHaveLength(1);
  });

  it("share the data of several chains", async () => {
    const { proxy } = await proxyOf(rowsTo(5));
    const { name, digest } = direct.AllStreams;
    const options = { chains: ["base", 8453, "base"] };
    const answer = await post(proxy, { call: "merged", operation: name, digest, options });
    const { result } = (await answer.json()) as {
      result: Awaited<ReturnType<typeof merged>> & { data: unknown[] };
    };
    expect(result.data).toHaveLength(1);
    expect(result.results).toHaveLength(3);
  });
});
