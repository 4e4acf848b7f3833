import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../emulator/dataset/rows/create-random.ts";
import { all, pages, queryAll, queryPages } from "../../generated/client.ts";
import { runs } from "../support/runs.ts";
import { failureOf } from "./support.ts";
import { startWorld, Walk, type World, type WorldRequest, type WorldRow } from "./world.ts";

const BOTH = { chains: ["base", "ethereum"] } as const;
const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

/** The rows of all chains in the operation's order: by number, then by id. */
const inOrder = (world: World, keys = world.chains.map(({ key }) => key)) =>
  ids(
    world.chains
      .filter(({ key }) => keys.includes(key))
      .flatMap((chain) => world.rows(chain))
      .sort((a, b) => Number(a.subgraphId) - Number(b.subgraphId) || (a.id < b.id ? -1 : 1)),
  );

async function worldWith(rows: readonly number[], keys?: Parameters<typeof startWorld>[0]): Promise<World> {
  const world = await startWorld(keys);
  for (const [index, count] of rows.entries()) {
    for (let row = 1; row <= count; row++) world.chains[index]?.blocks.push([`r${row}`]);
  }
  return world;
}

/** Whether a request is for one chain, in either style. */
const isOf = (key: "base" | "ethereum", { chain, variables }: WorldRequest) =>
  chain ? chain.key === key : String(variables["chainIds"]) === { base: "8453", ethereum: "1" }[key];

/** Walks to the end. */
async function walk(generator: ReturnType<typeof pagesOf>) {
  const rows: WorldRow[] = [];
  const sizes: number[] = [];
  for (;;) {
    const { value, done } = await generator.next();
    if (done) return { rows, sizes, end: value };
    rows.push(...(value.rows as readonly WorldRow[]));
    sizes.push(value.rows.length);
    if (sizes.length > 500) throw new Error("The pages do not end.");
  }
}

const pagesOf = (world: World, options: { readonly size?: number; readonly after?: string } = {}) =>
  pages(world.client(), Walk, {}, { ...BOTH, ...options });

describe("pages over several chains", () => {
  it.each<[rows: readonly number[], size: number, sizes: readonly number[]]>([
    [[3, 2], 2, [2, 2, 1]],
    [[3, 2], 1000, [5]],
    [[0, 4], 3, [3, 1]],
    [[4, 0], 4, [4]],
    [[0, 0], 4, []],
    [[1, 7], 3, [3, 3, 2]],
  ])("are in the operation's order: %j rows in pages of %i", async (rows, size, sizes) => {
    const world = await worldWith(rows);
    const walked = await walk(pagesOf(world, { size }));
    expect(ids(walked.rows)).toEqual(inOrder(world));
    expect(walked.sizes).toEqual(sizes);
    expect(walked.end).toMatchObject({
      pages: sizes.length,
      rows: walked.rows.length,
      failed: [],
      errors: {},
      complete: true,
    });
  });

  it("resume at the cursor of any page, which is JSON", async () => {
    const world = await worldWith([5, 4]);
    const seen: WorldRow[] = [];
    for await (const page of pagesOf(world, { size: 2 })) {
      seen.push(...(page.rows as readonly WorldRow[]));
      expect(Object.keys(JSON.parse(page.cursor))).toEqual(["base", "ethereum"]);
      const rest = await walk(pagesOf(world, { size: 3, after: page.cursor }));
      expect(ids([...seen, ...rest.rows])).toEqual(inOrder(world));
    }
    expect(seen).toHaveLength(9);
  });

  it.each(["", "[]", "7", '{"base":7}', "{"])("reject the cursor %j", async (after) => {
    const world = await worldWith([1, 1]);
    expect((await failureOf(pagesOf(world, { after }).next())).code).toBe("invalid-variables");
  });

  it.each([0, 1001, 1.5, Number.NaN, "x"])("reject the size %j, as those of one chain do", async (given) => {
    const world = await worldWith([1, 1]);
    const size = given as number;
    for (const walk of [pagesOf(world, { size }), pages(world.client(), Walk, {}, { chain: "base", size })]) {
      expect((await failureOf(walk.next())).code).toBe("invalid-variables");
    }
    expect(world.requests).toEqual([]);
  });

  it("list an unknown chain as failed", async () => {
    const world = await worldWith([2, 1]);
    const chains = ["base", "bose"] as unknown as typeof BOTH.chains;
    const { rows, end } = await walk(pages(world.client(), Walk, {}, { chains }));
    expect(ids(rows)).toEqual(inOrder(world, ["base"]));
    expect(end).toMatchObject({
      complete: false,
      failed: ["bose"],
      errors: { bose: { code: "not-served" } },
    });
  });

  it("are empty and incomplete if one chain has no rows and the other one fails", async () => {
    const world = await worldWith([0, 4]);
    world.interfere = (request) => (isOf("ethereum", request) ? 500 : undefined);
    const { rows, end } = await walk(pagesOf(world));
    expect([rows, end.failed, end.complete, Object.keys(end.heads)]).toEqual([
      [],
      ["ethereum"],
      false,
      ["base"],
    ]);
  });

  it("list a failed chain, retry it after the others end, and end complete", async () => {
    const world = await worldWith([5, 4]);
    let failures = 0;
    world.interfere = (request) =>
      isOf("base", request) && Number(request.variables["after"]) > 0 && failures++ < 2 ? 500 : undefined;
    const failed: string[] = [];
    const rows: WorldRow[] = [];
    for await (const page of pagesOf(world, { size: 2 })) {
      rows.push(...(page.rows as readonly WorldRow[]));
      failed.push(page.failed.join());
      expect(Object.keys(page.errors)).toEqual([...page.failed]);
    }
    expect(ids(rows).sort()).toEqual(inOrder(world).sort());
    expect(failed).toContain("base");
    expect(failed.at(-1)).toBe("");
  });

  it("end incomplete if a chain fails again, and resume at the cursor", async () => {
    const world = await worldWith([3, 4]);
    world.interfere = (request) => (isOf("base", request) ? 500 : undefined);
    const { rows, end } = await walk(pagesOf(world, { size: 3 }));
    expect(ids(rows)).toEqual(inOrder(world, ["ethereum"]));
    expect(end).toMatchObject({
      complete: false,
      failed: ["base"],
      errors: { base: { code: "unavailable" } },
    });
    world.interfere = () => undefined;
    const rest = await walk(pagesOf(world, { after: end.cursor }));
    expect(ids(rest.rows)).toEqual(inOrder(world, ["base"]));
    expect(rest.end.complete).toBe(true);
  });

  it("throw if every chain fails", async () => {
    const world = await worldWith([1, 1]);
    world.interfere = () => 500;
    const error = await failureOf(pagesOf(world).next());
    expect(error.code).toBe("unavailable");
    expect(error.message).toMatch(/^All 2 chains failed\. /);
    expect(JSON.parse(error.cursor ?? "")).toEqual({ base: null, ethereum: null });
    expect(error.tried.length).toBeGreaterThanOrEqual(2);
  });

  it("end with the signal's reason", async () => {
    const world = await worldWith([1, 1]);
    const stop = AbortSignal.abort(new Error("enough"));
    await expect(pages(world.client(), Walk, {}, { ...BOTH, signal: stop }).next()).rejects.toThrow("enough");
  });
});

describe("queryPages over several chains", () => {
  it("is an infinite query whose page parameter is JSON", async () => {
    const world = await worldWith([3, 2]);
    const cache = new QueryClient();
    const question = queryPages(world.client(), Walk, {}, { ...BOTH, size: 2 });
    const observer = new InfiniteQueryObserver(cache, question);
    await observer.refetch();
    for (let page = 1; page < 3; page++) await observer.fetchNextPage();
    const { data, hasNextPage } = observer.getCurrentResult();
    expect(ids(data?.pages.flatMap(({ page }) => page.rows) ?? [])).toEqual(inOrder(world));
    expect(hasNextPage).toBe(false);
    expect(JSON.parse(JSON.stringify(data?.pageParams))).toEqual(data?.pageParams);
  });

  it("returns a next page that retries a failed chain", async () => {
    const world = await worldWith([2, 2]);
    let isDown = true;
    world.interfere = (request) => (isOf("base", request) && isDown ? 500 : undefined);
    const { queryFn, initialPageParam } = queryPages(world.client(), Walk, {}, BOTH);
    const { signal } = new AbortController();
    const first = await queryFn({ signal, pageParam: initialPageParam });
    expect([ids(first.page.rows), first.page.failed]).toEqual([inOrder(world, ["ethereum"]), ["base"]]);
    if (!first.next) throw new Error("There is no next page.");
    expect((await failureOf(queryFn({ signal, pageParam: first.next }))).code).toBe("unavailable");
    isDown = false;
    const last = await queryFn({ signal, pageParam: first.next });
    expect([ids(last.page.rows), last.page.failed, last.next]).toEqual([inOrder(world, ["base"]), [], null]);
  });
});

describe("queryAll", () => {
  it("returns what all returns, with a key of its own for each limit", async () => {
    const world = await worldWith([3, 2]);
    const client = world.client();
    const question = queryAll(client, Walk, {}, { ...BOTH, size: 2, limit: 4 });
    const cache = new QueryClient();
    const found = await cache.fetchQuery(question);
    expect(found).toEqual(await all(client, Walk, {}, { ...BOTH, limit: 4 }));
    expect([ids(found.rows), found.complete]).toEqual([inOrder(world).slice(0, 4), false]);
    const keys = [{ limit: 4 }, {}, { limit: 4, after: found.cursor }].map((options) =>
      JSON.stringify(queryAll(client, Walk, {}, { ...BOTH, ...options }).queryKey),
    );
    // The size of a page does not decide the rows.
    expect(keys[0]).toBe(JSON.stringify(question.queryKey));
    keys.push(JSON.stringify(queryPages(client, Walk, {}, BOTH).queryKey));
    expect(new Set(keys).size).toBe(4);
  });
});

describe("all", () => {
  it.each<[limit: number | undefined, count: number, complete: boolean]>([
    [undefined, 9, true],
    [9, 9, true],
    [8, 8, false],
    [1, 1, false],
  ])("returns at most %s rows", async (limit, count, complete) => {
    const world = await worldWith([5, 4]);
    const result = await all(world.client(), Walk, {}, { ...BOTH, size: 2, limit });
    expect(ids(result.rows)).toEqual(inOrder(world).slice(0, count));
    expect([result.complete, result.failed]).toEqual([complete, []]);
    expect(Object.keys(result.heads)).toEqual(BOTH.chains);
  });

  it("returns the heads of chains without rows", async () => {
    const world = await worldWith([0, 0]);
    const { rows, heads } = await all(world.client(), Walk, {}, BOTH);
    expect([rows, Object.keys(heads)]).toEqual([[], BOTH.chains]);
  });

  it("returns the rows of the other chains if one fails", async () => {
    const world = await worldWith([5, 4]);
    world.interfere = (request) => (isOf("base", request) ? 500 : undefined);
    const result = await all(world.client(), Walk, {}, BOTH);
    expect(ids(result.rows)).toEqual(inOrder(world, ["ethereum"]));
    expect([result.complete, result.failed]).toEqual([false, ["base"]]);
    expect(Object.keys(result.heads)).toEqual(["ethereum"]);
  });

  it("equals the rows of the chains in random histories with failures, growth and restarts", async () => {
    const random = createRandom("pages over chains");
    for (let history = 0; history < runs(3, 100); history++) {
      const counts = [random.int(0, 12), random.int(0, 12), random.int(0, 12)];
      const world = await worldWith(counts, ["base", "ethereum", "polygon"]);
      const known = inOrder(world);
      const rate = random.int(0, 3) / 10;
      world.interfere = ({ chain }) => {
        if (random.int(0, 9) < rate * 10) return 500;
        if (random.int(0, 9) === 0) (chain ?? world.chains[0])?.blocks.push([`late${random.int(0, 1e9)}`]);
        return undefined;
      };
      const rows: WorldRow[] = [];
      let after: string | undefined;
      let isComplete = false;
      for (let start = 0; start < 60 && !isComplete; start++) {
        const own = pages(
          world.client(),
          Walk,
          {},
          {
            chains: ["base", "ethereum", "polygon"],
            size: random.int(1, 6),
            ...(after !== undefined && { after }),
          },
        );
        let left = random.int(1, 8);
        for (;;) {
          const { value, done } = await own.next().catch((error: { cursor: string }) => ({
            value: { cursor: error.cursor, complete: false },
            done: true as const,
          }));
          after = value.cursor ?? after;
          if (done) isComplete = "complete" in value && value.complete;
          if (done) break;
          if ("rows" in value && typeof value.rows === "object")
            rows.push(...(value.rows as readonly WorldRow[]));
          if (--left === 0) break;
        }
        await own.return(undefined as never).catch(() => {});
      }
      expect(isComplete).toBe(true);
      expect(new Set(ids(rows)).size).toBe(rows.length);
      expect(known.filter((id) => !ids(rows).includes(id))).toEqual([]);
      for (const { chainId } of world.chains) {
        const numbers = rows
          .filter((row) => row.chainId === String(chainId))
          .map((row) => Number(row.subgraphId));
        expect(numbers).toEqual(numbers.map((_, index) => index + 1));
      }
    }
  });
});
