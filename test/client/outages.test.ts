import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { type ClientOptions, merged, type PortableOperation, run } from "../../generated/client.ts";
import { ChainCounters } from "../../generated/lockup/portable.ts";
import { fastTime } from "../support/fast-time.ts";
import { retryAtOnce } from "../support/retry-at-once.ts";
import { testServer } from "../support/test-server.ts";
import { answerOf, clientAt, failureOf } from "./support.ts";

retryAtOnce();

type Style = "multichain" | "subgraph";

/** A response: its status and headers, and a delay in milliseconds. */
type Reply = { readonly status?: number; readonly headers?: Record<string, string>; readonly late?: number };

/** Starts a server whose replies a function decides, by the style and the number of earlier requests in it. */
async function serverThat(reply: (style: Style, index: number) => Reply) {
  const asked: Style[] = [];
  const times: number[] = [];
  const { url } = await testServer(({ path }, response) => {
    const style = path.endsWith("/multichain") ? "multichain" : "subgraph";
    const {
      status = 200,
      headers = {},
      late = 0,
    } = reply(style, asked.filter((one) => one === style).length);
    asked.push(style);
    times.push(performance.now());
    setTimeout(() => answer(response, status, headers), late);
  });
  const client = (options: ClientOptions = {}) => clientAt(url, options);
  return { asked, times, client };
}

function answer(response: ServerResponse, status: number, headers: Record<string, string>): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(status === 200 ? JSON.stringify({ data: answerOf(8453) }) : "{}");
}

const ask = (client: ReturnType<typeof clientAt>, style?: Style) =>
  run(client, ChainCounters, {}, { chain: "base", style });

describe("a style that times out", () => {
  it("is not retried before the other style was requested", async () => {
    const { asked, client } = await serverThat((style) => (style === "multichain" ? { late: 5_000 } : {}));
    expect(await ask(client({ timeout: 250 }))).toMatchObject({
      style: "subgraph",
      tried: [{ style: "multichain", error: { code: "timeout" } }],
    });
    expect(asked).toEqual(["multichain", "subgraph"]);
  });

  it("is retried after the other style failed", async () => {
    const { asked, client } = await serverThat((style, index) =>
      style === "subgraph" ? { status: 400 } : { late: index === 0 ? 5_000 : 0 },
    );
    expect(await ask(client({ timeout: 250 }))).toMatchObject({ style: "multichain" });
    expect(asked).toEqual(["multichain", "subgraph", "multichain"]);
  });

  it("is retried for each chain of a merged list, unless there are no retries", async () => {
    for (const [retries, sent] of [
      [0, ["multichain", "subgraph"]],
      [1, ["multichain", "subgraph", "multichain"]],
    ] as const) {
      const { asked, client } = await serverThat((style, index) =>
        style === "subgraph" ? { status: 400 } : { late: index === 0 ? 5_000 : 0 },
      );
      const operation = ChainCounters as unknown as Mergeable;
      const result = merged(client({ timeout: 250, retries }), operation, {}, { chains: ["base"] });
      await (retries === 0 ? expect(result).rejects.toMatchObject({ code: "rejected" }) : result);
      expect(asked).toEqual(sent);
    }
  });
});

type Mergeable = PortableOperation<"lockup", { readonly watchers: readonly object[] }, object, "list">;

describe("a host that failed twice in a row", () => {
  it("is requested after the other style by the whole client, for some seconds", async () => {
    let now = 0;
    const { asked, client } = await serverThat((style) => (style === "multichain" ? { status: 503 } : {}));
    const own = client({ retries: 1, now: () => now });
    await ask(own);
    expect(asked.splice(0)).toEqual(["multichain", "multichain", "subgraph"]);
    await ask(own);
    expect(asked.splice(0)).toEqual(["subgraph"]);
    now += 60_000;
    await failureOf(ask(own, "multichain"));
    expect(asked.splice(0)).toEqual(["multichain", "multichain"]);
  });

  it("is still requested if the other style fails, and is first again once it answers", async () => {
    let isDown = true;
    const { asked, client } = await serverThat((style) =>
      isDown ? { status: 503 } : { status: style === "subgraph" ? 400 : 200 },
    );
    const own = client({ retries: 1 });
    await failureOf(ask(own));
    isDown = false;
    asked.splice(0);
    expect((await ask(own)).style).toBe("multichain");
    expect(asked.splice(0)).toEqual(["multichain"]);
  });
});

describe("a 429 without Retry-After", () => {
  it("is retried after one second, then after two", async () => {
    const { times, client } = await serverThat((_, index) => (index < 2 ? { status: 429 } : {}));
    const delays = fastTime();
    await ask(client({ styles: ["subgraph"] }));
    const [first = 0, second = 0, third = 0] = times;
    expect(second - first).toBeGreaterThan(990);
    expect(third - second).toBeGreaterThan(1990);
    const seconds = delays.map((delay) => Math.round(delay / 100) / 10);
    expect(seconds.filter((one) => one >= 0.5 && one < 3)).toEqual([1, 2]);
  });
});

describe("a Retry-After", () => {
  it("is not over after the system clock jumps", async () => {
    let now = 0;
    const { asked, client } = await serverThat(() => ({ status: 429, headers: { "retry-after": "60" } }));
    const own = client({ now: () => now, styles: ["subgraph"] });
    await failureOf(ask(own));
    now = 3_600_000;
    expect((await failureOf(ask(own))).retryAfter).toBeGreaterThan(50);
    expect(asked).toHaveLength(1);
  });
});

describe("the budget of retries", () => {
  it("of one style is not spent by an outage of the other", async () => {
    const { asked, client } = await serverThat((style, index) =>
      style === "multichain" || index === 0 ? { status: 503 } : {},
    );
    const own = client({ retries: 30 });
    await failureOf(ask(own, "multichain"));
    expect(asked.splice(0)).toHaveLength(21);
    expect((await ask(own, "subgraph")).status).toBe("ok");
    expect(asked).toHaveLength(2);
  });
});

describe("the lag of an answer", () => {
  it("is measured by its Date and Age, unless the client has a now option", async () => {
    const headers = { date: "Thu, 01 Jan 1970 00:20:00 GMT", age: "50" };
    const { client } = await serverThat(() => ({ headers }));
    expect((await ask(client(), "subgraph")).head?.lag).toBe(350);
    expect((await ask(client({ now: () => 1_000_000 }), "subgraph")).head?.lag).toBe(100);
  });
});
