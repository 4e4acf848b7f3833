import { describe, expect, it } from "vitest";
import { createGrowth } from "../../../emulator/server/create-block-clock.ts";

const PACES = new Map([
  [1, 12],
  [10, 2],
]);

function growth(live: boolean) {
  let time = 1_000_000;
  const counted = createGrowth({
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

describe("createGrowth", () => {
  it("stands still by itself", () => {
    const { of, pass } = growth(false);
    pass(1_000_000);
    expect([of(1), of(10)]).toEqual([0, 0]);
  });

  it.each([
    [0, [0, 0]],
    [1.9, [0, 0]],
    [2, [0, 1]],
    [24, [2, 12]],
    [25, [2, 12]],
  ])("lets every chain grow at its own pace: %d seconds are %j blocks", (seconds, want) => {
    const { of, pass } = growth(true);
    pass(seconds);
    expect([of(1), of(10)]).toEqual(want);
  });

  it("never shrinks, though the clock is set back", () => {
    const { of, pass } = growth(true);
    pass(24);
    expect(of(1)).toBe(2);
    pass(-20);
    expect(of(1)).toBe(2);
  });

  it("advances one chain or all by hand, on top of the clock", () => {
    const { of, advance, pass } = growth(true);
    advance(3);
    advance(4, 10);
    pass(12);
    expect([of(1), of(10), of(99)]).toEqual([4, 13, 15]);
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("does not advance by %d", (blocks) => {
    const { of, advance } = growth(false);
    expect(() => advance(blocks)).toThrow(RangeError);
    expect(of(1)).toBe(0);
  });
});
