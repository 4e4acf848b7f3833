/**
 * When a deposit unlocks, as pieces in order of time. Every category of stream is such a list: a linear stream
 * has steps for its initial unlock and its cliff and one straight piece, a dynamic one has its segments, a
 * tranched one its tranches.
 */
export type Schedule = readonly Piece[];

export type Piece = {
  readonly startTime: number;
  readonly endTime: number;
  /** What the pieces before it unlock. */
  readonly startAmount: bigint;
  readonly amount: bigint;
  /** How the piece rises: 1 is a straight line; a step unlocks everything at its end. */
  readonly exponent: 1 | 2 | 3 | "step";
};

/** What has unlocked of a deposit at a time. */
export function unlockedAt(schedule: Schedule, time: number): bigint {
  let unlocked = 0n;
  for (const piece of schedule) {
    if (time >= piece.endTime) unlocked = piece.startAmount + piece.amount;
    else if (time > piece.startTime) return unlocked + risenBy(piece, time);
    else return unlocked;
  }
  return unlocked;
}

/** Appends pieces to one another: turns amounts and ends into a schedule. */
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

function risenBy({ startTime, endTime, amount, exponent }: Piece, time: number): bigint {
  if (exponent === "step") return 0n;
  const passed = BigInt(time - startTime);
  const whole = BigInt(endTime - startTime);
  let [risen, scale] = [amount, 1n];
  for (let power = 0; power < exponent; power++) {
    risen *= passed;
    scale *= whole;
  }
  return risen / scale;
}
