import { describe, expect, it } from "vitest";
import { mergeFindings } from "../../src/compare/join-findings.ts";
import type { Finding } from "../../src/report/finding.ts";
import { goneField } from "../report/fixtures.ts";

const { fingerprint: _, fails: __, accepted: ___, acceptance: ____, ...GONE } = goneField();

const servedBy = (...deployments: string[]) => ({
  protocol: "lockup" as const,
  style: "subgraph" as const,
  deployments,
});

const wrong = (chain: string): Finding => ({
  ...GONE,
  code: "identity/wrong-protocol",
  layer: "identity",
  coordinate: null,
  before: "lockup",
  operations: [],
  subject: chain,
  message: `${chain} serves flow.`,
  where: servedBy(chain),
  fix: `correct the URL of ${chain}.`,
});

describe("mergeFindings", () => {
  it("merges findings of the same facts and joins their deployments", () => {
    const merged = mergeFindings([
      { ...GONE, where: servedBy("zksync") },
      { ...GONE, severity: "risky", where: servedBy("base", "zksync") },
    ]);
    expect(merged).toEqual([{ ...GONE, where: servedBy("base", "zksync") }]);
  });

  it("keeps the message and the fix of each deployment", () => {
    expect(mergeFindings([wrong("zksync"), wrong("base")])).toMatchObject([
      {
        where: servedBy("base", "zksync"),
        message: "zksync serves flow. base serves flow.",
        fix: "correct the URL of zksync.\ncorrect the URL of base.",
      },
    ]);
  });

  it("does not merge findings about files", () => {
    const fault: Finding = { ...GONE, code: "operation/invalid", layer: "operation", where: null };
    expect(mergeFindings([fault, fault])).toHaveLength(2);
  });
});
