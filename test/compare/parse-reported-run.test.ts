import { describe, expect, it } from "vitest";
import { parseReportedRun } from "../../src/compare/edit-baseline.ts";
import { fingerprint } from "../../src/compare/join-findings.ts";
import { json } from "../../src/report/forms/json.ts";
import { endpoint, report as fullReport, goneField, PLAIN } from "../report/fixtures.ts";

type Json = Record<string, unknown>;

const FINDING = { ...goneField(), fingerprint: fingerprint(goneField()) };
const KNOWN = new Set(["lockup-linea", "lockup-zksync"]);
const FULL: Json = JSON.parse(
  json.render(
    fullReport({
      endpoints: [endpoint("linea", { status: "drifted" }), endpoint("zksync", { status: "unreachable" })],
      findings: [FINDING],
    }),
    PLAIN,
  ),
);

const PLACE = {
  fingerprint: "000000000001",
  where: { protocol: "flow", style: "subgraph", deployments: ["lockup-linea"] },
  before: "String!",
  after: null,
  place: null,
};

function report(changes: Json = {}, finding: Json = {}): Json {
  return { ...FULL, findings: [{ ...FINDING, ...finding }], ...changes };
}

const parse = (value: unknown) =>
  parseReportedRun(typeof value === "string" ? value : JSON.stringify(value), "r.json", KNOWN);

const elsewhere = (changes: Json) => report({}, { elsewhere: [{ ...PLACE, ...changes }] });
const where = (changes: Json) => ({
  where: { protocol: "lockup", style: "subgraph", deployments: [], ...changes },
});
const FOREIGN = where({ deployments: ["lockup-base"] });

describe("a saved report", () => {
  it("returns its findings, the endpoints that answered and the compared categories", () => {
    const { findings, answered, categories } = parse(report());
    expect(findings.map(fingerprint)).toEqual([FINDING.fingerprint]);
    expect({ answered: [...answered], categories }).toEqual({
      answered: ["lockup-linea"],
      categories: ["drift"],
    });
  });

  it.each(["wrong-chain", "wrong-protocol"])(
    "does not count an endpoint as answered if it is %s",
    (status) => {
      const endpoints = [{ ...endpoint("linea"), status }];
      expect([...parse(report({ endpoints })).answered]).toEqual([]);
    },
  );

  it("drops findings about the baseline", () => {
    const stale = { ...FINDING, code: "baseline/stale", layer: "baseline" as const };
    const finding = { ...stale, fingerprint: fingerprint(stale) };
    expect(parse(report({}, finding)).findings).toEqual([]);
  });

  const run = (command: string) => ({ run: { ...fullReport().run, command } });
  const unfinished = { outcome: { exit: 2, reason: "x", categories: [] } };
  const NOT_OURS = '"lockup-base", which is not a deployment of this project';

  it.each<[name: string, value: unknown, want: RegExp | string]>([
    ["invalid JSON", "{", "it is not valid JSON"],
    ["deep nesting", "[".repeat(200_000), "it is not valid JSON"],
    ["null", null, "the file is not an object"],
    ["a list", [], "the file is not an object"],
    ["an unsupported version", report({ version: 2 }), '"version" is not 1'],
    ["a __proto__ member only", '{"__proto__":{"version":1}}', '"version" is not 1'],
    ["no run", report({ run: undefined }), '"run" is not an object'],
    ["two given schemas", report(run("diff a.graphql b.graphql")), /^r\.json compares two given schemas/],
    ["no outcome", report({ outcome: undefined }), '"outcome" is not an object'],
    ["a run that did not finish", report(unfinished), "did not finish"],
    ["findings that are not a list", report({ findings: {} }), '"findings" is not a list'],
    ["a finding that is not an object", report({ findings: [1] }), "finding 1 is not an object"],
    ["a forged coordinate", report({}, { coordinate: "A.b" }), "fingerprint of finding 1 does not match"],
    [
      "a forged fingerprint",
      report({}, { fingerprint: "0".repeat(12) }),
      "fingerprint of finding 1 does not match",
    ],
    ["an unknown layer", report({}, { layer: "constructor" }), 'unknown layer "constructor"'],
    ["an unknown severity", report({}, { severity: "fatal" }), "unknown severity"],
    ["an invalid code", report({}, { code: "../x" }), 'in finding 1, "code" is not a code'],
    ["a number instead of text", report({}, { before: 1 }), 'in finding 1, "before" is not a text'],
    ["another project's deployment", report({}, FOREIGN), `in finding 1, "deployments" names ${NOT_OURS}`],
    ["one at a further place", elsewhere(FOREIGN), `in finding 1, place 1, "deployments" names ${NOT_OURS}`],
    ["a forged further place", elsewhere({}), "of place 1 of finding 1"],
    [
      "another project's endpoint",
      report({ endpoints: [endpoint("base")] }),
      `in endpoint 1, "deployment" names ${NOT_OURS}`,
    ],
    [
      "a deployment with an invalid name",
      report({}, where({ deployments: ["a\u001b[2J"] })),
      "finding 1, deployment 1 is not a name",
    ],
    ["an unknown style", report({}, where({ style: "rest" })), '"style" is not a style'],
    ["an unknown status", report({ endpoints: [{ ...endpoint("linea"), status: "x" }] }), "status"],
  ])("error: %s", (_, value, want) => {
    expect(() => parse(value)).toThrow(want);
  });
});
