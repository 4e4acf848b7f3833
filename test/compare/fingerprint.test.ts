import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { fingerprint, fingerprintAll } from "../../src/compare/join-findings.ts";
import { buildFileFinding } from "../../src/report/codes/files.ts";
import type { Finding } from "../../src/report/finding.ts";
import { goneField } from "../report/fixtures.ts";

const { fingerprint: _, ...GONE } = goneField();

describe("the fingerprint", () => {
  it("is the first twelve hex digits of the hash of the facts", () => {
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
    ["value before", { before: "String" }],
    ["value after", { after: "String" }],
  ])("depends on the %s", (_, change) => {
    expect(fingerprint({ ...GONE, ...change })).not.toBe(fingerprint(GONE));
  });

  it("distinguishes findings about files by their subject", () => {
    const inFile = (subject: string) =>
      fingerprint({ ...GONE, where: null, coordinate: null, before: null, subject });
    expect(inFile("a.graphql")).not.toBe(inFile("b.graphql"));
  });
});

describe("fingerprints of findings about files", () => {
  const fault = (line: number, message = "Unknown.", file = "a.graphql") =>
    buildFileFinding("operation/invalid", [message], { subject: "Recent", place: { file, line, column: 1 } });
  const faults = [fault(3), fault(1), fault(2, "Other."), fault(1, "Unknown.", "b.graphql"), fault(2)];

  it("are unique even if only the place differs", () => {
    expect(new Set(fingerprintAll(faults)).size).toBe(faults.length);
  });

  it("do not depend on the order of the findings or on lines added above them", () => {
    const ids = fingerprintAll(faults);
    expect(fingerprintAll(faults.toReversed())).toEqual(ids.toReversed());
    const moved = faults.map((one) => ({
      ...one,
      place: one.place && { ...one.place, line: (one.place.line ?? 0) + 7 },
    }));
    expect(fingerprintAll(moved)).toEqual(ids);
  });

  it("do not change for findings that can be accepted", () => {
    expect(fingerprintAll([GONE, { ...GONE, subject: "?" }])).toEqual([fingerprint(GONE), fingerprint(GONE)]);
  });
});
