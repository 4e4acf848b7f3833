import { getEventListeners } from "node:events";
import type { ServerResponse } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  type Client,
  type ClientOptions,
  each,
  health,
  merged,
  pages,
  query,
  queryAll,
  queryEach,
  queryPages,
  type RequestEvent,
  run,
} from "../../generated/client.ts";
import { AllStreams, ChainCounters } from "../../generated/lockup/portable.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { type Received, testServer } from "../support/test-server.ts";
import { answerOf, clientAt, failureOf, STYLES, sleep } from "./support.ts";

/** Every function that sends requests. */
const ASKS: Readonly<Record<string, (client: Client, signal: AbortSignal) => Promise<unknown>>> = {
  run: (client, signal) => run(client, ChainCounters, {}, { chain: "base", signal }),
  each: (client, signal) => each(client, ChainCounters, {}, { chains: "all", signal }),
  merged: (client, signal) => merged(client, ChainCounters, {}, { chains: "mainnets", signal }),
  pages: (client, signal) => pages(client, AllStreams, {}, { chain: "base", signal }).next(),
  health: (client, signal) => health(client, "lockup", { chains: ["base", "blast", 1], signal }),
  query: (client, signal) => query(client, ChainCounters, {}, { chain: "base" }).queryFn({ signal }),
  "query with a signal option": (client, signal) =>
    query(client, ChainCounters, {}, { chain: "base", signal }).queryFn({
      signal: new AbortController().signal,
    }),
  queryEach: (client, signal) => queryEach(client, ChainCounters, {}, { chains: "all" }).queryFn({ signal }),
  queryAll: (client, signal) => queryAll(client, AllStreams, {}, { chains: ["base"] }).queryFn({ signal }),
  queryPages: (client, signal) => {
    const { queryFn, initialPageParam: pageParam } = queryPages(client, AllStreams, {}, { chain: "base" });
    return queryFn({ signal, pageParam });
  },
};

/** What a function waits for when it is aborted: the client's options and the server's response. */
type Wait = {
  readonly options?: ClientOptions;
  readonly answer?: (response: ServerResponse, request: Received) => void;
  /** A request that is sent first and never ends. */
  readonly isBusy?: true;
  /** Whether the server receives no request of the function. */
  readonly isUnsent?: true;
};

/** A response whose body never arrives. */
const STUCK = {
  status: 200,
  headers: new Headers(),
  body: null,
  text: () => new Promise(() => {}),
} as Response;

const WAITS: Readonly<Record<string, Wait>> = {
  "the response headers": {},
  "the rest of the body": {
    answer: (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"data":{');
    },
  },
  "its turn in the queue": { options: { concurrency: 1 }, isBusy: true, isUnsent: true },
  "the end of a Retry-After": {
    answer: (response) => response.writeHead(429, { "retry-after": "9" }).end(),
  },
  "a retry": { answer: (response) => response.writeHead(500).end(), options: { retries: 99 } },
  "a fetch that ignores the signal": { options: { fetch: () => new Promise(() => {}) }, isUnsent: true },
  "a body that ignores the signal": { options: { fetch: async () => STUCK }, isUnsent: true },
  "the headers option": { isUnsent: true, options: { headers: () => new Promise<never>(() => {}) } },
  "a batched response": { options: { batch: true } },
};

const unhandled: unknown[] = [];
const keep = (error: unknown) => unhandled.push(error);
const LATENCY = 50;

beforeAll(() => {
  process.on("unhandledRejection", keep);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await sleep(0);
  expect(unhandled).toEqual([]);
});
afterAll(() => {
  process.off("unhandledRejection", keep);
});

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

describe.each(Object.entries(WAITS))("while waiting for %s", (wait, { options = {}, ...given }) => {
  const { answer, isBusy, isUnsent } = given;
  const turn = Object.keys(WAITS).indexOf(wait);
  it.each(Object.keys(ASKS).filter((_, index) => IS_THOROUGH || (index + turn) % 3 === 0))(
    "%s rejects with the abort reason at once and leaves no timers or listeners",
    async (name) => {
      // The longest back-off.
      vi.spyOn(Math, "random").mockReturnValue(0.999);
      const { url, received } = await testServer((request, response) => answer?.(response, request));
      const styles = name === "health" ? STYLES : (["subgraph", "multichain"] as const);
      let begun = 0;
      const client = clientAt(url, {
        styles: options.batch ? STYLES : styles,
        fetch: (...request) => {
          begun++;
          return fetch(...request);
        },
        ...options,
      });
      const busy = new AbortController();
      const first =
        isBusy && run(client, ChainCounters, {}, { chain: "mode", signal: busy.signal }).catch(() => {});
      if (isBusy) await until(() => received.length === 1);
      const before = timers();
      const controller = new AbortController();
      const reason = new Error("enough");
      const asked = settled(ASKS[name]?.(client, controller.signal));
      if (isUnsent) await sleep(5);
      else await until(() => received.length > 0);
      await sleep(15);
      const count = begun;
      // On a busy machine this timer fires as late as everything else.
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<{ error: unknown }>((resolve) => {
        timer = setTimeout(() => resolve({ error: "late" }), LATENCY);
      });
      controller.abort(reason);
      const result = await Promise.race([asked, late]);
      clearTimeout(timer);
      expect(result.error).toBe(reason);
      expect(timers()).toBeLessThanOrEqual(before);
      expect(getEventListeners(controller.signal, "abort")).toEqual([]);
      busy.abort();
      await first;
      await sleep(5);
      expect(begun).toBe(count);
      expect(client.shared.running).toBe(0);
    },
  );
});

describe("an abort signal", () => {
  it.each(Object.keys(ASKS))("that is already aborted stops %s before any request", async (name) => {
    const { url, received } = await testServer((_, response) => answerAll(response));
    const before = timers();
    for (const signal of [AbortSignal.abort("enough"), AbortSignal.abort()]) {
      const result = await settled(ASKS[name]?.(clientAt(url), signal));
      expect(result.error).toBe(signal.reason);
    }
    expect(received).toEqual([]);
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it("that outlives its requests keeps no listeners", async () => {
    const { url } = await testServer(({ path }, response) => {
      if (path.includes("mode")) response.writeHead(404).end();
      else answerAll(response);
    });
    const { signal } = new AbortController();
    const client = clientAt(url, { styles: ["subgraph"], retries: 0 });
    for (let question = 0; question < 5; question++) {
      await run(client, ChainCounters, {}, { chain: "base", signal });
      await failureOf(run(client, ChainCounters, {}, { chain: "mode", signal }));
      await query(client, ChainCounters, {}, { chain: "base" }).queryFn({ signal });
    }
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("has one listener for all waiting requests: Node warns at more than ten", async () => {
    const { url } = await testServer(() => {});
    const controller = new AbortController();
    const { signal } = controller;
    const asked = settled(each(clientAt(url), ChainCounters, {}, { chains: "all", signal }));
    await sleep(10);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    controller.abort("enough");
    expect((await asked).error).toBe("enough");
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("that aborts between pages ends them", async () => {
    let count = 0;
    const { url, received } = await testServer((_, response) => {
      count++;
      answerAll(response, { streams: [{ ...STREAM, subgraphId: String(count) }] });
    });
    const controller = new AbortController();
    const all = pages(
      clientAt(url, { styles: ["multichain"] }),
      AllStreams,
      {},
      {
        chain: "base",
        signal: controller.signal,
        size: 1,
      },
    );
    expect((await all.next()).done).toBe(false);
    controller.abort("enough");
    expect((await settled(all.next())).error).toBe("enough");
    expect(await all.next()).toEqual({ done: true, value: undefined });
    expect(received).toHaveLength(1);
  });

  it("that ends a request starts the next one and reports no failure", async () => {
    const events: RequestEvent[] = [];
    const { url } = await testServer(({ path }, response) => {
      if (!path.includes("mode")) answerAll(response);
    });
    const client = clientAt(url, {
      styles: ["subgraph"],
      totalConcurrency: 1,
      onRequest: (event) => events.push(event),
    });
    const controller = new AbortController();
    const hanging = settled(run(client, ChainCounters, {}, { chain: "mode", signal: controller.signal }));
    const waiting = new AbortController();
    const aborted = settled(run(client, ChainCounters, {}, { chain: "base", signal: waiting.signal }));
    const next = run(client, ChainCounters, {}, { chain: "base" });
    await sleep(20);
    waiting.abort("not any more");
    expect((await aborted).error).toBe("not any more");
    controller.abort("enough");
    expect((await hanging).error).toBe("enough");
    expect((await next).status).toBe("ok");
    expect(events.map(({ deployment, status, code }) => [deployment, status, code])).toEqual([
      ["protocol-lockup-mode-mainnet", null, null],
      ["protocol-lockup-base", 200, null],
    ]);
  });
});

const STREAM = {
  id: "a",
  chainId: "8453",
  asset: { id: "b", chainId: "8453" },
};

function answerAll(response: ServerResponse, more: object = {}): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ data: { ...answerOf(8453), ...more } }));
}

async function settled(work: Promise<unknown> | undefined): Promise<{ error?: unknown; value?: unknown }> {
  return (work ?? Promise.resolve()).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(2);
}
