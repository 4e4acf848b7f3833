import { describe, expect, it } from "vitest";
import type { Finding } from "../../src/report/finding.ts";
import { divergingProject, NOTED_ENTITIES, setEntities } from "../support/diverging-project.ts";
import { run } from "../support/run.ts";
import type { TempProject } from "../support/temp-project.ts";

const FILE = "drift-accepted.json";
const REASON = ["--reason", "only one style keeps it"];

async function fingerprintOf(project: TempProject): Promise<string> {
  const { out } = await run(project.root, ["check", "--report", "json"]);
  return JSON.parse(out).findings[0].fingerprint;
}

describe("accept", () => {
  it("accepts a finding until it is fixed, and then reports the stale acceptance", async () => {
    const project = await divergingProject();
    const red = await run(project.root, ["check"]);
    expect(red.code).toBe(1);
    expect(red.out).toContain("[parity/only-multichain ");
    expect(red.out).toMatch(/ {2}lockflow accept \w{12} --reason "…"\n\n/);
    expect(red.out.trimEnd()).toMatch(/\nexit 1: 1 finding to act on: 1 to correct or accept$/);

    const id = await fingerprintOf(project);
    const accepted = await run(project.root, ["accept", id, ...REASON, "--until", "2999-01-31"]);
    expect(accepted).toMatchObject({ code: 0, err: "" });
    expect(accepted.out).toBe(
      `  + ${id}  parity/only-multichain  Watcher.note until 2999-01-31: only one style keeps it\nWrote ${FILE}: 1 accepted. Commit it.\n`,
    );
    expect(project.read(FILE)).toBe(
      `{\n  "version": 1,\n  "accepted": [\n    {"fingerprint":"${id}","code":"parity/only-multichain","coordinate":"Watcher.note","before":"String","after":null,"scope":[],"reason":"only one style keeps it","until":"2999-01-31"}\n  ]\n}\n`,
    );
    expect(await run(project.root, ["check"])).toMatchObject({
      code: 0,
      out: "Everything generated is current, and every operation is valid.\n",
    });

    setEntities(project, "subgraph", NOTED_ENTITIES);
    await run(project.root, ["generate"]);
    const stale = await run(project.root, ["check"]);
    expect(stale.code).toBe(1);
    expect(stale.out).toContain("[baseline/stale ");
    expect(stale.out).toContain("\n  lockflow accept --prune\n");
    expect((await run(project.root, ["diff"])).code).toBe(1);
    const pruned = await run(project.root, ["accept", "--prune"]);
    expect(pruned.out).toContain(`  - ${id}`);
    expect(project.read(FILE)).toBe('{\n  "version": 1,\n  "accepted": []\n}\n');
    expect((await run(project.root, ["check"])).code).toBe(0);
  });

  it("does not write an accepted finding again, and no file if there is nothing to prune", async () => {
    const project = await divergingProject();
    expect((await run(project.root, ["accept", "--prune"])).code).toBe(0);
    expect(Object.keys(project.files())).not.toContain(FILE);
    const id = await fingerprintOf(project);
    await run(project.root, ["accept", id, ...REASON]);
    const before = project.read(FILE);
    expect((await run(project.root, ["accept", id, id, ...REASON])).out).toBe(`${FILE} is unchanged.\n`);
    expect((await run(project.root, ["accept", "--prune"])).out).toBe(`${FILE} is unchanged.\n`);
    expect(project.read(FILE)).toBe(before);
  });

  it("error: rejects findings of two named schemas", async () => {
    const project = await divergingProject();
    const saved = ["--report", "text,json=two.json"];
    await run(project.root, ["diff", "lockup/multichain", "lockup/subgraph", ...saved]);
    const [finding] = JSON.parse(project.read("two.json")).findings;
    const { code, err } = await run(project.root, [
      "accept",
      finding.fingerprint,
      ...REASON,
      "--from",
      "two.json",
    ]);
    expect(code).toBe(2);
    expect(err).toMatch(/^lockflow: two\.json compares two given schemas, .*\nHint: accept what /);
    expect(Object.keys(project.files())).not.toContain(FILE);
  });

  it("accepts findings of a saved report, and those of one deployment with --scope", async () => {
    const project = await divergingProject();
    await run(project.root, ["check", "--report", "json=report.json"]);
    const id = await fingerprintOf(project);
    const before = project.read("report.json");
    expect(await run(project.root, ["accept", id, ...REASON, "--from", "report.json"])).toMatchObject({
      code: 0,
    });
    expect(project.read("report.json")).toBe(before);
    expect(project.read(FILE)).toContain(id);
    const other = await run(project.root, [
      "accept",
      id,
      ...REASON,
      "--from",
      "report.json",
      "--scope",
      "protocol-lockup-base",
    ]);
    expect(other.code).toBe(2);
    expect(other.err).toContain("protocol-lockup-base in --scope does not have finding");
  });

  it("error: rejects findings about files of the project", async () => {
    const project = await divergingProject();
    project.write("operations/lockup/subgraph/broken.graphql", "query Broken { streams { one } }\n");
    const { findings } = JSON.parse((await run(project.root, ["check", "--report", "json"])).out);
    const { fingerprint } = findings.find(({ code }: Finding) => code === "operation/invalid");
    const { code, err } = await run(project.root, ["accept", fingerprint, ...REASON]);
    expect(code).toBe(2);
    expect(err).toContain(`${fingerprint} (operation/invalid) is about a file of the project.`);
  });

  it("accepts findings of one protocol while another has no snapshots", async () => {
    const project = await divergingProject();
    const id = await fingerprintOf(project);
    project.write("lockflow.config.json", JSON.stringify({ protocols: ["lockup", "flow"] }));
    expect(await run(project.root, ["accept", id, ...REASON])).toMatchObject({ code: 0, err: "" });
  });

  const FP = "0123456789ab";
  it.each<[name: string, args: string[], want: RegExp]>([
    ["no fingerprint", REASON, /needs a fingerprint, or --prune/],
    ["no reason", [FP], /needs --reason/],
    ["an empty reason", [FP, "--reason", " "], /--reason must not be empty/],
    ["an unknown fingerprint", [FP, ...REASON], /No finding has the fingerprint "0123456789ab"[\s\S]*--from/],
    ["an invalid day", [FP, ...REASON, "--until", "2027-02-30"], /--until must be a day/],
    ["a day in the past", [FP, ...REASON, "--until", "2001-01-01"], /is in the past/],
    ["an empty scope", [FP, ...REASON, "--scope", ","], /--scope names no deployment/],
    ["--prune with a fingerprint", ["--prune", FP], /--prune takes no fingerprints/],
    ["--prune with a reason", ["--prune", ...REASON], /--reason does not go with --prune/],
    ["a missing report", [FP, ...REASON, "--from", "none.json"], /The file "none.json" does not exist/],
    [
      "a file that is not a report",
      [FP, ...REASON, "--from", "lockflow.config.json"],
      /is not a report of this/,
    ],
  ])("error: %s writes nothing", async (_, args, want) => {
    const project = await divergingProject();
    const before = project.files();
    const { code, out, err } = await run(project.root, ["accept", ...args]);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(want);
    expect(project.files()).toEqual(before);
  });
});
