import { describe, expect, expectTypeOf, it } from "vitest";
import type { Decoded } from "../generated/client.js";
import type * as flow from "../generated/flow/portable.js";
import type { StreamByIdQuery as FlowAnswer } from "../generated/flow/subgraph.js";
import type * as lockup from "../generated/lockup/portable.js";
import type { StreamByIdQuery as LockupAnswer } from "../generated/lockup/subgraph.js";
import {
  type FlowRow,
  type LockupRow,
  owedAmount,
  type SegmentRow,
  streamedAmount,
  type TrancheRow,
  withdrawableAmount,
} from "../packages/operations/amounts.ts";
import { precisePower } from "./support/precise-power.ts";

const UNIT = 10n ** 18n;
const MOST = 2n ** 128n - 1n;

/** A linear stream of 1000 from 100 to 200. */
const LINEAR = {
  category: "LockupLinear",
  version: "v2.0",
  depositAmount: "1000",
  startTime: "100",
  endTime: "200",
  canceled: false,
  canceledTime: null,
  cliffTime: null,
  cliffAmount: null,
  initialAmount: null,
  withdrawnAmount: "0",
} as const satisfies LockupRow & { withdrawnAmount: string };

const CLIFF = { ...LINEAR, cliffTime: "140", cliffAmount: "300", initialAmount: "50" };

const THIRDS = { ...LINEAR, endTime: "103", depositAmount: "3" };

/** Listed by the text of their ids, as a graph-node lists them without an order. */
const DYNAMIC = {
  ...LINEAR,
  category: "LockupDynamic",
  segments: [
    { amount: "300", exponent: 2n * UNIT, startTime: "100", endTime: "120" },
    { amount: "500", exponent: UNIT, startTime: "121", endTime: "200" },
    { amount: "200", exponent: 0n, startTime: "120", endTime: "121" },
  ],
};

const TRANCHED = {
  ...LINEAR,
  category: "LockupTranched",
  tranches: [
    { amount: "999", endTime: "150" },
    { amount: "1", endTime: "200" },
  ],
};

const canceled = (row: LockupRow, canceledTime: string) => ({ ...row, canceled: true, canceledTime });

/** A dynamic stream of one segment of 1000 seconds. */
function curve(amount: bigint, exponent: bigint): LockupRow {
  const segment = { amount, exponent, startTime: "0", endTime: "1000" };
  return { ...DYNAMIC, depositAmount: amount, startTime: "0", endTime: "1000", segments: [segment] };
}

describe("streamedAmount", () => {
  it.each<[name: string, row: LockupRow, amounts: Readonly<Record<number, bigint>>]>([
    ["a line", LINEAR, { 0: 0n, 99: 0n, 100: 0n, 101: 10n, 199: 990n, 200: 1000n, 201: 1000n, 9e9: 1000n }],
    ["a line of v1.0", { ...LINEAR, version: "v1.0" }, { 99: 0n, 100: 0n, 101: 10n, 199: 990n, 200: 1000n }],
    [
      "a cliff of v1.2, on the line",
      { ...CLIFF, version: "v1.2", initialAmount: null },
      { 100: 0n, 139: 0n, 140: 400n, 141: 410n, 199: 990n, 200: 1000n },
    ],
    ["a cliff of v2.0", CLIFF, { 99: 0n, 100: 50n, 139: 50n, 140: 350n, 141: 360n, 199: 989n, 200: 1000n }],
    ["an initial unlock", { ...LINEAR, initialAmount: 100n }, { 99: 0n, 100: 100n, 101: 109n, 199: 991n }],
    ["a cliff with the rest", { ...CLIFF, cliffAmount: "950" }, { 139: 50n, 140: 1000n, 199: 1000n }],
    [
      "unlocks above the deposit",
      { ...CLIFF, cliffAmount: "951" },
      { 99: 0n, 139: 50n, 140: 1000n, 200: 1000n },
    ],
    // A third of 3 with 18 decimals is 0.999….
    ["a rounded share, of v2.0", THIRDS, { 101: 0n, 102: 1n, 103: 3n }],
    ["one after v2.0, which divides directly", { ...THIRDS, version: "v4.0" }, { 101: 1n, 102: 2n, 103: 3n }],
    ["one wei", { ...LINEAR, depositAmount: 1n }, { 100: 0n, 199: 0n, 200: 1n }],
    [
      "the largest deposit",
      { ...LINEAR, depositAmount: MOST },
      { 100: 0n, 150: MOST / 2n, 199: (MOST * 99n) / 100n, 200: MOST },
    ],
    ["one second", { ...LINEAR, endTime: "101" }, { 99: 0n, 100: 0n, 101: 1000n }],
    ["a canceled line", canceled(LINEAR, "150"), { 100: 0n, 149: 490n, 150: 500n, 151: 500n, 300: 500n }],
    ["a line that was canceled before its start", canceled(LINEAR, "50"), { 300: 0n }],
    // (1 / 20)² = 0.0025; the exponent 0 unlocks everything in its first second.
    [
      "segments",
      DYNAMIC,
      { 99: 0n, 101: 0n, 110: 75n, 119: 270n, 120: 300n, 121: 500n, 122: 506n, 200: 1000n },
    ],
    ["a canceled curve", canceled(DYNAMIC, "110"), { 109: 60n, 110: 75n, 200: 75n }],
    ["an exponent of 0", curve(7n, 0n), { [-1]: 0n, 0: 7n, 1: 7n, 999: 7n, 1000: 7n }],
    ["an exponent of 1", curve(1000n, UNIT), { 0: 0n, 1: 1n, 999: 999n, 1000: 1000n }],
    ["an exponent too large for any share", curve(MOST, 10n ** 30n), { 0: 0n, 1: 0n, 999: 0n, 1000: MOST }],
    ["tranches", TRANCHED, { 99: 0n, 149: 0n, 150: 999n, 151: 999n, 199: 999n, 200: 1000n }],
    ["canceled tranches", canceled(TRANCHED, "149"), { 150: 0n, 200: 0n }],
  ])("of %s", (_, row, amounts) => {
    const times = Object.keys(amounts);
    expect(Object.fromEntries(times.map((time) => [time, streamedAmount(row, BigInt(time))]))).toEqual(
      amounts,
    );
  });

  it("is the same for decoded rows and a Date, whose milliseconds are dropped", () => {
    const decoded = {
      ...CLIFF,
      depositAmount: 1000n,
      cliffAmount: 300n,
      initialAmount: 50n,
      startTime: new Date(100_000),
      endTime: new Date(200_000),
      cliffTime: new Date(140_000),
    };
    expect(streamedAmount(decoded, new Date(141_999))).toBe(360n);
    expect(streamedAmount(decoded, new Date(-1))).toBe(0n);
  });

  // As PRBMath's SD59x18 rounds, to the last digit.
  it.each<[x: bigint, exponent: bigint, power: bigint]>([
    [500n, UNIT / 2n, 707106781186547524n],
    [250n, 3141592653589793238n, 12840228555486581n],
  ])("%d thousandths of the time to the power of %d are %d", (time, exponent, power) => {
    expect(streamedAmount(curve(UNIT, exponent), time)).toBe(power);
  });

  it.each([UNIT / 2n, 2n * UNIT, 3n * UNIT, 3_141592653589793238n, 123_456_789_012n])(
    "differs from the precise power %d by at most amount · 10⁻¹⁶",
    (exponent) => {
      for (const time of [1n, 7n, 333n, 500n, 998n, 999n]) {
        const precise = (MOST * precisePower((time * UNIT) / 1000n, exponent)) / 10n ** 60n;
        const difference = streamedAmount(curve(MOST, exponent), time) - precise;
        expect(difference < 0n ? -difference : difference).toBeLessThanOrEqual(MOST / 10n ** 16n);
      }
    },
  );

  const SELECT = "expected text, bigint or a Date. Select it.";
  const ALL = "expected depositAmount 1000. Select all segments or tranches.";

  it.each<[problem: string, row: object, message: string]>([
    ["unselected segments", { ...DYNAMIC, segments: undefined }, `The sum of amounts is 0; ${ALL}`],
    [
      "one of the tranches",
      { ...TRANCHED, tranches: [TRANCHED.tranches[1]] },
      `The sum of amounts is 1; ${ALL}`,
    ],
    ["another category", { ...LINEAR, category: "Flow" }, "category is Flow; expected one of Lockup."],
    ["another version", { ...LINEAR, version: "2" }, "version is 2; expected text such as v1.2."],
    ["an unselected field", { ...LINEAR, cliffTime: undefined }, `cliffTime is undefined; ${SELECT}`],
    ["an unselected flag", { ...LINEAR, canceled: undefined }, `canceled is undefined; ${SELECT}`],
    ["no time of its cancellation", { ...LINEAR, canceled: true }, `canceledTime is null; ${SELECT}`],
    ["a number", { ...LINEAR, depositAmount: 1000 }, `depositAmount is 1000; ${SELECT}`],
    ["a fraction", { ...LINEAR, depositAmount: "0.5" }, `depositAmount is 0.5; ${SELECT}`],
    ["an empty text", { ...LINEAR, startTime: "" }, `startTime is ; ${SELECT}`],
    ["a field of Flow", { ...LINEAR, ratePerSecond: "1" }, "The stream is of two protocols; expected one."],
  ])("throws for %s, at any time", (_, row, message) => {
    for (const at of [0n, 150n, 300n]) {
      expect(() => streamedAmount(row as LockupRow, at)).toThrow(new TypeError(message));
    }
  });

  it.each([150, Number.NaN, new Date(Number.NaN), undefined, null])("throws for the time %s", (at) => {
    expect(() => streamedAmount(LINEAR, at as unknown as Date)).toThrow(/^at is .*; expected/);
  });
});

/** Pays 2 tokens with 6 decimals per second from 100 on, from a balance of 150. */
const FLOW = {
  ratePerSecond: 2n * UNIT,
  snapshotAmount: "0",
  lastAdjustmentTimestamp: "100",
  startTime: "100",
  withdrawnAmount: "0",
  availableAmount: "150000000",
  voided: false,
  assetDecimalsValue: "6",
} as const satisfies FlowRow;

const USD = 10n ** 6n;
const VOIDED = { ...FLOW, ratePerSecond: 0n, voided: true };

describe("owedAmount and withdrawableAmount", () => {
  it.each<
    [name: string, row: FlowRow, amounts: Readonly<Record<number, [owed: bigint, withdrawable: bigint]>>]
  >([
    [
      "a stream",
      FLOW,
      { 99: [0n, 0n], 100: [0n, 0n], 101: [2n * USD, 2n * USD], 175: [150n * USD, 150n * USD] },
    ],
    ["a depleted stream, which owes more than it has", FLOW, { 176: [152n * USD, 150n * USD] }],
    ["a token without decimals", { ...FLOW, assetDecimalsValue: 0n }, { 101: [2n, 2n] }],
    ["a token with 18 decimals", { ...FLOW, assetDecimalsValue: "18" }, { 101: [2n * UNIT, 150_000_000n] }],
    [
      "a rate below the smallest unit",
      { ...FLOW, ratePerSecond: UNIT / 3n, assetDecimalsValue: "0" },
      { 102: [0n, 0n], 103: [0n, 0n], 104: [1n, 1n] },
    ],
    [
      "an early adjustment",
      { ...FLOW, lastAdjustmentTimestamp: "50" },
      { 99: [0n, 0n], 101: [2n * USD, 2n * USD] },
    ],
    [
      "a restarted stream, which keeps what it owed",
      { ...FLOW, snapshotAmount: 5n * UNIT, lastAdjustmentTimestamp: "200", withdrawnAmount: "4000000" },
      { 150: [USD, USD], 200: [USD, USD], 201: [3n * USD, 3n * USD] },
    ],
    [
      "a paused stream",
      { ...FLOW, ratePerSecond: "0", snapshotAmount: 5n * UNIT, withdrawnAmount: "4000000" },
      { 200: [USD, USD] },
    ],
    [
      "a voided stream with a cut snapshot",
      { ...VOIDED, snapshotAmount: 150n * UNIT },
      { 200: [150n * USD, 150n * USD] },
    ],
    [
      "a voided stream with another one",
      { ...VOIDED, snapshotAmount: 900n * UNIT },
      { 200: [150n * USD, 150n * USD] },
    ],
    ["more withdrawn than streamed until then", { ...FLOW, withdrawnAmount: "4000000" }, { 101: [0n, 0n] }],
    [
      "the largest amounts",
      { ...FLOW, snapshotAmount: MOST * UNIT, availableAmount: MOST, assetDecimalsValue: "0" },
      { 100: [MOST, MOST], 101: [MOST + 2n, MOST] },
    ],
  ])("of %s", (_, row, amounts) => {
    const found = Object.keys(amounts).map((time) => {
      const at = BigInt(time);
      return [time, [owedAmount(row, at), withdrawableAmount(row, at)]];
    });
    expect(Object.fromEntries(found)).toEqual(amounts);
  });

  it.each([
    ["the streamed amount that is left", { ...LINEAR, withdrawnAmount: "400" }, 100n],
    ["nothing if more was withdrawn until now", { ...LINEAR, withdrawnAmount: "501" }, 0n],
    ["nothing if depleted", { ...LINEAR, canceled: true, canceledTime: "110", withdrawnAmount: 100n }, 0n],
  ])("withdrawableAmount of a Lockup stream is %s", (_, row, amount) => {
    expect(withdrawableAmount(row, 150n)).toBe(amount);
  });

  it.each<[problem: string, row: object, message: RegExp]>([
    [
      "decimals above 18",
      { ...FLOW, assetDecimalsValue: "19" },
      /^assetDecimalsValue is 19; expected at most 18/,
    ],
    ["an unselected flag", { ...FLOW, voided: undefined }, /^voided is undefined;.* Select it\.$/],
    ["an unselected amount", { ...FLOW, availableAmount: undefined }, /^availableAmount is undefined;/],
    ["a row of both protocols", { ...FLOW, ...LINEAR }, /^The stream is of two protocols/],
    ["a row of neither", {}, /^depositAmount is undefined;.* Select it\.$/],
  ])("throws for %s", (_, row, message) => {
    expect(() => withdrawableAmount(row as FlowRow, 150n)).toThrow(message);
  });
});

describe("the types of rows", () => {
  /** The fields that a row need not have. */
  type Optional<Row> = { [K in keyof Row]-?: Omit<Row, K> extends Row ? K : never }[keyof Row];

  it("require every field that is read", () => {
    expectTypeOf<Optional<LockupRow>>().toEqualTypeOf<"segments" | "tranches">();
    expectTypeOf<Optional<FlowRow>>().toEqualTypeOf<never>();
    expectTypeOf<Optional<SegmentRow>>().toEqualTypeOf<never>();
    expectTypeOf<Optional<TrancheRow>>().toEqualTypeOf<never>();
  });

  it("accept rows of the library, decoded or not", () => {
    type Lockup = NonNullable<LockupAnswer["stream"]>;
    type Flow = NonNullable<FlowAnswer["stream"]>;
    type DecodedLockup = NonNullable<Decoded<typeof lockup.StreamById>["stream"]>;
    type DecodedFlow = NonNullable<Decoded<typeof flow.StreamById>["stream"]>;
    type Listed = Decoded<typeof lockup.AllStreams>["streams"][number];
    expectTypeOf<Lockup | DecodedLockup | Listed>().toExtend<Parameters<typeof streamedAmount>[0]>();
    expectTypeOf<Flow | DecodedFlow>().toExtend<Parameters<typeof owedAmount>[0]>();
    expectTypeOf<Lockup | Flow>().toExtend<Parameters<typeof withdrawableAmount>[0]>();
    expectTypeOf<Flow>().not.toExtend<Parameters<typeof streamedAmount>[0]>();
    expectTypeOf<Lockup>().not.toExtend<Parameters<typeof owedAmount>[0]>();
    expectTypeOf<number>().not.toExtend<Parameters<typeof streamedAmount>[1]>();
  });
});
