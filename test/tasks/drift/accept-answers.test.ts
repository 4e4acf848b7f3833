import { expect, it } from "vitest";
import { BASELINE_PATH } from "../../../src/workspace/baseline.ts";
import { beyondOneScreen, ONE_SCREEN } from "../../support/one-screen.ts";
import {
  type Answers,
  acceptFrom,
  DOWN,
  type JudgedFleet,
  judge,
  judgedFleet,
  judgeSnapshots,
  NO_SENDER,
} from "./judged-fleet.ts";

const DROPPED: Answers = { linea: NO_SENDER };
/** A fleet with one deployment that lost a field, accepted as a run reported it. */
async function accepted(until: string | null = null): Promise<JudgedFleet> {
  const fleet = judgedFleet();
  const red = await judge(fleet, DROPPED);
  const id = red.report.findings[0]?.fingerprint ?? "";
  expect(red.out).toContain(`lockflow accept ${id} --reason "…" --from report.json\n`);
  expect(await acceptFrom(fleet, [id], { until })).toMatchObject({ written: true });
  return fleet;
}

async function codesOf(fleet: JudgedFleet, answers: Answers): Promise<readonly [number, ...string[]]> {
  const { code, out, report } = await judge(fleet, answers);
  expect(beyondOneScreen(out)).toEqual(ONE_SCREEN);
  return [code, ...report.findings.map((finding) => `${finding.code}${finding.accepted ? " accepted" : ""}`)];
}

it("an accepted finding of deployments passes, is new on another deployment, and is stale once no deployment has it", async () => {
  const fleet = await accepted();
  expect(await codesOf(fleet, DROPPED)).toEqual([0, "drift/field-removed accepted"]);
  expect(await codesOf(fleet, { ...DROPPED, base: NO_SENDER })).toEqual([
    1,
    "drift/field-removed",
    "drift/field-removed accepted",
  ]);
  expect(await codesOf(fleet, {})).toEqual([1, "baseline/stale"]);
  // Without a request its state is unknown.
  expect((await judgeSnapshots(fleet)).outcome.exit).toBe(0);
  expect(await acceptFrom(fleet, null, { from: null })).toMatchObject({ written: false });
  expect((await judge(fleet)).out).toContain("  lockflow accept --prune --from report.json\n");
  expect(await acceptFrom(fleet, null)).toMatchObject({ entries: [], written: true });
  expect(await codesOf(fleet, {})).toEqual([0]);
});

it("an accepted finding of deployments is not stale while its deployment does not answer, and expires after its last day", async () => {
  const fleet = await accepted("2999-01-31");
  expect(await codesOf(fleet, { linea: DOWN })).toEqual([0]);
  expect(await acceptFrom(fleet, null)).toMatchObject({ removed: [], written: false });
  fleet.files.write(BASELINE_PATH, fleet.files.read(BASELINE_PATH).replace("2999-01-31", "2001-01-31"));
  expect(await codesOf(fleet, DROPPED)).toEqual([1, "drift/field-removed", "baseline/stale"]);
});

it("an accepted finding of deployments stays needed if the snapshots contain it, and is stale once they do not", async () => {
  const fleet = await accepted();
  const before = fleet.files.files("generated");
  await judge(fleet, DROPPED, { update: true });
  expect(await codesOf(fleet, DROPPED)).toEqual([0, "drift/field-removed accepted"]);
  expect((await judgeSnapshots(fleet)).outcome.exit).toBe(0);
  expect(await acceptFrom(fleet, null)).toMatchObject({ removed: [], written: false });
  // After an update, the new snapshots decide.
  const { report } = await judge(fleet, {}, { update: true });
  expect(report.findings.map(({ code }) => code)).toContain("baseline/stale");
  for (const [path, text] of Object.entries(before)) fleet.files.write(path, text);
  expect(await codesOf(fleet, {})).toEqual([1, "baseline/stale"]);
});

it("an accepted finding of deployments is not stale if it is intermittent or was compared with a git ref", async () => {
  const fleet = await accepted();
  const entry = JSON.parse(fleet.files.read(BASELINE_PATH)).accepted[0];
  const flapping = { ...entry, fingerprint: "0123456789ab", code: "fleet/flapping", coordinate: null };
  const compared = { ...entry, fingerprint: "123456789abc", scope: [] };
  fleet.files.write(BASELINE_PATH, JSON.stringify({ version: 1, accepted: [flapping, compared] }));
  expect(await codesOf(fleet, {})).toEqual([0]);
});
