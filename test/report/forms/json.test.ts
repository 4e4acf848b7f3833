import { describe, expect, it } from "vitest";
import { json } from "../../../src/report/forms/json.ts";
import { ENDPOINT_STATUSES } from "../../../src/report/outcome.ts";
import { checkReport } from "../../support/check-report.ts";
import { endpoint, goneField, PLAIN, report } from "../fixtures.ts";

const render = (...given: Parameters<typeof report>) => JSON.parse(json.render(report(...given), PLAIN));

const NULLS = { coordinate: null, before: null, where: null, place: null, fix: null };
const ACCEPTED = { accepted: true, fails: false, acceptance: { reason: "r", until: "2027-01-31" } };

describe("the JSON report", () => {
  it.each<[name: string, changes: Parameters<typeof report>[0]]>([
    ["a run with a finding", {}],
    ["a run without endpoints and findings", { endpoints: [], groups: [], findings: [], operations: [] }],
    ["a finding with every nullable member null", { findings: [goneField({ ...NULLS, operations: [] })] }],
    ["an accepted finding", { findings: [goneField({ ...ACCEPTED })] }],
    ["every status", { endpoints: ENDPOINT_STATUSES.map((status) => endpoint(status, { status })) }],
  ])("is valid against the published schema: %s", (_, changes) => {
    expect(checkReport(render(changes))).toEqual([]);
  });

  it("is invalid with an additional key", () => {
    const value = render();
    Object.assign(value.run, { more: 1 });
    expect(checkReport(value)).toEqual([expect.stringContaining("/run must NOT")]);
  });

  it.each(["my-auctions", "a1"])("is valid with the protocol key %s", (key) => {
    const value = render();
    Object.assign(value.operations[0], { protocol: key });
    expect(checkReport(value)).toEqual([]);
  });

  it("does not depend on the order of the input", () => {
    const findings = ["A.b", "A.a"].map((coordinate) => goneField({ coordinate }));
    const ordered = report({ findings });
    const other = report({
      findings: [...findings].reverse(),
      endpoints: [...ordered.endpoints].reverse(),
      groups: [...ordered.groups].reverse(),
      operations: [...ordered.operations].reverse(),
      run: { ...ordered.run, durationMs: 9 },
    });
    const [a, b] = [ordered, other].map((each) => json.render({ ...each, run: ordered.run }, PLAIN));
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
    const { findings } = render({
      findings: [
        goneField({ ...ACCEPTED, coordinate: "A.a" }),
        goneField({ coordinate: "B.b", operations: [] }),
      ],
    });
    expect(findings.map(({ coordinate }: { coordinate: string }) => coordinate)).toEqual(["B.b", "A.a"]);
  });

  it("leaves out unknown members of the input", () => {
    const finding = { ...goneField(), secret: "s3cret" };
    expect(JSON.stringify(render({ findings: [finding] }))).not.toContain("s3cret");
  });
});
