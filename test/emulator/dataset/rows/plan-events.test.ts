import { expect, it } from "vitest";
import { planEvents } from "../../../../emulator/dataset/rows/build-chain-rows.ts";
import { chainClock } from "../../../../emulator/dataset/rows/chain-clock.ts";
import { createRandom } from "../../../../emulator/dataset/rows/create-random.ts";

it.each([1, 5, 1_000_000])(
  "planEvents returns only past blocks after the creation, %i blocks before the first readable block",
  (before) => {
    const clock = chainClock("a test", 10);
    const created = clock.earliestBlock - before;
    const random = createRandom("plans");
    const plans = Array.from({ length: 200 }, () => planEvents(random, clock, created));
    for (const blocks of plans) {
      expect(blocks).toEqual([...new Set(blocks)].sort((a, b) => a - b));
      for (const block of blocks) {
        expect(block).toBeGreaterThan(created);
        expect(block).toBeLessThanOrEqual(clock.earliestBlock);
      }
    }
    expect(plans.some((blocks) => blocks.length === 0)).toBe(true);
    expect(plans.some((blocks) => blocks.length > 0)).toBe(true);
  },
);
