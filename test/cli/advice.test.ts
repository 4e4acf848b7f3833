import { describe, expect, it } from "vitest";
import type { Fault } from "../../emulator/faults/fault.ts";
import { FILES } from "../../src/report/codes/files.ts";
import { ENDPOINTS, STYLES } from "../../src/report/codes/surfaces.ts";
import type { Finding } from "../../src/report/finding.ts";
import { type AcceptedEntry, BASELINE_PATH, renderBaseline } from "../../src/workspace/baseline.ts";
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

type Create = () => Promise<TempProject>;

/** Creates a generated project, and changes it. */
const generated =
  (change: (project: TempProject) => void): Create =>
  async () => {
    const project = generatedProject({ "subgraph/recent.graphql": QUERY });
    await run(project.root, ["generate"]);
    change(project);
    return project;
  };

/** Creates a fleet with faults that the snapshots do not have yet, and changes its project. */
const drifted =
  (faults: readonly Fault[], change: (project: TempProject) => Promise<void> | void = () => {}): Create =>
  async () => {
    // Only a change of a style needs all of its deployments.
    const few = { suffixes: ["base", "gnosis", "linea"] };
    const project = await liveFleet(faults, undefined, faults.some((fault) => "style" in fault) ? {} : few);
    project.remove("operations/lockup");
    project.write("operations/lockup/subgraph/recent.graphql", QUERY);
    await change(project);
    return project;
  };

/** Writes an acceptance of a finding that does not exist. */
const accepting = (entry: Partial<AcceptedEntry>) => (project: TempProject) => {
  const facts = { fingerprint: "0123456789ab", code: "", coordinate: null, before: null, after: null };
  const rest = { scope: [], reason: "known", until: null };
  project.write(BASELINE_PATH, renderBaseline([{ ...facts, ...rest, ...entry }]));
};

/** Accepts a finding of one deployment for another one, too. */
async function acceptForTwo(project: TempProject): Promise<void> {
  const { out } = await run(project.root, ["drift", "--json"], ENV);
  const [{ fingerprint, code }] = JSON.parse(out).findings;
  accepting({ fingerprint, code, scope: ["protocol-lockup-base", LINEA] })(project);
}

/** Lets the record name the reference for a deployment that serves a variant. */
async function forgetVariant(project: TempProject): Promise<void> {
  await run(project.root, ["introspect"], ENV);
  const rows = project.read(RECORD).replace(/(subgraph)\.\w{8}(\.graphql)/, "$1$2");
  expect(rows).not.toBe(project.read(RECORD));
  project.write(RECORD, rows);
}

const LINEA = "protocol-lockup-linea";
const RECORD = "generated/schemas/deployments.json";
const MANIFEST = "generated/manifest.ts";
const ALL = { style: "subgraph", protocol: "lockup" } as const;
const ADDED: Fault = { kind: "add-field", field: "Stream.extra", type: "String", ...ALL };
const RETYPED: Fault = { kind: "retype-field", field: "Stream.alias", type: "String", ...ALL };
const DROPPED: Fault = { kind: "drop-field", field: "Stream.alias", ...lockup("linea") };
const RELEASED: Fault = { kind: "release", release: "graph-node-0.44", ...lockup("linea") };
const GONE = accepting({ code: "drift/field-removed", scope: [LINEA] });
const HEALED = accepting({ code: "health/stuck", scope: [LINEA] });
const PRUNE_FROM = "accept --prune --from report.json";

/** A finding's code, the command that reports it, its project, and the commands that it names. */
const CASES: readonly (readonly [code: string, reporting: string, create: Create, want: string[]])[] = [
  ["generated/stale", "check", generated((project) => project.write(MANIFEST, "// edited\n")), ["generate"]],
  ["generated/missing", "check", generated(({ remove }) => remove(MANIFEST)), ["generate"]],
  [
    "generated/orphaned",
    "check",
    generated(({ read, write }) => write("generated/flow/ids.ts", read(MANIFEST))),
    ["generate"],
  ],
  ["baseline/stale", "check", generated(accepting({ code: "parity/conflict" })), ["accept --prune"]],
  ["drift/field-added", "drift", drifted([ADDED]), ["drift --update"]],
  ["drift/field-type-changed", "drift --update", drifted([RETYPED]), ["generate"]],
  ["drift/field-removed", "drift", drifted([DROPPED]), ["drift --update", "generate"]],
  ["fleet/platform-variant", "drift", drifted([RELEASED]), ["drift --update"]],
  ["baseline/stale", "drift", drifted([], GONE), [PRUNE_FROM]],
  ["baseline/stale", "drift", drifted([], HEALED), [PRUNE_FROM]],
  ["baseline/partly-stale", "drift", drifted([DROPPED], acceptForTwo), [PRUNE_FROM]],
  ["snapshot/record", "check", drifted([]), ["introspect"]],
  ["snapshot/unserved", "check", drifted([DROPPED], forgetVariant), ["introspect"]],
];

describe("the commands that a finding names", () => {
  it.each(CASES)("change something: %s of %s", async (code, reporting, create, want) => {
    expect(await follow(await create(), code, reporting)).toEqual(want);
  });

  it("are all followed here, unless something else has to be done before", () => {
    const followed = new Set(CASES.map(([code]) => code));
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
    const project = await generated(({ write }) => {
      write("operations/lockup/multichain/own.graphql", "query Own { Stream(limit: 1) { id } }");
      write("operations/lockup/subgraph/recent.graphql", QUERY.replace("alias", "aliases"));
    })();
    const { out } = await run(project.root, ["check"]);
    expect(out).toContain("correct the errors in the operations first, and then run `lockflow generate`");
    expect(out).not.toMatch(/^ *run `lockflow generate`/m);
  });
});
