import type { Asset } from "../build-assets.ts";
import type { Action } from "../create-event-log.ts";
import type { Random } from "../create-random.ts";
import type { Release, Stream } from "../stream.ts";

/** Rates and accrued amounts have 18 decimals, whatever the asset's are. */
const RATE_UNIT = 10n ** 18n;

/** A Flow stream during the simulation. */
export type FlowStream = Stream & {
  readonly creator: string;
  deposited: bigint;
  refunded: bigint;
  forgiven: bigint;
  /** Per second, with 18 decimals; zero while paused. */
  rate: bigint;
  /** The amount accrued up to `adjusted` without forgiven debt, with 18 decimals. */
  snapshot: bigint;
  /** When the rate last changed. */
  adjusted: number;
  adjustment: Action | null;
  paused: Action | null;
  voided: Action | null;
};

/** The total accrued since the start, paid or not, in the asset's decimals. */
function accruedAt(stream: FlowStream, time: number): bigint {
  return scaledAccruedAt(stream, time) / accrualScale(stream);
}

/** The total accrued since the start, with 18 decimals. */
export function scaledAccruedAt({ snapshot, rate, adjusted }: FlowStream, time: number): bigint {
  return snapshot + rate * BigInt(time - adjusted);
}

export function debtAt(stream: FlowStream, time: number): bigint {
  return accruedAt(stream, time) - stream.withdrawn;
}

export function balanceOf({ deposited, withdrawn, refunded }: FlowStream): bigint {
  return deposited - withdrawn - refunded;
}

/** The part of the debt that the balance covers. */
export function coveredDebtAt(stream: FlowStream, time: number): bigint {
  const debt = debtAt(stream, time);
  const balance = balanceOf(stream);
  if (debt < balance) return debt;
  return balance;
}

/** When the balance stops covering the debt at the current rate; 0 while nothing accrues. */
export function depletionTimeOf(stream: FlowStream): number {
  if (stream.rate === 0n) return 0;
  const left = (stream.deposited - stream.refunded) * accrualScale(stream) - stream.snapshot;
  return left <= 0n ? stream.adjusted : stream.adjusted + Number(left / stream.rate);
}

export function accrualScale(stream: FlowStream): bigint {
  return RATE_UNIT / stream.asset.unit;
}

const MONTH = 30 * 86_400;

/** Draws a rate per second with 18 decimals: 100 to 20,000 whole tokens a month. */
export function inventRate(random: Random): bigint {
  return (BigInt(random.int(100, 20_000)) * RATE_UNIT) / BigInt(MONTH);
}

/** About the monthly cost of a stream, in the asset's decimals. */
export function monthlyAmount(random: Random, asset: Asset): bigint {
  return BigInt(random.int(100_00, 20_000_00)) * (asset.unit / 100n);
}

/** The generations of the Flow contracts, oldest first. */
export const FLOW_GENERATIONS: readonly (readonly Release[])[] = [
  [{ alias: "FL", version: "v1.0", categories: ["Flow"] }],
  [{ alias: "FL2", version: "v1.1", categories: ["Flow"] }],
  [{ alias: "FL3", version: "v2.0", categories: ["Flow"] }],
];

/** The first generation charges no withdrawal fee. */
export const FIRST_GENERATION_WITH_FEES = 1;
