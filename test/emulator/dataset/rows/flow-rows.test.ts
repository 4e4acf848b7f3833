import { describe, expect, it } from "vitest";
import type { Row } from "../../../../emulator/styles/read-view.ts";
import { owedAmount, withdrawableAmount } from "../../../../packages/operations/amounts.ts";
import { runs } from "../../../support/runs.ts";
import { actionsOf, big, sample, samplesOf } from "./simulation.ts";

const SAMPLES = samplesOf("flow", runs(2, 20));

describe.each(SAMPLES)("streams of flow on chain $chainId at $at, seed $seed", (options) => {
  const here = sample(options);
  const { rows, head } = here;
  const streams = rows("Stream");
  const of = actionsOf(here);

  it("match a replay of their actions", () => {
    for (const stream of streams) {
      const scale = 10n ** (18n - big(stream, "assetDecimalsValue"));
      const row = {
        startTime: big(stream, "startTime"),
        assetDecimalsValue: big(stream, "assetDecimalsValue"),
        ratePerSecond: 0n,
        snapshotAmount: 0n,
        lastAdjustmentTimestamp: 0n,
        withdrawnAmount: 0n,
        availableAmount: 0n,
        depositedAmount: 0n,
        refundedAmount: 0n,
        forgivenDebt: 0n,
        voided: false,
      };
      for (const action of of(stream)) {
        const at = big(action, "timestamp");
        const [owed, withdrawable] = [owedAmount(row, at), withdrawableAmount(row, at)];
        const adjust = (rate: bigint) => {
          row.snapshotAmount += row.ratePerSecond * (at - row.lastAdjustmentTimestamp);
          row.lastAdjustmentTimestamp = at;
          row.ratePerSecond = rate;
        };
        switch (action["category"]) {
          case "Create":
            adjust(big(action, "amountA"));
            break;
          case "Deposit":
            row.availableAmount += big(action, "amountA");
            row.depositedAmount += big(action, "amountA");
            break;
          case "Adjust":
            expect(big(action, "amountB")).toBe(row.ratePerSecond);
            expect(big(action, "amountA")).not.toBe(row.ratePerSecond);
            adjust(big(action, "amountA"));
            break;
          case "Pause":
            expect(row.ratePerSecond).toBeGreaterThan(0n);
            expect(big(action, "amountA")).toBe(owed);
            adjust(0n);
            break;
          case "Restart":
            expect(row.ratePerSecond).toBe(0n);
            adjust(big(action, "amountA"));
            break;
          case "Refund":
            row.availableAmount -= big(action, "amountA");
            row.refundedAmount += big(action, "amountA");
            expect(row.availableAmount).toBeGreaterThanOrEqual(owed);
            break;
          case "Void":
            expect(big(action, "amountA")).toBe(withdrawable);
            expect(big(action, "amountB")).toBe(owed - withdrawable);
            row.forgivenDebt = owed - withdrawable;
            adjust(0n);
            if (owed > withdrawable) row.snapshotAmount = (row.withdrawnAmount + row.availableAmount) * scale;
            row.voided = true;
            break;
          case "Withdraw":
            expect(big(action, "amountB")).toBeLessThanOrEqual(withdrawable);
            row.availableAmount -= big(action, "amountB");
            row.withdrawnAmount += big(action, "amountB");
            break;
        }
      }
      const { voided, ...amounts } = row;
      const shown = Object.entries(amounts).map(([field, value]) => [field, String(value)]);
      expect(stream).toMatchObject({ voided, ...Object.fromEntries(shown) });
      const { ratePerSecond: rate, snapshotAmount, lastAdjustmentTimestamp: since } = row;
      const left = (row.availableAmount + row.withdrawnAmount) * scale - snapshotAmount;
      const depletion = rate === 0n ? 0n : since + (left > 0n ? left / rate : 0n);
      expect(big(stream, "depletionTime")).toBe(depletion);
    }
  });

  it("refer to the actions that adjusted, paused and voided them", () => {
    for (const stream of streams) {
      const last = of(stream, "Adjust", "Pause", "Restart", "Void").at(-1);
      expect(stream["lastAdjustmentAction"]).toBe(last?.["id"] ?? null);
      const [voided] = of(stream, "Void");
      expect(stream["voided"]).toBe(voided !== undefined);
      expect(stream["voidedAction"]).toBe(voided?.["id"] ?? null);
      expect(stream["voidedTime"]).toBe(voided?.["timestamp"] ?? null);
      expect(stream["paused"]).toBe(stream["ratePerSecond"] === "0");
      const pausing = of(stream, "Pause", "Restart", "Void").reduce<Row | null>(
        (pause, action) => (action["category"] === "Restart" ? null : (pause ?? action)),
        null,
      );
      expect(stream["pausedAction"]).toBe(pausing?.["id"] ?? null);
      expect(stream["pausedTime"]).toBe(pausing?.["timestamp"] ?? null);
    }
  });

  it.runIf(options.streams === null)("have every possible state", () => {
    const now = BigInt(head.timestamp);
    const states: Record<string, (stream: Row) => boolean> = {
      solvent: (stream) => big(stream, "depletionTime") > now,
      insolvent: (stream) => stream["paused"] === false && big(stream, "depletionTime") <= now,
      paused: (stream) => stream["paused"] === true && stream["voided"] === false,
      voided: (stream) => stream["voided"] === true,
      adjusted: (stream) => stream["lastAdjustmentAction"] !== null,
      refunded: (stream) => stream["refundedAmount"] !== "0",
    };
    for (const [name, holds] of Object.entries(states)) expect(streams.some(holds), name).toBe(true);
  });
});
