import { describe, expect, it } from "vitest";
import { parseRequirement } from "../../../src/compare/decide-outcome.ts";
import type { Config } from "../../../src/project/config.ts";
import { resolveProject } from "../../../src/project/project.ts";
import type { Report } from "../../../src/report/report.ts";
import { PLAIN, RENDERERS } from "../../report/fixtures.ts";
import { CHAIN_COUNTS } from "../../support/chain-counts.ts";
import { checkReport } from "../../support/check-report.ts";
import { failure, type JudgedFleet, judge, judgedFleet, NO_SENDER, nameOf } from "./judged-fleet.ts";

const DORMANT = { status: "dormant", since: "2026-03", reason: "it gets no queries" } as const;
const NOTE = "It has been dormant since 2026-03: it gets no queries.";
const SILENT = failure("ENDPOINT_UNREACHABLE");
const ALL = parseRequirement("all");

/** A fleet that serves its snapshots, with a configuration. */
function fleetOf(config: Config): JudgedFleet {
  const fleet = judgedFleet();
  return { ...fleet, project: resolveProject({ protocols: ["lockup"], ...config }, fleet.files.root) };
}

const dormant = (...suffixes: string[]) =>
  fleetOf({ deployments: Object.fromEntries(suffixes.map((suffix) => [nameOf(suffix), DORMANT])) });

const endpointOf = ({ endpoints }: Report) => endpoints.findLast((one) => one.deployment === nameOf("base"));

describe("a dormant deployment", () => {
  it("is reported while it does not answer, without a finding", async () => {
    const { subgraph } = CHAIN_COUNTS;
    const fleet = dormant("base");
    const first = await judge(fleet, { base: SILENT }, { at: "2025-11-01T03:00:00Z", require: ALL });
    const later = { at: "2025-12-01T03:00:00Z", head: 6000, require: ALL, failOnHealth: true };
    const { code, out, report } = await judge(fleet, { base: SILENT }, { ...later, memory: first.memory });
    expect({ code, findings: report.findings }).toEqual({ code: 0, findings: [] });
    expect(report.outcome.reason).toBe(`nothing to act on, ${subgraph} of ${subgraph} endpoints answered`);
    expect(endpointOf(report)).toMatchObject({
      status: "dormant",
      message: `It did not go well. ${NOTE}`,
      lifecycle: DORMANT,
    });
    expect(out).toContain(`${subgraph - 1} same; 1 dormant: base\n`);
    const json = RENDERERS.json.render(report, PLAIN);
    expect(json).toContain(NOTE);
    expect(checkReport(JSON.parse(json))).toEqual([]);
  });

  it("is inconclusive if no other deployment answers either", async () => {
    const run = await judge(dormant("base"), { base: SILENT }, { only: ["base"] });
    expect(run.code).toBe(3);
    expect(run.report.outcome.reason).toBe("inconclusive: no endpoint answered");
  });

  it("keeps its snapshot, and does not block the update of others", async () => {
    const fleet = dormant("base");
    const { held } = await judge(fleet, { base: SILENT }, { update: true, require: ALL });
    expect(held).toEqual([]);
    const record = JSON.parse(fleet.files.read("generated/schemas/deployments.json"));
    expect(record.deployments.map(({ name }: { name: string }) => name)).toContain(nameOf("base"));
  });

  it("is also reported while it answers", async () => {
    const { report } = await judge(dormant("base"));
    expect(endpointOf(report)).toMatchObject({ status: "same", message: NOTE, lifecycle: DORMANT });
  });

  it("has a finding if it serves another chain or another schema", async () => {
    const { code, report } = await judge(dormant("base", "gnosis"), {
      base: { probe: { chainIds: [100] } },
      gnosis: NO_SENDER,
    });
    expect(code).toBe(1);
    expect(report.findings.map(({ code, where }) => `${code} ${where?.deployments.join()}`)).toEqual([
      "identity/wrong-chain protocol-lockup-base",
      "drift/field-removed protocol-lockup-gnosis",
    ]);
  });

  it("has no finding if it is stuck, behind or failing, and neither has a dormant chain", async () => {
    const fleet = fleetOf({
      chains: { gnosis: { status: "dormant" } },
      deployments: { "protocol-lockup-base": DORMANT, "protocol-lockup-linea": DORMANT },
    });
    const heads = fleet.project.chains.map(({ chainId }) => ({
      chainId,
      block: chainId === 100 ? 5000 : 7001,
    }));
    const first = await judge(fleet, {}, { at: "2026-11-01T03:00:00Z" });
    const { code, report } = await judge(
      fleet,
      {
        base: { behind: 2001 },
        gnosis: { behind: 2001 },
        linea: { probe: { hasIndexingErrors: true } },
        multichain: { probe: { heads } },
      },
      { at: "2026-11-03T03:00:00Z", head: 7001, memory: first.memory, failOnHealth: true },
    );
    expect({ code, findings: report.findings }).toEqual({ code: 0, findings: [] });
  });
});

it("a retired deployment is reported with its replacement", async () => {
  const known = { status: "retired", since: "2025-07-31", reason: "it was not paid" } as const;
  const fate = { ...known, replacedBy: nameOf("multichain") };
  const fleet = fleetOf({ deployments: { [nameOf("base")]: fate } });
  const { report } = await judge(fleet, {}, { only: ["linea"] });
  expect(endpointOf(report)).toMatchObject({
    status: "skipped",
    message: "It was retired on 2025-07-31: it was not paid; use protocol-lockup-multichain.",
    lifecycle: fate,
  });
});
