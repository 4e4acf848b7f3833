import { describe, expect, it } from "vitest";
import type { DecidedFinding } from "../../src/report/outcome.ts";
import { verdictOf } from "../../src/report/verdict.ts";
import { ACCEPTED, endpoint, goneField, inSubgraphs, PLAIN, RENDERERS, report } from "./fixtures.ts";

/** A deployment of another protocol among many broken operations; any other order would list it last. */
const wrong = goneField({
  code: "identity/wrong-protocol",
  layer: "identity",
  fingerprint: "0d0d0d0d0d0d",
  subject: "lockup-zksync",
  message: "It serves flow instead of lockup.",
  coordinate: null,
  before: "lockup",
  derived: 0,
  where: inSubgraphs("lockup-zksync"),
  operations: [],
  place: null,
  fix: "correct the URL of lockup-zksync in the configuration.",
});

const broken = Array.from({ length: 30 }, (_, index) =>
  goneField({ coordinate: `A.f${index}`, fingerprint: index.toString(16).padStart(12, "a") }),
);

const category = (name: string) => ({ name, findings: 1, failing: 1, accepted: 0 });

const reportOf = (findings: readonly DecidedFinding[]) =>
  report({
    findings,
    outcome: {
      exit: 1,
      reason: "31 findings to act on: wrong protocol (lockup-zksync), 30 break operations",
      categories: ["drift", "fleet", "identity"].map(category),
    },
    endpoints: [
      endpoint("base"),
      endpoint("linea", { status: "drifted" }),
      endpoint("zksync", { status: "wrong-protocol", group: null }),
    ],
  });

describe("a wrong identity is listed first", () => {
  const first = reportOf([...broken, wrong]);

  it("before findings that break operations, unless it is accepted", () => {
    expect(first.findings[0]?.code).toBe("identity/wrong-protocol");
    const accepted = reportOf([...broken, { ...wrong, ...ACCEPTED }]);
    expect(accepted.findings.at(-1)?.code).toBe("identity/wrong-protocol");
    expect(verdictOf(accepted)).not.toContain("protocol");
  });

  it("but not if it is only a note", () => {
    const note = { ...wrong, code: "identity/unknown", severity: "cosmetic", fails: false } as const;
    const noted = reportOf([...broken, note]);
    expect(noted.findings.at(-1)?.code).toBe("identity/unknown");
    expect(verdictOf(noted)).toMatch(/^Not clean: 30 breaking, 1 cosmetic;/);
  });

  it("in the verdict, with the name of the deployment", () => {
    expect(verdictOf(first)).toBe(
      "Not clean: wrong protocol (lockup-zksync); 31 breaking; of 2 operations 1 broken.",
    );
  });

  it("in the verdict, with at most three names", () => {
    const names = ["a", "b", "c", "d", "e"].map((name) => `lockup-${name}`);
    const many = { ...wrong, where: inSubgraphs(...names) };
    const chain = { ...wrong, code: "identity/wrong-chain" };
    expect(verdictOf(reportOf([many, chain]))).toMatch(
      /^Not clean: wrong chain \(lockup-zksync\), wrong protocol \(lockup-a, lockup-b, lockup-c and 2 more\); /,
    );
  });

  it("in the text report, and its endpoint has its own status", () => {
    const lines = RENDERERS.text.render(first, PLAIN).split("\n");
    expect(lines[3]).toBe("  lockup/subgraph  1 wrong-protocol: zksync; 1 same; 1 drifted: linea");
    expect(lines[lines.indexOf("Findings") + 1]).toContain("It serves flow instead of lockup.");
    expect(lines.indexOf("Findings")).toBeLessThan(20);
    expect(lines).toContain("  lockflow explain identity/wrong-protocol");
    // A wrong identity cannot be accepted; only the findings after it can.
    expect(lines.filter((line) => line.startsWith("  lockflow accept "))).toEqual([
      `  lockflow accept ${broken[0]?.fingerprint} --reason "…" --from report.json`,
    ]);
    expect(RENDERERS.text.render(reportOf([wrong]), PLAIN)).not.toContain("lockflow accept");
    expect(lines).not.toContain("Endpoints without an answer, not compared");
  });

  it.each(["markdown", "sarif", "json", "github"] as const)("in %s", (form) => {
    const shown = RENDERERS[form].render(first, PLAIN);
    const [own, other] = form === "github" ? ["wrong-protocol", "A.f"] : [wrong.fingerprint, "aaaaaaaaaa"];
    expect(shown.indexOf(own)).toBeGreaterThan(0);
    expect(shown.indexOf(other)).toBeGreaterThan(shown.indexOf(own));
  });

  it("in JUnit, and the other suites skip the deployment", () => {
    const shown = RENDERERS.junit.render(first, PLAIN);
    expect([...shown.matchAll(/<testsuite name="(\w+)"/g)].map(([, name]) => name)).toEqual([
      "identity",
      "drift",
      "fleet",
      "operations",
    ]);
    const caseOf = (suite: string) =>
      new RegExp(`classname="lockflow.${suite}" name="lockup-zksync">\\s*<(\\w+)`).exec(shown)?.[1];
    expect([caseOf("identity"), caseOf("fleet")]).toEqual(["failure", "skipped"]);
  });
});
