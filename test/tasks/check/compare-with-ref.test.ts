import { describe, expect, it } from "vitest";
import { findMergeBase } from "../../../src/base/git.ts";
import { resolveJudging } from "../../../src/compare/judge-run.ts";
import { loadProject } from "../../../src/project/load-project.ts";
import { compareWithRef } from "../../../src/tasks/check/compare-with-ref.ts";
import { runCheck } from "../../../src/tasks/check.ts";
import { readOperations } from "../../../src/workspace/operations.ts";
import { openWorkspace } from "../../../src/workspace/workspace.ts";
import { commitAll, git } from "../../support/commit-all.ts";
import { projectWith, setEntities } from "../../support/diverging-project.ts";
import { generatedProject, snapshotText } from "../../support/generated-project.ts";
import { SMALL_ENTITIES } from "../../support/indexer-answers.ts";
import { type TempProject, tempProject } from "../../support/temp-project.ts";

const QUERY = "query Recent($first: Int! = 5) {\n  streams(first: $first) { id alias sender }\n}\n";
const SURFACES = ["lockup/multichain", "lockup/subgraph"] as const;
const SNAPSHOTS = SURFACES.map((id) => `generated/schemas/${id}.graphql`);
const WITHOUT_ALIAS = SMALL_ENTITIES.replace("alias: String!", "");
const EDITED = snapshotText("subgraph").replace("  sender: Bytes!", "  sender: Bytes");
const NULLABLE_ALIAS = SMALL_ENTITIES.replace("alias: String!", "alias: String");

/** A project in git with styles that agree, committed on a branch `base`. */
async function committed(edit: (project: TempProject) => void = () => {}): Promise<TempProject> {
  const project = await projectWith(QUERY, SMALL_ENTITIES);
  edit(project);
  commitAll(project, "base");
  return project;
}

function moveTo(project: TempProject, entities: string): void {
  setEntities(project, "subgraph", entities);
  setEntities(project, "multichain", entities);
}

function commit(project: TempProject): string {
  git(project, "add", "-A");
  git(project, "commit", "-q", "-m", "change");
  return git(project, "rev-parse", "HEAD").trim();
}

/** Compares a project with `base`: findings as `code coordinate style: operation line`. */
async function compare({ root }: TempProject, exhaustiveEnums = false) {
  const workspace = openWorkspace(await loadProject(root));
  const operations = await readOperations(workspace, workspace.snapshots);
  const compared = await compareWithRef(workspace, operations, { ref: "base", exhaustiveEnums });
  const found = compared.findings.map(({ code, coordinate, severity, where, operations }) =>
    [
      `${severity} ${code} ${coordinate} ${where?.style}`,
      ...operations.map(({ name, line, impact }) => `${impact} ${name}:${line}`),
    ].join("; "),
  );
  return { ...compared, found };
}

describe("compareWithRef", () => {
  it.each<[what: string, entities: string, want: string[]]>([
    ["nothing", SMALL_ENTITIES, []],
    [
      "a removed field that an operation selects",
      WITHOUT_ALIAS,
      [
        "breaking drift/field-removed Stream.alias multichain",
        "breaking drift/field-removed Stream.alias subgraph; broken Recent:2",
      ],
    ],
    [
      "a removed field without a use",
      SMALL_ENTITIES.replace("depositAmount: BigInt!", ""),
      [
        "breaking drift/field-removed Stream.depositAmount multichain",
        "breaking drift/field-removed Stream.depositAmount subgraph",
      ],
    ],
    [
      "another type, with which every document is still valid",
      NULLABLE_ALIAS,
      [
        "breaking drift/field-type-changed Stream.alias multichain",
        "breaking drift/field-type-changed Stream.alias subgraph; changes-type Recent:2",
      ],
    ],
  ])("finds %s", async (_, entities, want) => {
    const project = await committed();
    moveTo(project, entities);
    expect((await compare(project)).found).toEqual(want);
  });

  it("has the severity of a new enum member for exhaustive clients", async () => {
    const project = await committed();
    moveTo(project, SMALL_ENTITIES.replace(/enum (\w+) \{/, "enum $1 { Brand_new"));
    const severities = async (isExhaustive: boolean) =>
      (await compare(project, isExhaustive)).findings.map(({ severity }) => severity);
    expect([await severities(false), await severities(true)]).toEqual([["risky"], ["breaking"]]);
  });

  it("has the places of operations in code", async () => {
    const project = await committed();
    project.remove("operations");
    project.write("lockflow.config.json", '{ "protocols": ["lockup"], "documents": ["src/*.ts"] }');
    project.write("src/a.ts", `\n  gql\`${QUERY}\``);
    moveTo(project, NULLABLE_ALIAS);
    const { findings, operations } = await compare(project);
    expect(operations).toMatchObject([{ name: "Recent", style: "subgraph", file: "src/a.ts", line: 2 }]);
    expect(findings.flatMap((finding) => finding.operations)).toMatchObject([
      { name: "Recent", file: "src/a.ts", line: 3, column: 31 },
    ]);
  });

  it("has the places of portable operations, in both styles", async () => {
    const entities = (alias: string) =>
      SMALL_ENTITIES.replace("alias: String!", `alias: ${alias} chainId: BigInt!`);
    const text = "query Recent {\n  streams(first: 5) { ...Row }\n}\nfragment Row on Stream {\n  alias\n}\n";
    const project = generatedProject({ "portable/recent.graphql": text }, entities("String!"));
    commitAll(project, "base");
    moveTo(project, entities("String"));
    expect((await compare(project)).found).toEqual([
      "breaking drift/field-type-changed Stream.alias multichain; changes-type Recent:5",
      "breaking drift/field-type-changed Stream.alias subgraph; changes-type Recent:5",
    ]);
    // Without the field, its text of the multichain style does not exist.
    moveTo(project, entities("String!").replace("alias: String!", ""));
    expect((await compare(project)).found).toEqual([
      "breaking drift/field-removed Stream.alias multichain",
      "breaking drift/field-removed Stream.alias subgraph; broken Recent:5",
    ]);
  });

  it("compares with the merge base, not with what the ref changed since", async () => {
    const project = await committed();
    const base = git(project, "rev-parse", "base").trim();
    git(project, "checkout", "-q", "-b", "branch");
    project.write("notes.md", "");
    const head = commit(project);
    git(project, "checkout", "-q", "base");
    moveTo(project, WITHOUT_ALIAS);
    const ref = commit(project);
    git(project, "checkout", "-q", "branch");
    const { found, against } = await compare(project);
    expect(found).toEqual([]);
    expect(against).toEqual({ ref: "base", commit: ref, head, base, compared: SURFACES });
  });

  it.each<[what: string, paths: string[], compared: string[], want: string[]]>([
    ["both", SNAPSHOTS, [], ["additive snapshot/new null multichain", "additive snapshot/new null subgraph"]],
    ["one", SNAPSHOTS.slice(0, 1), ["lockup/subgraph"], ["additive snapshot/new null multichain"]],
  ])("finds new snapshots: %s", async (_, paths, compared, want) => {
    const texts = new Map<string, string>();
    const project = await committed(({ read, remove }) => {
      for (const path of paths) {
        texts.set(path, read(path));
        remove(path);
      }
    });
    for (const [path, text] of texts) project.write(path, text);
    const { found, against } = await compare(project);
    expect(found).toEqual(want);
    expect(against.compared).toEqual(compared);
  });

  it.each<[what: string, edit: (project: TempProject) => void, want: string]>([
    ["a missing snapshot", ({ remove }) => remove(SNAPSHOTS[0] ?? ""), "snapshot/missing"],
    [
      "a missing snapshot that operations need",
      ({ remove, write }) => {
        remove(SNAPSHOTS[0] ?? "");
        write("operations/lockup/multichain/recent.graphql", "query Recent { Stream { id } }");
      },
      "snapshot/missing",
    ],
    ["an edited snapshot", ({ write }) => write(SNAPSHOTS[1] ?? "", EDITED), "snapshot/edited"],
  ])("is in a check with one finding for %s", async (_, edit, want) => {
    const project = await committed();
    edit(project);
    const checked = await runCheck(await loadProject(project.root), { against: "base", startedAt: 0 });
    const { findings, outcome } = await checked.judge(resolveJudging({ details: false }));
    expect(findings.map(({ code }) => code).filter((code) => code !== "snapshot/record")).toEqual([want]);
    expect(outcome.exit).toBe(1);
  });

  it.each(["app", "generated/nested"])("compares a snapshot with its former folder: %s", async (output) => {
    const project = await committed();
    git(project, "mv", "generated", "moved");
    project.write(`${output}/keep.txt`, "");
    git(project, "mv", "moved", `${output}/out`);
    project.write("lockflow.config.json", `{ "protocols": ["lockup"], "output": "${output}/out" }`);
    expect(await compare(project)).toMatchObject({ found: [], against: { compared: SURFACES } });
    project.write(`${output}/out/schemas/lockup/subgraph.graphql`, snapshotText("subgraph", WITHOUT_ALIAS));
    expect((await compare(project)).found).toHaveLength(1);
  });
});

describe("error: no common commit", () => {
  it("of a shallow clone names the command that fetches it", async () => {
    const origin = tempProject({ "a.txt": "" });
    commitAll(origin, "base");
    git(origin, "checkout", "-q", "-b", "branch");
    git(origin, "commit", "-q", "--allow-empty", "-m", "later");
    const clone = tempProject();
    git(clone, "clone", "-q", "--depth=1", "--no-single-branch", `file://${origin.root}`, ".");
    await expect(findMergeBase(clone.root, "origin/base")).rejects.toThrow(
      /no common commit of "origin\/base" and HEAD.*\n.*`git fetch --unshallow origin`/,
    );
    git(clone, "fetch", "-q", "--unshallow", "origin");
    await expect(findMergeBase(clone.root, "origin/base")).resolves.toBeDefined();
  });

  it("of another history", async () => {
    const project = tempProject({ "a.txt": "" });
    commitAll(project, "base");
    git(project, "checkout", "-q", "--orphan", "branch");
    commit(project);
    await expect(findMergeBase(project.root, "base")).rejects.toThrow(
      /no common commit.*\n.*choose another branch/,
    );
  });
});
