// Amounts of a stream at a time, computed as the contracts do: Lockup 1.0 to 2.0 and Flow 1.0 to 2.0.

/** Whole number in the smallest unit, as an answer has it or decoded. */
type Amount = string | bigint;

/** Unix seconds as an answer has them, or decoded. */
type Time = string | bigint | Date;

/** The fields of a Lockup stream that `streamedAmount` reads. Amounts are in the smallest unit of the token. */
export type LockupRow = {
  readonly category: string;
  /** The release of the contract, such as `v1.2`. */
  readonly version: string;
  readonly depositAmount: Amount;
  readonly startTime: Time;
  readonly endTime: Time;
  readonly canceled: boolean;
  readonly canceledTime: Time | null;
  readonly cliffTime: Time | null;
  readonly cliffAmount: Amount | null;
  readonly initialAmount: Amount | null;
  /** Required for the category `LockupDynamic`. */
  readonly segments?: readonly SegmentRow[] | undefined;
  /** Required for the category `LockupTranched`. */
  readonly tranches?: readonly TrancheRow[] | undefined;
};

/** A step of a tranched stream. */
export type TrancheRow = { readonly amount: Amount; readonly endTime: Time };

/** A piece of the curve of a dynamic stream. `exponent` has 18 decimals. */
export type SegmentRow = TrancheRow & { readonly startTime: Time; readonly exponent: Amount };

/** The fields of a Flow stream that `owedAmount` reads. */
export type FlowRow = {
  /** Has 18 decimals, like `snapshotAmount`. Other amounts are in the smallest unit of the token. */
  readonly ratePerSecond: Amount;
  readonly snapshotAmount: Amount;
  readonly lastAdjustmentTimestamp: Time;
  readonly startTime: Time;
  readonly withdrawnAmount: Amount;
  readonly availableAmount: Amount;
  readonly voided: boolean;
  /** The number of decimals of the token, such as 6. */
  readonly assetDecimalsValue: Amount;
};

/** Fixed-point numbers have 18 decimals. */
const UNIT = 10n ** 18n;

/**
 * Returns the part of a Lockup stream's deposit that has left it for the recipient, withdrawn or not, in the smallest
 * unit of the token. Reads the fields of `LockupRow`, and all `segments` or `tranches` by `category`.
 *
 * Rounds down as the contracts do. Source: `streamedAmountOf` of the Lockup contracts, with the `pow` of PRBMath's
 * SD59x18 for segments. To withdraw the whole amount, read it from the contract: a contract with another `pow` may differ
 * by up to amount · 10⁻¹⁶. Linear streams of contracts after v2.0 divide directly, as v4.0 does.
 *
 * @param at a `Date`, or Unix seconds as `bigint`. Use the time of the indexed block if the clock may be wrong.
 * @throws TypeError if the row lacks a field, segments or tranches, or has an unknown category or version.
 */
export function streamedAmount(stream: LockupRow, at: Date | bigint): bigint {
  checkKind(stream);
  const deposit = read(stream, "depositAmount");
  const asked = read({ at }, "at");
  const time = read(stream, "canceled") ? min(asked, read(stream, "canceledTime")) : asked;
  // Computed at any time, so that a row without its segments fails before the start and after the end, too.
  const streamed = (stream.category === "LockupLinear" ? linear : pieces)(stream, deposit, time);
  return time < read(stream, "startTime") ? 0n : time < read(stream, "endTime") ? streamed : deposit;
}

/**
 * Returns the amount that the recipient can withdraw, in the smallest unit of the token.
 *
 * Lockup: the streamed amount minus `withdrawnAmount`, at least 0. Flow: the owed amount, at most `availableAmount`.
 * Reads the fields of the other function and `withdrawnAmount`. A stream with `depositAmount` is a Lockup stream, one with
 * `ratePerSecond` a Flow stream. Source: `withdrawableAmountOf` of the contracts.
 *
 * @param at a `Date`, or Unix seconds as `bigint`.
 * @throws TypeError as `streamedAmount` and `owedAmount` do.
 */
export function withdrawableAmount(
  stream: (LockupRow & { readonly withdrawnAmount: Amount }) | FlowRow,
  at: Date | bigint,
): bigint {
  return "ratePerSecond" in stream
    ? min(owedAmount(stream, at), read(stream, "availableAmount"))
    : max(0n, streamedAmount(stream, at) - read(stream, "withdrawnAmount"));
}

/**
 * Returns the debt of a Flow stream to its recipient, covered by the balance or not, in the smallest unit of the token.
 * Reads the fields of `FlowRow`.
 *
 * Source: `totalDebtOf` of the Flow contracts, and the indexers, whose `snapshotAmount` includes withdrawals and excludes
 * forgiven debt.
 *
 * @param at a `Date`, or Unix seconds as `bigint`.
 * @throws TypeError if the row lacks a field, or its token has more than 18 decimals.
 */
export function owedAmount(stream: FlowRow, at: Date | bigint): bigint {
  checkKind(stream);
  const decimals = read(stream, "assetDecimalsValue");
  if (decimals > 18n) fail("assetDecimalsValue", decimals, "at most 18");
  const since = max(read(stream, "lastAdjustmentTimestamp"), read(stream, "startTime"));
  const accrued = read(stream, "ratePerSecond") * max(0n, read({ at }, "at") - since);
  const streamed = (read(stream, "snapshotAmount") + accrued) / 10n ** (18n - decimals);
  const owed = max(0n, streamed - read(stream, "withdrawnAmount"));
  // Some indexers keep forgiven debt in the snapshot.
  return read(stream, "voided") ? min(owed, read(stream, "availableAmount")) : owed;
}

/** The streamed amount of a linear stream between its start and end. */
function linear(stream: LockupRow, deposit: bigint, time: bigint): bigint {
  const release =
    Number(`${stream.version}`.slice(1)) || fail("version", stream.version, "text such as v1.2");
  const start = read(stream, "startTime");
  const cliff = read(stream, "cliffTime", start);
  // In v1.x, the cliff only hides the line, and nothing unlocks at once.
  const isFirst = release < 2;
  const from = isFirst ? start : cliff;
  const initial = isFirst ? 0n : read(stream, "initialAmount", 0n);
  const rest = isFirst ? deposit : max(0n, deposit - initial - read(stream, "cliffAmount", 0n));
  const length = read(stream, "endTime") - from;
  // After v2.0, the share of the time is not rounded.
  const scale = release > 2 ? length : UNIT;
  return time < cliff ? initial : deposit - rest + (rest * (((time - from) * scale) / length)) / scale;
}

/** The streamed amount of segments or tranches, in any order: a graph-node sorts them by the text of their ids. */
function pieces(stream: LockupRow, deposit: bigint, time: bigint): bigint {
  const { category, segments, tranches } = stream;
  const isDynamic = category === "LockupDynamic";
  if (!isDynamic && category !== "LockupTranched") fail("category", category, "one of Lockup");
  let sum = 0n;
  let streamed = 0n;
  for (const piece of (isDynamic ? segments : tranches) ?? []) {
    const amount = read(piece, "amount");
    const end = read(piece, "endTime");
    sum += amount;
    if (end <= time) streamed += amount;
    else if (isDynamic) {
      const segment = piece as SegmentRow;
      const from = read(segment, "startTime");
      // The start of a later segment still belongs to the one before: an exponent of 0 unlocks nothing there.
      if (time > from || (time === from && from === read(stream, "startTime")))
        streamed += (amount * pow(((time - from) * UNIT) / (end - from), read(segment, "exponent"))) / UNIT;
    }
  }
  if (sum !== deposit)
    fail("The sum of amounts", sum, `depositAmount ${deposit}. Select all segments or tranches`);
  return streamed;
}

/** x to the power of y, both with 18 decimals, for x from 0 to 1. Each step rounds as PRBMath's SD59x18 does. */
function pow(x: bigint, y: bigint): bigint {
  if (x === 0n || y === UNIT) return y ? x : UNIT;
  // The binary logarithm of 1 / x.
  let logarithm = 0n;
  let power = UNIT ** 2n / x;
  for (; power >= 2n * UNIT; power >>= 1n) logarithm += UNIT;
  for (let digit = UNIT / 2n; digit > 0n; digit >>= 1n) {
    power = (power * power) / UNIT;
    if (power >= 2n * UNIT) {
      logarithm += digit;
      power >>= 1n;
    }
  }
  // 2 to the power of y times the logarithm, with 64 binary digits. From 60 on, the result is 0.
  const exponent = (min((logarithm * y) / UNIT, 60n * UNIT) << 64n) / UNIT;
  // Has 128 fractional bits.
  for (let root = 2n << 128n; ROOTS.length < 64; ) {
    root = squareRoot(root << 128n, root);
    ROOTS.push(((root >> 63n) + 1n) >> 1n);
  }
  let result = 1n << 191n;
  let bit = 1n << 64n;
  for (const root of ROOTS) {
    bit >>= 1n;
    if (exponent & bit) result = (result * root) >> 64n;
  }
  return UNIT ** 2n / ((result * UNIT) >> (191n - (exponent >> 64n)));
}

/** 2^(1/2), 2^(1/4), … 2^(1/2^64), each with 64 fractional bits and rounded to nearest. Computed on first use. */
const ROOTS: bigint[] = [];

/** The square root rounded down, by Newton's method from an upper bound. */
function squareRoot(square: bigint, bound: bigint): bigint {
  const next = (bound + square / bound) >> 1n;
  return next < bound ? squareRoot(square, next) : bound;
}

/** Reads a whole number, a time as seconds, or a truth value as 0 or 1. `none` stands for null. */
function read<K extends string>(
  row: { readonly [Field in K]: unknown },
  field: K,
  none: bigint | null = null,
): bigint {
  const value = row[field] === null ? none : row[field];
  const whole = value instanceof Date ? Math.floor(+value / 1000) : value;
  // A number may have lost digits, or be milliseconds.
  if (typeof value === "number" || !/^(-?\d+|true|false)$/.test(`${whole}`))
    fail(field, value, "text, bigint or a Date. Select it");
  return BigInt(whole as string | bigint | boolean);
}

function checkKind(stream: object): void {
  if ("depositAmount" in stream && "ratePerSecond" in stream) fail("The stream", "of two protocols", "one");
}

function fail(field: string, value: unknown, expected: string): never {
  throw new TypeError(`${field} is ${value}; expected ${expected}.`);
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
