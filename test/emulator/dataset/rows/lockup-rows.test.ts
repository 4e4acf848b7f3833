import { describe, expect, it } from "vitest";
import type { Row } from "../../../../emulator/styles/read-view.ts";
import { type LockupRow, streamedAmount } from "../../../../packages/operations/amounts.ts";
import { runs } from "../../../support/runs.ts";
import { actionsOf, big, groupBy, sample, samplesOf, sum, text } from "./simulation.ts";

const SAMPLES = samplesOf("lockup", runs(2, 20));

describe.each(SAMPLES)("streams of lockup on chain $chainId at $at, seed $seed", (options) => {
  const here = sample(options);
  const { rows, head } = here;
  const streams = rows("Stream");
  const of = actionsOf(here);
  const segments = groupBy(rows("Segment"), "stream");
  const tranches = groupBy(rows("Tranche"), "stream");

  it("have segments or tranches by category, which cover the whole stream", () => {
    for (const stream of streams) {
      const id = text(stream, "id");
      expect(segments.has(id)).toBe(stream["category"] === "LockupDynamic");
      expect(tranches.has(id)).toBe(stream["category"] === "LockupTranched");
      const pieces = segments.get(id) ?? tranches.get(id);
      if (pieces === undefined) continue;
      let [time, amount] = [big(stream, "startTime"), 0n];
      for (const [index, piece] of pieces.entries()) {
        expect(piece["position"]).toBe(String(index));
        expect(big(piece, "startTime")).toBe(time);
        expect(big(piece, "startAmount")).toBe(amount);
        amount += big(piece, "amount");
        expect(big(piece, "endAmount")).toBe(amount);
        expect(big(piece, "endTime")).toBeGreaterThan(time);
        time = big(piece, "endTime");
      }
      expect(amount).toBe(big(stream, "depositAmount"));
      expect(time).toBe(big(stream, "endTime"));
    }
  });

  it("have consistent amounts and durations", () => {
    for (const stream of streams) {
      const returned = sum(of(stream, "Cancel").map((action) => big(action, "amountA")));
      expect(big(stream, "intactAmount")).toBe(
        big(stream, "depositAmount") - returned - big(stream, "withdrawnAmount"),
      );
      expect(big(stream, "duration")).toBe(big(stream, "endTime") - big(stream, "startTime"));
      expect(big(of(stream, "Create")[0], "amountA")).toBe(big(stream, "depositAmount"));
    }
  });

  it("stream the amounts of their actions", () => {
    for (const stream of streams) {
      const id = text(stream, "id");
      const row = {
        ...stream,
        segments: segments.get(id),
        tranches: tranches.get(id),
      } as unknown as LockupRow;
      const uncanceled = { ...row, canceled: false, canceledTime: null };
      const isCurved = segments.get(id)?.some(({ exponent }) => exponent !== "1000000000000000000") ?? false;
      const tolerance = isCurved ? big(stream, "depositAmount") / 10n ** 16n + 1n : 0n;
      let withdrawn = 0n;
      for (const action of of(stream, "Withdraw", "Cancel")) {
        const at = big(action, "timestamp");
        if (action["category"] === "Withdraw") {
          withdrawn += big(action, "amountB");
          expect(withdrawn).toBeLessThanOrEqual(streamedAmount(row, at) + tolerance);
        } else {
          const kept = withdrawn + big(action, "amountB");
          const difference = streamedAmount(uncanceled, at) - kept;
          expect(difference < 0n ? -difference : difference, id).toBeLessThanOrEqual(tolerance);
          expect(kept + big(action, "amountA")).toBe(big(stream, "depositAmount"));
        }
      }
      expect(big(stream, "withdrawnAmount")).toBe(withdrawn);
    }
  });

  it("are canceled or renounced by at most one action", () => {
    for (const stream of streams) {
      const cancels = of(stream, "Cancel");
      const renounces = of(stream, "Renounce");
      expect(cancels.length + renounces.length).toBeLessThanOrEqual(1);
      expect(stream["canceled"]).toBe(cancels.length === 1);
      expect(stream["canceledAction"]).toBe(cancels[0]?.["id"] ?? null);
      expect(stream["canceledTime"]).toBe(cancels[0]?.["timestamp"] ?? null);
      expect(stream["renounceAction"]).toBe(renounces[0]?.["id"] ?? null);
      expect(stream["renounceTime"]).toBe(renounces[0]?.["timestamp"] ?? null);
      if (cancels.length + renounces.length > 0) expect(stream["cancelable"]).toBe(false);
      if (cancels[0]) expect(big(cancels[0], "timestamp")).toBeLessThan(big(stream, "endTime"));
    }
  });

  it("have a cliff, an initial unlock and a shape only if their kind supports them", () => {
    for (const stream of streams) {
      const linear = stream["category"] === "LockupLinear";
      const merged = /^LK/.test(text(stream, "alias"));
      expect(stream["cliff"] !== null).toBe(linear);
      expect(stream["cliffTime"] !== null).toBe(stream["cliff"] === true);
      expect(stream["cliffAmount"] !== null).toBe(stream["cliff"] === true);
      expect(stream["initial"] !== null).toBe(linear && merged);
      expect(stream["initialAmount"] !== null).toBe(stream["initial"] === true);
      expect(stream["shape"] !== null).toBe(merged);
      expect(stream["proxender"] !== null).toBe(stream["proxied"]);
    }
  });

  it.runIf(options.streams === null)("have every possible state", () => {
    const now = BigInt(head.timestamp);
    const states: Record<string, (stream: Row) => boolean> = {
      pending: (stream) => big(stream, "startTime") > now,
      streaming: (stream) => big(stream, "startTime") <= now && big(stream, "endTime") > now,
      settled: (stream) => big(stream, "endTime") <= now && stream["canceled"] === false,
      depleted: (stream) => stream["intactAmount"] === "0",
      canceled: (stream) => stream["canceled"] === true,
      renounced: (stream) => stream["renounceAction"] !== null,
      proxied: (stream) => stream["proxied"] === true,
      cliff: (stream) => stream["cliff"] === true,
      initial: (stream) => stream["initial"] === true,
    };
    for (const [name, holds] of Object.entries(states)) expect(streams.some(holds), name).toBe(true);
  });
});
