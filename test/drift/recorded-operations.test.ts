import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Fault } from "../../emulator/faults/fault.ts";
import { readRecordedOperations } from "../../src/drift/recorded-operations.ts";
import { readOperationSources } from "../../src/generate/read-operation-sources.ts";
import { loadProject } from "../../src/project/load-project.ts";
import {
  digestOperations,
  type OperationRow,
  parseOperationRecord,
  renderOperationRecord,
} from "../../src/snapshots/operation-record.ts";
import { readCommittedSchemas } from "../../src/snapshots/read-snapshots.ts";
import { drift, liveFleet, lockup, shareEmulator } from "../support/live-fleet.ts";
import { REPOSITORY } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { loadsOf, parseSource } from "../support/source-facts.ts";
import type { TempProject } from "../support/temp-project.ts";

shareEmulator();

const BOTH = { protocols: ["lockup", "flow"] };
const SOURCES = join(REPOSITORY, "src");
const RECORD = "generated/schemas/operations.json";
const OPERATION = "operations/lockup/subgraph/recent-streams.graphql";

/** What the operation record tells of a project's operations, protocol by protocol; null when it is not used. */
async function recordedIn(project: TempProject) {
  const loaded = await loadProject(project.root);
  const recorded = await readRecordedOperations(loaded, await readCommittedSchemas(loaded));
  return recorded && [...recorded("lockup", "multichain"), ...recorded("lockup", "subgraph")];
}

/** The bytes of both reports, but for when the run was and how long it took. */
async function reportsOf(project: TempProject, ...args: string[]): Promise<readonly unknown[]> {
  const { code, out, err } = await drift(project, ...args);
  const json = project.read("out.json").replace(/"(startedAt|durationMs)": [^,\n]*/g, '"$1": 0');
  return [code, out.replace(/\b\d+(\.\d+)? m?s\b/g, "0 s"), err, json];
}

describe("drift with an operation record", () => {
  const rows: readonly [name: string, faults: readonly Fault[]][] = [
    ["nothing differs", []],
    ["some do not answer", ["linea", "base"].map((suffix) => ({ kind: "500", ...lockup(suffix) }))],
    ["indexing fails", [{ kind: "indexing-error", ...lockup("linea") }]],
    ["one chain drops a field", [{ kind: "drop-field", field: "Stream.canceled", ...lockup("linea") }]],
    ["one chain runs a newer release", [{ kind: "release", release: "graph-node-0.44", ...lockup("linea") }]],
  ];

  it.each(rows)("says the same as without it: %s", async (_, faults) => {
    const project = await liveFleet(faults, () => {}, BOTH);
    expect(await recordedIn(project)).not.toBeNull();
    const recorded = await reportsOf(project, "--verbose");
    project.remove(RECORD);
    expect(recorded).toEqual(await reportsOf(project, "--verbose"));
  });

  it("says the same as without it where an operation is not valid on every chain", async () => {
    const project = await liveFleet([{ kind: "drop-field", field: "Stream.canceled", ...lockup("linea") }]);
    await drift(project, "--update");
    expect(await recordedIn(project)).toBeNull();
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0 });
    const told = (await recordedIn(project)) ?? [];
    expect(told.filter(({ missing }) => missing.join() === "linea").length).toBeGreaterThan(0);
    const recorded = await reportsOf(project, "--verbose");
    project.remove(RECORD);
    expect(recorded).toEqual(await reportsOf(project, "--verbose"));
  });

  it("takes from it what everybody serves", async () => {
    const project = await liveFleet([]);
    // A record that tells something else and fits nevertheless is told from the operations by what it says.
    await editRows(project, (row) => ({ ...row, line: 4711 }));
    const { report } = await drift(project);
    expect(new Set(report.operations.map(({ line }) => line))).toEqual(new Set([4711]));
  });
});

describe("an operation record", () => {
  const unused: readonly [name: string, change: (project: TempProject) => void][] = [
    ["is not there", (project) => project.remove(RECORD)],
    ["is no JSON", (project) => project.write(RECORD, "{")],
    ["is no object", (project) => project.write(RECORD, "null")],
    ["is of another version", (project) => replace(project, RECORD, '"version": 1', '"version": 2')],
    ["has no digests", (project) => replace(project, RECORD, '"digests"', '"others"')],
    [
      "has a row that is none",
      (project) => replace(project, RECORD, '"operations": [', '"operations": [null,'),
    ],
    [
      "has another chain",
      (project) => replace(project, RECORD, /("lockup".*"chains":)\["abstract"/, '$1["a"'),
    ],
    ["has another line", (project) => replace(project, RECORD, /("lockup".*"line":)/, "$1 1")],
    [
      "has a folder in its place",
      (project) => {
        project.remove(RECORD);
        project.write(`${RECORD}/a`, "");
      },
    ],
    ["is older than an operation", (project) => project.write(OPERATION, `\n${project.read(OPERATION)}`)],
    ["knows an operation that is gone", (project) => project.remove(OPERATION)],
    [
      "does not know an operation",
      (project) => project.write("operations/lockup/subgraph/new.gql", "query New { a }"),
    ],
    [
      "was made of another schema",
      (project) =>
        replace(
          project,
          "generated/schemas/lockup/subgraph.graphql",
          / schema [0-9a-f]{64}/,
          ` schema ${"0".repeat(64)}`,
        ),
    ],
    [
      "was made of another fleet",
      (project) =>
        replace(
          project,
          "generated/schemas/deployments.json",
          /(-lockup-base".*"chains":)\["base"\]/,
          '$1["linea"]',
        ),
    ],
  ];

  it.each(unused)("is not used when it %s", async (_, change) => {
    const project = await liveFleet([]);
    expect(await recordedIn(project)).not.toBeNull();
    change(project);
    expect(await recordedIn(project)).toBeNull();
  });

  const hostile: readonly [name: string, edit: (row: OperationRow) => OperationRow][] = [
    ["leaves a chain out", (row) => ({ ...row, chains: row.chains.slice(1) })],
    ["says both of a chain", (row) => ({ ...row, missing: row.chains.slice(0, 1) })],
    ["says a chain twice", (row) => ({ ...row, chains: [...row.chains.slice(1), ...row.chains.slice(-1)] })],
    ["names a file that is not there", (row) => ({ ...row, file: "../secrets.graphql" })],
    ["has what is no name", (row) => ({ ...row, operation: "\u001b[2J" })],
    ["has what is no line", (row) => ({ ...row, line: -1 })],
  ];

  it.each(hostile)("is not used when it fits but %s", async (_, edit) => {
    const project = await liveFleet([]);
    await editRows(project, (row) => ({ ...row, line: 2 }));
    expect(await recordedIn(project)).not.toBeNull();
    await editRows(project, edit);
    expect(await recordedIn(project)).toBeNull();
  });
});

/** Changes every row of the record and makes its digests fit again. */
async function editRows(project: TempProject, edit: (row: OperationRow) => OperationRow): Promise<void> {
  const { root, operations } = await loadProject(project.root);
  const { snapshots, rows } = await readCommittedSchemas(await loadProject(project.root));
  const groups = (parseOperationRecord(project.read(RECORD)) ?? []).map(async (group) => {
    const { protocol, style } = group;
    const snapshot = snapshots.find((one) => one.protocol === protocol && one.style === style);
    if (snapshot === undefined) return group;
    const sources = await readOperationSources(root, operations, protocol, style);
    const edited = group.rows.map(edit);
    return {
      ...group,
      rows: edited,
      digest: digestOperations(edited, { snapshot, rows, sources, folder: operations }),
    };
  });
  project.write(RECORD, renderOperationRecord(await Promise.all(groups)));
}

function replace(project: TempProject, path: string, what: string | RegExp, by: string): void {
  const text = project.read(path);
  const replaced = text.replace(what, by);
  if (replaced === text) throw new Error(`nothing was replaced in ${path}`);
  project.write(path, replaced);
}

describe("a run in which nothing differs", () => {
  it("loads nothing that parses or judges operations", () => {
    const loaded = new Set<string>();
    const load = (path: string) => {
      if (loaded.has(path)) return;
      loaded.add(path);
      if (!path.endsWith(".ts")) return;
      // What is imported when it is needed is another thing.
      const text = readFileSync(join(SOURCES, path), "utf8").replaceAll("import(", "later(");
      loadsOf(parseSource(path, text)).forEach(load);
    };
    for (const file of ["cli/drift", "drift/live-operations", "cli/finish-drift"]) load(`${file}.ts`);
    expect(loaded).toContain("drift/recorded-operations.ts");
    expect(loaded).not.toContain("graphql");
  });
});
