import { describe, expect, it } from "vitest";
import {
  AllStreams,
  RecentStreams,
  StreamById,
  StreamsBySender,
} from "../../../generated/lockup/portable.ts";
import { each } from "../../../packages/client/src/calls/each.ts";
import { health } from "../../../packages/client/src/calls/health.ts";
import { merged } from "../../../packages/client/src/calls/merged.ts";
import { query, queryEach, queryHealth, queryMerged } from "../../../packages/client/src/calls/query.ts";
import { run } from "../../../packages/client/src/calls/run.ts";
import type { ClientOptions } from "../../../packages/client/src/client/client-types.ts";
import { IndexerError } from "../../../packages/client/src/client/indexer-error.ts";
import { CHAIN_COUNTS } from "../../support/chain-counts.ts";
import { clientOf, countRequests, rejection, withEmulator } from "./support.ts";

const emulator = withEmulator();
const client = (options: ClientOptions = {}) => clientOf({ env: emulator().env(), ...options });

describe("run", () => {
  it("returns the same in both styles, for a chain by key or id", async () => {
    const one = await run(client(), RecentStreams, { first: 3 }, { chain: 8453 });
    const two = await run(client(), RecentStreams, { first: 3 }, { chain: "base", style: "subgraph" });
    expect(one).toMatchObject({ status: "ok", chain: "base", style: "multichain", tried: [] });
    expect(two).toMatchObject({ status: "ok", chain: "base", style: "subgraph", tried: [] });
    expect(one.data.streams).toHaveLength(3);
    expect(two.data).toEqual(one.data);
    expect(Object.keys(two.data)).toEqual(["streams"]);
    expect(one.head?.block).toBe(two.head?.block);
    expect(two.head).toMatchObject({ hash: expect.stringMatching(/^0x/), lag: expect.any(Number) });
  });

  it("matches addresses and ids in any case", async () => {
    const [stream] = (await run(client(), RecentStreams, { first: 1 }, { chain: "base" })).data.streams;
    const sender = `0x${stream?.sender.slice(2).toUpperCase()}` as const;
    for (const style of ["multichain", "subgraph"] as const) {
      const { data } = await run(client(), StreamsBySender, { sender }, { chain: "base", style });
      expect(data.streams.map(({ id }) => id)).toContain(stream?.id);
      // The id of a stream begins with the address of its contract.
      const id = `0x${stream?.id.slice(2).toUpperCase()}`;
      const one = await run(client(), StreamById, { id }, { chain: "base", style });
      expect(one.data.stream?.id).toBe(stream?.id);
    }
  });

  it("sends no request if a variable is invalid", async () => {
    const asked = await countRequests(emulator(), async () => {
      const error = await rejection(run(client(), StreamsBySender, { sender: "0xabc" }, { chain: "base" }));
      expect(error).toMatchObject({ code: "invalid-variables" });
    });
    expect(asked).toEqual({});
  });
});

describe("each", () => {
  it("requests all chains of either style, or only the mainnets", async () => {
    const down = client({ retries: 0, fetch: () => Promise.reject(new Error("down")) });
    for (const chains of ["all", "mainnets"] as const) {
      const results = await each(down, RecentStreams, { first: 1 }, { chains });
      expect(results).toHaveLength(CHAIN_COUNTS[chains]);
    }
  });
});

describe("merged", () => {
  it("sends one request per endpoint, and lists a failed chain", async () => {
    using _ = await emulator().fault({ kind: "500", deployment: "blast" });
    const asked = await countRequests(emulator(), async () => {
      const all = await merged(
        client({ retries: 0 }),
        RecentStreams,
        { first: 5 },
        { chains: ["base", "blast", "ethereum"] },
      );
      expect(all.rows).toHaveLength(5);
      expect(all.failed).toEqual(["blast"]);
    });
    expect(asked).toEqual({ "protocol-lockup-multichain": 1, "protocol-lockup-blast-mainnet": 1 });
  });
});

describe("a chain in an id", () => {
  it("is used if no chain is given", async () => {
    const { data } = await run(client(), RecentStreams, { first: 1 }, { chain: "base" });
    const id = data.streams[0]?.id ?? "";
    expect(id).toMatch(/-8453-/);
    const found = await run(client(), StreamById, { id: id.toUpperCase().replace("0X", "0x") });
    expect(found).toMatchObject({ chain: "base", data: { stream: { id } } });
    expect(query(client(), StreamById, { id: id.toUpperCase() }).queryKey).toEqual(
      query(client(), StreamById, { id }).queryKey,
    );
  });

  it("is overridden by a given chain, and is an error if missing or unknown", async () => {
    const { chain } = await run(client(), StreamById, { id: "0xab-8453-1" }, { chain: "ethereum" });
    expect(chain).toBe("ethereum");
    for (const id of ["0xab-5-1", "abc", "0xab-8453-", "base"]) {
      const error = await rejection(run(client(), StreamById, { id }));
      const message = `id must be an id of a known chain; got "${id}".`;
      expect(error, id).toMatchObject({ code: "invalid-variables", message });
      expect(query(client(), StreamById, { id }).queryKey.slice(0, 2)).toEqual(["lockflow", "lockup"]);
    }
    for (const chain of ["nope", 5, null, undefined, {}, "toString"]) {
      const error = await rejection(run(client(), AllStreams, {}, { chain: chain as "base" }));
      expect(error, String(chain)).toMatchObject({ code: "not-served", tried: [] });
      const results = await each(client(), AllStreams, { first: 1 }, { chains: ["base", chain as "blast"] });
      expect(results.map(({ status }) => status)).toEqual(["ok", "failed"]);
      expect(results[1]).toMatchObject({ error: { code: "not-served" } });
    }
  });
});

describe("health", () => {
  it("sends one request for all chains of an endpoint", async () => {
    const asked = await countRequests(emulator(), async () => {
      const results = await health(client(), "lockup", { chains: ["base", "blast", "ethereum"] });
      expect(results.map((one) => [one.chain, one.status === "ok" && one.style])).toEqual([
        ["base", "multichain"],
        ["base", "subgraph"],
        ["blast", "subgraph"],
        ["ethereum", "multichain"],
        ["ethereum", "subgraph"],
      ]);
    });
    expect(asked["protocol-lockup-multichain"]).toBe(1);
  });
});

describe("a query for a cache", () => {
  it("has the same key for equal requests", async () => {
    const sender = `0x${"AB".repeat(20)}`;
    const lower = sender.toLowerCase();
    const one = query(client(), StreamsBySender, { sender, first: 2 }, { chain: 8453 });
    const two = query(client(), StreamsBySender, { first: 2, sender: lower }, { chain: 8453 });
    expect(one.queryKey).toEqual([
      "lockflow",
      "lockup",
      "StreamsBySender",
      "8453",
      { sender: lower, first: "2" },
      { environment: "production" },
      StreamsBySender.digest,
    ]);
    expect(two.queryKey).toEqual(one.queryKey);
    expect(one.retry(1, new IndexerError("network", ""))).toBe(false);
    const { data } = await one.queryFn({ signal: new AbortController().signal });
    expect(data.streams).toEqual([]);
  });

  it("has another key for another client name, style, environment, block or lag", () => {
    const keyOf = (own: ClientOptions = {}, options: object = {}) =>
      JSON.stringify(query(client(own), RecentStreams, {}, { chain: "base", ...options }).queryKey);
    const keys = [
      keyOf(),
      keyOf({}, { style: "subgraph" }),
      keyOf({}, { block: { number: 5 } }),
      keyOf({}, { maxLag: 5 }),
      keyOf({ environment: "testing" }),
      keyOf({ name: "fast" }),
      keyOf({ name: "fast" }, { style: "subgraph" }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(keyOf({ maxLag: 5 })).toBe(keyOf({}, { maxLag: 5 }));
    expect(keyOf({ name: "fast", environment: "testing" })).toBe(keyOf({ name: "fast" }));
  });

  it("returns the results of merged and health", async () => {
    const { signal } = new AbortController();
    const chains = ["base", "ethereum"] as const;
    const own = client();
    const list = queryMerged(own, RecentStreams, { first: 3 }, { chains });
    expect((await list.queryFn({ signal })).rows).toEqual(
      (await merged(own, RecentStreams, { first: 3 }, { chains })).rows,
    );
    const heads = queryHealth(own, "lockup", { chains, style: "multichain" });
    expect(await heads.queryFn({ signal })).toEqual(
      await health(own, "lockup", { chains, style: "multichain" }),
    );
    const others = [queryEach(own, RecentStreams, { first: 3 }, { chains }).queryKey, heads.queryKey];
    expect(others).not.toContainEqual(list.queryKey);
  });
});
