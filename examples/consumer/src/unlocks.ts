import type { LockupStream } from "./data";

/** Returns the unlocked amount at a time in milliseconds. */
export type Unlocked = (time: number) => bigint;

/** Returns the unlocked amount of a Lockup stream by time, in the asset's smallest unit, ignoring cancellation. */
export function unlockedOf(stream: LockupStream): Unlocked {
  if (stream.category === "LockupDynamic") return curve(stream);
  if (stream.category === "LockupTranched") return steps(stream);
  return line(stream);
}

/** Segments, each of them with an exponent: 1 is a line, 3 starts slowly, a fraction starts fast. */
function curve({ segments }: LockupStream): Unlocked {
  return (time) =>
    sum(
      segments.map(({ amount, exponent, startTime, endTime }) => {
        const [from, until] = [Number(startTime), Number(endTime)];
        if (time >= until) return amount;
        if (time <= from) return 0n;
        // Exponents have 18 decimals. Nine digits are exact enough for a picture.
        const share = ((time - from) / (until - from)) ** (Number(exponent) / 1e18);
        return (amount * BigInt(Math.round(share * 1e9))) / 1_000_000_000n;
      }),
    );
}

/** Tranches unlock all at once at their end. */
function steps({ tranches }: LockupStream): Unlocked {
  return (time) => sum(tranches.map(({ amount, endTime }) => (time >= Number(endTime) ? amount : 0n)));
}

/** A line from the start or from the cliff to the end, with what unlocks at the start and at the cliff. */
function line(stream: LockupStream): Unlocked {
  const [start, end, total] = [Number(stream.startTime), Number(stream.endTime), stream.depositAmount];
  const atStart = stream.initialAmount ?? 0n;
  const atCliff = stream.cliffAmount ?? 0n;
  const from = Number(stream.cliffTime ?? start);
  return (time) => {
    if (time < start) return 0n;
    if (time < from) return atStart;
    if (time >= end) return total;
    const rest = total - atStart - atCliff;
    return atStart + atCliff + (rest * BigInt(time - from)) / BigInt(Math.max(1, end - from));
  };
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((all, amount) => all + amount, 0n);
}
