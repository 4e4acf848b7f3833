import { describe, expect, it } from "vitest";
import { formatAddress, parseAddress } from "../../../packages/report-page/src/address.ts";

describe("the address of a view", () => {
  it.each([
    ["#fleet", "fleet", {}],
    ["fleet", "fleet", {}],
    ["#findings?severity=breaking&chain=base", "findings", { severity: "breaking", chain: "base" }],
    ["#coverage?operation=lockup%2Fsubgraph%2FA&chain=", "coverage", { operation: "lockup/subgraph/A" }],
    ["#findings?operation=%3Cb%3E&__proto__=1&more=2", "findings", { operation: "<b>" }],
    ["#findings?chain=%", "findings", { chain: "%" }],
  ])("is parsed: %s", (hash, view, filter) => {
    const address = parseAddress(hash);
    expect({ view: address?.view, filter: Object.fromEntries(address?.filter ?? []) }).toEqual({
      view,
      filter,
    });
  });

  it.each(["", "#", "#main", "#__proto__", "#toString?chain=base"])("error: %j is not an address", (hash) => {
    expect(parseAddress(hash)).toBeNull();
  });

  it("is formatted in one way and parsed back", () => {
    const filter = [
      ["chain", "base"],
      ["severity", "risky"],
      ["operation", "A & B=<b>"],
      ["style", ""],
    ] as const;
    const hash = formatAddress("findings", filter);
    expect(hash).toBe("#findings?severity=risky&chain=base&operation=A+%26+B%3D%3Cb%3E");
    expect(formatAddress("findings", parseAddress(hash)?.filter)).toBe(hash);
    expect(formatAddress("parity")).toBe("#parity");
  });
});
