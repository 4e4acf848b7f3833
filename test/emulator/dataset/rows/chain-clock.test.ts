import { describe, expect, it } from "vitest";
import { chainClock } from "../../../../emulator/dataset/rows/chain-clock.ts";
import { CHAINS } from "../../../../src/project/chains.ts";

const states = CHAINS.map(({ chainId }) => chainClock("a test", chainId));

describe("chainClock", () => {
  it("has a head in August 2025 whose number fits an Int", () => {
    for (const { startBlock, head } of states) {
      expect(new Date(head.timestamp * 1000).toISOString()).toMatch(/^2025-08-/);
      expect(head.number).toBeGreaterThan(startBlock);
      expect(head.number).toBeLessThan(2 ** 31);
      expect(head.hash).toMatch(/^0x[0-9a-f]{64}$/);
      expect(head.parentHash).toMatch(/^0x[0-9a-f]{64}$/);
      expect(head.parentHash).not.toBe(head.hash);
    }
  });

  it("has a different head for each chain", () => {
    expect(new Set(states.map(({ head }) => head.hash)).size).toBe(CHAINS.length);
    expect(new Set(states.map(({ head }) => head.number)).size).toBe(CHAINS.length);
  });

  it("shifts all timestamps to a given time of the head", () => {
    const { head, timestampOf, secondsPerBlock } = chainClock("a test", 10, 1_800_000_000);
    expect(head).toEqual({ ...chainClock("a test", 10).head, timestamp: 1_800_000_000 });
    expect(timestampOf(head.number - 100)).toBe(1_800_000_000 - 100 * secondsPerBlock);
  });

  it("timestampOf returns the head's timestamp, and lower ones before it", () => {
    const { head, timestampOf } = chainClock("a test", 10);
    expect(timestampOf(head.number)).toBe(head.timestamp);
    expect(timestampOf(head.number - 1)).toBeLessThan(head.timestamp);
  });
});
