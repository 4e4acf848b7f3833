import type { Asset } from "../build-assets.ts";
import type { Action } from "../create-event-log.ts";
import type { Random } from "../create-random.ts";
import type { Release, Stream } from "../stream.ts";

/** Rates and what accrues by them have 18 decimals, whatever the asset has. */
export const RATE_UNIT = 10n ** 18n;

/** A Flow stream while its history is being made up. */
export type FlowStream = Stream & {
  readonly creator: string;
  deposited: bigint;
  refunded: bigint;
  forgiven: bigint;
  /** Per second, with 18 decimals; zero while paused. */
  rate: bigint;
  /** What had accrued when the rate was last changed, with 18 decimals. */
  snapshot: bigint;
  /** When the rate was last changed. */
  adjusted: number;
  adjustment: Action | null;
  paused: Action | null;
  voided: Action | null;
};

/** What has accrued since the start, in the asset's decimals, whether it was paid or not. */
export function accruedAt(stream: FlowStream, time: number): bigint {
  return scaledAccruedAt(stream, time) / accrualScale(stream);
}

/** What has accrued since the start, with 18 decimals. */
export function scaledAccruedAt({ snapshot, rate, adjusted }: FlowStream, time: number): bigint {
  return snapshot + rate * BigInt(time - adjusted);
}

/** What the recipient is owed. */
export function debtAt(stream: FlowStream, time: number): bigint {
  return accruedAt(stream, time) - stream.withdrawn - stream.forgiven;
}

/** What is left of the deposits. */
export function balanceOf({ deposited, withdrawn, refunded }: FlowStream): bigint {
  return deposited - withdrawn - refunded;
}

/** What could be paid of the debt right away. */
export function coveredDebtAt(stream: FlowStream, time: number): bigint {
  const debt = debtAt(stream, time);
  const balance = balanceOf(stream);
  if (debt < balance) return debt;
  return balance;
}

/** When the balance stops covering the debt, going by the present rate; 0 while nothing accrues. */
export function depletionTimeOf(stream: FlowStream): number {
  if (stream.rate === 0n) return 0;
  const left = (stream.deposited - stream.refunded) * accrualScale(stream) - stream.snapshot;
  return left <= 0n ? stream.adjusted : stream.adjusted + Number(left / stream.rate);
}

function accrualScale(stream: FlowStream): bigint {
  return RATE_UNIT / stream.asset.unit;
}

const MONTH = 30 * 86_400;

/** A rate per second with 18 decimals, of 100 to 20,000 whole tokens a month. */
export function inventRate(random: Random): bigint {
  return (BigInt(random.int(100, 20_000)) * RATE_UNIT) / BigInt(MONTH);
}

/** What about a month of some stream costs, in the asset's decimals. */
export function monthlyAmount(random: Random, asset: Asset): bigint {
  return BigInt(random.int(100_00, 20_000_00)) * (asset.unit / 100n);
}

/** The generations of the Flow contracts, oldest first. */
export const FLOW_GENERATIONS: readonly (readonly Release[])[] = [
  [{ alias: "FL", version: "v1.0", categories: ["Flow"] }],
  [{ alias: "FL2", version: "v1.1", categories: ["Flow"] }],
  [{ alias: "FL3", version: "v2.0", categories: ["Flow"] }],
];

/** The first generation asks no fee of a withdrawal. */
export const FIRST_GENERATION_WITH_FEES = 1;
