import { describe, expect, it } from "vitest";
import { sarif } from "../../../src/report/forms/sarif.ts";
import { ACCEPTED, goneField, PLAIN, report } from "../fixtures.ts";

function run(...findings: ReturnType<typeof goneField>[]) {
  const log = JSON.parse(sarif.render(report({ findings }), PLAIN));
  expect({ version: log.version, runs: log.runs.length }).toEqual({ version: "2.1.0", runs: 1 });
  return log.runs[0];
}

describe("the SARIF report", () => {
  it("has a rule for every code, and results that refer to it", () => {
    const { tool, results } = run(
      goneField(),
      goneField({ code: "drift/argument-added", coordinate: "A.b(c:)" }),
    );
    expect(tool.driver.name).toBe("lockflow");
    expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([
      "drift/argument-added",
      "drift/field-removed",
    ]);
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
    expect(tool.driver.rules[0].help.text).toMatch(/required/);
  });

  it("has the place and the fingerprint of each finding", () => {
    expect(run(goneField()).results[0]).toMatchObject({
      level: "error",
      partialFingerprints: { "lockflow/v1": "9c41e07ab2d5" },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "operations/lockup/subgraph/asset.graphql" },
            region: { startLine: 7, startColumn: 5 },
          },
        },
      ],
    });
  });

  it.each<[name: string, changes: Parameters<typeof goneField>[0], level: string]>([
    ["failing", {}, "error"],
    ["breaking, tolerated", { fails: false }, "warning"],
    ["risky", { fails: false, severity: "risky" }, "warning"],
    ["additive", { fails: false, severity: "additive" }, "note"],
    ["accepted", ACCEPTED, "note"],
  ])("has the level of a finding: %s", (_, changes, level) => {
    expect(run(goneField(changes)).results[0].level).toBe(level);
  });

  it("suppresses accepted findings, with the reason", () => {
    expect(run(goneField(ACCEPTED)).results[0].suppressions).toEqual([
      { kind: "external", justification: "known" },
    ]);
    expect(run(goneField()).results[0].suppressions).toBeUndefined();
  });

  it("has a file for every result, with its path as a URI", () => {
    const [nowhere] = run(goneField({ operations: [], place: null })).results;
    expect(nowhere.locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: PLAIN.anchor },
      region: { startLine: 1 },
    });
    const place = { file: "my folder/ü#1.ts", line: 2, column: null };
    const [odd] = run(goneField({ operations: [], place })).results;
    expect(odd.locations[0].physicalLocation.artifactLocation.uri).toBe("my%20folder/%C3%BC%231.ts");
  });

  it("has at most 5000 results, and a notification about the others", () => {
    const many = Array.from({ length: 5003 }, (_, index) => goneField({ coordinate: `A.f${index}` }));
    const { results, invocations } = run(...many);
    expect(results).toHaveLength(5000);
    expect(invocations[0].toolExecutionNotifications[0].message.text).toMatch(/^3 findings/);
  });
});
