import { describe, expect, it } from "vitest";
import { applyBaseline } from "../../src/compare/apply-baseline.ts";
import { acceptFindings, parseReportedRun } from "../../src/compare/edit-baseline.ts";
import { fingerprint, joinProtocols } from "../../src/compare/join-findings.ts";
import { changeOf, impactOf, whereOf } from "../../src/report/describe-finding.ts";
import type { Finding } from "../../src/report/finding.ts";
import { json } from "../../src/report/forms/json.ts";
import { goneField, PLAIN, report } from "../report/fixtures.ts";

const { fingerprint: _, fails: __, accepted: ___, acceptance: ____, ...GONE } = goneField();

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
    const [one, ...others] = joinProtocols(hold(both));
    expect(others).toEqual([]);
    expect(one).toMatchObject({
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
    expect(one?.operations.map(({ file }) => file)).toEqual([
      "operations/flow/subgraph/asset.graphql",
      "operations/lockup/subgraph/asset.graphql",
    ]);
    expect(joinProtocols(hold(both.toReversed()))).toEqual([one]);
    // Both protocols have an operation of that name.
    expect(one && impactOf(one, { operations: [] })).toBe("breaks 2 operations");
    expect(one && whereOf(one, report({ endpoints: [], groups: [] }))).toMatch(
      /^flow\/subgraph: .*; lockup\/subgraph: /,
    );
    expect(one && changeOf(one)).toBe("and-or → gone, and 3 derived");
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
    ["unknown deployments", both.map((one) => ({ ...one, where: null }))],
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
    const findings = joinProtocols(hold(both)).map((one) => ({ ...one, fails: true }));
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
