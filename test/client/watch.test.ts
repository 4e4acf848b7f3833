import { describe, expect, it } from "vitest";
import { createRandom } from "../../emulator/dataset/rows/create-random.ts";
import { type IndexerError, type WatchOptions, watch } from "../../generated/client.ts";
import { fastTime } from "../support/fast-time.ts";
import { runs } from "../support/runs.ts";
import { failureOf } from "./support.ts";
import { startWorld, Walk, type World, type WorldChain, type WorldRow } from "./world.ts";

const CHAINS = ["base", "ethereum"] as const;
const FAST = { chains: CHAINS, interval: 5 } as const;
const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

/** Collects batches until a condition holds. */
async function collect(
  world: World,
  options: Omit<Partial<WatchOptions>, "chains"> & { readonly chains?: readonly string[] },
  isEnough: (rows: readonly WorldRow[]) => boolean,
  clientOptions: Parameters<World["client"]>[0] = {},
) {
  const stop = new AbortController();
  const rows: WorldRow[] = [];
  let cursor = options.from;
  const timer = setTimeout(() => stop.abort(new Error("too slow")), 20_000);
  for await (const batch of watch(world.client(clientOptions), Walk, {}, {
    ...FAST,
    signal: stop.signal,
    ...options,
  } as unknown as typeof FAST)) {
    rows.push(...(batch.rows as readonly WorldRow[]));
    cursor = batch.cursor;
    if (isEnough(rows)) break;
  }
  clearTimeout(timer);
  return { rows, cursor };
}

const mine = (chain: WorldChain, count: number, name = "r") => {
  for (let row = 0; row < count; row++) chain.blocks.push([`${name}${chain.blocks.length}`]);
};

describe("watch", () => {
  it("returns the rows that exist, then new ones, in cursor order per chain", async () => {
    const world = await startWorld();
    const [base, ethereum] = world.chains as [WorldChain, WorldChain];
    mine(base, 5);
    mine(ethereum, 3);
    setTimeout(() => mine(base, 2), 100);
    const { rows } = await collect(world, { size: 2 }, ({ length }) => length >= 10);
    for (const chain of world.chains) {
      expect(ids(rows).filter((id) => id.includes(`-${chain.chainId}-`))).toEqual(ids(world.rows(chain)));
    }
  });

  it("resumes at a cursor, which is JSON, without gaps or duplicates", async () => {
    const world = await startWorld();
    const [base, ethereum] = world.chains as [WorldChain, WorldChain];
    mine(base, 4);
    mine(ethereum, 4);
    const first = await collect(world, { size: 2 }, ({ length }) => length >= 4);
    expect(Object.keys(JSON.parse(first.cursor ?? ""))).toEqual([...CHAINS]);
    const rest = await collect(
      world,
      { size: 3, from: first.cursor },
      ({ length }) => length + first.rows.length >= 8,
    );
    expect(ids([...first.rows, ...rest.rows]).sort()).toEqual(
      world.chains.flatMap((one) => ids(world.rows(one))).sort(),
    );
  });

  it.each<[name: string, options: Parameters<World["client"]>[0]]>([
    ["with a subgraph", {}],
    ["with the multichain indexer alone", { styles: ["multichain"] }],
  ])("returns only rows with enough blocks above them: %s", async (_, options) => {
    const world = await startWorld();
    const [base] = world.chains as [WorldChain];
    mine(base, 10);
    const late = setInterval(() => base.blocks.push([]), 10);
    let least = Infinity;
    const { rows } = await collect(
      world,
      { chains: ["base"], confirmations: 3, size: 4 },
      (all) => {
        const number = Number(all.at(-1)?.timestamp) - 1000;
        least = Math.min(least, base.blocks.length - 1 - number);
        return all.length >= 10;
      },
      options,
    );
    clearInterval(late);
    expect(ids(rows)).toEqual(ids(world.rows(base)));
    expect(least).toBeGreaterThanOrEqual(3);
  });

  it("reports failures, backs off, and continues", async () => {
    const world = await startWorld();
    const [base] = world.chains as [WorldChain];
    mine(base, 2);
    let failures = 0;
    world.interfere = () => (failures++ < 2 ? 500 : undefined);
    const errors: [code: string, chain: string][] = [];
    const onError = (error: IndexerError, chain: string) => errors.push([error.code, chain]);
    const delays = fastTime();
    const { rows } = await collect(
      world,
      { chains: ["base"], style: "subgraph", onError },
      ({ length }) => length >= 2,
    );
    expect(rows).toHaveLength(2);
    expect(errors).toEqual([
      ["unavailable", "base"],
      ["unavailable", "base"],
    ]);
    const seconds = delays.map((delay) => Math.round(delay / 100) / 10);
    expect(seconds.filter((one) => one >= 0.5 && one < 3)).toEqual([1, 2]);
  });

  it("returns the rows of other chains while one stalls", async () => {
    const world = await startWorld();
    const [base, ethereum] = world.chains as [WorldChain, WorldChain];
    mine(base, 2);
    mine(ethereum, 2);
    world.interfere = ({ chain }) => (chain?.key === "base" ? 503 : undefined);
    const { rows } = await collect(world, { style: "subgraph" }, ({ length }) => length >= 2);
    expect(ids(rows)).toEqual(ids(world.rows(ethereum)));
  });

  it("ends when the signal aborts, or if it is already aborted", async () => {
    const world = await startWorld();
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    const batches: unknown[] = [];
    for await (const batch of watch(world.client(), Walk, {}, { ...FAST, signal: stop.signal }))
      batches.push(batch);
    expect(batches).toEqual([]);
    for await (const batch of watch(world.client(), Walk, {}, { ...FAST, signal: AbortSignal.abort() }))
      batches.push(batch);
    expect(batches).toEqual([]);
  });

  it("stops sending requests once the loop ends", async () => {
    const world = await startWorld();
    const [base] = world.chains as [WorldChain];
    mine(base, 1);
    await collect(world, {}, ({ length }) => length >= 1);
    const { length } = world.requests;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(world.requests.length - length).toBeLessThanOrEqual(2);
  });

  it.each(["", "[]", '{"base":1}'])("rejects the cursor %j", async (from) => {
    const world = await startWorld();
    expect((await failureOf(watch(world.client(), Walk, {}, { ...FAST, from }).next())).code).toBe(
      "invalid-variables",
    );
  });

  it("equals the chains in random histories with reorganizations, failures and restarts", async () => {
    const random = createRandom("watch");
    for (let history = 0; history < runs(3, 100); history++) {
      const world = await startWorld();
      const confirmations = random.int(2, 4);
      for (const chain of world.chains) mine(chain, random.int(0, 6), "old");
      const total = new Map(world.chains.map((chain) => [chain, 0]));
      const lengths = new Map<WorldChain, number>();
      const grow = () => {
        for (const chain of world.chains) {
          // The rows of a dropped block reappear in another block, with other names.
          const longest = Math.max(lengths.get(chain) ?? 0, chain.blocks.length);
          lengths.set(chain, longest);
          // No block with enough blocks above it is dropped.
          const least = Math.max(1, longest - random.int(0, confirmations - 1));
          if (random.chance(20)) chain.blocks.splice(least);
          if (random.chance(60)) chain.blocks.push(random.chance(50) ? [`n${random.int(0, 1e9)}`] : []);
          chain.lag.subgraph = random.chance(10) ? random.int(0, 2) : 0;
        }
      };
      world.interfere = ({ isHealth }) => {
        if (isHealth) grow();
        return random.chance(8) ? 500 : undefined;
      };
      const rows: WorldRow[] = [];
      let from: string | undefined;
      for (let start = 0; start < 4; start++) {
        const stop = new AbortController();
        const timer = setTimeout(() => stop.abort(), 60);
        const left = random.int(1, 4);
        let batches = 0;
        const options = { ...FAST, confirmations, size: random.int(1, 4), interval: 1, signal: stop.signal };
        for await (const batch of watch(world.client(), Walk, {}, { ...options, ...(from && { from }) })) {
          rows.push(...(batch.rows as readonly WorldRow[]));
          from = batch.cursor;
          if (++batches >= left) break;
        }
        clearTimeout(timer);
      }
      // The chains stop growing, so the confirmed rows are final.
      world.interfere = () => undefined;
      for (const chain of world.chains) {
        chain.lag.subgraph = 0;
        for (let block = 0; block <= confirmations; block++) chain.blocks.push([]);
        total.set(chain, world.rows(chain).length);
      }
      const wanted = [...total.values()].reduce((a, b) => a + b, 0);
      if (rows.length < wanted) {
        const rest = await collect(
          world,
          { confirmations, from },
          (more) => rows.length + more.length >= wanted,
        );
        rows.push(...rest.rows);
      }
      for (const chain of world.chains) {
        expect(ids(rows).filter((id) => id.includes(`-${chain.chainId}-`))).toEqual(ids(world.rows(chain)));
      }
    }
  });
});
