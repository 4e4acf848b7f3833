import { describe, expect, it } from "vitest";
import { parseReportedRun } from "../../src/compare/edit-baseline.ts";
import { fingerprint } from "../../src/compare/join-findings.ts";
import { goneField } from "../report/fixtures.ts";

type Json = Record<string, unknown>;

const FINDING = { ...goneField(), fingerprint: fingerprint(goneField()) };
const KNOWN = new Set(["lockup-linea", "lockup-zksync"]);

function report(changes: Json = {}, finding: Json = {}): Json {
  return {
    version: 1,
    run: { command: "drift" },
    outcome: { exit: 1, reason: "x", categories: [{ name: "drift", findings: 1, failing: 1, accepted: 0 }] },
    endpoints: [
      { deployment: "lockup-linea", status: "drifted" },
      { deployment: "lockup-zksync", status: "unreachable" },
    ],
    findings: [{ ...FINDING, ...finding }],
    ...changes,
  };
}

const parse = (value: unknown) =>
  parseReportedRun(typeof value === "string" ? value : JSON.stringify(value), "r.json", KNOWN);

describe("a saved report", () => {
  it("tells its findings, who answered and what was looked at", () => {
    const { findings, answered, categories } = parse(report());
    expect(findings.map(fingerprint)).toEqual([FINDING.fingerprint]);
    expect({ answered: [...answered], categories }).toEqual({
      answered: ["lockup-linea"],
      categories: ["drift"],
    });
  });

  it.each(["wrong-chain", "wrong-protocol"])("has no schema of what is %s", (status) => {
    const endpoints = [{ deployment: "lockup-linea", status }];
    expect([...parse(report({ endpoints })).answered]).toEqual([]);
  });

  it("is not asked what it said of the baseline", () => {
    const stale = { ...FINDING, code: "baseline/stale", layer: "baseline" as const };
    const finding = { ...stale, fingerprint: fingerprint(stale) };
    expect(parse(report({}, finding)).findings).toEqual([]);
  });

  it.each<[name: string, value: unknown, want: RegExp]>([
    ["no JSON", "{", /it is no JSON/],
    ["deep nesting", "[".repeat(200_000), /it is no JSON/],
    ["null", null, /the file is not an object/],
    ["a list", [], /the file is not an object/],
    ["another version", report({ version: 2 }), /"version" is not 1/],
    ["members of its prototype only", '{"__proto__":{"version":1}}', /"version" is not 1/],
    ["no run", report({ run: undefined }), /"run" is not an object/],
    [
      "two schemas that somebody named",
      report({ run: { command: "diff a.graphql b.graphql" } }),
      /^r\.json compares two schemas that somebody named/,
    ],
    ["no outcome", report({ outcome: undefined }), /"outcome" is not an object/],
    ["a run that could not be done", report({ outcome: { exit: 2 } }), /could not be done/],
    ["findings that are no list", report({ findings: {} }), /"findings" is not a list/],
    ["a finding that is none", report({ findings: [1] }), /finding 1 is not an object/],
    ["a forged coordinate", report({}, { coordinate: "Asset.name" }), /fingerprint of finding 1 is not that/],
    ["a forged fingerprint", report({}, { fingerprint: "000000000000" }), /fingerprint of finding 1 is not/],
    ["a layer of another word", report({}, { layer: "constructor" }), /unknown layer "constructor"/],
    ["an unknown severity", report({}, { severity: "fatal" }), /unknown severity/],
    ["a code that is none", report({}, { code: "../x" }), /in finding 1, "code" is no code/],
    ["a number for a text", report({}, { before: 1 }), /in finding 1, "before" is not a text/],
    [
      "another project's deployment",
      report({}, { where: { protocol: "lockup", style: "subgraph", deployments: ["a\u001b[2J"] } }),
      /in finding 1, "deployments" names "a \[2J", which is no deployment of this project/,
    ],
    [
      "another style",
      report({}, { where: { protocol: "lockup", style: "rest", deployments: [] } }),
      /"style" is no style/,
    ],
    ["an unknown status", report({ endpoints: [{ deployment: "lockup-linea", status: "x" }] }), /status/],
  ])("error: %s", (_, value, want) => {
    expect(() => parse(value)).toThrow(want);
  });
});
