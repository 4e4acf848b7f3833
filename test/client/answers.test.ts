import { parse } from "graphql";
import { describe, expect, it } from "vitest";
import {
  type Client,
  type ClientOptions,
  each,
  merged,
  pages,
  queryPages,
  run,
} from "../../generated/client.ts";
import type { EndpointRequest } from "../../generated/manifest.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { testServer } from "../support/test-server.ts";
import { clientAt, compileOperations, failureOf, type StreamRow, type Style } from "./support.ts";

const { Newest, Walk, ById, Bare, Two, Unmerged, One } = compileOperations(`
  query Newest($first: Int! = 5) {
    streams(first: $first, orderBy: timestamp, orderDirection: desc) { id chainId timestamp subgraphId }
  }
  query Walk($after: BigInt! = 0, $first: Int! = 100) {
    streams(where: { subgraphId_gt: $after }, orderBy: subgraphId, first: $first) { id chainId subgraphId timestamp }
  }
  query Bare($first: Int! = 5) { streams(first: $first) { id asset { id } } others: streams(first: 1) { id chainId } }
  query Two($first: Int! = 5) { streams(first: $first) { id chainId } others: streams(first: 1) { id chainId } }
  query Unmerged($first: Int! = 5) { streams(first: $first, orderBy: timestamp) { id chainId } }
  query One($id: ID!) { stream(id: $id) { id } }
  query ById($after: String! = "", $first: Int! = 100) {
    streams(where: { id_gt: $after }, orderBy: id, first: $first) { id chainId subgraphId }
  }
`);
if (!Newest || !Walk || !ById || !Bare || !Two || !Unmerged || !One)
  throw new Error("An operation is missing.");

type Row = StreamRow & { readonly timestamp?: unknown };
type Request = {
  readonly style: Style;
  readonly variables: Readonly<Record<string, unknown>> & {
    readonly first?: number;
    readonly after?: string;
    readonly chainIds?: readonly string[];
  };
  readonly query: string;
};

const ON_BASE = { chain: "base" } as const;
const HASH = `0x${"ab".repeat(32)}` as const;

/** Returns a row of a chain by its number; a greater number is newer. */
const rowOf = (number: number, chainId = 8453): Row => ({
  id: `0xab-${chainId}-${number}`,
  subgraphId: String(number),
  chainId: String(chainId),
  timestamp: String(1_000 + number),
});
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const numbersOf = (rows: readonly StreamRow[]) => rows.map(({ subgraphId }) => Number(subgraphId));
const after = ({ variables }: Request) => Number(variables.after ?? 0);

/** The heads in each style, unless an answer has its own. */
const HEADS = {
  lockflow: [1, 137, 8453].map((chain_id) => ({ chain_id, latest_processed_block: 9, block_height: 9 })),
  _meta: { block: { number: 9, hash: HASH, timestamp: 900 }, hasIndexingErrors: false },
};

/** Starts a server with the given answers; returns a client, its requests and the URL. */
async function answering(
  answer: (request: Request) => Readonly<Record<string, unknown>> | string,
  options: ClientOptions & { readonly maxRows?: number } = {},
): Promise<{ readonly client: Client; readonly asked: Request[]; readonly url: string }> {
  const asked: Request[] = [];
  const { url } = await testServer(({ path, body }, response) => {
    const style = path.endsWith("/multichain") ? "multichain" : "subgraph";
    const request: Request = { style, ...JSON.parse(body) };
    asked.push(request);
    const given = answer(request);
    const heads = style === "multichain" ? { lockflow: HEADS.lockflow } : { _meta: HEADS._meta };
    response.setHeader("content-type", "application/json");
    response.end(typeof given === "string" ? given : JSON.stringify({ data: { ...heads, ...given } }));
  });
  const { maxRows, ...own } = options;
  const client = clientAt(url, { retries: 0, ...own });
  const withCap = (request: EndpointRequest) => {
    const target = client.endpoint(request);
    return target && { ...target, limits: { dailyQueries: null, ...(maxRows && { maxRows }) } };
  };
  return { client: { ...client, endpoint: withCap }, asked, url };
}

async function rowsOf(all: AsyncGenerator<{ readonly rows: readonly StreamRow[] }, unknown>) {
  const rows: StreamRow[] = [];
  for await (const page of all) {
    rows.push(...page.rows);
    if (rows.length > 1_000) throw new Error("The pages do not end.");
  }
  return rows;
}

describe("an indexer that has not started", () => {
  it.each([
    { latest_processed_block: -1, block_height: 9 },
    { latest_processed_block: null, block_height: 9 },
    { latest_processed_block: 9, block_height: null },
    { latest_processed_block: 9 },
  ])("is behind, even if the best answer is accepted: %o", async (head) => {
    const options = { styles: ["multichain"], maxLag: { seconds: 60, or: "best" } } as const;
    const { client } = await answering(
      () => ({ streams: [rowOf(1)], lockflow: [{ chain_id: 8453, ...head }] }),
      options,
    );
    expect((await failureOf(run(client, Newest, {}, ON_BASE))).code).toBe("behind");
    expect((await failureOf(merged(client, Newest, {}, { chains: ["base"] }))).code).toBe("behind");
  });
});

describe("merged", () => {
  const chains = ["base", "ethereum"] as const;

  it("returns each row once if an answer has a chain's rows but not its head", async () => {
    const { client } = await answering(({ style, variables: { chainIds = ["1"] } }) => ({
      streams: chainIds.flatMap((id) => [rowOf(2, Number(id)), rowOf(1, Number(id))]),
      ...(style === "multichain" && { lockflow: HEADS.lockflow.slice(1) }),
    }));
    const { rows, results, complete } = await merged(client, Newest, {}, { chains });
    expect(rows.map(({ id }) => id)).toEqual(["0xab-8453-2", "0xab-1-2", "0xab-8453-1", "0xab-1-1"]);
    expect(results.map((one) => one.status === "ok" && one.style)).toEqual(["multichain", "subgraph"]);
    expect(complete).toBe(true);
  });

  it("lists failed chains, and reports whether more rows may exist", async () => {
    const rows = upTo(5).map((number) => rowOf(number));
    const { client } = await answering(
      ({ style, variables: { first } }) => (style === "subgraph" ? "" : { streams: rows.slice(0, first) }),
      { styles: ["multichain"] },
    );
    const ask = (first: number, list: readonly ("base" | "blast")[]) =>
      merged(client, Newest, { first }, { chains: list });
    expect(await ask(10, ["base"])).toMatchObject({ failed: [], hasMore: false, complete: true });
    expect(await ask(5, ["base"])).toMatchObject({ failed: [], hasMore: true, complete: false });
    const { failed, hasMore, complete } = await ask(10, ["base", "blast"]);
    expect([failed, hasMore, complete]).toEqual([["blast"], false, false]);
  });

  it("orders rows by the value of a decimal", async () => {
    const byDecimal = {
      ...Newest,
      list: {
        key: "streams",
        order: [
          { path: "timestamp", kind: "decimal", direction: "desc" },
          { path: "id", kind: "text", direction: "desc" },
        ],
        first: "first",
        size: 100,
        skip: null,
      },
    } satisfies typeof Newest;
    const values = ["10", "9.5", "9.49", "0.30", "0.3", "0", "-0.2", "-0.25", "-1", "-1.5", "-10", null];
    const { client } = await answering(({ style, variables: { first = 5 } }) => {
      const start = style === "subgraph" ? 0 : 1;
      return {
        streams: values
          .map((timestamp, index) => ({ ...rowOf(90 - index, start ? 8453 : 1), timestamp }))
          .filter((_, index) => index % 2 === start)
          .slice(0, first),
      };
    });
    const endpoint: Client["endpoint"] = (request) =>
      "chain" in request && (request.chain === "base") === (request.style === "multichain")
        ? client.endpoint(request)
        : null;
    const { rows } = await merged({ ...client, endpoint }, byDecimal, { first: 20 }, { chains });
    expect(rows.map(({ subgraphId }) => values[90 - Number(subgraphId)])).toEqual([
      ...[null, "10", "9.5", "9.49", "0.30", "0.3", "0", "-0.2", "-0.25", "-1", "-1.5", "-10"],
    ]);
  });

  it.each([81, 80])("accepts numbers of 80 digits and rejects 81: %s", async (length) => {
    const { client } = await answering(({ variables: { chainIds = [] } }) => ({
      streams: chainIds.map((id) => ({ ...rowOf(1, Number(id)), timestamp: "9".repeat(length) })),
    }));
    const own = merged({ ...client, styles: ["multichain"] }, Newest, {}, { chains });
    if (length > 80) expect((await failureOf(own)).code).toBe("unavailable");
    else expect((await own).rows).toHaveLength(2);
  });

  it("rejects a list longer than requested", async () => {
    const rows = upTo(6).map((number) => rowOf(number));
    const { client } = await answering(() => ({ streams: rows }));
    expect((await failureOf(merged(client, Newest, {}, { chains: ["base"] }))).code).toBe("unavailable");
    expect((await merged(client, Newest, { first: 6 }, { chains: ["base"] })).rows).toHaveLength(6);
    for (const operation of [Newest, Unmerged]) {
      expect((await failureOf(run(client, operation, {}, ON_BASE))).code).toBe("unavailable");
    }
  });
});

describe("hasMore", () => {
  const LISTS: readonly (readonly [
    name: string,
    operation: typeof Newest,
    first: number | undefined,
    want: boolean,
  ])[] = [
    ["as long as first", Newest, 4, true],
    ["shorter than first", Newest, 5, false],
    ["as long as its default", { ...Newest, list: { ...Newest.list, size: 4 } as never }, undefined, true],
    ["shorter than its default", Newest, undefined, false],
    ["as long as first beside another list", Two, 4, true],
    ["shorter than first beside another list", Two, 5, false],
    ["that cannot be merged, as long as first", Unmerged, 4, true],
    ["that cannot be merged, shorter than first", Unmerged, 5, false],
  ];

  it.each(LISTS)("of a list %s is the same for run, each and merged", async (_, operation, first, want) => {
    const { client } = await answering(() => ({
      streams: upTo(4).map((number) => rowOf(number)),
      others: [],
    }));
    const variables = first === undefined ? {} : { first };
    const [result] = await each(client, operation, variables, { chains: ["base"] });
    const one = await run(client, operation, variables, ON_BASE);
    const all = operation.list && (await merged(client, operation, variables, { chains: ["base"] }));
    expect([one.hasMore, result?.status === "ok" && result.hasMore, all?.hasMore ?? want]).toEqual([
      ...[want, want, want],
    ]);
  });

  it("of a page is true if another page is requested", async () => {
    const { client } = await answering(
      (request) => ({
        streams: upTo(5)
          .filter((number) => number > after(request))
          .slice(0, request.variables.first)
          .map((number) => rowOf(number)),
      }),
      { styles: ["subgraph"] },
    );
    const sizes = { 2: [true, true, false], 5: [true], 6: [false] };
    for (const [size, want] of Object.entries(sizes)) {
      for (const where of [ON_BASE, { chains: ["base"] } as const]) {
        const options = { ...where, size: Number(size) } as typeof ON_BASE & { readonly size: number };
        const found: boolean[] = [];
        for await (const page of pages(client, Walk, {}, options)) found.push(page.hasMore);
        expect(found).toEqual(want);
        const { initialPageParam, queryFn } = queryPages(client, Walk, {}, options);
        const { signal } = new AbortController();
        const { page, next } = await queryFn({ signal, pageParam: initialPageParam });
        expect([page.hasMore, next !== null]).toEqual([want[0], want[0]]);
      }
    }
  });
});

describe("a host with a row cap", () => {
  const CAP = 4;
  const capped = ({ style, variables }: Request, own = upTo(10)) => {
    const rows = own.filter((number) => number > Number(variables.after ?? 0));
    const ids = style === "multichain" ? (variables.chainIds ?? []) : ["8453"];
    const all = rows.flatMap((number) => ids.map((id) => rowOf(number, Number(id))));
    return { streams: all.slice(0, Math.min(CAP, variables.first ?? 100)) };
  };
  const options = { styles: ["multichain"], maxRows: CAP } as const;

  it("is paged by run and merged if its cap is known", async () => {
    const { client, asked } = await answering((request) => capped(request), options);
    const { data, hasMore } = await run(client, Walk, { first: 9 }, ON_BASE);
    expect(numbersOf(data.streams)).toEqual(upTo(9));
    expect(hasMore).toBe(true);
    expect(asked.map(({ variables: { first, after } }) => [first, after])).toEqual([
      [9, undefined],
      [5, "4"],
      [1, "8"],
    ]);
    const all = await run(client, Walk, {}, ON_BASE);
    expect([numbersOf(all.data.streams), all.hasMore]).toEqual([upTo(10), false]);
    const many = await merged(client, Walk, { first: 30 }, { chains: ["base", "ethereum"] });
    expect(numbersOf(many.rows)).toEqual(upTo(10).flatMap((number) => [number, number]));
    expect(many.complete).toBe(true);
    expect(numbersOf(await rowsOf(pages(client, Walk, {}, { ...ON_BASE, size: 7 })))).toEqual(upTo(10));
  });

  it("reports hasMore if the rows have no cursor", async () => {
    const { client } = await answering((request) => capped(request), options);
    expect((await run(client, Newest, { first: 9 }, ON_BASE)).hasMore).toBe(true);
    const few = await answering((request) => capped(request, upTo(3)), options);
    expect((await run(few.client, Newest, { first: 9 }, ON_BASE)).hasMore).toBe(false);
    const [result] = await each(client, Newest, { first: 9 }, { chains: ["base"] });
    expect(result).toMatchObject({ status: "ok", hasMore: true });
    const all = await merged(client, Newest, { first: 9 }, { chains: ["base"] });
    expect(all).toMatchObject({ failed: [], hasMore: true, complete: false });
  });

  it("fails if its next page starts over", async () => {
    const { client } = await answering(
      (request) => capped({ ...request, variables: { ...request.variables, after: "0" } }),
      options,
    );
    expect((await failureOf(run(client, Walk, {}, ON_BASE))).code).toBe("inconsistent");
  });
});

describe("the block of an answer", () => {
  const OTHER = `0x${"cd".repeat(32)}` as const;

  it.each([{ number: 8 }, { hash: OTHER }])("fails the request if it is not %o", async (block) => {
    const { client } = await answering(() => ({ streams: [rowOf(1)] }), { styles: ["subgraph"] });
    expect((await failureOf(run(client, Newest, {}, { ...ON_BASE, block }))).code).toBe("inconsistent");
  });

  it.each([{ number: 9 }, { hash: HASH.toUpperCase().replace("0X", "0x") as typeof HASH }])(
    "is accepted if it is %o",
    async (block) => {
      const { client } = await answering(() => ({ streams: [rowOf(1)] }), { styles: ["subgraph"] });
      expect((await run(client, Newest, {}, { ...ON_BASE, block })).head?.block).toBe(9);
    },
  );

  it("ends the pages if it differs from the first page's", async () => {
    let block = 9;
    const { client } = await answering(
      (request) => ({
        streams: [rowOf(after(request) + 1)],
        _meta: {
          ...HEADS._meta,
          block: { number: block, hash: block++ === 9 ? HASH : OTHER, timestamp: 900 },
        },
      }),
      { styles: ["subgraph"] },
    );
    const error = await failureOf(rowsOf(pages(client, Walk, {}, { ...ON_BASE, size: 1 })));
    expect(error).toMatchObject({ code: "inconsistent", cursor: "1" });
  });
});

describe("pages", () => {
  /** The rows after each cursor, and the cursor at which the pages fail. */
  const ROWS: readonly (readonly [
    text: string,
    next: (after: number) => readonly number[],
    cursor: string | null,
  ])[] = [
    ["start over", (from) => (from === 6 ? [1, 2] : [from + 1, from + 2]), "6"],
    ["alternate", (from) => (from === 2 ? [3, 4] : [1, 2]), "4"],
    ["overlap", (from) => [Math.max(from, 1), from + 2], "2"],
    ["are unordered", () => [2, 1], null],
    ["repeat a row", () => [1, 1], null],
  ];

  it.each(ROWS)("that %s end with an error", async (_, next, cursor) => {
    for (const style of ["multichain", "subgraph"] as const) {
      const { client } = await answering(
        (request) => ({ streams: next(after(request)).map((number) => rowOf(number)) }),
        { styles: [style] },
      );
      const error = await failureOf(rowsOf(pages(client, Walk, {}, { ...ON_BASE, size: 2 })));
      expect(error).toMatchObject({ code: "inconsistent", cursor });
    }
  });

  it("ordered by a text end if a row repeats, and allow any collation", async () => {
    const rows = [
      ["b", "A"],
      ["C", "d"],
      ["E", "b"],
    ].map((ids) => ids.map((id) => ({ ...rowOf(1), id })));
    let index = 0;
    const { client } = await answering(() => ({ streams: rows[index++] ?? [] }), { styles: ["multichain"] });
    const error = await failureOf(rowsOf(pages(client, ById, {}, { ...ON_BASE, size: 2 })));
    expect(error).toMatchObject({ code: "inconsistent", cursor: "d" });
    expect(index).toBe(3);
  });

  it("of queryPages fail in the same way", async () => {
    const { client } = await answering(() => ({ streams: [rowOf(1)] }), { styles: ["multichain"] });
    const { queryFn, initialPageParam } = queryPages(client, Walk, {}, { ...ON_BASE, size: 1 });
    const { signal } = new AbortController();
    const { next } = await queryFn({ signal, pageParam: initialPageParam });
    if (!next) throw new Error("There is no next page.");
    expect((await failureOf(queryFn({ signal, pageParam: next }))).code).toBe("inconsistent");
    const later = { ...next, after: "7" };
    expect((await failureOf(queryFn({ signal, pageParam: later }))).code).toBe("inconsistent");
  });
});

describe("a JSON number", () => {
  it.each(["timestamp", "subgraphId", "chainId"])("in place of the text %s is rejected", async (key) => {
    for (const style of ["multichain", "subgraph"] as const) {
      const { client } = await answering(() => ({ streams: [{ ...rowOf(1), [key]: 8453 }] }), {
        styles: [style],
      });
      const error = await failureOf(run(client, Newest, {}, ON_BASE));
      expect(error.code).toBe("rejected");
      expect(error.message).toContain("HASURA_GRAPHQL_STRINGIFY_NUMERIC_TYPES");
    }
  });
});

describe.each(["multichain", "subgraph"] as const)(
  "a row that does not select its chain in the %s style",
  (style) => {
    const bare = (lockflow: unknown) => ({
      streams: [{ id: "a", asset: { id: "b" }, lockflow }],
      others: [],
    });

    it("is requested with its chain, which the answer omits", async () => {
      const { client, asked } = await answering(() => bare("8453"), { styles: [style] });
      const { data } = await run(client, Bare, {}, ON_BASE);
      expect(data).toEqual({ streams: [{ id: "a", asset: { id: "b" } }], others: [] });
      const [{ query } = { query: "" }] = asked;
      expect(query.match(/lockflow: chainId/g)).toHaveLength(1);
      expect(query).toContain("    asset {\n      id\n    }\n    lockflow: chainId\n  }\n  others: ");
      expect(() => parse(query)).not.toThrow();
    });

    it.each(["1", undefined, null])("fails if its chain is %o instead", async (chain) => {
      const { client } = await answering(() => bare(chain), { styles: [style] });
      expect((await failureOf(run(client, Bare, {}, ON_BASE))).code).toBe("wrong-chain");
    });

    it("found by id on another chain is null in multichain and an error in a subgraph", async () => {
      let chain = "8453";
      const { client } = await answering(() => ({ stream: { id: "a", lockflow: chain } }), {
        styles: [style],
      });
      const find = async () => (await run(client, One, { id: "a" }, ON_BASE)).data as object;
      expect(await find()).toEqual({ stream: { id: "a" } });
      chain = "1";
      if (style === "multichain") expect(await find()).toEqual({ stream: null });
      else expect((await failureOf(find())).code).toBe("wrong-chain");
    });
  },
);

describe("a head that does not move", () => {
  it("is behind after maxLag and a few blocks, even if the indexer reports no lag", async () => {
    let now = 0;
    let block = 9;
    const { client } = await answering(
      () => ({
        streams: [rowOf(1)],
        lockflow: [{ chain_id: 8453, latest_processed_block: block, block_height: block }],
      }),
      { styles: ["multichain"], now: () => now, maxLag: 60 },
    );
    const ask = () => run(client, Newest, {}, ON_BASE);
    await ask();
    // Base has a block every 2 seconds.
    now = 70_000;
    expect((await ask()).head?.block).toBe(9);
    now = 71_000;
    expect((await failureOf(ask())).code).toBe("behind");
    const best = { ...ON_BASE, maxLag: { seconds: 60, or: "best" } } as const;
    expect((await run(client, Newest, {}, best)).head?.block).toBe(9);
    expect((await run(client, Newest, {}, { ...ON_BASE, maxLag: 600 })).head?.block).toBe(9);
    block = 10;
    expect((await ask()).head?.block).toBe(10);
  });
});

describe("a listener that throws", () => {
  it("does not fail a query", async () => {
    const fail = () => {
      throw new Error("mine");
    };
    for (const onRequest of [fail, async () => fail()]) {
      const { client } = await answering(() => ({ streams: [rowOf(1)] }), { onRequest });
      expect((await run(client, Newest, {}, ON_BASE)).data.streams).toHaveLength(1);
      const results = await each(client, Newest, {}, { chains: ["base"], onResult: fail });
      expect(results).toMatchObject([{ status: "ok" }]);
    }
  });
});

describe("a body", () => {
  it.runIf(IS_THOROUGH).each([
    [16_777_217, false],
    [16_777_216, true],
  ])("of %i bytes is an answer: %s", async (size, isAnswer) => {
    const body = JSON.stringify({ data: { streams: [rowOf(1)], lockflow: HEADS.lockflow } });
    const { client } = await answering(() => body.padEnd(size), { styles: ["multichain"] });
    const asked = run(client, Newest, {}, ON_BASE);
    if (isAnswer) expect((await asked).data.streams).toHaveLength(1);
    else expect((await failureOf(asked)).code).toBe("unavailable");
  });
});
