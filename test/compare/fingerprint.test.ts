import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fingerprint } from "../../src/compare/fingerprint.ts";
import type { Finding } from "../../src/model/finding.ts";
import { goneField } from "../report/fixtures.ts";

const { fingerprint: _, ...GONE } = goneField();

describe("the fingerprint (drift 4.5)", () => {
  it("is twelve hex digits of the facts", () => {
    const facts = "drift/field-removed\nentity\nlockup/subgraph\nAsset.symbol\nString!\n";
    const want = createHash("sha256").update(facts).digest("hex").slice(0, 12);
    expect(fingerprint(GONE)).toBe(want);
  });

  it.each<[name: string, change: Partial<Finding>]>([
    ["wording", { message: "Gone it is.", fix: null, subject: "?" }],
    ["place", { place: null, operations: [] }],
    ["severity and derived parts", { severity: "risky", derived: 0 }],
    ["deployments", { where: { protocol: "lockup", style: "subgraph", deployments: ["lockup-base"] } }],
  ])("does not depend on %s", (_, change) => {
    expect(fingerprint({ ...GONE, ...change })).toBe(fingerprint(GONE));
  });

  it.each<[name: string, change: Partial<Finding>]>([
    ["code", { code: "drift/type-removed" }],
    ["layer", { layer: "platform" }],
    ["protocol", { where: { protocol: "flow", style: "subgraph", deployments: [] } }],
    ["style", { where: { protocol: "lockup", style: "multichain", deployments: [] } }],
    ["coordinate", { coordinate: "Asset.name" }],
    ["what stood there", { before: "String" }],
    ["what stands there", { after: "String" }],
  ])("depends on the %s", (_, change) => {
    expect(fingerprint({ ...GONE, ...change })).not.toBe(fingerprint(GONE));
  });

  it("tells findings about files by their subject", () => {
    const inFile = (subject: string) =>
      fingerprint({ ...GONE, where: null, coordinate: null, before: null, subject });
    expect(inFile("a.graphql")).not.toBe(inFile("b.graphql"));
  });
});
