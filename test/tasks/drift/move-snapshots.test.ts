import { describe, expect, it } from "vitest";
import { parseRequirement } from "../../../src/compare/decide-outcome.ts";
import type { ApiType } from "../../../src/dialects/api-schema.ts";
import type { Report } from "../../../src/report/report.ts";
import { CHAIN_COUNTS } from "../../support/chain-counts.ts";
import { beyondOneScreen, ONE_SCREEN } from "../../support/one-screen.ts";
import { run } from "../../support/run.ts";
import {
  type Answers,
  DOWN,
  EXTRA,
  judge,
  judgedFleet,
  NEWER,
  NO_SENDER,
  PART,
  RENAMED,
} from "./judged-fleet.ts";

type Files = Readonly<Record<string, string>>;

/** Returns the files that changed in a folder. */
function changesOf(before: Files, after: Files) {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((file) => before[file] !== after[file])
    .sort()
    .map((file) => ({ file, change: file in after ? "written" : "removed" }));
}

describe("updating snapshots to the answers", () => {
  it.each<[string, Answers, ...left: string[]]>([
    ["of one chain", { linea: NO_SENDER }, "drift/field-removed"],
    ["of a fleet", { subgraph: EXTRA }],
    ["of a release", { linea: NEWER }],
    ["of the multichain style", { multichain: EXTRA }],
  ])(
    "applies a change %s, and finds in the next run only what the fleet lacks",
    async (_, answers, ...left) => {
      const fleet = judgedFleet();
      const before = fleet.files.files("generated");
      const first = await judge(fleet, answers, { update: true });
      const moved = fleet.files.files("generated");
      expect(moved).not.toEqual(before);
      expect(first.report.moved).toEqual(changesOf(before, moved));
      expect(first.held).toEqual([]);
      for (const { file } of first.report.moved ?? []) expect(first.out).toContain(file);
      expect(first.out).toMatch(
        /\n\nMoved\n {2}.*\n\nNext\n {2}lockflow generate\n {2}lockflow check\n\nexit /s,
      );
      expect(`${first.out}${JSON.stringify(first.report)}`).not.toContain("drift --update");
      expect(beyondOneScreen(first.out)).toEqual(ONE_SCREEN);
      const { code, out, report } = await judge(fleet, answers, { update: true });
      const codes = report.findings.map((one) => one.code);
      expect({ code, codes, moved: report.moved }).toEqual({ code: left.length, codes: left, moved: [] });
      expect(out).not.toContain("Moved");
      expect(fleet.files.files("generated")).toEqual(moved);
    },
  );

  it.each<[string, Answers]>([
    ["a chain lacks a field", { linea: NO_SENDER }],
    [
      "two chains renamed a field, and one of them has another release",
      { linea: RENAMED, zksync: { ...RENAMED, ...NEWER } },
    ],
    ["a chain does not answer, and another one has a field more", { base: DOWN, linea: EXTRA }],
  ])("reports the same in drift, check and diff once %s", async (_, answers) => {
    const fleet = judgedFleet();
    await judge(fleet, answers, { update: true });
    const recorded = ({ findings }: Report) =>
      findings
        .filter(({ severity, layer }) => layer === "entity" && severity !== "additive")
        .map(({ code, coordinate, where, fingerprint, fails }) => [
          code,
          coordinate,
          where,
          fingerprint,
          fails,
        ]);
    const live = recorded((await judge(fleet, answers)).report);
    expect(live.length).toBe("base" in answers ? 0 : 1);
    for (const command of ["check", "diff"]) {
      const { out } = await run(fleet.files.root, [command, "--json"]);
      expect(recorded(JSON.parse(out))).toEqual(live);
    }
  });

  it("removes obsolete variants", async () => {
    const fleet = judgedFleet();
    await judge(fleet, { linea: NO_SENDER }, { update: true });
    const before = fleet.files.files("generated");
    const back = await judge(fleet, {}, { update: true });
    expect(back.report.moved).toEqual(changesOf(before, fleet.files.files("generated")));
    expect(back.report.moved?.map(({ change }) => change).sort()).toEqual(["removed", "written"]);
    expect(back.out).toMatch(/generated\/schemas\/lockup\/subgraph\.[0-9a-f]{8}\.graphql \(removed\)/);
  });

  it("keeps a group with too few answers, and updates the others", async () => {
    const fleet = judgedFleet(["lockup", "flow"]);
    const down = fleet.project.deployments.filter((one) => one.protocol === "lockup").slice(0, 10);
    const outage = Object.fromEntries(down.map(({ name }) => [name, DOWN]));
    const before = fleet.files.files("generated");
    const { code, held, report } = await judge(fleet, { ...outage, subgraph: EXTRA }, { update: true });
    expect(code).toBe(3);
    expect(held).toEqual(["lockup/subgraph"]);
    // Both groups share one finding, and only one of them was updated.
    expect(report.findings.map(({ fix }) => fix)).toEqual([
      "its snapshot was updated: run `lockflow generate`, then `lockflow check`.\nthe snapshot of lockup/subgraph stays as it is until enough deployments answer.",
    ]);
    const after = fleet.files.files("generated");
    const record = "generated/schemas/deployments.json";
    const paths = changesOf(before, after).map(({ file }) => file);
    expect(paths).toEqual([record, "generated/schemas/flow/subgraph.graphql"]);
    const lockupRows = (text = "") => text.split("\n").filter((line) => line.includes("protocol-lockup-"));
    expect(lockupRows(after[record])).toEqual(lockupRows(before[record]));
  });

  it.each<[name: string, answers: Answers]>([
    ["a deployment that flaps", { linea: { ...NEWER, again: { options: { release: "0.40" } } } }],
    ["an incomplete schema", { linea: PART, multichain: PART }],
  ])("does not apply %s", async (_, answers) => {
    const fleet = judgedFleet(["lockup", "flow"]);
    const before = fleet.files.files("generated");
    await judge(fleet, answers, { update: true, require: parseRequirement("none") });
    expect(fleet.files.files("generated")).toEqual(before);
  });

  it("records other descriptions without another schema file, and then does not report them", async () => {
    const fleet = judgedFleet();
    const describe = (type: ApiType) =>
      type.name === "Stream" ? { ...type, description: "Other words." } : type;
    const described: Answers = {
      linea: { change: (schema) => ({ ...schema, types: schema.types.map(describe) }) },
    };
    const before = Object.keys(fleet.files.files("generated"));
    const { out } = await judge(fleet, described, { update: true });
    expect(out).toContain("linea: the reference with other descriptions\n");
    expect(Object.keys(fleet.files.files("generated"))).toEqual(before);
    expect((await judge(fleet, described)).report.findings).toEqual([]);
    expect((await run(fleet.project.root, ["diff"])).out).toContain(
      `lockup: ${CHAIN_COUNTS.subgraph} subgraph deployments serve one schema, 1 of them with other descriptions\n`,
    );
  });
});
