import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Fault } from "../../emulator/faults/fault.ts";
import { type Emulator, startEmulator } from "../../emulator/server/start-emulator.ts";
import type { Finding } from "../../src/report/finding.ts";
import type { Report } from "../../src/report/report.ts";
import { CHAIN_COUNTS } from "../support/chain-counts.ts";
import { checkReport } from "../support/check-report.ts";
import { copyFromRepository } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

const MEMORY = "cache/memory.json";

/** Some of the lockup deployments. */
const SUBGRAPHS = ["base", "form", "gnosis", "linea"];
const BOTH_STYLES = [...SUBGRAPHS, "multichain"];

// Findings that depend on earlier runs are tested in test/tasks/drift and test/fleet, without requests.

let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator({ streams: 1 });
});

afterAll(() => emulator.close());

type Fleet = { readonly project: TempProject; readonly requests: () => Readonly<Record<string, number>> };

/** Deployments with some suffixes, on an emulator that all tests share. */
async function fleet(
  suffixes: readonly string[],
  faults: readonly Fault[] = [],
  config: Readonly<Record<string, object>> = {},
): Promise<Fleet> {
  emulator.clearFaults();
  for (const fault of faults) await emulator.fault(fault);
  const deployments: Record<string, object> = {};
  for (const suffix of suffixes) {
    const deployment = `protocol-lockup-${suffix}`;
    // A testing endpoint comes last if there is one: it needs no key.
    const endpoint = emulator.endpoints.findLast((one) => one.deployment === deployment);
    const { environment = "", url = "" } = endpoint ?? {};
    const apiKey = suffix === "form" ? { env: "KEY" } : undefined;
    deployments[deployment] = { [environment]: { url, apiKey }, ...config[suffix] };
  }
  const project = tempProject({
    "lockflow.config.json": JSON.stringify({ protocols: ["lockup"], deployments }),
  });
  copyFromRepository(project.root, "generated/schemas/lockup", "generated/schemas/deployments.json");
  project.write("operations/lockup/subgraph/ids.graphql", "query Ids { streams(first: 1) { id } }\n");
  const countOf = (name: string) =>
    emulator.requests().find(({ deployment }) => deployment === name)?.count ?? 0;
  const before = new Map(suffixes.map((suffix) => [suffix, countOf(of(suffix).deployment)]));
  return {
    project,
    requests: () =>
      Object.fromEntries(
        suffixes.map((suffix) => [suffix, countOf(of(suffix).deployment) - (before.get(suffix) ?? 0)]),
      ),
  };
}

/** Runs drift on a day; returns the exit code and the findings with their deployments. */
async function driftOn(time: string, { project }: Fleet, ...args: string[]) {
  vi.setSystemTime(new Date(time));
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const result = await run(project.root, ["drift", "--report", "text,json=out.json", ...args], {
    env: { KEY: "emulator" },
  });
  const report = result.code === 2 ? { findings: [], endpoints: [] } : JSON.parse(project.read("out.json"));
  return {
    ...result,
    endpoints: report.endpoints as readonly { readonly deployment: string; readonly status: string }[],
    findings: report.findings.map(
      (finding: Finding) =>
        `${finding.code} ${finding.severity} ${finding.where?.deployments.join() ?? finding.subject}: ${finding.message}`,
    ) as readonly string[],
  };
}

const lookOn = (time: string, one: Fleet, ...args: string[]) =>
  driftOn(time, one, "--memory", MEMORY, ...args);

const of = (suffix: string) => ({ deployment: `protocol-lockup-${suffix}` });

describe("drift --memory", () => {
  it("writes the same bytes for the same state, and nothing without the option", async () => {
    const one = await fleet(BOTH_STYLES);
    const { code } = await driftOn("2026-11-01T03:00:00Z", one);
    expect(code).toBe(0);
    expect(Object.keys(one.project.files())).not.toContain(MEMORY);
    await lookOn("2026-11-01T03:00:00Z", one);
    const first = one.project.read(MEMORY);
    const kept = JSON.parse(first).deployments;
    expect(kept.map(({ name }: { name: string }) => name)).toEqual(BOTH_STYLES.map((s) => of(s).deployment));
    expect(kept.map(({ heads }: { heads: unknown[] }) => heads.length)).toEqual([
      1,
      1,
      1,
      1,
      CHAIN_COUNTS.multichain,
    ]);
    expect(first).not.toMatch(/127\.0\.0\.1|http|emulator/);
    await lookOn("2026-11-02T03:00:00Z", one, "--concurrency", "1");
    // No head moved, so no head gets a new first-seen time.
    expect(one.project.read(MEMORY)).toBe(first);
    expect(Object.keys(one.project.files("cache"))).toEqual([MEMORY]);
  });

  it("is read by the next run, which reports what has not moved or answered since", async () => {
    const one = await fleet(["base", "gnosis", "multichain"], [{ kind: "stuck-head", ...of("base") }]);
    expect((await lookOn("2026-11-01T03:00:00Z", one)).findings).toEqual([]);
    const reportOf = (): Report => JSON.parse(one.project.read("out.json"));
    const headOf = (suffix: string) =>
      reportOf()
        .endpoints.find(({ deployment }) => deployment === of(suffix).deployment)
        ?.heads?.find(({ chain }) => chain === "base");
    const block = headOf("base")?.block ?? 0;
    expect(headOf("multichain")).toEqual({ chain: "base", block, behind: 0 });
    emulator.advance(1001, 8453);
    await emulator.fault({ kind: "500", ...of("gnosis") });
    const { code, findings } = await lookOn("2026-11-02T03:00:00Z", one, "--require", "any");
    expect(code).toBe(0);
    expect(findings).toEqual([
      expect.stringMatching(
        /^health\/stuck risky protocol-lockup-base: .* since 2026-11-01 03:00 UTC \(1001 behind\)\.$/,
      ),
    ]);
    const failing = ["--require", "any", "--fail-on-health"];
    expect((await lookOn("2026-11-03T03:00:00Z", one, ...failing)).code).toBe(1);
    const since = "2026-11-01T03:00:00.000Z";
    expect(headOf("base")).toMatchObject({ block, behind: 1001, since });
    expect(headOf("multichain")).toMatchObject({ behind: 0, earlier: [{ block, since }] });
    const report = reportOf();
    expect(report.endpoints.find(({ deployment }) => deployment === of("gnosis").deployment)).toMatchObject({
      status: "unreachable",
      silentSince: "2026-11-02",
      // Its heads in its last answer.
      heads: [{ chain: "gnosis", behind: 0, since }],
    });
    expect(checkReport(report)).toEqual([]);
  });

  it("reports what it cannot detect without a memory, and sends no more requests", async () => {
    const one = await fleet(BOTH_STYLES);
    const { code, err, findings } = await driftOn("2026-11-01T03:00:00Z", one, "--fail-on-health");
    expect({ code, findings }).toEqual({ code: 0, findings: [] });
    expect(err).toContain("Without --memory, --fail-on-health only detects");
    expect(Object.values(one.requests())).toEqual([2, 2, 2, 2, 2]);
  });

  it("error: rejects another file before any request, and keeps it", async () => {
    const one = await fleet(SUBGRAPHS);
    one.project.write(MEMORY, '{"version":1,"deployments":[{"name":"x"}]}');
    const { code, err } = await lookOn("2026-11-01T03:00:00Z", one);
    expect(code).toBe(2);
    expect(err).toBe(
      `lockflow: ${MEMORY} is not a memory file of \`lockflow drift --memory\`: in deployment 1, "silentSince" is neither null nor a day such as "2026-11-21".\nHint: name another file, or delete this one to start again.\n`,
    );
    expect(Object.values(one.requests())).toEqual([0, 0, 0, 0]);
    expect(one.project.read(MEMORY)).toBe('{"version":1,"deployments":[{"name":"x"}]}');
    const folder = await driftOn("2026-11-01T03:00:00Z", one, "--memory", "operations");
    expect(folder).toMatchObject({ code: 2 });
    expect(folder.err).toContain("operations cannot be read (EISDIR)");
  });

  it("error: is not written by a run that fails", async () => {
    const one = await fleet(SUBGRAPHS);
    one.project.remove("generated/schemas");
    expect((await lookOn("2026-11-01T03:00:00Z", one)).code).toBe(2);
    expect(Object.keys(one.project.files())).not.toContain(MEMORY);
  });
});

describe("a retired deployment", () => {
  const retired = { status: "retired" };

  it("is reported if it answers, with one request, and is excluded otherwise", async () => {
    const one = await fleet(BOTH_STYLES, [], { base: retired, multichain: retired });
    const before = one.project.files("generated");
    const { code, findings, endpoints } = await lookOn("2026-11-01T03:00:00Z", one, "--require", "all");
    expect(findings).toEqual([
      "health/retired cosmetic protocol-lockup-base: The endpoint answers, but the configuration says that it is retired.",
      "health/retired cosmetic protocol-lockup-multichain: The endpoint answers, but the configuration says that it is retired.",
    ]);
    expect(code).toBe(0);
    expect(one.requests()).toMatchObject({ base: 1, multichain: 1 });
    expect(endpoints.find(({ deployment }) => deployment === "protocol-lockup-base")?.status).toBe("skipped");
    const { operations } = JSON.parse(one.project.read("out.json"));
    for (const { chains, missing } of operations) expect([...chains, ...missing]).not.toContain("base");
    expect(one.project.files("generated")).toEqual(before);
    expect(one.project.read(MEMORY)).not.toContain("protocol-lockup-base");
  });

  it.each<[what: string, fault: Fault]>([
    ["does not answer", { kind: "404", ...of("base") }],
    ["answers with another chain id", { kind: "wrong-chain", chain: "gnosis", ...of("base") }],
    ["returns half an answer", { kind: "truncated-json", ...of("base") }],
  ])("has no finding if it %s", async (_, fault) => {
    const one = await fleet(SUBGRAPHS, [fault], { base: retired });
    expect(await driftOn("2026-11-01T03:00:00Z", one, "--require", "all")).toMatchObject({
      code: 0,
      findings: [],
    });
    expect(one.requests()["base"]).toBe(1);
  });

  it("is not requested without its key, and does not stop the others", async () => {
    const one = await fleet(SUBGRAPHS, [], {
      form: { ...retired, production: { url: "https://gateway.example/form", apiKey: { env: "NONE" } } },
    });
    expect(await driftOn("2026-11-01T03:00:00Z", one)).toMatchObject({ code: 0, findings: [] });
  });
});
