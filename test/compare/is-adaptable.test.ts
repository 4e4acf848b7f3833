import { describe, expect, it } from "vitest";
import { isAdaptable } from "../../src/compare/is-adaptable.ts";
import { STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import { loadProject } from "../../src/project/load-project.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { commitAll, git } from "../support/commit-all.ts";
import { snapshotText } from "../support/generated-project.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";
import { adaptIn, type Operations } from "../tasks/adapt/support.ts";

// Of a protocol that is not built in, no definition names entities.
const ENTITIES = SMALL_ENTITIES.replace("alias: String!", "alias: String! chainId: BigInt!");
const RENAMED = ENTITIES.replaceAll(/\bStream\b/g, "LockupStream");
const CONFIG = { protocols: { vesting: { chains: ["base"] } } };

const OLD = "query Old { streams(first: 5) { id } }\n";
const GONE = "query Gone { streams(first: 5) { id } payouts { id } }\n";

/** A repository of the snapshots of entities, and operations by path. Git runs once for equal entities. */
function oldProject(operations: Operations, entities = ENTITIES, config: object = CONFIG): TempProject {
  const project = tempProject({ "lockflow.config.json": JSON.stringify(config) });
  for (const style of STYLE_NAMES) writeSnapshot(project, style, entities);
  commitAll(project, "main");
  for (const [path, text] of Object.entries(operations)) project.write(`operations/vesting/${path}`, text);
  return project;
}

function writeSnapshot(project: TempProject, style: StyleName, entities = RENAMED): void {
  project.write(`generated/schemas/vesting/${style}.graphql`, snapshotText(style, entities));
}

function wouldChange(root: string): Promise<boolean> {
  return loadProject(root).then((project) => isAdaptable(openWorkspace(project)));
}

describe("isAdaptable", () => {
  const shared = {
    "subgraph/a.graphql": "query A { streams { ...F } }\n",
    "subgraph/b.graphql": "query B { streams { ...F payouts } }\n",
    "subgraph/f.graphql": "fragment F on Stream { id }\n",
  };
  it.each<[name: string, operations: Operations, want: boolean, styles?: readonly StyleName[]]>([
    ["an old name", { "subgraph/a.graphql": OLD }, true],
    ["an old name in a portable operation", { "portable/a.graphql": OLD }, true],
    ["an old name beside a removed one", { "subgraph/a.graphql": GONE }, false],
    ["an old name in one of two files", { "subgraph/a.graphql": OLD, "subgraph/b.graphql": GONE }, true],
    ["an old name in a file that shares a fragment with a removed one", shared, false],
    ["valid operations", { "subgraph/a.graphql": "query A { watchers { id } }\n" }, false],
    ["a file that does not parse", { "subgraph/a.graphql": "query {" }, false],
    ["a rename in the other style", { "subgraph/a.graphql": OLD }, false, ["multichain"]],
    ["a rename in one style of a portable operation", { "portable/a.graphql": OLD }, false, ["subgraph"]],
    ["a rename in one style", { "subgraph/a.graphql": OLD }, true, ["subgraph"]],
  ])("agrees with what adapt changes: %s", async (_, operations, want, styles) => {
    const project = oldProject(operations);
    for (const style of styles ?? STYLE_NAMES) writeSnapshot(project, style);
    expect((await adaptIn(project)).files.length > 0).toBe(want);
    expect(await wouldChange(project.root)).toBe(want);
  });

  it.each([
    [OLD, true],
    [GONE, false],
  ])("does not change if the new snapshots are committed: %j, %j", async (text, want) => {
    const project = oldProject({ "subgraph/a.graphql": text });
    for (const style of STYLE_NAMES) writeSnapshot(project, style);
    git(project, "commit", "-q", "-a", "-m", "update");
    expect(await wouldChange(project.root)).toBe(want);
  });

  it.each([
    ["true", `gql\`${OLD.trim()}\``, true],
    ["false if its text has escapes", `gql("${OLD.trim().replace("id ", "id\\n")}")`, false],
  ])("is %s for a document in code", async (_, document, want) => {
    const documents = [{ files: "src/*.ts", protocol: "vesting", style: "subgraph" }];
    const project = oldProject({}, ENTITIES, { ...CONFIG, documents });
    writeSnapshot(project, "subgraph");
    project.write("src/a.ts", `export const A = ${document};\n`);
    expect((await adaptIn(project)).files.length > 0).toBe(want);
    expect(await wouldChange(project.root)).toBe(want);
  });

  it("is false for a rename that is only possible", async () => {
    const entities = ENTITIES.replace("depositAmount:", "startTime: BigInt! depositAmount:");
    const project = oldProject({ "subgraph/a.graphql": "query A { streams { startTime } }" }, entities);
    for (const [to, want] of [
      ["streamStart", false],
      ["start_time", true],
    ] as const) {
      writeSnapshot(project, "subgraph", entities.replace("startTime", to));
      expect(await wouldChange(project.root)).toBe(want);
    }
  });

  it("skips a damaged version of a snapshot", async () => {
    const project = oldProject({ "subgraph/a.graphql": OLD });
    project.write("generated/schemas/vesting/subgraph.graphql", "damaged {");
    git(project, "commit", "-q", "-a", "-m", "damaged");
    writeSnapshot(project, "subgraph");
    expect(await wouldChange(project.root)).toBe(true);
  });

  it("is false without git, in a shallow clone without the old version, and without snapshots", async () => {
    const project = oldProject({ "subgraph/a.graphql": OLD });
    writeSnapshot(project, "subgraph");
    git(project, "commit", "-q", "-a", "-m", "update");
    const clone = tempProject();
    git(clone, "clone", "-q", "--depth", "1", `file://${project.root}`, "shallow");
    expect(await wouldChange(`${clone.root}/shallow`)).toBe(false);
    project.remove(".git");
    expect(await wouldChange(project.root)).toBe(false);
    project.remove("generated");
    expect(await wouldChange(project.root)).toBe(false);
  });
});
