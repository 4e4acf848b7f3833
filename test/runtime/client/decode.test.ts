import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createClient, merged, pages, query, queryEach, queryPages, run } from "../../../generated/client.ts";
import {
  ActionsFeed,
  decodeActionsFeed,
  decodeStreamById,
  decodeStreamsBySender,
  RecentStreams,
  StreamById,
  StreamsBySender,
} from "../../../generated/lockup/portable.ts";
import { createDecoder, type Decoded } from "../../../packages/client/src/client/decode.ts";
import { IndexerError } from "../../../packages/client/src/client/indexer-error.ts";
import { withEmulator } from "./support.ts";

const columns = {
  streams: { amount: "integer", start: "time", parts: { amount: "integer" }, list: "integer" },
} as const;
const decodeRows = createDecoder(columns);

const emulator = withEmulator({ streams: 4 });
const client = () => createClient({ endpoint: emulator().endpoint });

describe("decode", () => {
  it.each<[value: unknown, want: unknown]>([
    [{ streams: [] }, { streams: [] }],
    [{ streams: null }, { streams: null }],
    [
      { streams: [{ id: "1", amount: "-5", start: "1700000000" }] },
      { streams: [{ id: "1", amount: -5n, start: new Date("2023-11-14T22:13:20Z") }] },
    ],
    [
      { streams: [{ amount: null, start: null, parts: null, list: null }] },
      { streams: [{ amount: null, start: null, parts: null, list: null }] },
    ],
    [
      { streams: [{ parts: [{ amount: "1" }, null, { other: "2" }], list: ["3", null] }] },
      { streams: [{ parts: [{ amount: 1n }, null, { other: "2" }], list: [3n, null] }] },
    ],
    [[{ amount: "7" }], [{ amount: 7n }]],
    [undefined, undefined],
    [null, null],
    [
      {
        streams: [
          { amount: "115792089237316195423570985008687907853269984665640564039457584007913129639935" },
        ],
      },
      { streams: [{ amount: 2n ** 256n - 1n }] },
    ],
    [{ streams: [{ start: 1_700_000_000 }] }, { streams: [{ start: new Date(1_700_000_000_000) }] }],
    [{ streams: [{ start: "1099511627775" }] }, { streams: [{ start: new Date(1_099_511_627_775_000) }] }],
  ])("converts %j", (value, want) => {
    expect(decodeRows(value)).toEqual(want);
  });

  it.each<[value: unknown, message: string]>([
    [{ streams: [{ amount: "1" }, { amount: "1.5" }] }, "streams.1.amount must be an integer; got 1.5."],
    [{ streams: [{ parts: { amount: "" } }] }, "streams.0.parts.amount must be an integer; got ."],
    [{ streams: [{ amount: "0x10" }] }, "streams.0.amount must be an integer; got 0x10."],
    [{ streams: [{ amount: {} }] }, "streams.0.amount must be an integer; got [object Object]."],
    [
      { streams: [{ start: "9000000000000" }] },
      "streams.0.start must be a time in seconds; got 9000000000000.",
    ],
    [
      { streams: [{ amount: "9".repeat(1001) }] },
      `streams.0.amount must be an integer; got ${"9".repeat(50)}.`,
    ],
    [[{ amount: "x" }], "0.amount must be an integer; got x."],
    [{ rows: [{ amount: "x" }], cursor: null }, "rows.0.amount must be an integer; got x."],
  ])("rejects %j", (value, message) => {
    const fail = () => decodeRows(value);
    expect(fail).toThrow(message);
    expect(fail).toThrow(IndexerError);
  });

  it("does not change its argument", () => {
    const value = Object.freeze({ streams: Object.freeze([Object.freeze({ amount: "1" })]) });
    expect(decodeRows(value)).toEqual({ streams: [{ amount: 1n }] });
    expect(value).toEqual({ streams: [{ amount: "1" }] });
  });
});

describe("the decoder of an operation", () => {
  it("converts answers and results of run", async () => {
    const result = await run(client(), RecentStreams, { first: 1 }, { chain: "base" });
    const [row] = result.data.streams;
    const one = await run(client(), StreamById, { id: row?.id ?? "" }, { chain: "base" });
    const decoded = decodeStreamById(one);
    const raw = one.data.stream;
    expect(decoded.chain).toBe("base");
    expect(decoded.data).toEqual(decodeStreamById(one.data));
    expect(decoded.data.stream?.depositAmount).toBe(BigInt(raw?.depositAmount ?? "x"));
    expect(decoded.data.stream?.startTime).toEqual(new Date(Number(raw?.startTime) * 1000));
    expect(decoded.data.stream?.asset.decimals).toBe(BigInt(raw?.asset.decimals ?? "x"));
    expect(decoded.data.stream?.category).toBe(raw?.category);
    expectTypeOf(decoded.data).toEqualTypeOf<Decoded<typeof StreamById>>();
    expectTypeOf<NonNullable<Decoded<typeof StreamById>["stream"]>>().toMatchTypeOf<{
      id: string;
      depositAmount: bigint;
      startTime: Date;
      cliffTime: Date | null;
      asset: { decimals: bigint; symbol: string };
    }>();
    expectTypeOf<keyof NonNullable<Decoded<typeof StreamById>["stream"]>>().toEqualTypeOf<
      keyof NonNullable<NonNullable<typeof raw>>
    >();
  });

  it("converts merged rows, their list, and pages", async () => {
    const chains = ["base", "ethereum"] as const;
    const all = await merged(
      client(),
      StreamsBySender,
      { sender: "0x0000000000000000000000000000000000000001" },
      { chains },
    );
    expect(decodeStreamsBySender(all).rows).toEqual(decodeStreamsBySender(all.rows));
    for await (const page of pages(client(), ActionsFeed, {}, { chain: "base", size: 5 })) {
      const { rows, cursor } = decodeActionsFeed(page);
      expectTypeOf(rows).toMatchTypeOf<readonly { timestamp: Date; amountA: bigint | null }[]>();
      expect(rows.map(({ timestamp }) => timestamp.getTime() / 1000)).toEqual(
        page.rows.map(({ timestamp }) => Number(timestamp)),
      );
      expect(cursor).toBe(page.cursor);
      expect(rows.length).toBeGreaterThan(0);
      break;
    }
  });

  it("is a select of TanStack Query", async () => {
    const cache = new QueryClient();
    const options = {
      ...query(client(), RecentStreams, { first: 2 }, { chain: "base" }),
      select: decodeStreamsBySender,
    };
    const observer = new QueryObserver(cache, options);
    const { data } = await observer.refetch();
    expectTypeOf(data?.data.streams[0]?.depositAmount).toEqualTypeOf<bigint | undefined>();
    expect(typeof data?.data.streams[0]?.depositAmount).toBe("bigint");
    const each = queryEach(client(), RecentStreams, { first: 2 }, { chains: ["base", "ethereum"] });
    const results = decodeStreamsBySender(await cache.fetchQuery(each));
    expect(results.map((one) => one.status === "ok" && typeof one.data.streams[0]?.depositAmount)).toEqual([
      "bigint",
      "bigint",
    ]);
    const feed = queryPages(client(), ActionsFeed, {}, { chain: "base", size: 3 });
    const infinite = await cache.fetchInfiniteQuery({ ...feed, pages: 2 });
    const decoded = decodeActionsFeed(infinite);
    expect(
      decoded.pages.flatMap(({ page }) => page.rows.map(({ timestamp }) => timestamp instanceof Date)),
    ).toEqual(Array(6).fill(true));
  });
});
