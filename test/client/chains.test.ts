import { beforeAll, describe, expect, it } from "vitest";
import {
  type Client,
  type ClientOptions,
  each,
  health,
  mapVariables,
  merged,
  type PortableOperation,
  run,
} from "../../generated/client.ts";
import * as flow from "../../generated/flow/portable.ts";
import * as lockup from "../../generated/lockup/portable.ts";
import { endpoint } from "../../generated/manifest.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import {
  compileOperations,
  deploymentsOf,
  failureOf,
  observe,
  otherStyle,
  STYLES,
  type Style,
  serveSuite,
} from "./support.ts";

const { AllStreams, RecentStreams, StreamById } = lockup;
const CHAINS = { base: 8453, mainnet: 1, polygon: 137 };
const KEYS = ["base", "ethereum", "polygon"] as const;
const IDS = Object.values(CHAINS);

const served = serveSuite({
  streams: 40,
  deployments: [...deploymentsOf(CHAINS), ...deploymentsOf(CHAINS, {}, "flow")],
});

type Row = Readonly<Record<string, unknown>> & { readonly id: string };
type List = PortableOperation<"lockup", Readonly<Record<string, readonly Row[]>>, Variables, "list">;
type Variables = Readonly<Record<string, unknown>>;

/** Orders with many equal values, or with nulls. */
const ORDERS = [
  "cliffTime",
  "cancelable",
  "asset__symbol",
  "depositAmount",
  "timestamp",
  "canceledTime",
  "alias",
]
  .flatMap((column) => ["asc", "desc"].map((direction) => ({ column, direction })))
  .map(
    ({ column, direction }) => `query By_${column}_${direction}($first: Int! = 20, $skip: Int! = 0) {
      streams(orderBy: ${column}, orderDirection: ${direction}, first: $first, skip: $skip) {
        id chainId timestamp cliffTime cancelable depositAmount canceledTime alias asset { symbol }
      }
    }`,
  );
const BY_VARIABLE = `query ByVariable($where: Stream_filter = {}, $first: Int) {
  streams(where: $where, orderBy: endTime, orderDirection: desc, first: $first) { id chainId endTime category }
}`;

const isList = (one: object): one is List => "list" in one;

/** All operations whose rows can be merged. */
const LISTS: readonly List[] = [
  ...Object.values<object>(lockup),
  ...Object.values<object>(flow),
  ...Object.values(compileOperations<"list">([...ORDERS, BY_VARIABLE].join("\n"))),
].filter(isList);

const Recent = RecentStreams as unknown as List;

/** One multichain request over chains, sent by hand. */
async function askByHand(operation: List, variables: Variables, chainIds: readonly number[] = IDS) {
  const { url } = endpoint({ protocol: operation.protocol, style: "multichain" }, served().env);
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      query: operation.multichain,
      variables: mapVariables(operation, "multichain", variables, chainIds),
    }),
  });
  const { data, errors } = (await response.json()) as {
    data: Record<string, readonly Row[]>;
    errors: unknown;
  };
  expect(errors).toBeUndefined();
  return data[operation.list?.key ?? ""] ?? [];
}

describe("merged", () => {
  /** A stream of the first chain, by protocol. */
  let known: Record<string, Variables> = {};

  beforeAll(async () => {
    for (const protocol of ["lockup", "flow"] as const) {
      const { RecentStreams: recent } = protocol === "lockup" ? lockup : flow;
      const [stream] = await askByHand(recent as unknown as List, { first: 1 }, [8453]);
      known = { ...known, [protocol]: stream ?? {} };
    }
  });

  const variablesOf = ({ protocol, subgraph }: List): Variables => {
    const { id, sender, recipient } = known[protocol] ?? {};
    const all = { sender, recipient, address: sender, streamId: id };
    return Object.fromEntries(Object.entries(all).filter(([name]) => subgraph.includes(`$${name}:`)));
  };

  // By default the operations of lockup, and each order in one direction.
  const tried = LISTS.filter(
    ({ name, protocol }) => IS_THOROUGH || (protocol === "lockup" && !name.endsWith("_asc")),
  );

  it.each(tried.map((one) => [`${one.protocol}/${one.name}`, one] as const))(
    "equals one request over all chains: %s",
    async (_, operation) => {
      const { first = null, size: all = 0, skip = null } = operation.list ?? {};
      const sizes = first === null ? [0] : IS_THOROUGH ? [1, 3, 20, 119, 1000] : [20];
      const skips = skip === null ? [0] : IS_THOROUGH ? [0, 1, 5, 60] : [0, 2];
      const cases = sizes.flatMap((size) => skips.map((from) => ({ size, from })));
      let rowsSeen = 0;
      for (const { size, from } of cases.filter(({ size, from }) => size + from <= 1000)) {
        const variables = {
          ...variablesOf(operation),
          ...(size > 0 && { [String(first)]: size }),
          ...(from > 0 && { [String(skip)]: from }),
        };
        const truth = await askByHand(operation, variables);
        rowsSeen = Math.max(rowsSeen, truth.length);
        for (const styles of [["subgraph"], ["multichain"]] as const) {
          const options = { chains: KEYS };
          const answer = await merged(served().client({ styles }), operation, variables, options);
          expect(answer.failed).toEqual([]);
          // A full list may also be complete.
          if (truth.length < (size || all)) expect(answer.hasMore).toBe(false);
          expect(answer.results.map(({ chain }) => chain)).toEqual(KEYS);
          expect(answer.rows, `${styles} ${JSON.stringify(variables)}`).toEqual(truth);
        }
      }
      expect(rowsSeen).toBeGreaterThan(0);
    },
  );

  it("requests a chain in the other style if the first does not serve it", async () => {
    using _ = await served().emulator.fault({ kind: "missing-chain", chain: "base" });
    const { result, sent } = await observe(served(), {}, (client) =>
      merged(client, RecentStreams, { first: 30, skip: 4 }, { chains: KEYS }),
    );
    expect(result.failed).toEqual([]);
    expect(result.results.map((one) => one.status === "ok" && one.style)).toEqual([
      "subgraph",
      "multichain",
      "multichain",
    ]);
    expect(result.results[0]?.tried).toMatchObject([{ style: "multichain", error: { code: "not-served" } }]);
    expect(sent).toEqual({ multichain: 1, subgraph: 1 });
    served().emulator.clearFaults();
    expect(result.rows).toEqual(await askByHand(Recent, { first: 30, skip: 4 }));
  });

  it("is incomplete if a chain fails, and lists it", async () => {
    using _ = await served().emulator.fault({ kind: "404", deployment: "base" });
    const { rows, results, complete, failed } = await merged(
      served().client({ styles: ["subgraph"] }),
      RecentStreams,
      { first: 30 },
      { chains: KEYS },
    );
    expect([complete, failed]).toEqual([false, ["base"]]);
    expect(results.map(({ status }) => status)).toEqual(["failed", "ok", "ok"]);
    expect(rows).toEqual(await askByHand(Recent, { first: 30 }, [1, 137]));
  });

  it("throws if every chain fails, with the failures of all", async () => {
    using _ = await served().emulator.fault({ kind: "404" });
    const error = await failureOf(
      merged(served().client({ styles: ["subgraph"] }), RecentStreams, { first: 30 }, { chains: KEYS }),
    );
    expect(error).toMatchObject({ code: "not-served", status: 404 });
    expect(error.message).toMatch(/^All 3 chains failed\. /);
    expect(error.tried.map((one) => [one.style, one.error.code])).toEqual(
      KEYS.map(() => ["subgraph", "not-served"]),
    );
    served().emulator.clearFaults();
  });

  it("rejects an operation whose rows cannot be merged, and names the column to select", async () => {
    const { list: _, ...unmerged } = { ...RecentStreams, unmerged: "select timestamp" };
    const error = await failureOf(
      merged(served().client(), unmerged as typeof RecentStreams, {}, { chains: KEYS }),
    );
    expect(error).toMatchObject({
      code: "invalid-variables",
      message: "RecentStreams cannot be merged: select timestamp.",
    });
  });

  it("rejects first and skip beyond 1000 rows without a request", async () => {
    const { result, sent } = await observe(served(), {}, (client) =>
      failureOf(merged(client, RecentStreams, { first: 900, skip: 101 }, { chains: KEYS })),
    );
    expect(result.code).toBe("invalid-variables");
    expect(sent).toEqual({ multichain: 0, subgraph: 0 });
  });
});

describe("each", () => {
  it.each(STYLES)("returns the rows of each chain if %s fails once", async (style) => {
    using _ = await served().emulator.fault({ kind: "429", style, next: 1 });
    const styles = [style, otherStyle(style)];
    for (const batch of [false, true]) {
      const results = await each(
        served().client({ styles, batch }),
        RecentStreams,
        { first: 9 },
        { chains: KEYS },
      );
      for (const [index, result] of results.entries()) {
        const truth = await askByHand(Recent, { first: 9 }, [IDS[index] ?? 0]);
        expect(result.status === "ok" && result.data.streams).toEqual(truth);
      }
    }
  });
});

describe("a chain", () => {
  it("requested at another chain's URL fails with wrong-chain", async () => {
    const toBase: ClientOptions["endpoint"] = (request) =>
      endpoint({ ...request, style: "subgraph", chain: "base", environment: "production" }, served().env);
    const styles = ["subgraph"] as const;
    const { result, sent } = await observe(served(), { styles, endpoint: toBase }, (client) =>
      each(client, RecentStreams, { first: 5 }, { chains: KEYS }),
    );
    expect(result.map((one) => (one.status === "ok" ? "ok" : one.error.code))).toEqual([
      "ok",
      "wrong-chain",
      "wrong-chain",
    ]);
    expect(sent).toEqual({ subgraph: 3, multichain: 0 });
    const all = await merged(
      served().client({ styles, endpoint: toBase }),
      RecentStreams,
      { first: 50 },
      { chains: KEYS },
    );
    expect(all.complete).toBe(false);
    expect(new Set(all.rows.map(({ chainId }) => chainId))).toEqual(new Set(["8453"]));
  });

  it("has no rows of another chain if a multichain indexer ignores the filter", async () => {
    // It always requests chain 1.
    const lying: ClientOptions["fetch"] = (url, init) => {
      const body = JSON.parse(String(init?.body));
      if (body.variables.chainIds) body.variables.chainIds = ["1"];
      return fetch(url, { ...init, body: JSON.stringify(body) });
    };
    const client = served().client({ fetch: lying });
    const one = await run(client, RecentStreams, { first: 5 }, { chain: "base" });
    expect(one).toMatchObject({
      style: "subgraph",
      tried: [{ style: "multichain", error: { code: "wrong-chain" } }],
    });
    expect(new Set(one.data.streams.map(({ chainId }) => chainId))).toEqual(new Set(["8453"]));
    const many = await merged(client, RecentStreams, { first: 20 }, { chains: ["base", "polygon"] });
    expect(many.failed).toEqual([]);
    expect(many.rows).toEqual(await askByHand(Recent, { first: 20 }, [8453, 137]));
    const [own] = await askByHand(Recent, { first: 1 }, [137]);
    const found = await run(client, StreamById, { id: own?.id ?? "" }, { chain: "base" });
    expect(found).toMatchObject({ style: "multichain", data: { stream: null } });
    expect((await run(client, StreamById, { id: own?.id ?? "" }, { chain: 137 })).data.stream?.id).toBe(
      own?.id,
    );
  });
});

describe("freshness", () => {
  const BEHIND = 100;
  /** Seconds between two blocks of Base. */
  const SECONDS = 2;

  const headsOf = async (client: Client) => {
    const [a, b] = await Promise.all(
      STYLES.map((style) => run(client, AllStreams, { first: 1 }, { chain: "base", style })),
    );
    return { multichain: a?.head, subgraph: b?.head };
  };

  it("matches the heads of the indexers", async () => {
    const { emulator, client } = served();
    const { subgraph: fresh, multichain } = await headsOf(client());
    const now = () => ((fresh?.time ?? 0) + 7) * 1000;
    expect(multichain).toEqual({
      block: fresh?.block,
      hash: null,
      time: null,
      lag: 0,
      isEstimate: true,
      behindBlocks: 0,
    });
    using _ = await emulator.fault({ kind: "lagging-head", blocks: BEHIND });
    const late = await headsOf(client({ now }));
    expect(late.multichain).toEqual({
      ...multichain,
      block: (fresh?.block ?? 0) - BEHIND,
      lag: expect.any(Number),
      behindBlocks: BEHIND,
    });
    expect(late.subgraph?.block).toBe((fresh?.block ?? 0) - BEHIND);
    expect(late.subgraph?.lag).toBe(7 + (fresh?.time ?? 0) - (late.subgraph?.time ?? 0));
    expect(late.subgraph?.lag).toBeGreaterThan(BEHIND);
    const [a, b] = await health(client({ now }), "lockup", { chains: ["base"] });
    expect(a).toMatchObject({
      style: "multichain",
      data: { head: late.multichain, chainHead: fresh?.block, synced: false, hasErrors: null },
    });
    expect(b).toMatchObject({
      style: "subgraph",
      data: { head: late.subgraph, chainHead: null, hasErrors: false },
    });
  });

  it("reports how far a stuck head is behind its chain", async () => {
    const { emulator, client } = served();
    using _ = await emulator.fault({ kind: "stuck-head", style: "multichain" });
    emulator.advance(30, 8453);
    const { multichain, subgraph } = await headsOf(client());
    expect(multichain?.behindBlocks).toBe(30);
    expect((subgraph?.block ?? 0) - (multichain?.block ?? 0)).toBe(30);
  });

  it.each(STYLES)("is limited by maxLag, to the second: %s", async (style) => {
    const { emulator, client } = served();
    const { subgraph: fresh } = await headsOf(client());
    const now = () => (fresh?.time ?? 0) * 1000;
    using _ = await emulator.fault({ kind: "lagging-head", blocks: BEHIND });
    const { subgraph: late } = await headsOf(client({ now }));
    const lag = style === "multichain" ? BEHIND * SECONDS : (late?.lag ?? 0);
    const ask = (maxLag: number, options: ClientOptions = {}) =>
      run(client({ now, ...options }), AllStreams, { first: 1 }, { chain: "base", style, maxLag });
    expect((await ask(lag)).style).toBe(style);
    const error = await failureOf(ask(lag - 1));
    expect(error).toMatchObject({ code: "behind", style, tried: [{ style, error: { code: "behind" } }] });
    // A client can set it for every request.
    const strict = client({ now, styles: [style], maxLag: lag - 1 });
    expect((await failureOf(run(strict, AllStreams, {}, { chain: "base" }))).code).toBe("behind");
    expect((await run(strict, AllStreams, { first: 1 }, { chain: "base", maxLag: lag })).style).toBe(style);
  });

  it.each(STYLES)("prefers the fresher style if the best answer is accepted: %s is ahead", async (ahead) => {
    const { emulator, client } = served();
    const { subgraph: fresh } = await headsOf(client());
    const now = () => (fresh?.time ?? 0) * 1000;
    using _ = await emulator.fault({ kind: "lagging-head", blocks: 20, style: ahead });
    using __ = await emulator.fault({ kind: "lagging-head", blocks: 400, style: otherStyle(ahead) });
    for (const styles of [STYLES, [...STYLES].reverse() as Style[]]) {
      const own = client({ now, styles });
      const chain = { chain: "base" } as const;
      const best = await run(own, AllStreams, { first: 1 }, { ...chain, maxLag: { seconds: 5, or: "best" } });
      expect(best.style).toBe(ahead);
      expect(best.tried.map(({ style, error }) => [style, error.code])).toEqual(
        styles.map((style) => [style, "behind"]),
      );
      expect((await run(own, AllStreams, { first: 1 }, { ...chain, maxLag: { or: "best" } })).style).toBe(
        ahead,
      );
      const error = await failureOf(run(own, AllStreams, { first: 1 }, { ...chain, maxLag: 5 }));
      expect(error).toMatchObject({ code: "behind", tried: [{}, {}] });
      // A style that is too late is not requested after one that is not.
      const first = await observe(served(), { now, styles }, (one) =>
        run(one, AllStreams, { first: 1 }, { ...chain, maxLag: 1e6 }),
      );
      expect(first.result).toMatchObject({ style: styles[0], tried: [] });
      expect(first.sent).toEqual({ [styles[0] as Style]: 1, [otherStyle(styles[0] as Style)]: 0 });
    }
  });

  it.each(STYLES)(
    "needs no extra request, and leaves the query unchanged with freshness: false: %s",
    async (style) => {
      const texts: string[] = [];
      const options: ClientOptions = {
        fetch: (url, init) => {
          texts.push(JSON.parse(String(init?.body)).query);
          return fetch(url, init);
        },
      };
      const chain = { chain: "base", style } as const;
      const plain = await run(
        served().client({ ...options, freshness: false }),
        AllStreams,
        { first: 3 },
        chain,
      );
      const reported = await run(served().client(options), AllStreams, { first: 3 }, chain);
      expect(texts).toHaveLength(2);
      expect(texts[0]).toBe(AllStreams[style]);
      expect(texts[1]).toContain(style === "subgraph" ? "_meta" : "chain_metadata");
      expect(plain.head).toBeNull();
      expect(reported.head).not.toBeNull();
      expect(plain.data).toEqual(reported.data);
      expect(Object.keys(reported.data)).toEqual(["streams"]);
    },
  );
});
