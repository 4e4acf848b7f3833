import { describe, expect, it } from "vitest";
import { createClient, each, health, IndexerError, merged, pages, run } from "../../../generated/client.ts";
import * as lockup from "../../../generated/lockup/portable.ts";
import * as page from "../../../generated/proxied.ts";
import { routes } from "../../../generated/routes.ts";
import { type Answers, answering, handlers } from "../../../packages/client/src/testing/answering.ts";
import { rejection } from "../client/support.ts";

type Row = Awaited<ReturnType<NonNullable<Answers<typeof lockup>["RecentStreams"]>>>["streams"][number];

const project = { routes, operations: lockup, block: 500 };
const proxy = "https://indexers.test";
const clientOf = (answers: Answers<typeof lockup>) =>
  createClient({ retries: 0, fetch: answering(project, answers) });

/** The same for a page, with the types of a client. */
const pageOf = (answers: Answers<typeof lockup>) =>
  page.createClient({ proxy, fetch: answering(project, answers) });

/** The fields of a row that the client checks. */
const rowOf = (chainId: number, timestamp: number) =>
  ({
    id: `${chainId}-${timestamp}`,
    chainId: String(chainId),
    timestamp: String(timestamp),
    subgraphId: "1",
  }) as Row;

describe("answering", () => {
  it("calls a function with the variables and context, and adds a head to its answer", async () => {
    const asked: unknown[] = [];
    const client = clientOf({
      StreamById: (variables, context) => {
        asked.push(variables, context);
        return { stream: null };
      },
    });
    for (const style of ["multichain", "subgraph"] as const) {
      const result = await run(client, lockup.StreamById, { id: "0xAB-1-2" }, { chain: "ethereum", style });
      expect(result).toMatchObject({ style, data: { stream: null }, head: { block: 500 }, tried: [] });
    }
    const context = { chain: "ethereum", chainId: 1, block: undefined };
    expect(asked).toEqual([
      { id: "0xab-1-2" },
      { ...context, style: "multichain" },
      { id: "0xab-1-2" },
      { ...context, style: "subgraph" },
    ]);
  });

  it("answers several chains in one list, in the order of the operation", async () => {
    const times: Readonly<Record<string, number[]>> = { base: [9, 5, 1], ethereum: [8, 6] };
    const client = clientOf({
      RecentStreams: ({ first }, { chain, chainId }) => ({
        streams: (times[chain] ?? []).slice(0, first ?? 100).map((time) => rowOf(chainId, time)),
      }),
    });
    const { rows } = await merged(
      client,
      lockup.RecentStreams,
      { first: 3 },
      { chains: ["base", "ethereum"] },
    );
    expect(rows.map(({ timestamp }) => timestamp)).toEqual(["9", "8", "6"]);
  });

  it("answers pages, past blocks and health", async () => {
    const client = clientOf({
      AllStreams: ({ after = "0" }, { chainId }) => ({
        streams:
          Number(after) < 3 ? [{ ...rowOf(chainId, 1), subgraphId: String(Number(after) + 1) } as never] : [],
      }),
    });
    const cursors: (string | null)[] = [];
    for await (const page of pages(
      client,
      lockup.AllStreams,
      {},
      { chain: "base", size: 1, style: "subgraph" },
    )) {
      cursors.push(page.cursor);
    }
    expect(cursors).toEqual(["1", "2", "3"]);
    const past = await run(client, lockup.AllStreams, {}, { chain: "base", block: { number: 7 } });
    expect(past.head?.block).toBe(7);
    const heads = await health(client, "lockup", { chains: ["base"] });
    expect(heads.map((one) => one.status === "ok" && one.data.head.block)).toEqual([500, 500]);
  });

  it("fails if a function throws", async () => {
    const client = clientOf({
      RecentStreams: (_, { style }) => {
        throw new IndexerError(style === "multichain" ? "unavailable" : "auth", "out of order", {
          status: 503,
        });
      },
    });
    const [result] = await each(client, lockup.RecentStreams, {}, { chains: ["base"] });
    expect(result).toMatchObject({ status: "failed", tried: [{ error: { code: "unavailable" } }, {}] });
  });

  it("rejects operations without an answer, and requests of others", async () => {
    const error = await rejection(run(clientOf({}), lockup.RecentStreams, {}, { chain: "base" }));
    expect(error).toMatchObject({
      code: "rejected",
      message: expect.stringContaining("The test has no answer for RecentStreams of lockup"),
    });
    const fetch = answering(project, {});
    await expect(fetch("https://a.test", { body: "{}" })).rejects.toThrow("answering() needs a client");
  });

  it("answers all calls of a page, in one style after the other", async () => {
    const styles: string[] = [];
    const row = (chainId: number, subgraphId: number) =>
      ({ ...rowOf(chainId, 5), subgraphId: String(subgraphId), id: `${chainId}-${subgraphId}` }) as never;
    const client = pageOf({
      AllStreams: ({ after = "0" }, { chain, chainId, style }) => {
        styles.push(style);
        if (style === "multichain") throw new IndexerError("unavailable", `${chain} is down.`);
        return { streams: Number(after) < 2 ? [row(chainId, Number(after) + 1)] : [] };
      },
    });
    const { AllStreams } = lockup;
    const chains = ["base", "ethereum"] as const;
    const one = await page.run(client, AllStreams, {}, { chain: "base" });
    expect(one).toMatchObject({ style: "subgraph", head: { block: 500 }, tried: [{ style: "multichain" }] });
    expect(styles).toEqual(["multichain", "subgraph"]);
    expect(await page.each(client, AllStreams, {}, { chains })).toMatchObject([{ status: "ok" }, {}]);
    expect((await page.merged(client, AllStreams, {}, { chains })).rows).toHaveLength(2);
    expect((await page.all(client, AllStreams, {}, { chains, size: 1 })).rows).toHaveLength(4);
    expect(await page.health(client, "lockup", { chains: ["base"] })).toHaveLength(2);
    const batches = page.watch(client, AllStreams, {}, { chains: ["base"] });
    expect((await batches.next()).value).toMatchObject({ chain: "base", cursor: '{"base":"1"}' });
    await batches.return();
  });

  it("has the types of the operations", () => {
    answering(project, {
      // @ts-expect-error a variable of another operation
      StreamById: ({ sender }) => ({ stream: sender }),
      // @ts-expect-error no data
      RecentStreams: () => ({}),
    });
    // @ts-expect-error an operation that the module does not have
    answering(project, { Streams: () => ({}) });
    expect.assertions(0);
  });
});

describe("handlers", () => {
  it("answer requests to the URL of the proxy", async () => {
    type Resolver = (info: { readonly request: Request }) => Promise<Response>;
    const http = { post: (url: string, resolve: Resolver) => ({ url, resolve }) };
    const [handler] = handlers(
      { ...project, http, url: `${proxy}/` },
      { StreamById: () => ({ stream: null }) },
    );
    expect(handler?.url).toBe(`${proxy}/`);
    const fetch = async (url: unknown, init?: RequestInit) =>
      handler?.resolve({ request: new Request(String(url), init) }) as Promise<Response>;
    const client = page.createClient({ proxy: `${proxy}/`, fetch });
    const { data } = await page.run(client, lockup.StreamById, { id: "a" }, { chain: "base" });
    expect(data).toEqual({ stream: null });
  });
});
