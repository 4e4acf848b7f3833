import { describe, expect, it, vi } from "vitest";
import { each, run } from "../../generated/client.ts";
import { ChainCounters } from "../../generated/lockup/portable.ts";
import { retryAtOnce } from "../support/retry-at-once.ts";
import { testServer } from "../support/test-server.ts";
import { answerOf, clientAt, failureOf } from "./support.ts";

retryAtOnce();

const IDS = { base: 8453, mainnet: 1, polygon: 137 } as const;

/** Starts subgraphs of three chains; requests to the chains of `hanging` are never answered. */
async function subgraphs(hanging: ReadonlySet<string>) {
  return testServer(({ path }, response) => {
    const name = /-(\w+)$/.exec(path)?.[1] ?? "multichain";
    const chainId = name in IDS ? IDS[name as keyof typeof IDS] : 8453;
    if (!hanging.has(name)) setTimeout(() => response.end(JSON.stringify({ data: answerOf(chainId) })), 5);
  });
}

const ON_BASE = { chain: "base" } as const;

describe("requests in flight", () => {
  it("are limited per deployment, so that a deployment that hangs holds up no other", async () => {
    const { url, received } = await subgraphs(new Set(["base"]));
    const client = clientAt(url, { styles: ["subgraph"], concurrency: 2 });
    const stop = new AbortController();
    const hanging = Promise.allSettled(
      Array.from({ length: 9 }, () => run(client, ChainCounters, {}, { ...ON_BASE, signal: stop.signal })),
    );
    await vi.waitFor(() => expect(received).toHaveLength(2));
    const chains = ["ethereum", "polygon"] as const;
    const results = await Promise.all(
      Array.from({ length: 5 }, () => each(client, ChainCounters, {}, { chains })),
    );
    expect(results.flat().every(({ status }) => status === "ok")).toBe(true);
    stop.abort();
    expect((await hanging).every(({ status }) => status === "rejected")).toBe(true);
  });

  it("of a busy deployment do not use up the total", async () => {
    const { url, received } = await subgraphs(new Set());
    const client = clientAt(url, { styles: ["subgraph"], concurrency: 2, totalConcurrency: 2 });
    const many = Array.from({ length: 10 }, () => run(client, ChainCounters, {}, ON_BASE));
    const one = run(client, ChainCounters, {}, { chain: "ethereum" });
    await Promise.all([...many, one]);
    expect(received.findIndex(({ path }) => path.endsWith("mainnet"))).toBeLessThan(4);
  });
});

describe("a deployment that timed out twice", () => {
  const options = { timeout: 300, retries: 0, concurrency: 20 } as const;

  it("gets one request at a time, and other calls use the other style at once", async () => {
    const hanging = new Set(["multichain"]);
    const { url, received } = await subgraphs(hanging);
    const client = clientAt(url, options);
    const sent = () => received.filter(({ path }) => path.endsWith("multichain")).length;
    for (const _ of [1, 2]) {
      await failureOf(run(client, ChainCounters, {}, { ...ON_BASE, style: "multichain" }));
    }
    expect(sent()).toBe(2);
    let isProbing = true;
    const probe = failureOf(run(client, ChainCounters, {}, { ...ON_BASE, style: "multichain" })).finally(
      () => {
        isProbing = false;
      },
    );
    const answers = await Promise.all(
      Array.from({ length: 9 }, () => run(client, ChainCounters, {}, ON_BASE)),
    );
    expect(answers.map(({ style }) => style)).toEqual(Array(9).fill("subgraph"));
    expect(isProbing).toBe(true);
    expect(
      await failureOf(run(client, ChainCounters, {}, { ...ON_BASE, style: "multichain" })),
    ).toMatchObject({ code: "unavailable", retryAfter: 5 });
    expect((await probe).code).toBe("timeout");
    expect(sent()).toBe(3);
    hanging.clear();
    await run(client, ChainCounters, {}, { ...ON_BASE, style: "multichain" });
    await Promise.all([1, 2].map(() => run(client, ChainCounters, {}, { ...ON_BASE, style: "multichain" })));
    expect(sent()).toBe(6);
  });

  it("is not one whose calls had a short deadline", async () => {
    const { url } = await subgraphs(new Set(["base"]));
    const client = clientAt(url, { ...options, timeout: 2000, styles: ["subgraph"] });
    for (const _ of [1, 2, 3]) await failureOf(run(client, ChainCounters, {}, { ...ON_BASE, deadline: 20 }));
    expect(client.shared.failing.size).toBe(0);
  });
});
