import { describe, expect, it } from "vitest";
import { addUnits } from "../../src/ask/add-units.ts";
import { buildRow, type Field, formatUnits, listColumns } from "../../src/ask/rows.ts";
import type { AmountName } from "../../src/dialects/protocol.ts";
import { catchError } from "../support/catch-error.ts";

const AMOUNTS: readonly AmountName[] = [
  { path: ["Stream", "deposit"], decimals: ["asset", "decimals"] },
  { path: ["Stream", "rate"], decimals: 18 },
  { path: ["Stream", "actions", "amount"], decimals: ["asset", "decimals"] },
  { path: ["Action", "amount"], decimals: ["stream", "asset", "decimals"] },
];

/** A selected field: its key, and the field of an entity. */
const value = (name: string, of: string): Field => {
  const [entity = "", field = ""] = of.split(".");
  return { name, of: { entity, field }, isList: false, kind: "amount", fields: null };
};
const nested = (name: string, of: string, fields: readonly Field[], isList = false): Field => ({
  ...value(name, of),
  kind: "text",
  isList,
  fields,
});
const asset = (name = "asset") => nested(name, "Stream.asset", [value("decimals", "Asset.decimals")]);

describe("whole units", () => {
  it.each<[amount: unknown, decimals: number, want: string | null]>([
    ["1500000", 6, "1.5"],
    ["1", 18, "0.000000000000000001"],
    ["-1", 18, "-0.000000000000000001"],
    ["0", 18, "0"],
    ["-0", 6, "0"],
    ["100", 0, "100"],
    ["100", 2, "1"],
    ["007", 1, "0.7"],
    [String(2n ** 256n - 1n), 18, `${2n ** 256n / 10n ** 18n}.584007913129639935`],
    [null, 18, null],
    ["1.5", 18, null],
    ["", 18, null],
  ])("of %s with %i decimals are %s", (amount, decimals, want) => {
    expect(formatUnits(amount, decimals)).toBe(want);
  });
});

describe("fields with units", () => {
  it("follow each amount, under the keys of the answer", () => {
    const fields = [
      value("d", "Stream.deposit"),
      value("rate", "Stream.rate"),
      value("count", "Stream.count"),
      asset("token"),
      nested("actions", "Stream.actions", [value("amount", "Action.amount")], true),
    ];
    const { fields: all, notice } = addUnits(fields, AMOUNTS, "Ask");
    expect(notice).toBeNull();
    expect(listColumns(all).map(({ name, kind }) => [name, kind])).toEqual([
      ["d", "amount"],
      ["d.units", "units"],
      ["rate", "amount"],
      ["rate.units", "units"],
      ["count", "amount"],
      ["token.decimals", "amount"],
      ["actions", "json"],
    ]);
    const row = { d: "15", rate: "1", count: "3", token: { decimals: "1" }, actions: [{ amount: "7" }] };
    expect(buildRow(row, all)).toEqual({
      d: "15",
      "d.units": "1.5",
      rate: "1",
      "rate.units": "0.000000000000000001",
      count: "3",
      token: { decimals: "1" },
      actions: [{ amount: "7", "amount.units": "0.7" }],
    });
    // Units are null without decimals, and for decimals that no token has.
    for (const token of [null, { decimals: null }, { decimals: "1000" }]) {
      expect(buildRow({ ...row, token }, all)).toMatchObject({
        "d.units": null,
        actions: [{ "amount.units": null }],
      });
    }
    // A field that the server leaves out has no units.
    expect(buildRow({ rate: "1" }, all)).toEqual({ rate: "1", "rate.units": "0.000000000000000001" });
  });

  it("use the decimals of the nearest row", () => {
    const stream = nested("stream", "Action.stream", [asset(), value("deposit", "Stream.deposit")]);
    const { fields } = addUnits([value("amount", "Action.amount"), stream], AMOUNTS, "Ask");
    expect(buildRow({ amount: "5", stream: { asset: { decimals: "1" }, deposit: "20" } }, fields)).toEqual({
      amount: "5",
      "amount.units": "0.5",
      stream: { asset: { decimals: "1" }, deposit: "20", "deposit.units": "2" },
    });
  });

  it("are missing for amounts without decimals, and a notice names the selection", () => {
    const actions = nested("actions", "Batch.actions", [value("amount", "Action.amount")], true);
    const { notice } = addUnits([value("rate", "Stream.rate"), actions], AMOUNTS, "Ask");
    expect(notice).toBe("No units of actions.amount: select stream { asset { decimals } }.");
  });

  it.each<[fields: readonly Field[], want: string]>([
    [
      [value("deposit", "Stream.deposit"), value("amount", "Action.amount")],
      "--units needs the decimals of amounts, which Ask does not select.\nHint: for deposit: select asset { decimals }; for amount: select stream { asset { decimals } }.",
    ],
    [[value("count", "Stream.count")], "and Ask selects none."],
  ])("are rejected if no amount has decimals", (fields, want) => {
    expect(catchError(() => addUnits(fields, AMOUNTS, "Ask"))).toMatchObject({
      message: expect.stringContaining(want),
    });
  });
});
