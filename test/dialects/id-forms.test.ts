import { describe, expect, it } from "vitest";
import { convertId, isOrdered, kindOfPart, needsChain, readIdForms } from "../../src/dialects/id-forms.ts";

const TYPES: Readonly<Record<string, string>> = { address: "Bytes", hash: "Bytes", index: "BigInt" };
const formsOf = (subgraph: string, multichain: string) =>
  readIdForms({ T: { subgraph, multichain } }, "T", (field) =>
    field === "chainId" ? "chain" : kindOfPart(TYPES[field] ?? "String"),
  );

describe("the forms of ids", () => {
  it.each<[subgraph: string, multichain: string, own: string, other: string, isOrderly: boolean]>([
    ["{address}", "{chainId}-{address}", "0xab", "8453-0xab", true],
    ["{address}", "{address}-{chainId}", "0xab", "0xab-8453", true],
    ["{name}", "{name}-{chainId}", "a-b", "a-b-8453", false],
    ["{address}", "{address}_{chainId}", "0xab", "0xab_8453", false],
    ["{hash}#{index}", "{chainId}_{hash}_{index}", "0xab#7", "8453_0xab_7", false],
    ["{index}-{hash}", "{hash}-{chainId}-{index}", "7-0xab", "0xab-8453-7", false],
    ["{chainId}-{address}", "{address}@{chainId}", "1-0xab", "0xab@1", false],
    ["{chainId}-{address}", "{address}", "8453-0xab", "0xab", false],
    ["1", "{chainId}", "1", "8453", false],
    ["1", "all-{chainId}-1", "1", "all-8453-1", true],
    ["$&{index}", "{chainId}$1{index}", "$&7", "8453$17", false],
    ["{address}.{address}", "{chainId}.{address}", "0xab.0xab", "8453.0xab", false],
  ])("%s and %s convert to each other", (subgraph, multichain, own, other, isOrderly) => {
    const forms = formsOf(subgraph, multichain);
    if (forms === null) throw new TypeError("They are the same.");
    expect(convertId(forms.multichain, own, 8453)).toBe(other);
    expect(convertId(forms.subgraph, other, 8453)).toBe(own);
    expect(isOrdered(forms)).toBe(isOrderly);
    expect(needsChain(forms.multichain)).toBe(
      multichain.includes("{chainId}") && !subgraph.includes("{chainId}"),
    );
  });

  it("are null if both styles have the same form", () => {
    expect(formsOf("{address}", "{address}")).toBe(null);
    expect(readIdForms({ T: "{chainId}-{address}" }, "T", () => "text")).toBe(null);
    expect(readIdForms({}, "toString", () => "text")).toBe(null);
  });

  it("convertId returns null for an id of another form", () => {
    const forms = formsOf("{hash}#{index}", "{chainId}_{hash}_{index}");
    expect(forms && convertId(forms.multichain, "8453_0xab_7", 8453)).toBe(null);
    expect(forms && convertId(forms.subgraph, "0xab#7", 8453)).toBe(null);
  });
});
