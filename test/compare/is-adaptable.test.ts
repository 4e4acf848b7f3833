import { describe, expect, it } from "vitest";
import { isAdaptable } from "../../src/compare/is-adaptable.ts";
import type { StyleName } from "../../src/dialects/surface.ts";
import { loadProject } from "../../src/project/load-project.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { commitAll } from "../support/commit-all.ts";
import { generatedProject, snapshotText } from "../support/generated-project.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";
import {
  adaptIn,
  git,
  mergedProject,
  type Operations,
  oldProject,
  writeMerged,
} from "../tasks/adapt/support.ts";

const OLD = "query Old { streams(first: 5) { id } }\n";
const GONE = "query Gone { streams(first: 5) { id } payouts { id } }\n";

function wouldChange(root: string): Promise<boolean> {
  return loadProject(root).then((project) => isAdaptable(openWorkspace(project)));
}

describe("isAdaptable", () => {
  it.each<[name: string, operations: Operations, styles: readonly StyleName[] | undefined, want: boolean]>([
    ["an old name", { "subgraph/a.graphql": OLD }, undefined, true],
    ["an old name in a portable operation", { "portable/a.graphql": OLD }, undefined, true],
    ["an old name beside a removed one", { "subgraph/a.graphql": GONE }, undefined, false],
    [
      "an old name in one file, and a removed one in another",
      { "subgraph/a.graphql": OLD, "subgraph/b.graphql": GONE },
      undefined,
      true,
    ],
    [
      "an old name in a file that shares a fragment with a removed one",
      {
        "subgraph/a.graphql": "query A { streams { ...F } }\n",
        "subgraph/b.graphql": "query B { streams { ...F payouts } }\n",
        "subgraph/f.graphql": "fragment F on Stream { id }\n",
      },
      undefined,
      false,
    ],
    ["valid operations", { "subgraph/a.graphql": "query A { assets { id } }\n" }, undefined, false],
    ["a file that does not parse", { "subgraph/a.graphql": "query {" }, undefined, false],
    ["a rename in the other style", { "subgraph/a.graphql": OLD }, ["multichain"], false],
    ["a rename in one style of a portable operation", { "portable/a.graphql": OLD }, ["subgraph"], false],
    ["a rename in one style", { "subgraph/a.graphql": OLD }, ["subgraph"], true],
  ])("agrees with what adapt changes: %s", async (_, operations, styles, want) => {
    const project = oldProject(operations);
    writeMerged(project, styles);
    expect((await adaptIn(project)).files.length > 0).toBe(want);
    expect(await wouldChange(project.root)).toBe(want);
    // The updated snapshots are the newest version now.
    git(project, "commit", "-q", "-a", "--allow-empty", "-m", "update");
    expect(await wouldChange(project.root)).toBe(want);
  });

  it.each([
    ["true", `gql\`${OLD.trim()}\``, true],
    ["false if its text has escapes", `gql("${OLD.trim().replace("id ", "id\\n")}")`, false],
  ])("is %s for a document in code", async (_, document, want) => {
    const documents = [{ files: "src/*.ts", protocol: "lockup", style: "subgraph" }];
    const project = mergedProject({}, { protocols: ["lockup"], documents });
    project.write("src/a.ts", `export const A = ${document};\n`);
    expect((await adaptIn(project)).files.length > 0).toBe(want);
    expect(await wouldChange(project.root)).toBe(want);
  });

  it("is false for a rename that is only possible", async () => {
    const entities = SMALL_ENTITIES.replace("depositAmount:", "startTime: BigInt! depositAmount:");
    const project = generatedProject({ "subgraph/a.graphql": "query A { streams { startTime } }" }, entities);
    commitAll(project, "main");
    for (const [to, want] of [
      ["streamStart", false],
      ["start_time", true],
    ] as const) {
      const text = snapshotText("subgraph", entities.replace("startTime", to));
      project.write("generated/schemas/lockup/subgraph.graphql", text);
      expect(await wouldChange(project.root)).toBe(want);
    }
  });

  it("is false without git, in a shallow clone without the old version, and without snapshots", async () => {
    const project: TempProject = mergedProject({ "subgraph/a.graphql": OLD });
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
