import { describe, expect, it } from "vitest";
import { json } from "../../../src/report/forms/json.ts";
import { ENDPOINT_STATUSES } from "../../../src/report/outcome.ts";
import { checkReport } from "../../support/check-report.ts";
import { endpoint, goneField, PLAIN, report } from "../fixtures.ts";

const render = (...given: Parameters<typeof report>) => JSON.parse(json.render(report(...given), PLAIN));

describe("the JSON report", () => {
  it.each<[name: string, changes: Parameters<typeof report>[0]]>([
    ["a run with a finding", {}],
    ["a run without endpoints and findings", { endpoints: [], groups: [], findings: [], operations: [] }],
    [
      "a finding with every nullable member null",
      {
        findings: [
          goneField({ coordinate: null, before: null, where: null, place: null, fix: null, operations: [] }),
        ],
      },
    ],
    [
      "an accepted finding",
      {
        findings: [
          goneField({ accepted: true, fails: false, acceptance: { reason: "r", until: "2027-01-31" } }),
        ],
      },
    ],
    ["every status", { endpoints: ENDPOINT_STATUSES.map((status) => endpoint(status, { status })) }],
  ])("is valid against the published schema: %s", (_, changes) => {
    expect(checkReport(render(changes))).toEqual([]);
  });

  it.each<[name: string, spoil: (value: ReturnType<typeof render>) => void, want: string]>([
    [
      "a missing key",
      (value) => delete value.findings[0].fix,
      "/findings/0 must have required property 'fix'",
    ],
    [
      "an additional key",
      (value) => Object.assign(value.run, { more: 1 }),
      "/run must NOT have additional properties",
    ],
    [
      "an unknown exit code",
      (value) => Object.assign(value.outcome, { exit: 4 }),
      "/outcome/exit must be equal to one of the allowed values",
    ],
    [
      "an invalid fingerprint",
      (value) => Object.assign(value.findings[0], { fingerprint: "x" }),
      '/findings/0/fingerprint must match pattern "^[0-9a-f]{12}$"',
    ],
    [
      "an invalid protocol key",
      (value) => Object.assign(value.operations[0], { protocol: "My_Auctions" }),
      '/operations/0/protocol must match pattern "^[a-z][a-z0-9-]*$"',
    ],
    [
      "an invalid line",
      (value) => Object.assign(value.operations[0], { line: 0 }),
      "/operations/0/line must be >= 1",
    ],
  ])("is invalid with %s", (_, spoil, want) => {
    const value = render();
    spoil(value);
    expect(checkReport(value)).toContain(want);
  });

  it.each(["my-auctions", "a1"])("is valid with the protocol key %s", (key) => {
    const value = render();
    Object.assign(value.operations[0], { protocol: key });
    expect(checkReport(value)).toEqual([]);
  });

  it("does not depend on the order of the input", () => {
    const findings = ["A.b", "A.a"].map((coordinate) => goneField({ coordinate }));
    const one = report({ findings });
    const other = report({
      findings: [...findings].reverse(),
      endpoints: [...one.endpoints].reverse(),
      groups: [...one.groups].reverse(),
      operations: [...one.operations].reverse(),
      run: { ...one.run, durationMs: 9 },
    });
    const [a, b] = [one, other].map((each) => json.render({ ...each, run: one.run }, PLAIN));
    expect(a).toBe(b);
    expect(Object.keys(JSON.parse(a ?? ""))).toEqual([
      "version",
      "outcome",
      "endpoints",
      "groups",
      "findings",
      "operations",
      "run",
    ]);
  });

  it("lists accepted findings last, even if they broke operations", () => {
    const old = { accepted: true, fails: false, acceptance: { reason: "r", until: null } };
    const { findings } = render({
      findings: [goneField({ ...old, coordinate: "A.a" }), goneField({ coordinate: "B.b", operations: [] })],
    });
    expect(findings.map(({ coordinate }: { coordinate: string }) => coordinate)).toEqual(["B.b", "A.a"]);
  });

  it("leaves out unknown members of the input", () => {
    const finding = { ...goneField(), secret: "s3cret" };
    expect(JSON.stringify(render({ findings: [finding] }))).not.toContain("s3cret");
  });
});
