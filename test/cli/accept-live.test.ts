import { describe, expect, it } from "vitest";
import type { Fault } from "../../emulator/faults/fault.ts";
import { BASELINE_PATH } from "../../src/drift/baseline/accepted-entry.ts";
import {
  beyondOneScreen,
  drift,
  liveFleet,
  lockup,
  ONE_SCREEN,
  shareEmulator,
} from "../support/live-fleet.ts";
import { run } from "../support/run.ts";
import type { TempProject } from "../support/temp-project.ts";

shareEmulator();

const REASON = ["--reason", "linea is being redeployed"];
const DROPPED: Fault = { kind: "drop-field", field: "Stream.sender", ...lockup("linea") };

const fleet = (...faults: readonly Fault[]) => liveFleet(faults);

/** The same project where other things go wrong: what was accepted stays. */
async function later(project: TempProject, ...faults: readonly Fault[]): Promise<TempProject> {
  const next = await fleet(...faults);
  next.write(BASELINE_PATH, project.read(BASELINE_PATH));
  return next;
}

/** A fleet of which one lost a field, which somebody accepted as a run told it. */
async function accepted(...args: string[]): Promise<TempProject> {
  const project = await fleet(DROPPED);
  const red = await drift(project);
  const id = red.report.findings[0]?.fingerprint ?? "";
  expect(red.out).toContain(`lockflow accept ${id} --reason "…" --from report.json\n`);
  const result = await run(project.root, ["accept", id, ...REASON, "--from", "out.json", ...args]);
  expect(result).toMatchObject({ code: 0, err: "" });
  return project;
}

async function codesOf(project: TempProject): Promise<readonly [exit: number, ...codes: string[]]> {
  const { code, out, report } = await drift(project);
  expect(beyondOneScreen(out)).toEqual(ONE_SCREEN);
  return [code, ...report.findings.map((finding) => `${finding.code}${finding.accepted ? " accepted" : ""}`)];
}

describe("accept, of what a live run found", () => {
  it("is tolerated, is news of one deployment more, and is stale once nobody shows it", async () => {
    const project = await accepted();
    expect(await codesOf(project)).toEqual([0, "drift/field-removed accepted"]);
    const more = await later(project, DROPPED, { ...DROPPED, ...lockup("base") });
    expect(await codesOf(more)).toEqual([1, "drift/field-removed", "drift/field-removed accepted"]);
    const healed = await later(project);
    expect(await codesOf(healed)).toEqual([1, "baseline/stale"]);
    // Without having asked anybody nothing is known of it.
    expect((await run(healed.root, ["diff"])).code).toBe(0);
    expect((await run(healed.root, ["accept", "--prune"])).out).toBe(`${BASELINE_PATH} is as it was.\n`);
    const { out } = await drift(healed);
    expect(out).toContain("  lockflow accept --prune --from report.json\n");
    const pruned = await run(healed.root, ["accept", "--prune", "--from", "out.json"]);
    expect(pruned.out).toContain("0 accepted. Commit it.");
    expect(await codesOf(healed)).toEqual([0]);
  });

  it("is not stale while those that showed it do not answer", async () => {
    const project = await later(await accepted(), { kind: "500", ...lockup("linea") });
    expect(await codesOf(project)).toEqual([0]);
    await run(project.root, ["accept", "--prune", "--from", "out.json"]);
    expect(project.read(BASELINE_PATH)).toContain("drift/field-removed");
  });

  it("ends on its last day", async () => {
    const project = await accepted("--until", "2999-01-31");
    expect(await codesOf(project)).toEqual([0, "drift/field-removed accepted"]);
    project.write(BASELINE_PATH, project.read(BASELINE_PATH).replace("2999-01-31", "2001-01-31"));
    expect(await codesOf(project)).toEqual([1, "drift/field-removed", "baseline/stale"]);
  });

  it("stays needed by the snapshots once they show it, and by nothing once they do not", async () => {
    const project = await accepted();
    await drift(project, "--update");
    expect(await codesOf(project)).toEqual([0]);
    expect((await run(project.root, ["diff"])).code).toBe(0);
    await run(project.root, ["accept", "--prune", "--from", "out.json"]);
    expect(project.read(BASELINE_PATH)).toContain("drift/field-removed");
    const healed = await later(project);
    expect(await codesOf(healed)).toEqual([1, "baseline/stale"]);
    // What counts is what the snapshots show once they have moved.
    const { report } = await drift(project, "--update");
    expect(report.findings.map(({ code }) => code)).toContain("baseline/stale");
  });

  it("does not take for stale what comes and goes, or was compared with a git ref", async () => {
    const project = await accepted();
    const entry = JSON.parse(project.read(BASELINE_PATH)).accepted[0];
    const flapping = { ...entry, fingerprint: "0123456789ab", code: "fleet/flapping", coordinate: null };
    const compared = { ...entry, fingerprint: "123456789abc", scope: [] };
    const healed = await fleet();
    healed.write(BASELINE_PATH, JSON.stringify({ version: 1, accepted: [flapping, compared] }));
    expect(await codesOf(healed)).toEqual([0]);
  });
});
