import { describe, expect, it } from "vitest";
import type { Row } from "../../../../emulator/styles/read-view.ts";
import { actionsOf, big, groupBy, min, sample, samplesOf, sum, text } from "./simulation.ts";

describe.each(samplesOf("lockup"))("the streams of %s on chain %i at %s", (protocol, chainId, at) => {
  const here = sample(protocol, chainId, at);
  const { rows, byId, head } = here;
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
      expect(big(stream, "intactAmount")).toBe(big(stream, "depositAmount") - big(stream, "withdrawnAmount"));
      expect(big(stream, "duration")).toBe(big(stream, "endTime") - big(stream, "startTime"));
      expect(big(of(stream, "Create")[0], "amountA")).toBe(big(stream, "depositAmount"));
    }
  });

  it("never withdraw more than the unlocked amount", () => {
    for (const stream of streams) {
      let withdrawn = 0n;
      const [cancel] = of(stream, "Cancel");
      for (const withdrawal of of(stream, "Withdraw")) {
        withdrawn += big(withdrawal, "amountB");
        const at = cancel
          ? min(big(cancel, "timestamp"), big(withdrawal, "timestamp"))
          : big(withdrawal, "timestamp");
        expect(withdrawn).toBeLessThanOrEqual(unlocked(stream, at));
      }
      expect(withdrawn).toBeLessThanOrEqual(unlocked(stream, BigInt(head.timestamp)));
    }
  });

  it("are canceled or renounced by at most one action", () => {
    const actions = byId("Action");
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
      const canceled = actions.get(String(stream["canceledAction"]));
      if (canceled) {
        const at = big(canceled, "timestamp");
        const before = of(stream, "Withdraw").filter((action) => big(action, "timestamp") < at);
        const paid = sum(before.map((action) => big(action, "amountB")));
        expect(big(canceled, "amountA") + big(canceled, "amountB") + paid).toBe(big(stream, "depositAmount"));
        expect(at).toBeLessThan(big(stream, "endTime"));
      }
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

  it("have every possible state", () => {
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

  /** Returns the amount that is unlocked at a time, computed from the rows alone. */
  function unlocked(stream: Row, time: bigint): bigint {
    const [start, end] = [big(stream, "startTime"), big(stream, "endTime")];
    const deposit = big(stream, "depositAmount");
    const id = text(stream, "id");
    const tranched = tranches.get(id);
    if (tranched) {
      return sum(tranched.filter((row) => big(row, "endTime") <= time).map((row) => big(row, "amount")));
    }
    const dynamic = segments.get(id);
    if (dynamic) return sum(dynamic.map((segment) => risen(segment, time)));
    if (time < start) return 0n;
    if (time >= end) return deposit;
    const initial = stream["initial"] ? big(stream, "initialAmount") : 0n;
    const cliffTime = stream["cliff"] ? big(stream, "cliffTime") : start;
    const cliff = stream["cliff"] ? big(stream, "cliffAmount") : 0n;
    if (time < cliffTime) return initial;
    const rest = deposit - initial - cliff;
    return initial + cliff + (rest * (time - cliffTime)) / (end - cliffTime);
  }
});

function risen(segment: Row, time: bigint): bigint {
  const [start, end] = [big(segment, "startTime"), big(segment, "endTime")];
  if (time <= start) return 0n;
  if (time >= end) return big(segment, "amount");
  const exponent = big(segment, "exponent") / 10n ** 18n;
  return (big(segment, "amount") * (time - start) ** exponent) / (end - start) ** exponent;
}
