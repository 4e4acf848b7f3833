import { describe, expect, it } from "vitest";
import { each, merged, query, run } from "../../generated/client.ts";
import { fastTime } from "../support/fast-time.ts";
import { failureOf } from "./support.ts";
import { startWorld, Walk } from "./world.ts";

const ON_BASE = { chain: "base" } as const;

describe("minBlock", () => {
  it("needs one request if the indexer has the block", async () => {
    const world = await startWorld();
    const [base] = world.chains;
    base?.blocks.push(["a"]);
    const { data, head } = await run(world.client(), Walk, {}, { ...ON_BASE, minBlock: 1 });
    expect(data.streams).toHaveLength(1);
    expect(head?.block).toBe(1);
    await run(world.client(), Walk, {}, { ...ON_BASE, style: "subgraph" });
    expect(world.requests.map(({ variables }) => variables["block"])).toEqual([undefined, undefined]);
  });

  it.each(["multichain", "subgraph"] as const)("waits until the indexer has the block: %s", async (style) => {
    const world = await startWorld();
    fastTime();
    const [base] = world.chains;
    base?.blocks.push([], [], ["a"]);
    if (base) base.lag[style] = 3;
    let polls = 0;
    world.interfere = ({ isHealth }) => {
      if (isHealth && ++polls === 2 && base) base.lag[style] = 0;
      return undefined;
    };
    const { data } = await run(world.client(), Walk, {}, { ...ON_BASE, style, minBlock: 3 });
    expect(data.streams).toHaveLength(1);
    expect(polls).toBe(2);
    expect(world.requests.filter(({ isHealth }) => !isHealth)).toHaveLength(2);
  });

  it("uses the style that has the block, and requests it first afterwards", async () => {
    const world = await startWorld();
    const [base] = world.chains;
    base?.blocks.push([], ["a"]);
    if (base) base.lag.multichain = 2;
    const client = world.client({ styles: ["multichain", "subgraph"] });
    const first = await run(client, Walk, {}, { ...ON_BASE, minBlock: 2 });
    expect([first.style, first.data.streams.length]).toEqual(["subgraph", 1]);
    await run(client, Walk, {}, { ...ON_BASE, minBlock: 2 });
    expect(world.requests.map(({ style }) => style)).toEqual(["multichain", "subgraph", "subgraph"]);
  });

  it.each(["multichain", "subgraph"] as const)(
    "reports at the deadline how many blocks are missing: %s",
    async (style) => {
      const world = await startWorld();
      world.chains[0]?.blocks.push([], []);
      const error = await failureOf(
        run(world.client(), Walk, {}, { ...ON_BASE, style, minBlock: 3, deadline: 400 }),
      );
      expect([error.code, error.missingBlocks]).toEqual(["behind", 1]);
      expect(error.message).toContain("1 blocks short of block 3 of base");
    },
  );

  it("fails at once if the block is more than ten minutes away", async () => {
    const world = await startWorld();
    const start = performance.now();
    const error = await failureOf(run(world.client(), Walk, {}, { ...ON_BASE, minBlock: 9e15 }));
    expect([error.code, error.missingBlocks]).toEqual(["behind", 9e15]);
    expect(performance.now() - start).toBeLessThan(3000);
    expect(world.requests.length).toBeLessThanOrEqual(4);
  });

  it("fails without the block, even if the best answer is accepted", async () => {
    const world = await startWorld();
    const options = { maxLag: { seconds: 60, or: "best" }, deadline: 400, minBlock: 5 } as const;
    expect((await failureOf(run(world.client(), Walk, {}, { ...ON_BASE, ...options }))).code).toBe("behind");
  });

  it("applies per chain in each and merged", async () => {
    const world = await startWorld();
    for (const chain of world.chains) chain.blocks.push(["a"], ["b"]);
    const [base, ethereum] = world.chains;
    if (ethereum) ethereum.lag.multichain = 2;
    if (base) base.lag.multichain = 1;
    const options = { chains: ["base", "ethereum"], minBlock: { ethereum: 2 } } as const;
    const client = world.client({ styles: ["multichain", "subgraph"] });
    const results = await each(client, Walk, {}, options);
    expect(results.map((one) => one.status === "ok" && [one.style, one.head?.block])).toEqual([
      ["multichain", 1],
      ["subgraph", 2],
    ]);
    const { rows, failed } = await merged(client, Walk, {}, options);
    expect(failed).toEqual([]);
    expect(rows.map(({ id }) => id).sort()).toEqual(["0xab-1-a", "0xab-1-b", "0xab-8453-a"]);
  });

  it("ends with the signal's reason", async () => {
    const world = await startWorld();
    fastTime();
    const stop = new AbortController();
    const work = run(world.client(), Walk, {}, { ...ON_BASE, minBlock: 5, signal: stop.signal });
    setTimeout(() => stop.abort(new Error("enough")), 300);
    await expect(work).rejects.toThrow("enough");
  });

  it.each<[minBlock: unknown]>([
    [-1],
    [-1n],
    [1.5],
    ["5"],
    [2 ** 53],
    [2n ** 53n],
    [Number.NaN],
    [null],
    [{ base: -1 }],
    [{ base: "5" }],
    [{ base: 2n ** 53n }],
    [{ baze: 5 }],
  ])("rejects %o before any request", async (minBlock) => {
    const world = await startWorld();
    const options = { ...ON_BASE, minBlock: minBlock as number };
    expect((await failureOf(run(world.client(), Walk, {}, options))).code).toBe("invalid-variables");
    expect(world.requests).toEqual([]);
  });

  it.each([5, 5n])("is a number or a bigint: %o", async (least) => {
    const world = await startWorld();
    world.chains[0]?.blocks.push([], [], [], [], ["a"]);
    for (const minBlock of [least, { base: least }]) {
      const { head } = await run(world.client(), Walk, {}, { ...ON_BASE, style: "subgraph", minBlock });
      expect(head?.block).toBe(5);
    }
    expect(world.requests.map(({ variables }) => variables["block"])).toEqual([
      { number_gte: 5 },
      { number_gte: 5 },
    ]);
  });

  it("cannot be combined with block, and is part of a query's key", async () => {
    const world = await startWorld();
    const both = { ...ON_BASE, minBlock: 1, block: { number: 1 } };
    expect((await failureOf(run(world.client(), Walk, {}, both))).code).toBe("invalid-variables");
    const keyOf = (minBlock: number | bigint | { readonly base: number | bigint }) =>
      query(world.client(), Walk, {}, { ...ON_BASE, minBlock }).queryKey;
    expect([keyOf(5n), keyOf({ base: 5n })]).toEqual([keyOf(5), keyOf({ base: 5 })]);
    // A page renders, and the query reports the error.
    expect(keyOf(1.5)).not.toEqual(keyOf(1));
  });
});
