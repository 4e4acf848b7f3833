import { describe, expect, it } from "vitest";
import { each, pages, query, queryPages, run } from "../../generated/client.ts";
import { once } from "../../src/base/collections.ts";
import { compileOperations, observe, serveSuite } from "./support.ts";

const served = serveSuite();
const chain = "base";

/** Operations that name a block shortly before the head of the subgraph, and the head. */
const load = once(async () => {
  const { ChainCounters } = await import("../../generated/lockup/portable.ts");
  const { head } = await run(served().client(), ChainCounters, {}, { chain, style: "subgraph" });
  const block = head?.block ?? 0;
  const compiled = compileOperations(`
    query Streams($block: Block_height, $first: Int = 2) { streams(first: $first, block: $block) { id chainId } }
    query Numbered($number: Int!) { streams(first: 2, block: { number: $number }) { id chainId } }
    query Pinned { streams(first: 2, block: { number: ${block - 1} }) { id chainId } }
    query Compared($at: Block_height) {
      streams(first: 2, block: $at) { id chainId }
      before: streams(first: 1, block: { number: ${block - 1} }) { id }
    }
    query Paged($after: BigInt! = 0, $first: Int! = 4) {
      streams(where: { subgraphId_gt: $after }, orderBy: subgraphId, first: $first) { id chainId subgraphId }
    }
    query Walk($at: Block_height, $after: BigInt! = 0, $first: Int! = 4) {
      streams(where: { subgraphId_gt: $after }, orderBy: subgraphId, first: $first, block: $at) {
        id chainId subgraphId
      }
    }
  `);
  const find = (name: string) => {
    const operation = compiled[name];
    if (!operation) throw new Error(`${name} does not compile.`);
    return operation;
  };
  return { find, block };
});

describe("a block in the variables of an operation", () => {
  it("is optional, and only subgraphs are requested if it is given", async () => {
    const client = served().client();
    const { find, block: last } = await load();
    const block = { number: last - 3 };
    expect(await run(client, find("Streams"), {}, { chain })).toMatchObject({ style: "multichain" });
    const past = await run(client, find("Streams"), { block }, { chain });
    expect(past).toMatchObject({ style: "subgraph", head: { block: block.number } });
    const same = await run(client, find("Streams"), {}, { chain, block });
    expect(past.data).toEqual(same.data);
    // The option of the call is more specific.
    const other = await run(client, find("Streams"), { block: { number: last } }, { chain, block });
    expect(other.head?.block).toBe(block.number);
    const least = await run(client, find("Streams"), { block: { number_gte: block.number } }, { chain });
    expect(least).toMatchObject({ style: "subgraph", head: { block: last } });
  });

  it.each([
    ["as a variable", "Streams", (number: number) => ({ block: { number } })],
    ["with a number variable", "Numbered", (number: number) => ({ number })],
    ["in the text", "Pinned", () => ({})],
    ["of one of several root fields", "Compared", () => ({})],
  ] as const)("is not sent to multichain indexers: %s", async (_, name, variablesOf) => {
    const { find, block } = await load();
    const operation = find(name);
    const variables = variablesOf(block - 1);
    const observed = await observe(served(), {}, async (client) => {
      const failed = run(client, operation, variables, { chain, style: "multichain" });
      await expect(failed).rejects.toMatchObject({ code: "no-time-travel" });
      return each(client, operation, variables, { chains: [chain] });
    });
    expect(observed.sent.multichain).toBe(0);
    expect(observed.result).toMatchObject([{ status: "ok", style: "subgraph" }]);
  });

  it("is the block of the head if all root fields have it", async () => {
    const client = served().client();
    const { find, block } = await load();
    const number = block - 2;
    expect((await run(client, find("Numbered"), { number }, { chain })).head?.block).toBe(number);
    expect((await run(client, find("Pinned"), {}, { chain })).head?.block).toBe(block - 1);
    expect((await run(client, find("Compared"), {}, { chain })).head?.block).toBe(block);
  });

  it("cannot be combined with another block, or have a text as its number", async () => {
    const client = served().client();
    const { find } = await load();
    for (const options of [{ block: { number: 5 } }, { minBlock: 5 }]) {
      const failed = run(client, find("Pinned"), {}, { chain, ...options });
      await expect(failed).rejects.toMatchObject({ code: "invalid-variables" });
    }
    const both = run(client, find("Streams"), { block: { number: 5 } }, { chain, minBlock: 5 });
    await expect(both).rejects.toMatchObject({ code: "invalid-variables" });
    const wrong = ["5", 2 ** 53, 2n ** 53n, -1n, 1.5];
    for (const number of wrong as number[]) {
      for (const failed of [
        run(client, find("Streams"), { block: { number } }, { chain }),
        run(client, find("Streams"), {}, { chain, block: { number } }),
        run(client, find("Numbered"), { number }, { chain }),
      ])
        await expect(failed).rejects.toMatchObject({ code: "invalid-variables" });
    }
  });

  it("is a number or a bigint, which have one key", async () => {
    const client = served().client();
    const { find, block: last } = await load();
    const number = last - 3;
    for (const [name, variablesOf, optionsOf] of [
      ["Streams", () => ({}), (number: number | bigint) => ({ block: { number } })],
      ["Streams", (number: number | bigint) => ({ block: { number } }), () => ({})],
      ["Numbered", (number: number | bigint) => ({ number }), () => ({})],
    ] as const) {
      const queries = [number, BigInt(number)].map((number) =>
        query(client, find(name), variablesOf(number), { chain, ...optionsOf(number) }),
      );
      expect(queries[1]?.queryKey).toEqual(queries[0]?.queryKey);
      const { signal } = new AbortController();
      expect((await queries[1]?.queryFn({ signal }))?.head?.block).toBe(number);
    }
    const least = { block: { number_gte: BigInt(number) } };
    expect((await run(client, find("Streams"), least, { chain })).head?.block).toBe(last);
  });

  it("is not in the place of the next page, which may be stored as JSON", async () => {
    const { find, block } = await load();
    const options = { chain, size: 4, block: { number: BigInt(block - 1) } } as const;
    const { initialPageParam, queryFn } = queryPages(served().client(), find("Paged"), {}, options);
    const { signal } = new AbortController();
    const first = await queryFn({ signal, pageParam: initialPageParam });
    const pageParam = JSON.parse(JSON.stringify(first.next));
    const second = await queryFn({ signal, pageParam });
    expect([first, second].map(({ page }) => page.head?.block)).toEqual([block - 1, block - 1]);
  });

  it("applies to all pages", async () => {
    const client = served().client();
    const { find, block } = await load();
    const at = { number: block - 1 };
    const blocks: unknown[] = [];
    for await (const page of pages(client, find("Walk"), { at }, { chain, size: 4 }))
      blocks.push(page.head?.block);
    expect(blocks.length).toBeGreaterThan(1);
    expect(new Set(blocks)).toEqual(new Set([at.number]));
  });
});
