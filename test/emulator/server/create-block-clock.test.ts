import { describe, expect, it } from "vitest";
import { createBlockClock } from "../../../emulator/server/create-block-clock.ts";

const PACES = new Map([
  [1, 12],
  [10, 2],
]);

function startClock(live: boolean) {
  let time = 1_000_000;
  const counted = createBlockClock({
    live,
    now: () => time,
    secondsPerBlock: (chainId) => PACES.get(chainId) ?? 1,
  });
  return {
    ...counted,
    pass: (seconds: number) => {
      time += seconds * 1000;
    },
  };
}

describe("createBlockClock", () => {
  it("adds no blocks over time unless it is live", () => {
    const { newBlocks, pass } = startClock(false);
    pass(1_000_000);
    expect([newBlocks(1), newBlocks(10)]).toEqual([0, 0]);
  });

  it.each([
    [0, [0, 0]],
    [1.9, [0, 0]],
    [2, [0, 1]],
    [24, [2, 12]],
    [25, [2, 12]],
  ])("adds blocks at the pace of each chain: %d seconds are %j blocks", (seconds, want) => {
    const { newBlocks, pass } = startClock(true);
    pass(seconds);
    expect([newBlocks(1), newBlocks(10)]).toEqual(want);
  });

  it("keeps its blocks if the system clock is set back", () => {
    const { newBlocks, pass } = startClock(true);
    pass(24);
    expect(newBlocks(1)).toBe(2);
    pass(-20);
    expect(newBlocks(1)).toBe(2);
  });

  it("advance adds blocks to one chain or to all, in addition to the clock", () => {
    const { newBlocks, advance, pass } = startClock(true);
    advance(3);
    advance(4, 10);
    pass(12);
    expect([newBlocks(1), newBlocks(10), newBlocks(99)]).toEqual([4, 13, 15]);
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("error: advance throws for %d", (blocks) => {
    const { newBlocks, advance } = startClock(false);
    expect(() => advance(blocks)).toThrow(RangeError);
    expect(newBlocks(1)).toBe(0);
  });
});
