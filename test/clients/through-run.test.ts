import { ApolloClient, HttpLink, InMemoryCache } from "@apollo/client";
import { dehydrate, hydrate, InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { Client, cacheExchange, fetchExchange } from "@urql/core";
import { describe, expect, it } from "vitest";
import { type Chain, createClient, IndexerError, query, queryPages, run } from "../../generated/client.ts";
import { AllStreams, RecentStreams } from "../../generated/lockup/portable.ts";
import * as proxied from "../../generated/lockup/proxied.ts";
import { RecentStreamsDocument } from "../../generated/lockup/subgraph.ts";
import * as page from "../../generated/proxied.ts";
import { withEmulator } from "../runtime/client/support.ts";
import { serveProxy } from "../runtime/proxy/serve-proxy.ts";

const emulator = withEmulator({ streams: 4 });
const url = "https://indexers.invalid";
const variables = { first: 3 };

function fetchFrom(chain: Chain<"lockup">): typeof fetch {
  const client = createClient({ endpoint: emulator().endpoint, retries: 0 });
  return async (_, init) => {
    const { variables } = JSON.parse(String(init?.body));
    const { data } = await run(client, RecentStreams, variables, {
      chain,
      signal: init?.signal ?? undefined,
    });
    return Response.json({ data });
  };
}

async function wantedIds(): Promise<string[]> {
  const client = createClient({ endpoint: emulator().endpoint });
  const { data } = await run(client, RecentStreams, variables, { chain: "base" });
  return data.streams.map(({ id }) => id);
}

describe("a fetch that calls run", () => {
  it("answers Apollo, whose errors are IndexerErrors", async () => {
    const link = new HttpLink({ uri: url, fetch: fetchFrom("base") });
    const apollo = new ApolloClient({ link, cache: new InMemoryCache() });
    const question = { query: RecentStreamsDocument, variables, fetchPolicy: "no-cache" } as const;
    const { data } = await apollo.query(question);
    expect(data?.streams.map(({ id }) => id)).toEqual(await wantedIds());
    using _ = await emulator().fault({ kind: "502" });
    const failure = await apollo.query(question).catch((error: unknown) => error);
    expect(IndexerError.is(failure)).toBe(true);
  });

  it("answers urql, and its network errors are IndexerErrors", async () => {
    const exchanges = [cacheExchange, fetchExchange];
    const urql = new Client({ url, exchanges, fetch: fetchFrom("base"), preferGetMethod: false });
    const { data } = await urql.query(RecentStreamsDocument, variables).toPromise();
    expect(data?.streams.map(({ id }) => id)).toEqual(await wantedIds());
    using _ = await emulator().fault({ kind: "502" });
    const { error } = await urql.query(RecentStreamsDocument, { first: 4 }).toPromise();
    expect(IndexerError.is(error?.networkError)).toBe(true);
  });
});

describe("answers of a server", () => {
  it("continue in the cache of a page", async () => {
    const options = { chain: "base" } as const;
    const server = new QueryClient();
    const own = createClient({ env: emulator().env() });
    await server.prefetchQuery(query(own, RecentStreams, variables, options));
    const client = page.createClient({ proxy: "/api/indexers" });
    const cache = new QueryClient();
    hydrate(cache, JSON.parse(JSON.stringify(dehydrate(server))));
    const { queryKey } = page.query(client, proxied.RecentStreams, variables, options);
    expect(cache.getQueryData(queryKey)).toMatchObject({ chain: "base", data: { streams: [{}, {}, {}] } });
    cache.clear();
    server.clear();
  });

  it("continue in the pages of a page, which requests the rest", async () => {
    const { url } = await serveProxy({ env: emulator().env() });
    const own = createClient({ env: emulator().env() });
    const client = page.createClient({ proxy: url });
    for (const options of [{ chain: "base" }, { chains: ["base", "ethereum"] }]) {
      const asked = { ...options, size: 2, style: "subgraph" } as unknown as { readonly chain: "base" };
      const server = new QueryClient();
      await server.prefetchInfiniteQuery(queryPages(own, AllStreams, {}, asked));
      const cache = new QueryClient();
      hydrate(cache, JSON.parse(JSON.stringify(dehydrate(server))));
      const infinite = page.queryPages(client, proxied.AllStreams, {}, asked);
      const observer = new InfiniteQueryObserver(cache, { ...infinite, staleTime: 60_000 });
      for (const read of [() => observer.fetchNextPage(), () => observer.refetch()]) {
        const { data, error } = await read();
        expect(error).toBeNull();
        const pages = data?.pages.map(({ page }) => page) ?? [];
        expect(new Set(pages.flatMap(({ rows }) => rows.map(({ id }) => id))).size).toBe(4);
        const blocks = pages.map(({ head }) => head?.hash);
        expect(new Set(blocks).size).toBe(1);
      }
      cache.clear();
      server.clear();
    }
  });
});
