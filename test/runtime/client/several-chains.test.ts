import { describe, expect, it } from "vitest";
import { AllStreams, RecentStreams } from "../../../generated/lockup/portable.ts";
import { each } from "../../../packages/client/src/calls/each.ts";
import { merged, sortRows } from "../../../packages/client/src/calls/merged.ts";
import { run } from "../../../packages/client/src/calls/run.ts";
import type { ClientOptions } from "../../../packages/client/src/client/client-types.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { clientOf, countRequests, rejection, withEmulator } from "./support.ts";

const MULTICHAIN = "protocol-lockup-multichain";
/** Chains of the multichain indexer, more than a batch has. */
const ELEVEN = [
  ...(["abstract", "arbitrum", "avalanche", "base", "berachain", "bsc"] as const),
  ...(["chiliz", "ethereum", "gnosis", "linea", "polygon"] as const),
];
const NO_TIME_TRAVEL = { code: "no-time-travel", tried: [] };

// The heads are created at the start, so the answers lag little.
const emulator = withEmulator({ streams: 8 });
const client = (options: ClientOptions = {}) => clientOf({ env: emulator().env(), retries: 0, ...options });

describe("a batch", () => {
  it("returns the results of single requests", async () => {
    const chains = [...ELEVEN, "blast"] as const;
    const one = await each(client(), RecentStreams, { first: 2 }, { chains });
    const reported: string[] = [];
    let many: unknown;
    const asked = await countRequests(emulator(), async () => {
      const onResult = ({ chain }: { chain: string }) => reported.push(chain);
      many = await each(client({ batch: true }), RecentStreams, { first: 2 }, { chains, onResult });
    });
    expect(many).toEqual(
      one.map((result) => ({
        ...result,
        ...("head" in result && result.style === "subgraph" ? { head: expect.anything() } : {}),
      })),
    );
    expect(asked[MULTICHAIN]).toBe(2);
    expect(reported.sort()).toEqual(one.map(({ chain }) => chain as string).sort());
  });

  it("is not sent again after a host rejects one", async () => {
    let lists = 0;
    const own = client({
      batch: true,
      fetch: (url, init) => {
        if (!String(init?.body).startsWith("[")) return fetch(url, init);
        lists++;
        return Promise.resolve(
          new Response('{"errors":[{"message":"no"}]}', { status: lists > 1 ? 200 : 400 }),
        );
      },
    });
    const chains = ["base", "ethereum"] as const;
    for (let round = 0; round < 2; round++) {
      const results = await each(own, RecentStreams, { first: 2 }, { chains });
      expect(results).toMatchObject([
        { style: "multichain", tried: [] },
        { style: "multichain", tried: [] },
      ]);
    }
    expect(lists).toBe(1);
  });

  it("fails only for the chains that fail", async () => {
    using _ = await emulator().fault({ kind: "missing-chain", chain: "base", deployment: MULTICHAIN });
    const results = await each(
      client({ batch: true }),
      RecentStreams,
      { first: 2 },
      { chains: ["base", "ethereum"] },
    );
    expect(results).toMatchObject([
      { chain: "base", style: "subgraph", tried: [{ style: "multichain", error: { code: "not-served" } }] },
      { chain: "ethereum", style: "multichain", tried: [] },
    ]);
  });

  it.each<[what: string, change: (answers: readonly object[]) => readonly object[], requests: number]>([
    ["in another order", (answers) => [...answers].reverse(), 3],
    ["that is shorter", (answers) => answers.slice(1), 3],
    ["that is longer", (answers) => [...answers, ...answers], 3],
    ["in the requested order", (answers) => answers, 1],
  ])("does not mix up the rows of chains if its answer is a list %s", async (_, change, requests) => {
    let sent = 0;
    const own = client({
      batch: true,
      styles: ["multichain"],
      fetch: async (url, init) => {
        sent++;
        const response = await fetch(url, init);
        const answers: unknown = await response.clone().json();
        return Array.isArray(answers) ? Response.json(change(answers)) : response;
      },
    });
    const results = await each(own, RecentStreams, { first: 1 }, { chains: ["base", "ethereum"] });
    expect(results.map((one) => one.status === "ok" && one.data.streams[0]?.chainId)).toEqual(["8453", "1"]);
    expect(sent).toBe(requests);
  });
});

describe("each", () => {
  it("has a result for an unknown chain, a chain without the protocol, and a chain named twice", async () => {
    const chains = ["base", "nowhere", 8453, 4] as unknown as readonly "base"[];
    const reported: string[] = [];
    const onResult = ({ chain }: { readonly chain: string }) => reported.push(chain);
    const asked = await countRequests(emulator(), async () => {
      const results = await each(client(), RecentStreams, { first: 1 }, { chains, onResult });
      expect(reported.sort()).toEqual(["4", "base", "nowhere"]);
      expect(results.map(({ chain, status }) => [chain, status])).toEqual([
        ["base", "ok"],
        ["nowhere", "failed"],
        ["base", "ok"],
        ["4", "failed"],
      ]);
      expect(results[1]).toMatchObject({ error: { code: "not-served" }, tried: [] });
    });
    expect(asked).toEqual({ [MULTICHAIN]: 1 });
  });

  it.each([
    ["base", { [MULTICHAIN]: 1 }],
    ["testnets", {}],
    ["", {}],
  ])("treats the text %o as one chain if types are not checked", async (word, sent) => {
    const chains = word as "all";
    const asked = await countRequests(emulator(), async () => {
      const results = await each(client(), RecentStreams, { first: 1 }, { chains });
      expect(results.map(({ chain }) => chain)).toEqual([word]);
    });
    expect(asked).toEqual(sent);
  });

  it("sends no request for an unknown chain, even with a configured endpoint", async () => {
    const own = client({ endpoint: () => ({ url: "https://a.test", chains: [] }) as never });
    const chains = ["constructor", "__proto__", "", null] as unknown as readonly "base"[];
    const results = await each(own, RecentStreams, {}, { chains });
    expect(results.map(({ status, chain }) => [status, chain])).toEqual([
      ["failed", "constructor"],
      ["failed", "__proto__"],
      ["failed", ""],
      ["failed", "null"],
    ]);
  });
});

describe("merged", () => {
  it("returns each row once if a chain is behind", async () => {
    const chains = ["base", "ethereum", "polygon"] as const;
    const want = await merged(client(), RecentStreams, { first: 10 }, { chains });
    const now = Math.max(...want.results.map((one) => (one.status === "ok" ? (one.head?.block ?? 0) : 0)));
    expect(now).toBeGreaterThan(0);
    using _ = await emulator().fault({
      kind: "lagging-head",
      blocks: 100_000,
      chain: "base",
      deployment: MULTICHAIN,
    });
    const time = await headTime();
    const late = client({ maxLag: 3600, now: () => time });
    const asked = await countRequests(emulator(), async () => {
      const all = await merged(late, RecentStreams, { first: 10 }, { chains });
      expect(all.rows).toEqual(want.rows);
      expect(all.results.map((one) => one.status === "ok" && [one.style, one.tried.length])).toEqual([
        ["subgraph", 1],
        ["multichain", 0],
        ["multichain", 0],
      ]);
    });
    expect(asked).toEqual({ [MULTICHAIN]: 2, "protocol-lockup-base": 1 });
    for (const [maxLag, failed] of [
      [3600, ["base"]],
      [{ seconds: 3600, or: "best" }, []],
    ] as const) {
      const own = client({ maxLag, now: () => time, styles: ["multichain"] });
      expect((await merged(own, RecentStreams, { first: 10 }, { chains })).failed).toEqual(failed);
    }
  });

  it("of no chains is empty and complete", async () => {
    const none = await merged(client(), AllStreams, {}, { chains: [] });
    expect(none).toEqual({ rows: [], results: [], failed: [], hasMore: false, complete: true });
  });
});

describe("a past block", () => {
  it.each<[what: string, options: object, error: object]>([
    ["in a style without past blocks", { style: "multichain", block: { number: 5 } }, NO_TIME_TRAVEL],
    ["that is not indexed yet", { block: { number: 2 ** 31 - 1 } }, { code: "behind" }],
    ["that is unknown", { block: { hash: `0x${"00".repeat(32)}` } }, { code: "pruned", tried: [{}] }],
  ])("%s fails without a request to multichain indexers", async (_, options, error) => {
    // The testing environment is a plain node; a gateway words its errors differently.
    const own = client({ environment: "testing", styles: ["subgraph", "multichain"] });
    const asked = await countRequests(emulator(), async () => {
      const failed = await rejection(run(own, RecentStreams, {}, { chain: "base", ...options }));
      expect(failed).toMatchObject(error);
    });
    expect(asked[MULTICHAIN]).toBeUndefined();
  });
});

/** Returns the time of the last block of base. */
async function headTime(): Promise<number> {
  const { head } = await run(client({ styles: ["subgraph"] }), RecentStreams, {}, { chain: "base" });
  return (head?.time ?? 0) * 1000;
}

describe("the chains of an environment", () => {
  it.runIf(IS_THOROUGH)("are those with an endpoint in it", async () => {
    const chainsOf = async (options: ClientOptions) => {
      const results = await each(
        client({ ...options, retries: 0 }),
        RecentStreams,
        { first: 1 },
        { chains: "mainnets" },
      );
      return results.map(({ chain }) => chain as string);
    };
    const inProduction = await chainsOf({});
    const inTesting = await chainsOf({ environment: "testing", styles: ["subgraph"] });
    // Its subgraph has no testing URL, and the multichain indexer does not cover it.
    expect(inProduction).toContain("form");
    expect(inTesting).not.toContain("form");
    expect(inTesting.length).toBeGreaterThan(15);
    expect(inProduction).toEqual(expect.arrayContaining(inTesting));
  });
});

describe("sorted rows", () => {
  const sorted = (lists: readonly (readonly string[])[], direction: "asc" | "desc", end: number) =>
    sortRows(
      lists.map((numbers) => numbers.map((number) => ({ number }))),
      [{ path: "number", kind: "number", direction }],
      end,
    ).map(({ number }) => number);
  const small = ["-5", "7", "10"];
  const large = ["-9007199254740993", "9007199254740991", "9007199254740992", "9007199254740993"];

  it("compare integers beyond 2^53 exactly", () => {
    const all = ["-9007199254740993", ...small, ...large.slice(1)];
    expect(sorted([small, [...large].reverse()], "asc", 7)).toEqual(all);
    expect(sorted([large, small], "desc", 7)).toEqual([...all].reverse());
  });

  it("are the first of all lists, even of unsorted lists", () => {
    expect(sorted([["3", "1", "9"], ["2", "8"], ["0"]], "asc", 3)).toEqual(["0", "1", "2"]);
    expect(sorted([["3", "1", "9"], ["2", "8"], ["0"]], "desc", 2)).toEqual(["9", "8"]);
  });
});
