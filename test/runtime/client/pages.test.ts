import { describe, expect, it } from "vitest";
import { AllStreams } from "../../../generated/lockup/portable.ts";
import { pages } from "../../../packages/client/src/calls/pages.ts";
import { queryPages } from "../../../packages/client/src/calls/query.ts";
import type { Page, PageOptions } from "../../../packages/client/src/calls/read-page.ts";
import type { ClientOptions } from "../../../packages/client/src/client/client-types.ts";
import { IndexerError } from "../../../packages/client/src/client/indexer-error.ts";
import type { PortableOperation } from "../../../packages/client/src/client/portable-operation.ts";
import type { Project } from "../../../packages/client/src/manifest/manifest-types.ts";
import { mapFilter } from "../../../packages/client/src/variables/map-filter.ts";
import { chainId, int, filter as readFilter } from "../../../packages/client/src/variables/readers.ts";
import { clientOf, countRequests, rejection, withEmulator } from "./support.ts";

type Row = { readonly id: string; readonly subgraphId: string };
type Operation<V> = PortableOperation<"lockup", { readonly streams: readonly Row[] }, V, "pages">;

const emulator = withEmulator();
const client = (options: ClientOptions = {}) => clientOf({ env: emulator().env(), retries: 0, ...options });

/** Walks through all pages and returns them, the ids and the end. */
async function walk<V>(
  options: Partial<PageOptions> = {},
  own = client(),
  operation: Operation<V> = AllStreams as unknown as Operation<V>,
  variables = {} as V,
) {
  const found: Page<Row>[] = [];
  const all = pages<Project, "lockup", { streams: readonly Row[] }, unknown>(
    own,
    operation as Operation<unknown>,
    variables as unknown,
    { chain: "base", ...options },
  );
  let step = await all.next();
  for (; !step.done; step = await all.next()) found.push(step.value);
  return {
    found,
    ids: found.flatMap(({ rows }) => rows.map(({ subgraphId }) => Number(subgraphId))),
    end: step.value,
  };
}

/** Lets some requests pass, and then fails all to the first host. */
function failAfter(count: number): typeof fetch {
  let first: string | undefined;
  let left = count;
  return async (url, init) => {
    first ??= String(url);
    if (String(url) === first && left-- <= 0) return new Response("", { status: 502 });
    return fetch(url, init);
  };
}

const ALL = Array.from({ length: 30 }, (_, index) => index + 1);

describe("pages", () => {
  it("are of one block of a subgraph while its head advances", async () => {
    const heads: (number | undefined)[] = [];
    const own = client({ environment: "testing", onRequest: () => emulator().advance(3, 8453) });
    const { found, ids } = await walk({ size: 7, style: "subgraph" }, own);
    for (const { head } of found) heads.push(head?.block);
    expect(ids).toEqual(ALL);
    expect(new Set(heads).size).toBe(1);
    const bodies: unknown[] = [];
    const blind = client({
      freshness: false,
      fetch: (url, init) => {
        bodies.push(JSON.parse(String(init?.body)).variables);
        return fetch(url, init);
      },
    });
    expect((await walk({ size: 10, style: "subgraph" }, blind)).ids).toEqual(ALL);
    expect(bodies).toEqual([
      { first: 10 },
      { first: 10, after: "10" },
      { first: 10, after: "20" },
      { first: 10, after: "30" },
    ]);
  });

  it("return all rows if a host returns fewer than requested", async () => {
    const capped = client({
      fetch: async (url, init) => {
        const body = (await (await fetch(url, init)).json()) as { data: { streams: unknown[] } };
        body.data.streams = body.data.streams.slice(0, 4);
        return new Response(JSON.stringify(body));
      },
    });
    const { ids, end } = await walk({ size: 7, style: "multichain" }, capped);
    expect(ids).toEqual(ALL);
    expect(end).toEqual({ pages: 8, rows: 30, cursor: "30", complete: true });
  });

  it("end without another request after a short page, if the row cap is known", async () => {
    const count = (style: "multichain" | "subgraph") =>
      countRequests(emulator(), () => walk({ size: 20, style }));
    expect(Object.values(await count("subgraph"))).toEqual([2]);
    expect(Object.values(await count("multichain"))).toEqual([3]);
    const capped = (maxRows: number) =>
      client({
        endpoint: (request) => {
          const target = client().endpoint(request);
          return target && { ...target, limits: { dailyQueries: null, maxRows } };
        },
      });
    const known = (maxRows: number) =>
      countRequests(emulator(), () => walk({ size: 20, style: "multichain" }, capped(maxRows)));
    expect(Object.values(await known(20))).toEqual([2]);
    expect(Object.values(await known(19))).toEqual([2]);
  });

  it("start after a cursor, use the given size, and can be empty", async () => {
    const { found, ids } = await walk({ size: 2, after: "25" });
    expect(ids).toEqual([26, 27, 28, 29, 30]);
    expect(found.map(({ index, rows, cursor }) => [index, rows.length, cursor])).toEqual([
      [0, 2, "27"],
      [1, 2, "29"],
      [2, 1, "30"],
    ]);
    expect((await walk({ after: "30" })).end).toEqual({ pages: 0, rows: 0, cursor: "30", complete: true });
    const sized = await walk({}, client(), AllStreams as unknown as Operation<unknown>, { first: 12 });
    expect(sized.found.map(({ rows }) => rows.length)).toEqual([12, 12, 6]);
    for (const size of [0, 1001, 1.5]) {
      expect(await rejection(walk({ size }))).toMatchObject({ code: "invalid-variables" });
    }
  });

  it("fail with the cursor to resume at", async () => {
    const failing = client({ fetch: failAfter(2) });
    const found: Page<unknown>[] = [];
    const error = await rejection(
      (async () => {
        for await (const page of pages(failing, AllStreams, {}, { chain: "base", size: 7 })) found.push(page);
      })(),
    );
    expect(found).toHaveLength(2);
    expect(error).toBeInstanceOf(IndexerError);
    expect(error).toMatchObject({ code: "unavailable", cursor: "14", tried: [{ style: "multichain" }] });
    expect((await walk({ after: "14" })).ids).toEqual(ALL.slice(14));
    const aborted = AbortSignal.abort("enough");
    expect(await rejection(walk({ signal: aborted }))).toBe("enough");
  });

  it.each([
    ["multichain", "subgraph"],
    ["subgraph", "multichain"],
  ] as const)("switch from %s to %s style with switchStyle", async (from, to) => {
    const own = client({ styles: [from, to], fetch: failAfter(2) });
    const { found, ids, end } = await walk({ size: 7, switchStyle: true }, own);
    expect(ids).toEqual(ALL);
    expect(found.map(({ style }) => style)).toEqual([from, from, to, to, to]);
    expect(end).toEqual({ pages: 5, rows: 30, cursor: "30", complete: true });
  });

  it.each([null, {}, "a", [null], [[]]])("fail if the list is %j", async (streams) => {
    // Rows of it cannot be merged, as they have no id.
    const { list: _, ...operation } = AllStreams;
    const text = JSON.stringify({
      data: { streams, lockflow: [{ chain_id: 8453, latest_processed_block: 1 }] },
    });
    const own = client({ styles: ["multichain"], fetch: async () => new Response(text) });
    const walked = walk({ size: 1 }, own, operation as unknown as Operation<unknown>);
    expect(await rejection(walked)).toMatchObject({ code: "unavailable", cursor: null });
  });

  it.each([
    ["ignores the cursor", "7", "7"],
    ["returns null as the cursor", null, null],
  ])("fail if a host %s", async (_, subgraphId, cursor) => {
    const rows = [{ subgraphId, chainId: "8453", asset: {}, id: "a", timestamp: "1" }];
    const lockflow = [{ chain_id: 8453, latest_processed_block: 1, block_height: 1 }];
    const text = JSON.stringify({ data: { streams: rows, lockflow } });
    const own = client({ styles: ["multichain"], fetch: async () => new Response(text) });
    expect(await rejection(walk({ size: 1 }, own))).toMatchObject({ code: "inconsistent", cursor });
  });

  it.each([
    ["asc", undefined, ALL],
    ["desc", undefined, ALL.toReversed()],
    ["asc", { or: [{ subgraphId_lt: "4" }, { subgraphId_gt: "28" }] }, [1, 2, 3, 29, 30]],
    ["desc", { subgraphId_in: ["3", "9", "20"] }, [20, 9, 3]],
  ] as const)("add their cursor to a filter variable: %s, case %#", async (direction, where, want) => {
    const table = { columns: { id: "text", subgraphId: "bigInt" }, related: {} } as const;
    const operation: Operation<object> = {
      format: 1,
      name: "Filtered",
      protocol: "lockup",
      multichain: `query Filtered($filter: Stream_bool_exp! = {}, $first: Int!, $chainIds: [numeric!]!) {\n  streams: Stream(where: {_and: [{chainId: {_in: $chainIds}}, $filter]}, order_by: [{subgraphId: ${direction}}], limit: $first) {\n    id\n    subgraphId\n  }\n}`,
      subgraph: `query Filtered($filter: Stream_filter, $first: Int!, $block: Block_height) {\n  streams(where: $filter, orderBy: subgraphId, orderDirection: ${direction}, first: $first, block: $block) {\n    id\n    subgraphId\n  }\n}`,
      map: ({ filter, ...rest }, isSubgraph) =>
        filter === undefined ? rest : { ...rest, filter: mapFilter(table, filter, isSubgraph) },
      variables: { filter: readFilter, first: int },
      required: ["first"],
      chainIds: { chainIds: [chainId] },
      past: "subgraph",
      roots: ["streams"],
      page: {
        ...{ key: "streams", cursor: "subgraphId", after: null, filter: "filter", first: "first" },
        ...{ direction, kind: "number" },
      },
    };
    for (const style of ["multichain", "subgraph"] as const) {
      const { ids } = await walk({ size: 2, style }, client(), operation, {
        ...(where && { filter: where }),
      });
      expect(ids, style).toEqual(want);
    }
  });

  it("are read one by one by queryPages", async () => {
    const query = queryPages(client(), AllStreams, {}, { chain: 8453, size: 12, style: "subgraph" });
    const { signal } = new AbortController();
    let place: typeof query.initialPageParam | null = query.initialPageParam;
    const sizes: number[] = [];
    while (place) {
      // Caches store it as JSON.
      const last = await query.queryFn({ signal, pageParam: JSON.parse(JSON.stringify(place)) });
      sizes.push(last.page.rows.length);
      place = query.getNextPageParam(last);
    }
    expect(sizes).toEqual([12, 12, 6]);
    expect(query.queryKey).toEqual([
      "lockflow",
      "lockup",
      "AllStreams",
      "8453",
      {},
      { environment: "production", style: "subgraph" },
      "pages",
      "12",
      null,
      null,
      AllStreams.digest,
    ]);
  });
});
