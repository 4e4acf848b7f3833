import { describe, expect, it } from "vitest";
import { commitAll, git } from "../support/commit-all.ts";
import { setEntities } from "../support/diverging-project.ts";
import { generatedProject, snapshotText } from "../support/generated-project.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { run } from "../support/run.ts";
import type { TempProject } from "../support/temp-project.ts";

const STYLES = ["subgraph", "multichain"] as const;

const ENTITIES = SMALL_ENTITIES.replace(
  "depositAmount:",
  "chainId: BigInt! startTime: BigInt! depositAmount:",
);
const RENAMED = ENTITIES.replace("startTime: BigInt!", "start_time: BigInt!");

/** A project in git, generated, whose snapshots have then been updated. */
async function updated(
  operations: Readonly<Record<string, string>>,
  entities: Readonly<Partial<Record<(typeof STYLES)[number], string>>>,
): Promise<TempProject> {
  const project = generatedProject(operations, ENTITIES);
  commitAll(project, "main");
  for (const style of STYLES) setEntities(project, style, entities[style] ?? ENTITIES);
  return project;
}

const both = (entities: string) => ({ subgraph: entities, multichain: entities });

async function hintsOf(project: TempProject, command: "generate" | "check"): Promise<string> {
  const { code, out, err } = await run(project.root, [command]);
  expect(code).toBe(1);
  return out + err;
}

const WRITE = 'write "start_time" in place of "startTime".';
const PORTABLE = "query Recent {\n  streams(first: 5) { id startTime chainId }\n}\n";

const FILTERED =
  "query Recent($at: BigInt!) {\n  streams(first: 5, where: { startTime_gt: $at }) { id startTime chainId }\n}\n";

describe("an operation with a name that the snapshots renamed", () => {
  it.each<
    [name: string, operations: Record<string, string>, entities: Record<string, string>, want: string[]]
  >([
    [
      "of one style, and in a filter and an order of a portable operation",
      {
        "subgraph/a.graphql": PORTABLE,
        "portable/b.graphql":
          "query Sorted($at: BigInt!) {\n  streams(first: 5, where: { startTime_gt: $at }, orderBy: startTime) { id chainId }\n}\n",
      },
      both(RENAMED),
      [WRITE, 'write "start_time_gt" in place of "startTime_gt".'],
    ],
    [
      "of an entity",
      { "portable/a.graphql": "query Recent {\n  streams(first: 5) { id chainId }\n}\n" },
      both(ENTITIES.replace("type Stream ", "type LockupStream ")),
      ['write "lockupStreams" in place of "streams".'],
    ],
    [
      "of one style only, in a portable operation",
      { "portable/a.graphql": PORTABLE },
      { multichain: RENAMED },
      [
        `only multichain style has renamed it: ${WRITE} Until the other style follows, that is possible in operations of one style: operations/lockup/multichain/.`,
      ],
    ],
    [
      "possibly",
      { "subgraph/a.graphql": PORTABLE },
      both(ENTITIES.replace("startTime: BigInt!", "streamStart: BigInt!")),
      ['"startTime" was possibly renamed to "streamStart": check that it has the same data.'],
    ],
  ])("is reported with the new one: %s", async (_, operations, entities, want) => {
    const project = await updated(operations, entities);
    const shown = await hintsOf(project, "generate");
    for (const hint of want) expect(shown).toContain(hint);
    expect(shown).not.toContain("Did you mean");
  });

  it.each<[name: string, config: string | null, want: string[]]>([
    ["the snapshot alone", null, [WRITE, 'write "start_time_gt" in place of "startTime_gt".']],
    ["an entity SDL", "lockup.graphql", [WRITE]],
  ])("is reported in a project with only multichain indexers, with %s", async (_, entities, want) => {
    const project = generatedProject({ "portable/a.graphql": FILTERED }, ENTITIES, ["multichain"]);
    const definition = { styles: ["multichain"], ...(entities && { entities }) };
    project.write("lockflow.config.json", JSON.stringify({ protocols: { lockup: definition } }));
    project.write("lockup.graphql", ENTITIES);
    commitAll(project, "main");
    project.write("generated/schemas/lockup/multichain.graphql", snapshotText("multichain", RENAMED));
    project.write("lockup.graphql", RENAMED);
    const shown = await hintsOf(project, "generate");
    for (const hint of want) expect(shown).toContain(hint);
    expect(shown).not.toMatch(/Did you mean|subgraph/);
  });

  it("has the error of the schema without git, without history and without a rename", async () => {
    const plain = generatedProject({ "subgraph/a.graphql": PORTABLE }, RENAMED);
    expect(await hintsOf(plain, "generate")).toContain('on type "Stream". Did you mean "start_time"?');
    commitAll(plain, "main");
    expect(await hintsOf(plain, "generate")).toContain('on type "Stream". Did you mean "start_time"?');
    const other = await updated(
      { "subgraph/a.graphql": PORTABLE.replace("startTime", "startTimes") },
      both(RENAMED),
    );
    expect(await hintsOf(other, "generate")).toContain('Cannot query field "startTimes"');
  });

  it("follows the hint to clean files", async () => {
    const project = await updated({ "portable/a.graphql": PORTABLE }, both(RENAMED));
    // The updated snapshots are the newest version now.
    git(project, "commit", "-q", "-a", "-m", "update");
    expect(await hintsOf(project, "check")).toContain(WRITE);
    project.write("operations/lockup/portable/a.graphql", PORTABLE.replace("startTime", "start_time"));
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
  });
});
