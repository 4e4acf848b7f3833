import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chainDataset } from "../../../../emulator/dataset/rows/chain-dataset.ts";
import type { Row, RowStore } from "../../../../emulator/styles/read-view.ts";
import { runs } from "../../../support/runs.ts";
import { big, groupBy, min, text } from "./simulation.ts";

type Reference = "lockup" | "flow";

/** The mutable fields of a stream, computed from its actions alone. */
type State = Record<string, string | boolean | null>;

/** Random seeds, chains, numbers of streams and blocks. */
const histories = fc.record({
  seed: fc.string({ maxLength: 8 }),
  chainId: fc.constantFrom(1, 10, 137, 59144, 11155111),
  streams: fc.integer({ min: 1, max: 80 }),
  after: fc.integer({ min: 0, max: 2500 }),
});

describe.each(["lockup", "flow"] as const)(
  "the streams of %s, at random blocks of random chains",
  (protocol) => {
    it("match a replay of their actions", () => {
      fc.assert(
        fc.property(histories, ({ seed, chainId, streams, after }) => {
          const chain = chainDataset({ seed, protocol, chainId, streams });
          const head = chain.blockAt(chain.earliestBlock + after);
          const store = chain.storeAt(head.number);
          const actions = groupBy(store.rows("Action"), "stream");
          for (const stream of store.rows("Stream")) {
            const state = REPLAYS[protocol](stream, actions.get(text(stream, "id")) ?? []);
            expect(stream).toMatchObject(state);
            expect(big(stream, "withdrawnAmount")).toBeLessThanOrEqual(
              CEILINGS[protocol](stream, store, BigInt(head.timestamp)),
            );
          }
          checkCounters(store, chainId, head.number);
        }),
        { seed: 31, numRuns: runs(3, 20) },
      );
    });
  },
);

const REPLAYS: Readonly<Record<Reference, (stream: Row, actions: readonly Row[]) => State>> = {
  lockup: (stream, actions) => {
    const [created, ...rest] = actions;
    expect(created?.["category"]).toBe("Create");
    let [recipient, withdrawn, returned] = [created?.["addressB"] ?? "", 0n, 0n];
    const ended: Row[] = [];
    for (const action of rest) {
      if (action["category"] === "Transfer") {
        expect(action["addressA"]).toBe(recipient);
        recipient = action["addressB"] ?? "";
      }
      if (action["category"] === "Withdraw") withdrawn += big(action, "amountB");
      if (action["category"] === "Cancel") {
        returned = big(action, "amountA");
        expect(big(action, "amountA") + big(action, "amountB") + withdrawn).toBe(
          big(stream, "depositAmount"),
        );
      }
      if (action["category"] === "Cancel" || action["category"] === "Renounce") ended.push(action);
    }
    expect(ended.length).toBeLessThanOrEqual(1);
    const cancel = ended.find((action) => action["category"] === "Cancel");
    const renounce = ended.find((action) => action["category"] === "Renounce");
    return {
      recipient: String(recipient),
      depositAmount: text(created, "amountA"),
      withdrawnAmount: String(withdrawn),
      intactAmount: String(big(created, "amountA") - returned - withdrawn),
      canceled: cancel !== undefined,
      canceledAction: cancel ? text(cancel, "id") : null,
      canceledTime: cancel ? text(cancel, "timestamp") : null,
      renounceAction: renounce ? text(renounce, "id") : null,
      renounceTime: renounce ? text(renounce, "timestamp") : null,
      ...(ended.length > 0 && { cancelable: false }),
    };
  },
  flow: (stream, actions) => {
    const state = { recipient: "", rate: 0n, accrued: 0n, since: 0n, deposited: 0n, refunded: 0n, paid: 0n };
    let [forgiven, adjustment, paused, voided]: [bigint, Row | null, Row | null, Row | null] = [
      0n,
      null,
      null,
      null,
    ];
    for (const action of actions) {
      const at = big(action, "timestamp");
      const adjust = (rate: bigint) => {
        state.accrued += state.rate * (at - state.since);
        Object.assign(state, { rate, since: at });
        adjustment = action;
      };
      switch (action["category"]) {
        case "Create":
          Object.assign(state, {
            recipient: action["addressB"],
            rate: big(action, "amountA"),
            since: at,
          });
          break;
        case "Deposit":
          state.deposited += big(action, "amountA");
          break;
        case "Withdraw":
          state.paid += big(action, "amountB");
          break;
        case "Refund":
          state.refunded += big(action, "amountA");
          break;
        case "Transfer":
          expect(action["addressA"]).toBe(state.recipient);
          state.recipient = text(action, "addressB");
          break;
        case "Adjust":
          adjust(big(action, "amountA"));
          break;
        case "Pause":
          adjust(0n);
          paused = action;
          break;
        case "Restart":
          expect(voided).toBeNull();
          adjust(big(action, "amountA"));
          paused = null;
          break;
        case "Void":
          adjust(0n);
          forgiven = big(action, "amountB");
          if (forgiven > 0n)
            state.accrued =
              (state.deposited - state.refunded) * 10n ** (18n - big(stream, "assetDecimalsValue"));
          voided = action;
          paused ??= action;
          break;
      }
      expect(state.deposited - state.refunded - state.paid).toBeGreaterThanOrEqual(0n);
    }
    return {
      recipient: state.recipient,
      depositedAmount: String(state.deposited),
      refundedAmount: String(state.refunded),
      withdrawnAmount: String(state.paid),
      availableAmount: String(state.deposited - state.refunded - state.paid),
      forgivenDebt: String(forgiven),
      ratePerSecond: String(state.rate),
      snapshotAmount: String(state.accrued),
      lastAdjustmentTimestamp: String(state.since),
      ...named("lastAdjustment", adjustment, "Action"),
      paused: paused !== null,
      ...named("paused", paused, "Action", "Time"),
      voided: voided !== null,
      ...named("voided", voided, "Action", "Time"),
    };
  },
};

/** The maximum amount that can have been withdrawn by a time. */
const CEILINGS: Readonly<Record<Reference, (stream: Row, store: RowStore, now: bigint) => bigint>> = {
  lockup: (stream, store, now) => {
    const canceled = stream["canceledTime"];
    const until = canceled === null ? now : min(now, big(stream, "canceledTime"));
    return unlocked(stream, store, until);
  },
  flow: (stream, _, now) => {
    const accrued =
      big(stream, "snapshotAmount") +
      big(stream, "ratePerSecond") * (now - big(stream, "lastAdjustmentTimestamp"));
    return accrued / 10n ** (18n - big(stream, "assetDecimalsValue"));
  },
};

/** Returns an upper bound of the unlocked amount: segments and linear streams count from their start. */
function unlocked(stream: Row, store: RowStore, until: bigint): bigint {
  const id = text(stream, "id");
  const segments = store.matching("Segment", "stream", id);
  const tranches = store.matching("Tranche", "stream", id);
  const due = [
    ...segments.filter((piece) => big(piece, "startTime") < until),
    ...tranches.filter((piece) => big(piece, "endTime") <= until),
  ];
  if (segments.length + tranches.length > 0) {
    return due.reduce((all, piece) => all + big(piece, "amount"), 0n);
  }
  return until < big(stream, "startTime") ? 0n : big(stream, "depositAmount");
}

function checkCounters(store: RowStore, chainId: number, head: number): void {
  const streams = store.rows("Stream");
  const actions = store.rows("Action");
  expect(store.rows("Watcher")).toEqual([
    {
      id: String(chainId),
      chainId: String(chainId),
      actionCounter: String(actions.length),
      streamCounter: String(streams.length),
    },
  ]);
  for (const table of [streams, actions]) {
    expect(table.map((row) => row["subgraphId"])).toEqual(table.map((_, index) => String(index + 1)));
  }
  for (const action of actions) expect(Number(action["block"])).toBeLessThanOrEqual(head);
  for (const batch of store.rows("Batch")) {
    expect(store.matching("Stream", "batch", text(batch, "id"))).toHaveLength(Number(batch["size"]));
  }
  for (const batcher of store.rows("Batcher")) {
    const batches = store.matching("Batch", "batcher", text(batcher, "id"));
    expect(batches).toHaveLength(Number(batcher["batchCounter"]));
  }
  for (const user of store.rows("User")) {
    const sent = store.matching("UserTransaction", "user", text(user, "id"));
    expect(sent.length).toBeGreaterThan(0);
    expect(user["isOnlyAirdropClaimer"]).toBe(sent.every((row) => row["isAirdropClaim"]));
  }
  for (const day of store.rows("Revenue")) {
    const paid = store.matching("RevenueTransaction", "revenue", text(day, "id"));
    expect(paid.reduce((all, row) => all + Number(row["amount"]), 0)).toBeCloseTo(Number(day["amount"]), 12);
  }
}

/** Returns the fields that refer to an action. */
function named(field: string, action: Row | null, ...parts: ("Action" | "Time")[]): State {
  const values = { Action: action && text(action, "id"), Time: action && text(action, "timestamp") };
  return Object.fromEntries(parts.map((part) => [`${field}${part}`, values[part]]));
}
