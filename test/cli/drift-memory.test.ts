import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Fault } from "../../emulator/faults/fault.ts";
import { type Emulator, startEmulator } from "../../emulator/server/start-emulator.ts";
import type { Finding } from "../../src/report/finding.ts";
import { REPOSITORY } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

const MEMORY = "cache/memory.json";

/** Some of the lockup deployments. */
const SUBGRAPHS = ["base", "form", "gnosis", "linea"];
const BOTH_STYLES = [...SUBGRAPHS, "multichain"];

type Fleet = { readonly project: TempProject; readonly emulator: Emulator };

/** The deployments of some suffixes, asked of an emulator. */
async function fleet(
  suffixes: readonly string[],
  faults: readonly Fault[] = [],
  config: Readonly<Record<string, object>> = {},
): Promise<Fleet> {
  const emulator = await startEmulator({ faults, streams: 1 });
  onTestFinished(() => emulator.close());
  const deployments: Record<string, object> = {};
  for (const suffix of suffixes) {
    const deployment = `protocol-lockup-${suffix}`;
    // Testing where there is one comes last: it needs no key.
    const endpoint = emulator.endpoints.findLast((one) => one.deployment === deployment);
    const { environment = "", url = "" } = endpoint ?? {};
    const apiKey = suffix === "form" ? { env: "KEY" } : undefined;
    deployments[deployment] = { [environment]: { url, apiKey }, ...config[suffix] };
  }
  const project = tempProject({
    "lockflow.config.json": JSON.stringify({ protocols: ["lockup"], deployments }),
  });
  for (const folder of ["generated/schemas", "operations"]) {
    cpSync(join(REPOSITORY, folder), join(project.root, folder), { recursive: true });
  }
  return { project, emulator };
}

/** Runs drift on a day, and gives its code and its findings with whom they are of. */
async function driftOn(moment: string, { project }: Fleet, ...args: string[]) {
  vi.setSystemTime(new Date(moment));
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

const lookOn = (moment: string, one: Fleet, ...args: string[]) =>
  driftOn(moment, one, "--memory", MEMORY, ...args);

const of = (suffix: string) => ({ deployment: `protocol-lockup-${suffix}` });

describe("drift --memory", () => {
  it("keeps what it saw, the same bytes for the same facts, and nothing without the option", async () => {
    const one = await fleet(BOTH_STYLES);
    const { code } = await driftOn("2026-11-01T03:00:00Z", one);
    expect(code).toBe(0);
    expect(Object.keys(one.project.files())).not.toContain(MEMORY);
    await lookOn("2026-11-01T03:00:00Z", one);
    const first = one.project.read(MEMORY);
    const kept = JSON.parse(first).deployments;
    expect(kept.map(({ name }: { name: string }) => name)).toEqual(BOTH_STYLES.map((s) => of(s).deployment));
    expect(kept.map(({ heads }: { heads: unknown[] }) => heads.length)).toEqual([1, 1, 1, 1, 25]);
    expect(first).not.toMatch(/127\.0\.0\.1|http|emulator/);
    await lookOn("2026-11-02T03:00:00Z", one, "--concurrency", "1");
    // Nobody moved, so nobody was first seen at another moment.
    expect(one.project.read(MEMORY)).toBe(first);
    expect(Object.keys(one.project.files("cache"))).toEqual([MEMORY]);
  });

  it("finds a head that stands still, in each style, and does not call it behind as well", async () => {
    const one = await fleet(BOTH_STYLES);
    const { emulator } = one;
    using _ = await emulator.fault({ kind: "stuck-head", ...of("base") });
    using __ = await emulator.fault({ kind: "stuck-head", chain: "gnosis", ...of("multichain") });
    expect((await lookOn("2026-11-01T03:00:00Z", one)).findings).toEqual([]);
    emulator.advance(1001);
    const { code, out, findings } = await lookOn("2026-11-02T03:00:00Z", one);
    expect(code).toBe(0);
    const [base, gnosis] = [stuckLine(one, "base"), stuckLine(one, "gnosis")];
    expect(findings).toEqual(
      [
        `health/stuck risky protocol-lockup-multichain: Its newest block stands still while its peers go on: ${gnosis} (1001 behind).`,
        `health/stuck risky protocol-lockup-base: Its newest block stands still while its peers go on: ${base} (1001 behind).`,
      ].sort(),
    );
    expect(out).toContain("lockflow explain health/stuck");
    // Without what is kept, they are but behind.
    const forgetful = await driftOn("2026-11-02T03:00:00Z", one);
    expect(forgetful.findings.map((text) => text.split(":")[0])).toEqual([
      "health/behind risky protocol-lockup-base",
      "health/behind risky protocol-lockup-multichain",
    ]);
  });

  it("finds a head without a peer that stands still for more than a day", async () => {
    const one = await fleet(["form"]);
    const quiet = ["2026-11-01T03:00:00Z", "2026-11-02T03:00:00Z"];
    for (const moment of quiet) expect((await lookOn(moment, one)).findings).toEqual([]);
    expect((await lookOn("2026-11-02T03:01:00Z", one)).findings).toEqual([
      `health/stuck risky protocol-lockup-form: Its newest block has stood still for more than 24 hours, with no peer to compare it with: ${stuckLine(one, "form")}.`,
    ]);
    one.emulator.advance(1);
    expect((await lookOn("2026-11-03T03:01:00Z", one)).findings).toEqual([]);
  });

  it("finds once that nobody moves, which fails a run that is told to", async () => {
    const one = await fleet(BOTH_STYLES);
    const gated = (moment: string) => lookOn(moment, one, "--fail-on-health");
    expect(await gated("2026-11-01T03:00:00Z")).toMatchObject({ code: 0, findings: [] });
    const still = await gated("2026-11-22T03:00:00Z");
    const message =
      "No deployment has moved since 2026-11-01 03:00 UTC: all 5 have the block that they had then.";
    expect(still).toMatchObject({ code: 1, findings: [`health/stuck risky every deployment: ${message}`] });
    expect(still.out.split("\n")[0]).toMatch(/^Not clean: 1 risky/);
    expect(still.out).toContain(`  risky  every deployment  ${message}`);
    expect(still.out).toContain("exit 1: 1 finding to act on: 1 is about dead or stuck deployments\n");
    expect((await lookOn("2026-11-22T03:00:00Z", one)).code).toBe(0);
    const [fingerprint] = /[0-9a-f]{12}(?=\])/.exec(still.out) ?? [];
    await run(one.project.root, [
      "accept",
      fingerprint ?? "",
      "--reason",
      "moving house",
      "--from",
      "out.json",
    ]);
    expect(await gated("2026-11-23T03:00:00Z")).toMatchObject({ code: 0 });
    one.emulator.advance(1);
    const healed = await gated("2026-11-24T03:00:00Z");
    expect(healed.findings.map((text) => text.split(" ")[0])).toEqual(["baseline/stale"]);
  });

  it("says what cannot be told without what is kept, and asks no more for it", async () => {
    const one = await fleet(BOTH_STYLES);
    const { code, err, findings } = await driftOn("2026-11-01T03:00:00Z", one, "--fail-on-health");
    expect({ code, findings }).toEqual({ code: 0, findings: [] });
    expect(err).toContain("Without --memory no deployment is known to be dead");
    expect(one.emulator.requests().map(({ count }) => count)).toEqual([2, 2, 2, 2, 2]);
  });

  it("finds a dead endpoint after fourteen days, whose status stays what it is", async () => {
    const one = await fleet(SUBGRAPHS);
    const outage = await one.emulator.fault({ kind: "500", ...of("linea") });
    const first = await lookOn("2026-11-01T23:00:00Z", one, "--require", "any");
    expect(first.findings).toEqual([]);
    const on = (moment: string) => {
      one.emulator.advance(1);
      return lookOn(moment, one, "--require", "any");
    };
    expect((await on("2026-11-15T23:00:00Z")).findings).toEqual([]);
    const { code, findings, endpoints } = await on("2026-11-16T01:00:00Z");
    expect(findings).toEqual([
      "health/endpoint-dead risky protocol-lockup-linea: It has not answered since 2026-11-01.",
    ]);
    expect(code).toBe(0);
    expect(endpoints.find(({ deployment }) => deployment === "protocol-lockup-linea")?.status).toBe(
      "unreachable",
    );
    for (const args of [["--fail-on", "risky"], ["--fail-on-health"]]) {
      expect((await lookOn("2026-11-16T01:00:00Z", one, ...args, "--require", "any")).code).toBe(1);
    }
    outage.lift();
    expect((await on("2026-11-17T01:00:00Z")).findings).toEqual([]);
    expect(one.project.read(MEMORY)).not.toContain("2026-11-01");
  });

  it("is written also when there is something to act on, or too few answered", async () => {
    const red = await fleet(SUBGRAPHS, [{ kind: "wrong-chain", chain: "base", ...of("gnosis") }]);
    expect((await lookOn("2026-11-01T03:00:00Z", red)).code).toBe(1);
    expect(JSON.parse(red.project.read(MEMORY)).deployments).toHaveLength(4);
    // Somebody else did answer.
    expect(red.project.read(MEMORY)).toContain('"protocol-lockup-gnosis","silentSince":null,"heads":[]');
    const short = await fleet(SUBGRAPHS, [
      { kind: "500", ...of("base") },
      { kind: "500", ...of("linea") },
    ]);
    expect((await lookOn("2026-11-01T03:00:00Z", short)).code).toBe(3);
    expect(short.project.read(MEMORY).match(/"silentSince":"2026-11-01"/g)).toHaveLength(2);
  });

  it("error: refuses a file of something else before anybody is asked, and leaves it", async () => {
    const one = await fleet(SUBGRAPHS);
    one.project.write(MEMORY, '{"version":1,"deployments":[{"name":"x"}]}');
    const { code, err } = await lookOn("2026-11-01T03:00:00Z", one);
    expect(code).toBe(2);
    expect(err).toBe(
      `lockflow: ${MEMORY} is not what \`lockflow drift --memory\` keeps: in deployment 1, "silentSince" is neither null nor a day such as "2026-11-21".\nHint: name another file, or delete this one: the run after that is the first again.\n`,
    );
    expect(one.emulator.requests()).toEqual([]);
    expect(one.project.read(MEMORY)).toBe('{"version":1,"deployments":[{"name":"x"}]}');
    const folder = await driftOn("2026-11-01T03:00:00Z", one, "--memory", "operations");
    expect(folder).toMatchObject({ code: 2 });
    expect(folder.err).toContain("operations cannot be read (EISDIR)");
  });

  it("error: is not written by a run that could not be done", async () => {
    const one = await fleet(SUBGRAPHS);
    one.project.remove("generated/schemas");
    expect((await lookOn("2026-11-01T03:00:00Z", one)).code).toBe(2);
    expect(Object.keys(one.project.files())).not.toContain(MEMORY);
  });

  it("error: is not written by a run that had nobody to ask", async () => {
    const one = await fleet(["base"]);
    const { code, out } = await lookOn("2026-11-01T03:00:00Z", one, "--environment", "production");
    expect(code).toBe(2);
    expect(out).toContain("exit 2: could not run: no deployment has a URL to be asked at\n");
    expect(Object.keys(one.project.files())).not.toContain(MEMORY);
  });
});

describe("a deployment that is called retired", () => {
  const retired = { status: "retired" };

  it("is found when it answers, with one request, outside of everything else", async () => {
    const one = await fleet(BOTH_STYLES, [], { base: retired, multichain: retired });
    const before = one.project.files("generated");
    const { code, findings, endpoints } = await lookOn("2026-11-01T03:00:00Z", one, "--require", "all");
    expect(findings).toEqual([
      "health/retired cosmetic protocol-lockup-base: It is called retired and answers.",
      "health/retired cosmetic protocol-lockup-multichain: It is called retired and answers.",
    ]);
    expect(code).toBe(0);
    const asked = new Map(one.emulator.requests().map(({ deployment, count }) => [deployment, count]));
    expect([asked.get("protocol-lockup-base"), asked.get("protocol-lockup-multichain")]).toEqual([1, 1]);
    expect(endpoints.find(({ deployment }) => deployment === "protocol-lockup-base")?.status).toBe("skipped");
    const { operations } = JSON.parse(one.project.read("out.json"));
    for (const { chains, missing } of operations) expect([...chains, ...missing]).not.toContain("base");
    expect(one.project.files("generated")).toEqual(before);
    expect(one.project.read(MEMORY)).not.toContain("protocol-lockup-base");
  });

  it.each([
    ["does not answer", { kind: "404", ...of("base") }],
    ["answers as another chain", { kind: "wrong-chain", chain: "gnosis", ...of("base") }],
    ["answers with half an answer", { kind: "truncated-json", ...of("base") }],
  ] as const)("is what it should be when it %s", async (_, fault) => {
    const one = await fleet(SUBGRAPHS, [fault], { base: retired });
    expect(await driftOn("2026-11-01T03:00:00Z", one, "--require", "all")).toMatchObject({
      code: 0,
      findings: [],
    });
    expect(
      one.emulator.requests().find(({ deployment }) => deployment === "protocol-lockup-base")?.count,
    ).toBe(1);
  });

  it("is not asked without the key that it would take, and stops nobody", async () => {
    const one = await fleet(SUBGRAPHS, [], {
      form: { ...retired, production: { url: "https://gateway.example/form", apiKey: { env: "NONE" } } },
    });
    expect(await driftOn("2026-11-01T03:00:00Z", one)).toMatchObject({ code: 0, findings: [] });
  });
});

/** How a chain's head was when it was first seen, as findings tell it. */
function stuckLine({ project }: Fleet, chain: string): string {
  const head = new RegExp(`"chain":"${chain}","block":(\\d+),"since":"2026-11-01T03:00:00.000Z"`);
  const block = head.exec(project.read(MEMORY))?.[1] ?? "nowhere";
  return `${chain} at ${block} since 2026-11-01 03:00 UTC`;
}
