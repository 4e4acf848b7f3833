import { share } from "./amounts";
import type { FlowStream, LockupStream } from "./data";
import { unlockedOf } from "./unlocks";

/** The progress of a stream at a time. Amounts are in the asset's smallest unit. */
export type Progress = {
  /** Everything that was deposited. */
  readonly total: bigint;
  /** The amount that the recipient has earned until now. */
  readonly streamed: bigint;
  readonly withdrawn: bigint;
  readonly status: "Scheduled" | "Streaming" | "Paused" | "Canceled" | "Voided" | "Settled" | "Insolvent";
};

/** The two lengths of a bar, from 0 to 1. */
export function bar({ total, streamed, withdrawn }: Progress): { streamed: number; withdrawn: number } {
  return { streamed: share(streamed, total), withdrawn: share(withdrawn, total) };
}

/** A Lockup stream at `now`, in milliseconds. */
export function lockupProgress(stream: LockupStream, now: number): Progress {
  const { depositAmount: total, withdrawnAmount: withdrawn } = stream;
  // On cancellation, the recipient keeps the unlocked amount; the rest goes back to the sender.
  const unlocked = unlockedOf(stream)(stream.canceled ? Number(stream.canceledTime) : now);
  const streamed = unlocked > withdrawn ? unlocked : withdrawn;
  return { total, streamed, withdrawn, status: lockupStatus(stream, now) };
}

function lockupStatus(stream: LockupStream, now: number): Progress["status"] {
  if (stream.canceled) return "Canceled";
  if (now < Number(stream.startTime)) return "Scheduled";
  return now < Number(stream.endTime) ? "Streaming" : "Settled";
}

/** A Flow stream at `now`, in milliseconds: it runs until its balance is spent, and is in debt from then on. */
export function flowProgress(stream: FlowStream, now: number): Progress {
  const { withdrawnAmount: withdrawn } = stream;
  const total = withdrawn + stream.availableAmount;
  const running = !stream.paused && !stream.voided;
  const seconds = BigInt(Math.floor(Math.max(0, now - Number(stream.lastAdjustmentTimestamp)) / 1000));
  const accrued = running ? stream.ratePerSecond * seconds : 0n;
  // Rates and snapshots have 18 decimals, whatever the asset has.
  const earned = (stream.snapshotAmount + accrued) / 10n ** BigInt(18 - decimalsOf(stream));
  const owed = earned > withdrawn ? earned : withdrawn;
  const streamed = owed < total ? owed : total;
  return { total, streamed, withdrawn, status: flowStatus(stream, owed > total, now) };
}

function flowStatus(stream: FlowStream, isInDebt: boolean, now: number): Progress["status"] {
  if (stream.voided) return "Voided";
  if (stream.paused) return "Paused";
  if (now < Number(stream.startTime)) return "Scheduled";
  return isInDebt ? "Insolvent" : "Streaming";
}

/** Returns the amount that a Flow stream pays in 30 days. */
export function monthlyRate(stream: FlowStream): bigint {
  return (stream.ratePerSecond * 2_592_000n) / 10n ** BigInt(18 - decimalsOf(stream));
}

export function decimalsOf({ assetDecimalsValue }: { readonly assetDecimalsValue: bigint }): number {
  return Number(assetDecimalsValue);
}
