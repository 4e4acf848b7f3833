import { describe, expect, it } from "vitest";
import {
  DEFAULT_REQUIREMENT,
  decideOutcome,
  findShortfalls,
  type OutcomeInput,
  parseRequirement,
} from "../../src/compare/decide-outcome.ts";
import type { BookkeepingMark, Finding, ImpactKind, Severity } from "../../src/report/finding.ts";
import type { DecidedFinding, EndpointReport, EndpointStatus } from "../../src/report/outcome.ts";
import { ENDPOINT_STATUSES } from "../../src/report/outcome.ts";
import { endpoint, goneField, inSubgraphs } from "../report/fixtures.ts";

function decide(input: Partial<OutcomeInput>) {
  return decideOutcome({
    findings: [],
    endpoints: [],
    failOn: "operations",
    failOnHealth: false,
    require: DEFAULT_REQUIREMENT,
    categories: [],
    failure: null,
    ...input,
  });
}

/** The severity of each kind of impact, unless a test sets another. */
const EFFECTS: Readonly<Record<ImpactKind, Severity>> = {
  broken: "breaking",
  "at-risk": "risky",
  "changes-type": "breaking",
  "changes-meaning": "risky",
  deprecated: "cosmetic",
};

function hit(
  severity: Severity,
  impact: ImpactKind | null,
  changes: Partial<Finding & BookkeepingMark> = {},
  effect: Severity | null = null,
) {
  const [operation] = goneField().operations;
  const operations =
    impact && operation ? [{ ...operation, impact, severity: effect ?? EFFECTS[impact] }] : [];
  return goneField({ severity, operations, ...changes });
}

const ALL = ["operations", "breaking", "risky", "any"] as const;

const twentySix = (down: number, status: EndpointStatus = "unreachable"): EndpointReport[] =>
  Array.from({ length: 26 }, (_, index) => endpoint(`c${index}`, index < down ? { status } : {}));

describe("which findings fail a run", () => {
  const BREAKING = ["breaking", "risky", "any"];
  const RISKY = ["risky", "any"];
  const platform = { layer: "platform" } as const;
  const internal = { ...platform, isBookkeeping: true } as const;

  it.each<[name: string, finding: DecidedFinding, failOn: readonly string[]]>([
    ["broken, whatever its severity", hit("additive", "broken"), ALL],
    ["at risk, by a risky change", hit("risky", "at-risk"), RISKY],
    ["at risk, by a breaking change", hit("breaking", "at-risk"), BREAKING],
    ["at risk, by a cosmetic change", hit("cosmetic", "at-risk"), RISKY],
    ["a changed type that breaks, by a breaking change", hit("breaking", "changes-type"), ALL],
    ["a changed type that breaks, by a risky change", hit("risky", "changes-type"), ALL],
    ["a tolerable type, by a breaking change", hit("breaking", "changes-type", {}, "risky"), BREAKING],
    ["a tolerable type, by a risky change", hit("risky", "changes-type", {}, "risky"), RISKY],
    ["an internal column that callers may send", hit("breaking", "at-risk", internal), []],
    ["an internal column that is selected", hit("breaking", "broken", internal), ALL],
    ["a changed meaning", hit("risky", "changes-meaning"), RISKY],
    ["deprecated", hit("cosmetic", "deprecated"), ["any"]],
    ["breaking, and no operation hit", hit("breaking", null), BREAKING],
    ["risky, and no operation hit", hit("risky", null), RISKY],
    ["additive", hit("additive", null), ["any"]],
    ["accepted", { ...hit("breaking", "broken"), accepted: true }, []],
    ["platform, and no operation hit", hit("breaking", null, platform), BREAKING],
    ["a stale file", hit("breaking", null, { layer: "generated" }), ALL],
    ["an operation some chains refuse", hit("risky", null, { layer: "operation" }), RISKY],
    ["a wrong chain", hit("breaking", null, { layer: "identity" }), ALL],
    ["a parity conflict", hit("breaking", null, { code: "parity/conflict" }), ALL],
    ["a field of one side only", hit("risky", null, { code: "parity/only-subgraph" }), ALL],
    ["a nullability that a rule explains", hit("additive", null, { code: "parity/nullability" }), ["any"]],
  ])("%s", (_, finding, failOn) => {
    const failing = ALL.filter((level) => decide({ findings: [finding], failOn: level }).outcome.exit === 1);
    expect(failing).toEqual(failOn);
  });

  it("the reason lists the worst findings first, and failing findings are marked", () => {
    const { outcome, findings } = decide({
      findings: [
        hit("risky", null),
        hit("breaking", "broken"),
        hit("risky", "at-risk"),
        hit("additive", "broken"),
      ],
      failOn: "risky",
    });
    expect(outcome.reason).toBe(
      "4 findings to act on: 2 break operations, 1 puts operations at risk, 1 at or above --fail-on risky",
    );
    expect(findings.map(({ fails }) => fails)).toEqual([true, true, true, true]);
  });

  it("the reason counts findings that cannot be accepted separately", () => {
    const findings = [
      hit("breaking", null, { code: "operation/invalid", layer: "operation" }),
      hit("breaking", null, { code: "baseline/stale", layer: "baseline" }),
      hit("breaking", null, { code: "parity/conflict" }),
    ];
    expect(decide({ findings }).outcome.reason).toBe(
      "3 findings to act on: 2 to correct, 1 to correct or accept",
    );
  });

  it("the reason names wrong identities first", () => {
    const wrong = (code: string, ...deployments: string[]) =>
      hit("breaking", null, {
        code,
        layer: "identity",
        coordinate: null,
        where: inSubgraphs(...deployments),
      });
    const findings = [
      hit("breaking", "broken"),
      wrong("identity/wrong-protocol", "lockup-base", "lockup-linea"),
      wrong("identity/missing-chain", "lockup-multichain"),
      wrong("identity/missing-chain", "lockup-multichain"),
    ];
    expect(decide({ findings }).outcome.reason).toBe(
      "4 findings to act on: missing chain (lockup-multichain), wrong protocol (lockup-base, lockup-linea), 1 breaks operations",
    );
    const accepted = findings.map((finding) => ({ ...finding, accepted: true }));
    expect(decide({ findings: accepted }).outcome.reason).toBe("nothing to act on, 4 accepted");
  });
});

describe("--fail-on-health", () => {
  const ill = (code: string) => hit("risky", null, { code, layer: "health", coordinate: null });

  it.each<[code: string, fails: boolean]>([
    ["health/endpoint-dead", true],
    ["health/stuck", true],
    ["health/behind", false],
    ["health/indexing-error", false],
    ["health/dormant", false],
    ["health/retired", false],
    ["drift/field-removed", false],
  ])("fails a run with %s: %j", (code, fails) => {
    const findings = [ill(code)];
    expect(decide({ findings }).outcome.exit).toBe(0);
    expect(decide({ findings, failOnHealth: true }).outcome.exit).toBe(fails ? 1 : 0);
    const accepted = findings.map((finding) => ({ ...finding, accepted: true }));
    expect(decide({ findings: accepted, failOnHealth: true }).outcome.exit).toBe(0);
  });

  it("fails a run with exit 1 and names the cause, even if no endpoint answered", () => {
    const findings = [ill("health/stuck"), ill("health/endpoint-dead"), hit("breaking", "broken")];
    const { outcome } = decide({ findings, failOnHealth: true, endpoints: twentySix(26) });
    expect(outcome).toMatchObject({
      exit: 1,
      reason: "3 findings to act on: 1 breaks operations, 2 are about dead or stuck deployments",
    });
  });
});

describe("the exit code", () => {
  const DORMANT = [endpoint("base", { status: "unreachable", lifecycle: { status: "dormant" } })];
  const NO_ANSWER = "inconclusive: no endpoint answered";
  const findings = [hit("breaking", "broken")];
  it.each<[name: string, input: Partial<OutcomeInput>, exit: number, reason: string]>([
    ["clean", {}, 0, "nothing to act on"],
    [
      "clean, with answers",
      { endpoints: [...twentySix(2), endpoint("x", { status: "skipped" })] },
      0,
      "nothing to act on, 24 of 26 endpoints answered",
    ],
    ["tolerated", { findings: [hit("risky", null)] }, 0, "1 finding, none to act on"],
    [
      "accepted",
      { findings: [{ ...hit("risky", null), accepted: true }] },
      0,
      "nothing to act on, 1 accepted",
    ],
    ["findings", { findings }, 1, "1 finding to act on: 1 breaks operations"],
    [
      "inconclusive",
      { endpoints: twentySix(10) },
      3,
      "inconclusive: 10 of 26 lockup/subgraph endpoints did not answer, and 21 must",
    ],
    [
      "no answer, and none required",
      { endpoints: twentySix(26), require: { kind: "none" } },
      0,
      "nothing to act on, 0 of 26 endpoints answered",
    ],
    ["no answer of dormant deployments", { endpoints: DORMANT, require: { kind: "any" } }, 3, NO_ANSWER],
    [
      "1 takes precedence over 3",
      { findings, endpoints: twentySix(10) },
      1,
      "1 finding to act on: 1 breaks operations",
    ],
    [
      "2 takes precedence over 1 and 3",
      { findings, endpoints: twentySix(10), failure: "no snapshot" },
      2,
      "could not run: no snapshot",
    ],
  ])("%s", (_, input, exit, reason) => {
    expect(decide(input).outcome).toMatchObject({ exit, reason });
  });

  it("outcome.categories counts findings, also in categories without any", () => {
    const { outcome } = decide({
      findings: [
        ...findings,
        { ...hit("risky", null), accepted: true },
        hit("risky", null, { code: "fleet/flapping" }),
      ],
      categories: ["identity"],
    });
    expect(outcome.categories).toEqual([
      { name: "drift", findings: 2, failing: 1, accepted: 1 },
      { name: "fleet", findings: 1, failing: 0, accepted: 0 },
      { name: "identity", findings: 0, failing: 0, accepted: 0 },
    ]);
  });
});

describe("--require", () => {
  it.each<[require: string, down: number, needed: number | null]>([
    ["quorum:80%", 5, null],
    ["quorum:80%", 6, 21],
    ["quorum:100%", 1, 26],
    ["quorum:1%", 25, null],
    ["quorum:1%", 26, 1],
    ["quorum:20", 6, null],
    ["quorum:20", 7, 20],
    ["quorum:400", 1, 26],
    ["all", 1, 26],
    ["all", 0, null],
    ["any", 25, null],
    ["any", 26, 1],
    ["none", 26, null],
  ])("%s of 26, %i down", (require, down, needed) => {
    expect(findShortfalls(twentySix(down), parseRequirement(require)).map((unmet) => unmet.needed)).toEqual(
      needed === null ? [] : [needed],
    );
  });

  it.each(ENDPOINT_STATUSES)("counts every status as an answer but those of silence: %s", (status) => {
    const isSilent = /unreachable|refused|malformed|dormant/.test(status);
    expect(findShortfalls(twentySix(26, status), { kind: "all" })).toHaveLength(isSilent ? 1 : 0);
  });

  it("applies to each protocol and style separately", () => {
    const lonely = endpoint("multichain", { style: "multichain", protocol: "flow", status: "refused" });
    expect(findShortfalls([...twentySix(5), lonely], DEFAULT_REQUIREMENT)).toEqual([
      { name: "flow/multichain", queried: 1, answered: 0, needed: 1 },
    ]);
  });

  it.each(["", ...[":", ":0", ":0%", ":101%", ":-1", ":8e1%", ""].map((size) => `quorum${size}`), "All"])(
    "error: %j",
    (value) => {
      expect(() => parseRequirement(value)).toThrow(
        /--require must be all, any, none, quorum:80% or quorum:20/,
      );
    },
  );
});
