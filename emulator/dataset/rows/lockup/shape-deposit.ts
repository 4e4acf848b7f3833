import type { Random } from "../create-random.ts";
import type { Linear } from "./stream.ts";
import { buildSchedule, type Schedule } from "./stream.ts";

/** How a deposit unlocks, and its fields on the row. */
export type Shape = {
  readonly schedule: Schedule;
  readonly endTime: number;
  readonly linear: Linear | null;
  readonly name: string;
};

export type Deposit = {
  readonly amount: bigint;
  readonly startTime: number;
  /** Whether the release supports initial unlocks. */
  readonly unlocks: boolean;
  /** Whether the release divides a linear stream directly. */
  readonly isExact: boolean;
};

const DAY = 86_400;
const DURATIONS = [7 * DAY, 30 * DAY, 90 * DAY, 180 * DAY, 365 * DAY, 730 * DAY, 1460 * DAY];

/** Draws how a stream of this category unlocks its deposit. */
export function shapeDeposit(random: Random, category: string, deposit: Deposit): Shape {
  const shape = SHAPERS[category];
  if (shape === undefined) throw new TypeError(`There is no Lockup category "${category}".`);
  return shape(random, deposit);
}

const SHAPERS: Readonly<Record<string, (random: Random, deposit: Deposit) => Shape>> = {
  LockupLinear: shapeLinear,
  LockupDynamic: shapeDynamic,
  LockupTranched: shapeTranched,
};

function shapeLinear(random: Random, deposit: Deposit): Shape {
  const { amount, startTime, unlocks, isExact } = deposit;
  const duration = random.pick(DURATIONS);
  const endTime = startTime + duration;
  const initial = unlocks && random.chance(30) ? share(amount, random.int(1, 20)) : null;
  const cliff = random.chance(40) ? linearCliff(random, deposit, duration) : null;
  const step = unlocks ? cliff : null;
  const rest = amount - (initial ?? 0n) - (step?.amount ?? 0n);
  const schedule = buildSchedule(startTime, [
    ...(initial === null ? [] : [{ endTime: startTime, amount: initial, exponent: "step" as const }]),
    ...(step === null ? [] : [{ endTime: step.time, amount: step.amount, exponent: "step" as const }]),
    { endTime, amount: rest, exponent: isExact ? "line" : 1 },
  ]);
  const name = `linear${initial === null ? "" : "Unlock"}${cliff === null ? "" : "Cliff"}`;
  return { schedule, endTime, linear: { cliff, initial: unlocks ? initial : undefined }, name };
}

/** Before unlock amounts existed, the amount of a cliff was the one that the line had reached. */
function linearCliff(
  random: Random,
  { amount, startTime, unlocks }: Deposit,
  duration: number,
): { time: number; amount: bigint } {
  const percent = random.int(5, 50);
  const seconds = Math.floor((duration * percent) / 100);
  const proportional = (amount * BigInt(seconds)) / BigInt(duration);
  return {
    time: startTime + seconds,
    amount: unlocks && random.chance(50) ? share(amount, random.int(1, 50)) : proportional,
  };
}

function shapeDynamic(random: Random, { amount, startTime }: Deposit): Shape {
  const count = random.int(1, 6);
  const amounts = split(random, amount, count);
  let endTime = startTime;
  const schedule = buildSchedule(
    startTime,
    amounts.map((part) => {
      endTime += random.int(1, 200) * DAY;
      return { endTime, amount: part, exponent: random.pick([1, 2, 3] as const) };
    }),
  );
  return { schedule, endTime, linear: null, name: count === 1 ? "dynamicExponential" : "dynamicCurve" };
}

function shapeTranched(random: Random, { amount, startTime }: Deposit): Shape {
  const count = random.int(2, 12);
  const monthly = random.chance(60);
  const interval = monthly ? 30 * DAY : random.int(1, 45) * DAY;
  const schedule = buildSchedule(
    startTime,
    withRemainder(new Array<bigint>(count).fill(amount / BigInt(count)), amount).map((part, index) => ({
      endTime: startTime + interval * (index + 1),
      amount: part,
      exponent: "step" as const,
    })),
  );
  const name = monthly ? "tranchedMonthly" : "tranchedStepper";
  return { schedule, endTime: startTime + interval * count, linear: null, name };
}

function share(amount: bigint, percent: number): bigint {
  return (amount * BigInt(percent)) / 100n;
}

/** Random parts that add up to the amount. */
function split(random: Random, amount: bigint, count: number): bigint[] {
  const weights = Array.from({ length: count }, () => random.int(1, 9));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const parts = weights.map((weight) => (amount * BigInt(weight)) / BigInt(total));
  return withRemainder(parts, amount);
}

function withRemainder(parts: bigint[], amount: bigint): bigint[] {
  const sum = parts.reduce((total, part) => total + part, 0n);
  return parts.with(-1, (parts.at(-1) ?? 0n) + amount - sum);
}
