import { describe, expect, it } from "vitest";
import {
  type Client,
  type Page,
  type PageEnd,
  type PageOptions,
  pages,
  queryPages,
  run,
} from "../../generated/client.ts";
import { AllStreams, ChainCounters } from "../../generated/lockup/portable.ts";
import { type EndpointRequest, endpoint } from "../../generated/manifest.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { retryAtOnce } from "../support/retry-at-once.ts";
import {
  compileOperations,
  deploymentsOf,
  failureOf,
  observe,
  otherStyle,
  STYLES,
  type StreamRow,
  serve,
  serveSuite,
} from "./support.ts";

retryAtOnce();

const ON_BASE = { chain: "base" } as const;
const HEAD_OF_BASE = { base: 8453 };

const { Newest, Filtered, Latest, ById } = compileOperations(`
  query Newest($before: BigInt! = "999999999", $first: Int! = 100) {
    streams(where: { subgraphId_lt: $before }, orderBy: subgraphId, orderDirection: desc, first: $first) {
      id subgraphId chainId
    }
  }
  query Filtered($where: Stream_filter, $first: Int! = 100) {
    streams(where: $where, orderBy: subgraphId, orderDirection: asc, first: $first) {
      id subgraphId chainId category
    }
  }
  query Latest($where: Stream_filter, $first: Int! = 100) {
    streams(where: $where, orderBy: subgraphId, orderDirection: desc, first: $first) { id subgraphId chainId }
  }
  query ById($after: String! = "", $first: Int! = 100) {
    streams(where: { id_gt: $after }, orderBy: id, orderDirection: asc, first: $first) { id subgraphId chainId }
  }
`);
if (!Newest || !Filtered || !Latest || !ById) throw new Error("An operation is missing.");

type Walk<Row> = {
  readonly pages: readonly Page<Row>[];
  readonly rows: readonly Row[];
  readonly end: PageEnd;
};

/** Walks through all pages and calls a function after each. */
async function walk<Row>(
  all: AsyncGenerator<Page<Row>, PageEnd>,
  between: (page: Page<Row>) => unknown = () => {},
): Promise<Walk<Row>> {
  const seen: Page<Row>[] = [];
  for (;;) {
    const step = await all.next();
    if (step.done) return { pages: seen, rows: seen.flatMap(({ rows }) => rows), end: step.value };
    seen.push(step.value);
    await between(step.value);
  }
}

const cursorsOf = (rows: readonly { readonly subgraphId: string }[]) =>
  rows.map((row) => Number(row.subgraphId));
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** Ten pages of streams. */
const MANY = IS_THOROUGH ? 10_000 : 800;
const OF_MANY = { ...ON_BASE, size: MANY / 10 };

/** One style by default. */
const TRIED = IS_THOROUGH ? STYLES : STYLES.slice(0, 1);

describe("pages of a growing list", () => {
  const served = serveSuite({ streams: MANY, deployments: deploymentsOf(HEAD_OF_BASE) });

  it("of a subgraph are of one block", async () => {
    const { emulator, client } = served();
    const asked: Readonly<Record<string, unknown>>[] = [];
    const own = client({
      fetch: (url, init) => {
        asked.push(JSON.parse(String(init?.body)).variables);
        return fetch(url, init);
      },
    });
    const {
      pages: all,
      rows,
      end,
    } = await walk(pages(own, AllStreams, {}, { ...OF_MANY, style: "subgraph" }), () =>
      emulator.advance(40, 8453),
    );
    const [first] = all;
    const hash = first?.head?.hash;
    expect(hash).toMatch(/^0x[\da-f]{64}$/);
    expect(new Set(all.map(({ head }) => `${head?.hash} ${head?.block}`)).size).toBe(1);
    expect(asked.map(({ block }) => block)).toEqual(
      [undefined, ...all.map(() => ({ hash }))].slice(0, asked.length),
    );
    const { data } = await run(own, ChainCounters, {}, { ...ON_BASE, block: { hash: hash ?? "0x" } });
    const count = Number(data.watchers[0]?.streamCounter);
    expect(count).toBeGreaterThanOrEqual(MANY);
    expect(cursorsOf(rows)).toEqual(upTo(count));
    expect(end).toEqual({ pages: all.length, rows: count, cursor: String(count), complete: true });
    // More streams exist now.
    const { data: later } = await run(own, ChainCounters, {}, { ...ON_BASE, style: "subgraph" });
    expect(Number(later.watchers[0]?.streamCounter)).toBeGreaterThan(count);
  });

  it("of a multichain indexer have no gaps or duplicates", async () => {
    const { emulator, client } = served();
    const {
      pages: all,
      rows,
      end,
    } = await walk(pages(client(), AllStreams, {}, OF_MANY), () => emulator.advance(40, 8453));
    expect(new Set(all.map(({ style }) => style))).toEqual(new Set(["multichain"]));
    const heads = all.map(({ head }) => head?.block ?? 0);
    expect(heads).toEqual([...heads].sort((a, b) => a - b));
    expect(new Set(heads).size).toBe(heads.length);
    const { data } = await run(client(), ChainCounters, {}, ON_BASE);
    const count = Number(data.watchers[0]?.streamCounter);
    expect(cursorsOf(rows)).toEqual(upTo(rows.length));
    expect(rows.length).toBeGreaterThan(MANY);
    // Rows that were added after the last request are missing.
    expect(rows.length).toBeLessThanOrEqual(count);
    expect(end).toMatchObject({ rows: rows.length, complete: true });
  });
});

describe("pages", () => {
  const served = serveSuite({ streams: 60, deployments: deploymentsOf(HEAD_OF_BASE) });

  it.each(STYLES)("end with the last row for any page size: %s", async (style) => {
    for (const [size, count, requests] of [
      [25, 3, style === "subgraph" ? 3 : 4],
      [30, 2, 3],
      [60, 1, 2],
      [1000, 1, style === "subgraph" ? 1 : 2],
    ] as const) {
      const { result, sent } = await observe(served(), { styles: [style] }, (client) =>
        walk(pages(client, AllStreams, {}, { ...ON_BASE, size })),
      );
      expect(cursorsOf(result.rows)).toEqual(upTo(60));
      expect(result.end).toEqual({ pages: count, rows: 60, cursor: "60", complete: true });
      expect(result.pages.map(({ index }) => index)).toEqual(upTo(count).map((index) => index - 1));
      expect(sent).toEqual({ [style]: requests, [otherStyle(style)]: 0 });
    }
  });

  it.each([
    // A short page ends the pages only if maxRows is known.
    [1000, 25, 60, 3],
    [25, 25, 60, 3],
    [24, 25, 60, 3],
    [null, 25, 60, 4],
    [null, 100, 37, 3],
    [37, 100, 37, 2],
  ])(
    "end at a short page if maxRows is known: maxRows %s, size %s, cap %s",
    async (maxRows, size, rowCap, requests) => {
      await using own = await serve({ streams: 60, deployments: deploymentsOf(HEAD_OF_BASE, { rowCap }) });
      const options = {
        endpoint: (request: EndpointRequest) => {
          const target = endpoint(request, own.env);
          return { ...target, limits: { dailyQueries: null, ...(maxRows === null ? {} : { maxRows }) } };
        },
      };
      const { result, sent } = await observe(own, options, (client) =>
        walk(pages(client, AllStreams, {}, { ...ON_BASE, size })),
      );
      expect(cursorsOf(result.rows)).toEqual(upTo(60));
      expect(sent.multichain).toBe(requests);
    },
  );

  it.each(STYLES)("resume at a cursor: %s", async (style) => {
    const client = served().client();
    const options = { ...ON_BASE, style, size: 20 };
    const { rows, end } = await walk(pages(client, AllStreams, {}, { ...options, after: "45" }));
    expect(cursorsOf(rows)).toEqual(upTo(60).slice(45));
    expect(end).toEqual({ pages: 1, rows: 15, cursor: "60", complete: true });
    // No row follows the last one.
    const none = await walk(pages(client, AllStreams, {}, { ...options, after: "60" }));
    expect(none.end).toEqual({ pages: 0, rows: 0, cursor: "60", complete: true });
    // A variable of the operation can also set the start.
    const given = await walk(pages(client, AllStreams, { after: "50", first: 4 }, { ...ON_BASE, style }));
    expect(cursorsOf(given.rows)).toEqual(upTo(60).slice(50));
    expect(given.pages.map((page) => page.rows.length)).toEqual([4, 4, 2]);
  });

  it.each(STYLES)("support descending order, text cursors and filters: %s", async (style) => {
    const client = served().client();
    const options = { ...ON_BASE, style, size: 17 };
    const newest = await walk(pages(client, Newest, {}, options));
    expect(cursorsOf(newest.rows)).toEqual(upTo(60).reverse());
    const resumed = await walk(pages(client, Newest, {}, { ...options, after: "5" }));
    expect(cursorsOf(resumed.rows)).toEqual([4, 3, 2, 1]);
    const byId = await walk(pages(client, ById, {}, options));
    const ids = byId.rows.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].sort());
    expect(ids).toHaveLength(60);
    const everything = await walk(pages(client, Filtered, {}, options));
    expect(cursorsOf(everything.rows)).toEqual(upTo(60));
    const where = { or: [{ subgraphId_lt: "30", cancelable: true }, { subgraphId_gte: 55 }] };
    const some = await walk(pages(client, Filtered, { where }, options));
    const truth = await run(client, AllStreams, {}, { ...ON_BASE, style });
    const wanted = truth.data.streams.filter(
      ({ subgraphId, cancelable }) => (Number(subgraphId) < 30 && cancelable) || Number(subgraphId) >= 55,
    );
    expect(cursorsOf(some.rows)).toEqual(cursorsOf(wanted));
    expect(some.pages.length).toBeGreaterThan(0);
    const few = { where: { subgraphId_in: ["3", "9", "20"] } };
    expect(cursorsOf((await walk(pages(client, Latest, few, { ...options, size: 2 }))).rows)).toEqual([
      20, 9, 3,
    ]);
    expect(wanted.length).toBeGreaterThan(10);
  });

  it.each(STYLES)("that fail report the cursor to resume at: %s", async (style) => {
    const { emulator, client } = served();
    const options: PageOptions<"lockup"> = { ...ON_BASE, style, size: 20 };
    const seen: StreamRow[] = [];
    const own = client({ retries: 0 });
    const error = await failureOf(
      walk(pages(own, AllStreams, {}, options), async ({ rows, index }) => {
        seen.push(...rows);
        if (index === 1) await emulator.fault({ kind: "502" });
      }),
    );
    emulator.clearFaults();
    expect(error).toMatchObject({ code: "unavailable", cursor: "40", style, tried: [{ style }] });
    const rest = await walk(pages(own, AllStreams, {}, { ...options, after: error.cursor ?? "" }));
    expect(cursorsOf([...seen, ...rest.rows])).toEqual(upTo(60));
    // Before the first page, the cursor is the one given.
    using _ = await emulator.fault({ kind: "502" });
    expect(await failureOf(walk(pages(own, AllStreams, {}, options)))).toMatchObject({ cursor: null });
    expect(await failureOf(walk(pages(own, AllStreams, {}, { ...options, after: "7" })))).toMatchObject({
      cursor: "7",
    });
  });

  it.each(STYLES)("keep their style unless switchStyle is set: %s", async (style) => {
    const other = otherStyle(style);
    const styles = [style, other];
    const walkWith = async (client: Client, switchStyle: boolean) =>
      walk(pages(client, AllStreams, {}, { ...ON_BASE, size: 20, switchStyle }), async ({ index }) => {
        if (index === 0) await served().emulator.fault({ kind: "500", style });
      });
    const kept = await observe(served(), { styles, retries: 1 }, (client) =>
      failureOf(walkWith(client, false)),
    );
    served().emulator.clearFaults();
    expect(kept.result).toMatchObject({ code: "unavailable", style, cursor: "20" });
    expect(kept.sent).toEqual({ [style]: 3, [other]: 0 });
    const switched = await observe(served(), { styles, retries: 0 }, (client) => walkWith(client, true));
    served().emulator.clearFaults();
    expect(cursorsOf(switched.result.rows)).toEqual(upTo(60));
    expect(switched.result.pages.map((page) => page.style)).toEqual([style, other, other]);
    expect(switched.sent).toMatchObject({ [style]: 2 });
    // If neither style answers, the error still has the cursor.
    const error = await failureOf(
      walk(
        pages(
          served().client({ styles, retries: 0 }),
          AllStreams,
          {},
          { ...ON_BASE, size: 20, switchStyle: true },
        ),
        () => served().emulator.fault({ kind: "500" }),
      ),
    );
    served().emulator.clearFaults();
    expect(error).toMatchObject({ code: "unavailable", style: other, cursor: "20" });
  });

  it("that start in the second style stay in it", async () => {
    const { emulator, client } = served();
    const handle = await emulator.fault({ kind: "404", style: "multichain" });
    const { pages: all, rows } = await walk(pages(client(), AllStreams, {}, { ...ON_BASE, size: 20 }), () =>
      handle.lift(),
    );
    expect(cursorsOf(rows)).toEqual(upTo(60));
    expect(new Set(all.map(({ style }) => style))).toEqual(new Set(["subgraph"]));
    expect(new Set(all.map(({ head }) => head?.hash)).size).toBe(1);
  });

  it("do not start at a missing block, for the errors of a node and a gateway", async () => {
    const gone = [{ number: 1 }, { hash: `0x${"1".repeat(64)}` as const }];
    const codes = { testing: ["pruned", "pruned"], production: ["rejected", "behind"] } as const;
    for (const environment of ["testing", "production"] as const) {
      for (const [index, block] of gone.entries()) {
        const client = served().client({ environment });
        const error = await failureOf(walk(pages(client, AllStreams, {}, { ...ON_BASE, block })));
        expect(error).toMatchObject({ code: codes[environment][index], style: "subgraph", cursor: null });
      }
    }
  });

  it("do not request a page that is not read", async () => {
    const { result, sent } = await observe(served(), {}, async (client) => {
      const seen: number[] = [];
      for await (const { rows, index } of pages(client, AllStreams, {}, { ...ON_BASE, size: 10 })) {
        seen.push(rows.length);
        if (index === 1) break;
      }
      return seen;
    });
    expect(result).toEqual([10, 10]);
    expect(sent.multichain).toBe(2);
  });

  it("reject an operation without a cursor", async () => {
    const error = await failureOf(walk(pages(served().client(), ChainCounters as never, {}, ON_BASE)));
    expect(error.code).toBe("invalid-variables");
  });

  it.each(TRIED)("are the same if queryPages requests each one: %s", async (style) => {
    const client = served().client();
    const options = { ...ON_BASE, style, size: 20 };
    const { rows, pages: all } = await walk(pages(client, AllStreams, {}, options));
    const { queryFn, initialPageParam, getNextPageParam } = queryPages(client, AllStreams, {}, options);
    const read = [];
    for (let pageParam: typeof initialPageParam | null = initialPageParam; pageParam; ) {
      const one = await queryFn({ signal: new AbortController().signal, pageParam });
      read.push(one.page);
      pageParam = getNextPageParam(one);
    }
    expect(read.flatMap((page) => page.rows)).toEqual(rows);
    expect(read.filter((page) => page.rows.length > 0).map(({ cursor }) => cursor)).toEqual(
      all.map(({ cursor }) => cursor),
    );
  });
});
