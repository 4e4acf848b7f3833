import { describe, expect, it, onTestFinished, vi } from "vitest";
import * as direct from "../../../generated/client.ts";
import * as page from "../../../generated/proxied.ts";
import { createProxy, toNodeHandler } from "../../../generated/proxy.ts";
import { startWorld, Walk, type World } from "../../client/world.ts";
import { serveHandler } from "./serve-proxy.ts";

type Functions = typeof direct;

/** A client of a world, with the functions that take it. */
type Reader = { readonly client: direct.Client; readonly functions: Functions };

const operations = [{ ...Walk, digest: "0" }];
const [Operation] = operations as [typeof Walk];

/** Returns a client behind a proxy of the indexers of a world. */
async function open(world: World): Promise<Reader> {
  const { env } = world.client();
  const proxy = createProxy({ env, retries: 0, operations: operations as never });
  const client = page.createClient({ proxy: await serveHandler(toNodeHandler(proxy)) });
  return { client, functions: page } as unknown as Reader;
}

const openDirect = async (world: World): Promise<Reader> => ({ client: world.client(), functions: direct });

const rowsOf = async (walk: AsyncIterable<{ readonly rows: readonly { readonly id: string }[] }>) => {
  const ids: string[] = [];
  for await (const { rows } of walk) ids.push(...rows.map(({ id }) => id));
  return ids;
};

const named = (world: World, chain: number, block?: number) => {
  const [own] = world.chains.slice(chain);
  return own ? world.rows(own, block).map(({ id }) => id) : [];
};

// `test/client` has the same cases without a proxy.
describe("a client behind a proxy", () => {
  it("reads the pages of a subgraph at one block, while rows are added", async () => {
    const world = await startWorld(["base"]);
    const [base] = world.chains;
    base?.blocks.push(["a", "b", "c"], ["d", "e"]);
    const { client, functions } = await open(world);
    const before = named(world, 0);
    let asked = 0;
    world.interfere = () => {
      if (++asked === 2) base?.blocks.push(["f", "g"]);
      return undefined;
    };
    const walk = functions.pages(client, Operation, {}, { chain: "base", size: 2, style: "subgraph" });
    expect(await rowsOf(walk)).toEqual(before);
    expect(named(world, 0)).toHaveLength(7);
  });

  it("reads the pages of a screen at one block", async () => {
    const world = await startWorld(["base"]);
    const [base] = world.chains;
    base?.blocks.push(["a", "b", "c"]);
    const { client, functions } = await open(world);
    const query = functions.queryPages(client, Operation, {}, { chain: "base", size: 2, style: "subgraph" });
    const { signal } = new AbortController();
    const first = await query.queryFn({ signal, pageParam: query.initialPageParam });
    base?.blocks.push(["d"]);
    const second = await query.queryFn({ signal, pageParam: query.getNextPageParam(first) as never });
    expect([first.page.rows.length, second.page.rows.length]).toEqual([2, 1]);
    expect(second.page.head?.block).toBe(first.page.head?.block);
    expect(query.getNextPageParam(second)).toBeNull();
  });

  it("stays in one style, and switches only with switchStyle", async () => {
    const world = await startWorld(["base"]);
    world.chains[0]?.blocks.push(["a", "b", "c"]);
    const { client, functions } = await open(world);
    let asked = 0;
    world.interfere = ({ style }) => (style === "multichain" && ++asked > 1 ? 503 : undefined);
    const options = { chain: "base", size: 2 } as const;
    const error = await rowsOf(functions.pages(client, Operation, {}, options)).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "unavailable", cursor: "2" });
    const rest = functions.pages(
      client,
      Operation,
      {},
      { ...options, after: error.cursor, style: "subgraph" },
    );
    expect(await rowsOf(rest)).toEqual(named(world, 0).slice(2));
    asked = 0;
    const switched = functions.pages(client, Operation, {}, { ...options, switchStyle: true });
    expect(await rowsOf(switched)).toEqual(named(world, 0));
  });

  it("returns the rows of a chain that failed for a while, and names one that fails", async () => {
    const world = await startWorld(["base", "ethereum"]);
    for (const chain of world.chains) chain.blocks.push(["a", "b", "c"]);
    const { client, functions } = await open(world);
    let failures = 1;
    world.interfere = ({ chain, isHealth }) =>
      chain?.key === "ethereum" && !isHealth && failures-- > 0 ? 503 : undefined;
    const options = { chains: ["base", "ethereum"], size: 2, style: "subgraph" } as const;
    const whole = await functions.all(client, Operation, {}, options);
    expect([whole.complete, whole.rows.length, Object.keys(whole.heads)]).toEqual([
      true,
      6,
      ["base", "ethereum"],
    ]);
    failures = Infinity;
    const part = await functions.all(client, Operation, {}, options);
    expect([part.complete, part.failed, part.rows.length]).toEqual([false, ["ethereum"], 3]);
    expect(part.errors).toMatchObject({ ethereum: { code: "unavailable" } });
    failures = 0;
    const rest = await functions.all(client, Operation, {}, { ...options, after: part.cursor });
    expect(rest.rows.map(({ id }) => id)).toEqual(named(world, 1));
  });

  it("refuses an answer that lags, and waits for a block", async () => {
    const world = await startWorld(["base"]);
    const [base] = world.chains;
    base?.blocks.push(["a"], ["b"]);
    if (base) Object.assign(base.lag, { multichain: 2, subgraph: 2 });
    const { client, functions } = await open(world);
    const late = functions.run(client, Operation, {}, { chain: "base", maxLag: 1, style: "multichain" });
    await expect(late).rejects.toMatchObject({ code: "behind" });
    setTimeout(() => base && Object.assign(base.lag, { multichain: 0, subgraph: 0 }), 100);
    const { data } = await functions.run(client, Operation, {}, { chain: "base", minBlock: 2n });
    expect(data.streams).toHaveLength(2);
  });

  it.each(["multichain", "subgraph"] as const)("watches confirmed rows, each once, of %s", async (style) => {
    const world = await startWorld(["base", "ethereum"]);
    for (const chain of world.chains) chain.blocks.push(["a"], ["b"], ["c"], ["d"]);
    const { client, functions } = await open(world);
    const timer = setInterval(() => {
      for (const chain of world.chains)
        if (chain.blocks.length < 12) chain.blocks.push([`${chain.blocks.length}`]);
    }, 20);
    onTestFinished(() => clearInterval(timer));
    const stop = new AbortController();
    const options = { chains: ["base", "ethereum"], confirmations: 2, interval: 20, style } as const;
    const found: string[] = [];
    let from: string | undefined;
    for await (const { rows, cursor } of functions.watch(
      client,
      Operation,
      {},
      { ...options, signal: stop.signal },
    )) {
      found.push(...rows.map(({ id }) => id));
      from = cursor;
      if (found.length >= 10) stop.abort();
    }
    expect(new Set(found).size).toBe(found.length);
    for (const at of [0, 1]) {
      const all = named(world, at);
      const own = found.filter((id) => all.includes(id));
      expect(own).toEqual(all.slice(0, own.length));
    }
    const rest = functions.watch(client, Operation, {}, { ...options, from, confirmations: 0 });
    const { value } = await rest.next();
    expect(found).not.toContain(value?.rows[0]?.id);
    await rest.return();
  });

  it("watches the other chains while one fails, and reports it", async () => {
    const world = await startWorld(["base", "ethereum"]);
    for (const chain of world.chains) chain.blocks.push(["a"]);
    const { client, functions } = await open(world);
    let isDown = true;
    world.interfere = ({ chain }) => (chain?.key === "ethereum" && isDown ? 503 : undefined);
    const failed: string[] = [];
    const onError = ({ code }: { readonly code: string }, chain: string) => failed.push(`${chain} ${code}`);
    const options = { chains: ["base", "ethereum"], interval: 20, style: "subgraph", onError } as const;
    const batches = functions.watch(client, Operation, {}, options);
    expect((await batches.next()).value).toMatchObject({ chain: "base" });
    await vi.waitFor(() => expect(failed).toEqual(["ethereum unavailable"]));
    isDown = false;
    expect((await batches.next()).value).toMatchObject({
      chain: "ethereum",
      cursor: '{"base":"1","ethereum":"1"}',
    });
    expect(failed).toHaveLength(1);
    await batches.return();
  });
});

describe.each([
  ["behind a proxy", open],
  ["without one", openDirect],
])("a client %s", (_, open) => {
  it.each<[what: string, options: object]>([
    ["in the style", { style: "subgraph" }],
    ["at past blocks", { block: { number: 3 } }],
  ])("has no page after the last rows for a chain that is not served %s", async (_, options) => {
    const world = await startWorld(["base"]);
    world.chains[0]?.blocks.push(["a"], ["b"], ["c"]);
    const { client, functions } = await open(world);
    // Only the multichain indexers serve Morph.
    const given = { chains: ["base", "morph"], size: 2, ...options } as const;
    const query = functions.queryPages(client, Operation, {}, given);
    const found: string[] = [];
    let pageParam: direct.ChainPlaces | null = query.initialPageParam;
    for (let isOpen = true; isOpen; isOpen = pageParam !== null) {
      const read = await query.queryFn({
        signal: new AbortController().signal,
        pageParam: pageParam as never,
      });
      found.push(...read.page.rows.map(({ id }) => id));
      expect(read.page.failed).toEqual(["morph"]);
      pageParam = query.getNextPageParam(read);
    }
    expect(found).toEqual(named(world, 0));
    const { rows, complete, failed } = await functions.all(client, Operation, {}, given);
    expect([rows.length, complete, failed]).toEqual([3, false, ["morph"]]);
  });

  it("requests a chain once with an infinite interval, and ends when aborted", async () => {
    const world = await startWorld(["base"]);
    for (const chain of world.chains) chain.blocks.push(["a"]);
    const { client, functions } = await open(world);
    const interfere = vi.fn(() => undefined);
    world.interfere = interfere;
    const stop = new AbortController();
    const options = { chains: ["base"], interval: Infinity, style: "subgraph", signal: stop.signal } as const;
    const batches = functions.watch(client, Operation, {}, options);
    expect((await batches.next()).value).toMatchObject({ chain: "base" });
    const next = batches.next();
    await new Promise((done) => setTimeout(done, 100));
    expect(interfere).toHaveBeenCalledTimes(1);
    stop.abort();
    expect((await next).done).toBe(true);
  });
});
