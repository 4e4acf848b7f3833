import { describe, expect, it } from "vitest";
import type { Fault } from "../../emulator/faults/fault.ts";
import { type AcceptedEntry, BASELINE_PATH, renderBaseline } from "../../src/compare/baseline.ts";
import { FILES } from "../../src/report/codes/files.ts";
import { ENDPOINTS, STYLES } from "../../src/report/codes/surfaces.ts";
import type { Finding } from "../../src/report/finding.ts";
import { generatedProject } from "../support/generated-project.ts";
import { liveFleet, lockup, shareEmulator } from "../support/live-fleet.ts";
import { run } from "../support/run.ts";
import type { TempProject } from "../support/temp-project.ts";

shareEmulator();

const QUERY = "query Recent {\n  streams(first: 5) { id alias }\n}\n";
const ENV = { env: { KEY: "emulator" } };

/** Commands that only show something. */
const SHOWING = ["check", "compile", "diff", "explain"];

function commandsIn({ fix }: Pick<Finding, "fix">): string[] {
  const commands = [...(fix ?? "").matchAll(/`lockflow ([^`]+)`/g)].map(([, command = ""]) => command);
  return commands.filter((command) => !SHOWING.includes(command.split(" ")[0] ?? ""));
}

/** Runs every command that the findings of a code name, in order. Each has to change a file. */
async function follow(project: TempProject, code: string, reporting: string): Promise<readonly string[]> {
  const args = [...reporting.split(" "), "--report", "text,json=report.json"];
  await run(project.root, args, ENV);
  const findings: Finding[] = JSON.parse(project.read("report.json")).findings;
  const own = findings.filter((finding) => finding.code === code);
  const commands = [...new Set(own.flatMap(commandsIn))];
  for (const command of commands) {
    const before = project.files();
    const result = await run(project.root, command.split(" "), ENV);
    expect({ command, ...result, isChanged: !sameFiles(before, project.files()) }).toMatchObject({
      code: expect.toSatisfy((exit) => exit === 0 || command === "drift --update"),
      isChanged: true,
    });
  }
  return commands;
}

function sameFiles(a: Record<string, string>, b: Record<string, string>): boolean {
  return JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
}

async function generated(): Promise<TempProject> {
  const project = generatedProject({ "subgraph/recent.graphql": QUERY });
  await run(project.root, ["generate"]);
  return project;
}

function accept(project: TempProject, entry: Partial<AcceptedEntry>): void {
  const facts = { fingerprint: "0123456789ab", code: "", coordinate: null, before: null, after: null };
  const rest = { scope: [], reason: "known", until: null };
  project.write(BASELINE_PATH, renderBaseline([{ ...facts, ...rest, ...entry }]));
}

type Case = readonly [
  name: string,
  code: string,
  reporting: string,
  create: () => Promise<TempProject>,
  want: readonly string[],
];

const PRUNE_FROM = "accept --prune --from report.json";

const OFFLINE: readonly Case[] = [
  [
    "an edited generated file",
    "generated/stale",
    "check",
    async () => {
      const project = await generated();
      project.write("generated/manifest.ts", `${project.read("generated/manifest.ts")}// edited\n`);
      return project;
    },
    ["generate"],
  ],
  [
    "a removed generated file",
    "generated/missing",
    "check",
    async () => {
      const project = await generated();
      project.remove("generated/manifest.ts");
      return project;
    },
    ["generate"],
  ],
  [
    "an orphaned file",
    "generated/orphaned",
    "check",
    async () => {
      const project = await generated();
      project.write("generated/flow/ids.ts", project.read("generated/manifest.ts"));
      return project;
    },
    ["generate"],
  ],
  ...(["parity/conflict", "generated/stale"] as const).map(
    (code): Case => [
      `an acceptance of ${code}`,
      "baseline/stale",
      "check",
      async () => {
        const project = await generated();
        accept(project, { code });
        return project;
      },
      ["accept --prune"],
    ],
  ),
];

/** A fleet with faults that the snapshots do not have yet. */
async function drifted(...faults: readonly Fault[]): Promise<TempProject> {
  const project = await liveFleet(faults);
  project.remove("operations/lockup");
  project.write("operations/lockup/subgraph/recent.graphql", QUERY);
  return project;
}

const LINEA = "protocol-lockup-linea";
const SUBGRAPHS = { style: "subgraph", protocol: "lockup" } as const;

const LIVE: readonly Case[] = [
  [
    "a change of a fleet",
    "drift/field-added",
    "drift",
    () => drifted({ kind: "add-field", field: "Stream.extra", type: "String", ...SUBGRAPHS }),
    ["drift --update"],
  ],
  [
    "another type in a fleet",
    "drift/field-type-changed",
    "drift",
    () => drifted({ kind: "retype-field", field: "Stream.alias", type: "String", ...SUBGRAPHS }),
    ["drift --update"],
  ],
  [
    "a field that one chain lost",
    "drift/field-removed",
    "drift",
    () => drifted({ kind: "drop-field", field: "Stream.alias", ...lockup("linea") }),
    ["drift --update", "generate"],
  ],
  [
    "a change of a fleet after an update",
    "drift/field-type-changed",
    "drift --update",
    () => drifted({ kind: "retype-field", field: "Stream.alias", type: "String", ...SUBGRAPHS }),
    ["generate"],
  ],
  [
    "another release",
    "fleet/platform-variant",
    "drift",
    () => drifted({ kind: "release", release: "graph-node-0.44", ...lockup("linea") }),
    ["drift --update"],
  ],
  [
    "an acceptance of a difference that is gone",
    "baseline/stale",
    "drift",
    async () => {
      const project = await drifted();
      accept(project, { code: "drift/field-removed", scope: [LINEA] });
      return project;
    },
    [PRUNE_FROM],
  ],
  [
    "an acceptance of a problem of an endpoint that is gone",
    "baseline/stale",
    "drift",
    async () => {
      const project = await drifted();
      accept(project, { code: "health/stuck", scope: [LINEA] });
      return project;
    },
    [PRUNE_FROM],
  ],
  [
    "an acceptance that one deployment does not need",
    "baseline/partly-stale",
    "drift",
    async () => {
      const project = await drifted({ kind: "drop-field", field: "Stream.alias", ...lockup("linea") });
      const { out } = await run(project.root, ["drift", "--json"], ENV);
      const [{ fingerprint, code }] = JSON.parse(out).findings;
      accept(project, { fingerprint, code, scope: ["protocol-lockup-base", LINEA] });
      return project;
    },
    [PRUNE_FROM],
  ],
  ["a fleet record with unknown rows", "snapshot/record", "check", () => drifted(), ["introspect"]],
  [
    "a snapshot that nothing serves",
    "snapshot/unserved",
    "check",
    async () => {
      const project = await drifted({ kind: "drop-field", field: "Stream.alias", ...lockup("linea") });
      await run(project.root, ["introspect"], ENV);
      const record = "generated/schemas/deployments.json";
      const rows = project.read(record).replace(/(subgraph)\.\w{8}(\.graphql)/, "$1$2");
      expect(rows).not.toBe(project.read(record));
      project.write(record, rows);
      return project;
    },
    ["introspect"],
  ],
];

describe("the commands that a finding names", () => {
  it.each([...OFFLINE, ...LIVE])("change something: %s", async (_, code, reporting, create, want) => {
    expect(await follow(await create(), code, reporting)).toEqual(want);
  });

  it("are all followed here, unless something else has to be done before", () => {
    const followed = new Set([...OFFLINE, ...LIVE].map(([, code]) => code));
    const naming = Object.entries({ ...FILES, ...STYLES, ...ENDPOINTS })
      .filter(([, code]) => "fix" in code && commandsIn(code).length > 0)
      .map(([code]) => code);
    expect(naming.filter((code) => !followed.has(code))).toEqual([
      "generated/client-version",
      "snapshot/edited",
      "snapshot/missing",
      "plan/new-api",
    ]);
  });

  it("wait for correct operations", async () => {
    const project = await generated();
    project.write("generated/lockup/multichain/other.ts", project.read("generated/manifest.ts"));
    project.write("operations/lockup/subgraph/recent.graphql", QUERY.replace("alias", "aliases"));
    const { out } = await run(project.root, ["check"]);
    expect(out).toContain("correct the errors in the operations first, and then run `lockflow generate`");
    expect(out).not.toMatch(/^ *run `lockflow generate`/m);
  });
});
