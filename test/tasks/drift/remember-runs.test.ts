import { describe, expect, it } from "vitest";
import { parseRequirement } from "../../../src/compare/decide-outcome.ts";
import type { Finding } from "../../../src/report/finding.ts";
import type { Report } from "../../../src/report/report.ts";
import { acceptFrom, DOWN, judge, judgedFleet } from "./judged-fleet.ts";

const SUBGRAPHS = ["base", "form", "gnosis", "linea"];
const BOTH_STYLES = [...SUBGRAPHS, "multichain"];
const ANY = parseRequirement("any");

/** The findings with their deployments. */
function findingsOf({ findings }: Report): string[] {
  return findings.map(
    (one: Finding) =>
      `${one.code} ${one.severity} ${one.where?.deployments.join() ?? one.subject}: ${one.message}`,
  );
}

describe("a run with the memory of earlier runs", () => {
  it("reports a stuck head in each style, and does not report it as behind as well", async () => {
    const fleet = judgedFleet();
    const first = await judge(fleet, {}, { at: "2026-11-01T03:00:00Z", only: BOTH_STYLES });
    expect(first.report.findings).toEqual([]);
    const heads = fleet.project.chains.map(({ chainId }) => ({
      chainId,
      block: chainId === 100 ? 5000 : 6001,
    }));
    const stuck = { base: { behind: 1001 }, multichain: { probe: { heads } } };
    const later = { at: "2026-11-02T03:00:00Z", head: 6001, only: BOTH_STYLES };
    const { code, out, report } = await judge(fleet, stuck, { ...later, memory: first.memory });
    expect(code).toBe(0);
    expect(findingsOf(report)).toEqual([
      "health/stuck risky protocol-lockup-base: Its head block does not move, but its peers do: base at 5000 since 2026-11-01 03:00 UTC (1001 behind).",
      "health/stuck risky protocol-lockup-multichain: Its head block does not move, but its peers do: gnosis at 5000 since 2026-11-01 03:00 UTC (1001 behind).",
    ]);
    expect(out).toContain("lockflow explain health/stuck");
    // Without the memory they are only behind.
    const forgetful = await judge(fleet, stuck, later);
    expect(findingsOf(forgetful.report).map((text) => text.split(":")[0])).toEqual([
      "health/behind risky protocol-lockup-base",
      "health/behind risky protocol-lockup-multichain",
    ]);
  });

  it("reports once that no head moves, and can fail the run", async () => {
    const fleet = judgedFleet();
    let memory: string | null = null;
    const on = async (at: string, failOnHealth: boolean, head = 5000) => {
      const run = await judge(fleet, {}, { at, head, memory, failOnHealth, only: BOTH_STYLES });
      memory = run.memory;
      return { ...run, findings: findingsOf(run.report) };
    };
    expect(await on("2026-11-01T03:00:00Z", true)).toMatchObject({ code: 0, findings: [] });
    const still = await on("2026-11-22T03:00:00Z", true);
    const message = "No deployment has moved since 2026-11-01 03:00 UTC: all 5 still have the same block.";
    expect(still).toMatchObject({ code: 1, findings: [`health/stuck risky every deployment: ${message}`] });
    expect(still.out.split("\n")[0]).toMatch(/^Not clean: 1 risky/);
    expect(still.out).toContain(`  risky  every deployment  ${message}`);
    expect(still.out).toContain("exit 1: 1 finding to act on: 1 is about dead or stuck deployments\n");
    expect((await on("2026-11-22T03:00:00Z", false)).code).toBe(0);
    await acceptFrom(
      fleet,
      still.report.findings.map(({ fingerprint }) => fingerprint),
    );
    expect((await on("2026-11-23T03:00:00Z", true)).code).toBe(0);
    const healed = await on("2026-11-24T03:00:00Z", true, 5001);
    expect(healed.findings.map((text) => text.split(" ")[0])).toEqual(["baseline/stale"]);
  });

  it("reports a dead endpoint after fourteen days, and keeps its status", async () => {
    const fleet = judgedFleet();
    let memory: string | null = null;
    let head = 5000;
    const on = async (at: string, answers = {}, judging: Parameters<typeof judge>[2] = {}) => {
      head++;
      const rules = { at, head, memory, require: ANY, only: SUBGRAPHS, ...judging };
      const run = await judge(fleet, answers, rules);
      memory = run.memory;
      return run;
    };
    const outage = { linea: DOWN };
    expect((await on("2026-11-01T23:00:00Z", outage)).report.findings).toEqual([]);
    expect((await on("2026-11-15T23:00:00Z", outage)).report.findings).toEqual([]);
    const { code, report } = await on("2026-11-16T01:00:00Z", outage);
    expect(findingsOf(report)).toEqual([
      "health/endpoint-dead risky protocol-lockup-linea: The endpoint has not answered since 2026-11-01.",
    ]);
    expect(code).toBe(0);
    const linea = report.endpoints.find(({ deployment }) => deployment === "protocol-lockup-linea");
    expect(linea?.status).toBe("unreachable");
    for (const judging of [{ failOn: "risky" }, { failOnHealth: true }] as const) {
      expect((await on("2026-11-16T01:00:00Z", outage, judging)).code).toBe(1);
    }
    expect((await on("2026-11-17T01:00:00Z")).report.findings).toEqual([]);
    expect(memory).not.toContain('"silentSince":"2026');
  });
});

describe("the memory of a run", () => {
  it("is written even with findings to act on, or too few answers", async () => {
    const only = SUBGRAPHS;
    const red = await judge(judgedFleet(), { gnosis: { probe: { chainIds: [8453] } } }, { only });
    expect(red.code).toBe(1);
    expect(JSON.parse(red.memory ?? "").deployments).toHaveLength(4);
    // Another deployment answered at its URL.
    expect(red.memory).toContain('"protocol-lockup-gnosis","silentSince":null,"heads":[]');
    const short = await judge(judgedFleet(), { base: DOWN, linea: DOWN }, { only });
    expect(short.code).toBe(3);
    expect(short.memory?.match(/"silentSince":"2026-11-21"/g)).toHaveLength(2);
  });

  it("is null without endpoints", async () => {
    const { code, memory, out } = await judge(judgedFleet(), {}, { only: [] });
    expect({ code, memory }).toEqual({ code: 2, memory: null });
    expect(out).toContain("exit 2: could not run: no deployment has a URL\n");
  });
});
