import { describe, expect, it } from "vitest";
import { findingsOf, runAll } from "./outcomes.ts";

/** Both protocols and both styles on two chains, and one chain of one style only. */
const FLEET =
  "base 10, gnosis 11, flow-base 10, flow-form 10, multichain base 10 gnosis 10, flow-multichain base 10";
const WEEKS_LATER = "22T03:00";

describe("a fleet whose head blocks do not move", () => {
  it("is reported once, for all protocols and styles", () => {
    const runs = `01T03:00 ${FLEET} | ${WEEKS_LATER} ${FLEET}`;
    expect(findingsOf(runs)).toEqual([
      "stuck fleet: No deployment has moved since 11-01T03:00: all 6 still have the same block.",
    ]);
    expect(runAll(runs).findings).toMatchObject([{ severity: "risky", subject: "every deployment" }]);
  });

  it("names the protocol and style if the fleet has only one", () => {
    const subgraphs = "base 1, gnosis 2, form 3";
    const runs = `01T03:00 ${subgraphs} | ${WEEKS_LATER} ${subgraphs}`;
    expect(findingsOf(runs)).toEqual([
      "stuck base,gnosis,form: No deployment has moved since 11-01T03:00: all 3 still have the same block.",
    ]);
    expect(runAll(runs).findings[0]?.where).toMatchObject({ protocol: "lockup", style: "subgraph" });
  });

  it.each<[name: string, runs: string, since: string | null]>([
    ["is not reported after exactly a day", `01T03:00 ${FLEET} | 02T03:00 ${FLEET}`, null],
    ["is reported a second later", `01T03:00 ${FLEET} | 02T03:00:01 ${FLEET}`, "11-01"],
    [
      "is reported since the last move of any deployment",
      `01T03:00 ${FLEET} | 10T03:00 ${FLEET.replace("base 10", "base 11")} | ${WEEKS_LATER} ${FLEET.replace("base 10", "base 11")}`,
      "11-10",
    ],
    [
      "is not reported a day after the last move of any deployment",
      `01T03:00 ${FLEET} | 21T03:00 ${FLEET.replace("base 10", "base 11")} | ${WEEKS_LATER} ${FLEET.replace("base 10", "base 11")}`,
      null,
    ],
    ["is not reported if a deployment is new", `01T03:00 ${FLEET} | ${WEEKS_LATER} ${FLEET}, linea 7`, null],
  ])("%s", (_, runs, since) => {
    const found = findingsOf(runs).filter((line) => line.includes("No deployment has moved"));
    expect(found.map((line) => /since (\S+)T/.exec(line)?.[1])).toEqual(since === null ? [] : [since]);
  });

  it("is reported per chain if other chains move", () => {
    const fleet = (gnosis: number) =>
      `base 10, flow-base 10, flow-form 10, gnosis ${gnosis}, multichain base 10 gnosis ${gnosis}`;
    const runs = `01T03:00 ${fleet(5)} | ${WEEKS_LATER} ${fleet(6)}`;
    expect(findingsOf(runs)).toEqual([
      "stuck protocol-flow-form: NO PEER: form at 10 since 11-01T03:00.",
      "stuck fleet: No deployment of base has moved since 11-01T03:00: protocol-flow-base at 10, base at 10, multichain at 10.",
    ]);
    expect(runAll(runs).findings[1]?.subject).toBe("base");
  });

  it("names every chain without progress in one finding", () => {
    const halted = "base 1, flow-base 1, gnosis 2, flow-gnosis 2";
    const runs = `01T03:00 ${halted}, linea 1, flow-linea 1 | ${WEEKS_LATER} ${halted}, linea 2, flow-linea 2`;
    expect(findingsOf(runs)).toEqual([
      "stuck fleet: No deployment of these chains has moved: base since 11-01T03:00, gnosis since 11-01T03:00.",
    ]);
    expect(runAll(runs).findings[0]?.subject).toBe("several chains");
  });
});

describe("standstill without a memory", () => {
  const OLD = "01T02:59:48";
  /** Both styles; subgraphs have block times close to each other, and multichain has nearby blocks without times. */
  const dated = (madeAt = OLD, ahead = 0) =>
    `base 100@${madeAt}, gnosis 200@01T02:20, flow-base 90@01T02:59:28, multichain base ${100 + ahead} gnosis 200 morph 5`;
  const isFleet = (run: string) => findingsOf(run).some((line) => line.includes("No deployment has moved"));

  it("is reported once if the newest blocks are all from about the same past time", () => {
    const want =
      "stuck fleet: No deployment has moved since 11-01T02:59: the newest block of all 4 is from then.";
    expect(findingsOf(`${WEEKS_LATER} ${dated()}`)).toEqual([want]);
    // Also if the memory is younger than the blocks.
    expect(findingsOf(`20T03:00 ${dated()} | ${WEEKS_LATER} ${dated()}`)).toEqual([want]);
  });

  it.each<[name: string, run: string, want: boolean]>([
    ["is a second more than a day old", `02T02:59:49 ${dated()}`, true],
    ["is exactly a day old", `02T02:59:48 ${dated()}`, false],
    ["is from today for one deployment", `${WEEKS_LATER} ${dated("22T02:59")}`, false],
    ["is in the future for one deployment", `${WEEKS_LATER} ${dated("2999-01-01T00:00")}`, false],
    [
      "is behind another deployment of the chain by the usual lag",
      `${WEEKS_LATER} ${dated(OLD, 1000)}`,
      true,
    ],
    ["is far behind another deployment of the chain", `${WEEKS_LATER} ${dated(OLD, 1001)}`, false],
    ["is unknown for the only deployment of a chain", `${WEEKS_LATER} ${dated()}, form 1`, false],
    [
      "is from a different day for each deployment, which may be catching up",
      `${WEEKS_LATER} base 100@${OLD}, gnosis 200@2026-10-10T00:00, linea 300@2026-09-10T00:00`,
      false,
    ],
    ["is from one chain only", `${WEEKS_LATER} base 100@${OLD}, flow-base 100@${OLD}`, false],
    ["is unknown", `${WEEKS_LATER} ${FLEET}`, false],
  ])("if the newest block %s", (_, run, want) => {
    expect(isFleet(run)).toBe(want);
  });

  /** Four chains, each with the time of its newest block. */
  const four = (...times: readonly string[]) =>
    times.map((time, index) => `${["base", "gnosis", "linea", "form"][index]} 100@${time}`).join(", ");
  const OLDER = "2026-10-10T00:00";

  it.each<[name: string, outcomes: string, want: boolean]>([
    ["from the same time on exactly half of the chains", four(OLD, OLD, OLDER, OLDER), false],
    ["from the same time on more than half of the chains", four(OLD, OLD, OLD, OLDER), true],
    ["exactly an hour apart", four(OLD, "01T01:59:48", "01T01:59:48", OLD), true],
    ["more than an hour apart", four(OLD, "01T01:59:47", "01T01:59:47", OLD), false],
    ["from the same time on two chains", four(OLD, OLD), true],
  ])("with newest blocks %s", (_, outcomes, want) => {
    expect(isFleet(`${WEEKS_LATER} ${outcomes}`)).toBe(want);
  });
});
