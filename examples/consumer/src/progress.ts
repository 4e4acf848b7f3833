import { owedAmount, streamedAmount, withdrawableAmount } from "lockflow-operations/amounts";
import type { FlowStream, LockupStream } from "./data";
import { share } from "./format";

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
  const streamed = streamedAmount(stream, new Date(now));
  return { total, streamed, withdrawn, status: lockupStatus(stream, now) };
}

function lockupStatus(stream: LockupStream, now: number): Progress["status"] {
  if (stream.canceled) return "Canceled";
  if (now < Number(stream.startTime)) return "Scheduled";
  return now < Number(stream.endTime) ? "Streaming" : "Settled";
}

/** A Flow stream at `now`, in milliseconds: it runs until its balance is spent, and is in debt from then on. */
export function flowProgress(stream: FlowStream, now: number): Progress {
  const { availableAmount, withdrawnAmount: withdrawn } = stream;
  const at = new Date(now);
  const isInDebt = owedAmount(stream, at) > availableAmount;
  return {
    total: withdrawn + availableAmount,
    streamed: withdrawn + withdrawableAmount(stream, at),
    withdrawn,
    status: flowStatus(stream, isInDebt, now),
  };
}

function flowStatus(stream: FlowStream, isInDebt: boolean, now: number): Progress["status"] {
  if (stream.voided) return "Voided";
  if (stream.paused) return "Paused";
  if (now < Number(stream.startTime)) return "Scheduled";
  return isInDebt ? "Insolvent" : "Streaming";
}

/** Returns the amount that a Flow stream pays in 30 days. */
export function monthlyRate(stream: FlowStream): bigint {
  // A rate has 18 decimals, whatever its asset has.
  return (stream.ratePerSecond * 2_592_000n) / 10n ** (18n - stream.assetDecimalsValue);
}
