import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { applyBaseline } from "../../src/compare/apply-baseline.ts";
import { acceptFindings, parseReportedRun } from "../../src/compare/edit-baseline.ts";
import {
  fingerprint,
  fingerprintAll,
  joinProtocols,
  mergeFindings,
} from "../../src/compare/join-findings.ts";
import { buildFileFinding } from "../../src/report/codes/files.ts";
import { changeOf, impactOf, whereOf } from "../../src/report/describe-finding.ts";
import type { Finding } from "../../src/report/finding.ts";
import { json } from "../../src/report/forms/json.ts";
import { goneField, inSubgraphs, PLAIN, report } from "../report/fixtures.ts";

const { fingerprint: _, fails: __, accepted: ___, acceptance: ____, ...GONE } = goneField();

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
    ["deployments", { where: inSubgraphs("lockup-base") }],
  ])("does not depend on %s", (_, change) => {
    expect(fingerprint({ ...GONE, ...change })).toBe(fingerprint(GONE));
  });

  it.each<[name: string, change: Partial<Finding>]>([
    ["code", { code: "drift/type-removed" }],
    ["layer", { layer: "platform" }],
    ["protocol", { where: { ...inSubgraphs(), protocol: "flow" } }],
    ["style", { where: { ...inSubgraphs(), style: "multichain" } }],
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
    const moved = faults.map((fault) => ({
      ...fault,
      place: fault.place && { ...fault.place, line: (fault.place.line ?? 0) + 7 },
    }));
    expect(fingerprintAll(moved)).toEqual(ids);
  });

  it("do not change for findings that can be accepted", () => {
    expect(fingerprintAll([GONE, { ...GONE, subject: "?" }])).toEqual([fingerprint(GONE), fingerprint(GONE)]);
  });
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
  where: inSubgraphs(chain),
  fix: `correct the URL of ${chain}.`,
});

describe("mergeFindings", () => {
  it("merges findings of the same facts and joins their deployments", () => {
    const merged = mergeFindings([
      { ...GONE, where: inSubgraphs("zksync") },
      { ...GONE, severity: "risky", where: inSubgraphs("base", "zksync") },
    ]);
    expect(merged).toEqual([{ ...GONE, where: inSubgraphs("base", "zksync") }]);
  });

  it("keeps the message and the fix of each deployment", () => {
    expect(mergeFindings([wrong("zksync"), wrong("base")])).toMatchObject([
      {
        where: inSubgraphs("base", "zksync"),
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

/** A finding about a platform feature that a deployment of a protocol lost, with the operation it hits. */
function lost(protocol: "lockup" | "flow", changes: Partial<Finding> = {}): Finding {
  const [operation] = GONE.operations;
  const file = `operations/${protocol}/subgraph/asset.graphql`;
  return {
    ...GONE,
    code: "drift/platform-feature-removed",
    layer: "platform",
    subject: "and-or",
    coordinate: "and-or",
    before: "and-or",
    where: { protocol, style: "subgraph", deployments: [`${protocol}-base`] },
    operations: operation ? [{ ...operation, file }] : [],
    derivedCoordinates: [`${protocol}.and`, "Stream_filter.and"].sort(),
    derived: 2,
    ...changes,
  };
}

const hold = (findings: readonly Finding[], ...entries: Parameters<typeof applyBaseline>[1]) =>
  applyBaseline(findings, entries, { today: "2026-11-21", answered: new Set(), covers: () => false })
    .findings;

const REQUEST = { reason: "a release", until: null, scope: null, today: "2026-11-21" };

describe("the same change in two protocols", () => {
  const both = [lost("lockup"), lost("flow")];

  it("is one finding with two places, each with its own fingerprint", () => {
    const [joined, ...others] = joinProtocols(hold(both));
    expect(others).toEqual([]);
    expect(joined).toMatchObject({
      fingerprint: fingerprint(lost("flow")),
      where: { protocol: "flow", deployments: ["flow-base"] },
      elsewhere: [
        {
          fingerprint: fingerprint(lost("lockup")),
          where: { protocol: "lockup", deployments: ["lockup-base"] },
        },
      ],
      derived: 3,
      derivedCoordinates: ["Stream_filter.and", "flow.and", "lockup.and"],
    });
    expect(joined?.operations.map(({ file }) => file)).toEqual([
      "operations/flow/subgraph/asset.graphql",
      "operations/lockup/subgraph/asset.graphql",
    ]);
    expect(joinProtocols(hold(both.toReversed()))).toEqual([joined]);
    // Both protocols have an operation of that name.
    expect(joined && impactOf(joined, { operations: [] })).toBe("breaks 2 operations");
    expect(joined && whereOf(joined, report({ endpoints: [], groups: [] }))).toMatch(
      /^flow\/subgraph: .*; lockup\/subgraph: /,
    );
    expect(joined && changeOf(joined)).toBe("and-or → gone, and 3 derived");
  });

  it.each<[name: string, findings: readonly Finding[]]>([
    [
      "different styles",
      [lost("lockup"), lost("flow", { where: { protocol: "flow", style: "multichain", deployments: [] } })],
    ],
    ["different coordinates", [lost("lockup"), lost("flow", { coordinate: "childSorting" })]],
    ["different values before", [lost("lockup"), lost("flow", { before: "other" })]],
    ["parity, which concerns one protocol", both.map((one) => ({ ...one, code: "parity/only-multichain" }))],
    ["no coordinate", both.map((one) => ({ ...one, code: "health/behind", coordinate: null }))],
    ["unknown deployments", both.map((finding) => ({ ...finding, where: null }))],
  ])("is two findings with %s", (_name, findings) => {
    expect(joinProtocols(hold(findings))).toHaveLength(2);
  });

  it("is accepted as a whole, with one entry per protocol", () => {
    const held = hold(both);
    const entries = acceptFindings([], held, { ...REQUEST, fingerprints: [fingerprint(lost("flow"))] });
    expect(entries.map(({ fingerprint, scope }) => [fingerprint, scope])).toEqual(
      expect.arrayContaining([
        [fingerprint(lost("flow")), ["flow-base"]],
        [fingerprint(lost("lockup")), ["lockup-base"]],
      ]),
    );
    expect(entries).toHaveLength(2);
    const [accepted, ...more] = joinProtocols(hold(both, ...entries));
    expect(accepted).toMatchObject({
      accepted: true,
      elsewhere: [{ fingerprint: fingerprint(lost("lockup")) }],
    });
    expect(more).toEqual([]);
  });

  it("is two findings once one place is accepted, by --scope or by its fingerprint", () => {
    const held = hold(both);
    const [flow, lockup] = [fingerprint(lost("flow")), fingerprint(lost("lockup"))];
    const byScope = acceptFindings([], held, { ...REQUEST, fingerprints: [flow], scope: ["lockup-base"] });
    const byPlace = acceptFindings([], held, { ...REQUEST, fingerprints: [lockup] });
    expect(byScope).toEqual(byPlace);
    expect(joinProtocols(hold(both, ...byPlace)).map(({ accepted }) => accepted)).toEqual([true, false]);
  });

  it("is read from a report with the fingerprints of both places", () => {
    const findings = joinProtocols(hold(both)).map((finding) => ({ ...finding, fails: true }));
    const saved = json.render(report({ findings, endpoints: [] }), PLAIN);
    const names = new Set(["flow-base", "lockup-base"]);
    const run = parseReportedRun(saved, "report.json", names);
    expect(run.findings.map(fingerprint)).toEqual([fingerprint(lost("flow")), fingerprint(lost("lockup"))]);
    const forged = saved.replace(fingerprint(lost("lockup")), "0123456789ab");
    expect(() => parseReportedRun(forged, "report.json", names)).toThrow(
      /fingerprint of place 1 of finding 1/,
    );
  });
});
