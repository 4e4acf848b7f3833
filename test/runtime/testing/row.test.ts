import { describe, expect, it } from "vitest";
import { createClient, run } from "../../../generated/client.ts";
import * as flow from "../../../generated/flow/testing.ts";
import * as lockup from "../../../generated/lockup/testing.ts";
import { routes } from "../../../generated/routes.ts";
import { answering } from "../../../packages/client/src/testing/answering.ts";
import { row } from "../../../packages/client/src/testing/row.ts";

describe("row", () => {
  it("returns a row with a default for each field", () => {
    const stream = row(lockup.StreamsBySender);
    const asset = { chainId: "1", symbol: "symbol", decimals: "0" };
    const values = { chainId: "1", category: "LockupDynamic", depositAmount: "0", canceled: false, asset };
    expect(stream).toMatchObject({ ...values, id: `${stream.contract}-1-0`, cliffTime: null });
    const decoded = lockup.decodeStreamsBySender([stream])[0];
    expect(decoded?.startTime).toEqual(new Date("2026-01-01"));
    expect(row(lockup.ChainCounters)).toEqual({
      id: "id",
      chainId: "1",
      streamCounter: "0",
      actionCounter: "0",
    });
  });

  it("replaces given fields, also in references and lists", () => {
    const stream = row(lockup.StreamById, {
      asset: { symbol: "USDC" },
      actions: [{ category: "Cancel" }, {}],
      cliffTime: "5",
      sender: undefined,
    });
    expect(stream.asset).toEqual({ ...row(lockup.Assets), symbol: "USDC" });
    expect(stream.actions.map(({ category, amountA }) => [category, amountA])).toEqual([
      ["Cancel", null],
      ["Approval", null],
    ]);
    expect(stream).toMatchObject({ cliffTime: "5", tranches: [], sender: row(lockup.StreamById).sender });
    expect(row(lockup.ActionsFeed).stream).toBeNull();
    expect(row(lockup.ActionsFeed, { stream: { alias: "LK" } }).stream).toMatchObject({ alias: "LK" });
    expect(row(lockup.ActionsFeed, { stream: null }).stream).toBeNull();
  });

  it("returns new objects for each call", () => {
    const [first, second] = [row(flow.StreamById), row(flow.StreamById)];
    expect(first).toEqual(second);
    expect(first.actions).not.toBe(second.actions);
    expect(first.batch).not.toBe(second.batch);
  });

  it("rejects fields that the operation does not select", () => {
    // @ts-expect-error an unknown field
    expect(() => row(lockup.Assets, { symbl: "A" })).toThrow(
      'Assets does not select "symbl". It selects id, ',
    );
    // @ts-expect-error a field of a nested row
    expect(() => row(lockup.StreamById, { asset: { sender: "0x" } })).toThrow(
      "StreamById.asset does not select",
    );
    // @ts-expect-error a value of another type
    row(lockup.StreamById, { depositAmount: 5 });
    // @ts-expect-error null in a field that is never null
    row(lockup.StreamById, { depositAmount: null });
    // @ts-expect-error a value that the enum does not have
    row(lockup.StreamById, { category: "Flow" });
  });

  it.each([
    ["lockup", lockup],
    ["flow", flow],
  ] as const)("returns rows that the client accepts from each operation of %s", async (_, operations) => {
    const sampled = Object.entries(operations).flatMap(([name, operation]) =>
      "sample" in operation ? [[name, operation] as const] : [],
    );
    expect(sampled).toHaveLength(11);
    const answers = sampled.map(([name, operation]) => {
      const [key = ""] = Object.keys(operation.sample);
      const value = row(operation as typeof lockup.StreamById);
      return [name, () => ({ [key.replace("?", "")]: operation.list ? [value] : value })];
    });
    const fetch = answering({ routes, operations: operations as object }, Object.fromEntries(answers));
    const client = createClient({ fetch, retries: 0 });
    for (const [name, operation] of sampled) {
      const address = `0x${"0".repeat(40)}`;
      const given = { streamId: "a", id: "a", address, sender: address, recipient: address };
      const variables = Object.fromEntries(
        Object.entries(given).filter(([variable]) => variable in (operation.variables ?? {})),
      );
      const { data } = await run(client, operation as typeof lockup.StreamById, variables as { id: string }, {
        chain: "ethereum",
      });
      expect(Object.values(data), name).toHaveLength(1);
    }
  });
});
