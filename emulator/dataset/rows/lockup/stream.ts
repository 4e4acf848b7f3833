import type { Action } from "../create-event-log.ts";
import type { Release, Stream } from "../stream.ts";

/** A Lockup stream during the simulation. */
export type LockupStream = Stream & {
  readonly deposit: bigint;
  readonly schedule: Schedule;
  readonly endTime: number;
  readonly funder: string;
  readonly proxender: string | null;
  readonly shape: string | null;
  /** Null unless the stream is linear. */
  readonly linear: Linear | null;
  cancelable: boolean;
  canceled: Action | null;
  /** The amount that a cancellation returned to the sender. */
  returned: bigint;
  renounced: Action | null;
};

export type Linear = {
  readonly cliff: { readonly time: number; readonly amount: bigint } | null;
  /** The amount unlocked at the start; undefined if the release does not support it. */
  readonly initial: bigint | null | undefined;
};

/**
 * When a deposit unlocks, as pieces in order of time. Linear streams have steps for initial unlock and cliff and one
 * straight piece; dynamic ones have their segments, tranched ones their tranches.
 */
export type Schedule = readonly Piece[];

export type Piece = {
  readonly startTime: number;
  readonly endTime: number;
  /** The amount of all earlier pieces. */
  readonly startAmount: bigint;
  readonly amount: bigint;
  /**
   * 1 is a straight line, whose share of the amount has 18 decimals; a `line` is divided directly, as contracts after
   * v2.0 do; a step unlocks everything at its end.
   */
  readonly exponent: 1 | 2 | 3 | "line" | "step";
};

/** The amount of a deposit that is unlocked at a time. */
export function unlockedAt(
  { schedule, linear }: Pick<LockupStream, "schedule" | "linear">,
  time: number,
): bigint {
  // Before unlock amounts existed, a cliff only hid the line.
  if (linear?.cliff && linear.initial === undefined && time < linear.cliff.time) return 0n;
  let unlocked = 0n;
  for (const piece of schedule) {
    if (time >= piece.endTime) unlocked = piece.startAmount + piece.amount;
    else if (time > piece.startTime) return unlocked + risenBy(piece, time);
    else return unlocked;
  }
  return unlocked;
}

/** Builds a schedule from amounts and end times. */
export function buildSchedule(
  startTime: number,
  pieces: readonly Pick<Piece, "endTime" | "amount" | "exponent">[],
): Schedule {
  let from = startTime;
  let startAmount = 0n;
  return pieces.map((piece) => {
    const placed = { ...piece, startTime: from, startAmount };
    from = piece.endTime;
    startAmount += piece.amount;
    return placed;
  });
}

/** Contracts round shares of the time to 18 decimals. */
const SHARE_UNIT = 10n ** 18n;

function risenBy({ startTime, endTime, amount, exponent }: Piece, time: number): bigint {
  if (exponent === "step") return 0n;
  const passed = BigInt(time - startTime);
  const whole = BigInt(endTime - startTime);
  if (exponent === "line") return (amount * passed) / whole;
  if (exponent === 1) return (amount * ((passed * SHARE_UNIT) / whole)) / SHARE_UNIT;
  let [risen, scale] = [amount, 1n];
  for (let power = 0; power < exponent; power++) {
    risen *= passed;
    scale *= whole;
  }
  return risen / scale;
}

/** The features of a generation of the Lockup contracts. */
export type Generation = {
  readonly releases: readonly Release[];
  /** Whether proxy contracts may open streams. */
  readonly proxies: boolean;
  /** Whether airdrop campaigns open streams. */
  readonly airdrops: boolean;
  /** Whether it charges a fee, stores the name of a stream's shape and supports initial unlocks. */
  readonly fees: boolean;
};

const MERGED = ["LockupDynamic", "LockupLinear", "LockupTranched"];

/** The generations of the Lockup contracts, oldest first. */
export const LOCKUP_GENERATIONS: readonly Generation[] = [
  {
    releases: [release("LD", "v1.0", "LockupDynamic"), release("LL", "v1.0", "LockupLinear")],
    proxies: true,
    airdrops: false,
    fees: false,
  },
  {
    releases: [release("LD2", "v1.1", "LockupDynamic"), release("LL2", "v1.1", "LockupLinear")],
    proxies: true,
    airdrops: true,
    fees: false,
  },
  {
    releases: [
      release("LD3", "v1.2", "LockupDynamic"),
      release("LL3", "v1.2", "LockupLinear"),
      release("LT3", "v1.2", "LockupTranched"),
    ],
    proxies: false,
    airdrops: true,
    fees: false,
  },
  { releases: [release("LK", "v2.0", ...MERGED)], proxies: false, airdrops: true, fees: true },
  { releases: [release("LK2", "v3.0", ...MERGED)], proxies: false, airdrops: true, fees: true },
];

function release(alias: string, version: string, ...categories: string[]): Release {
  return { alias, version, categories };
}
