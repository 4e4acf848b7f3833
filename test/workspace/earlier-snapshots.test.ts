import { expect, it } from "vitest";
import { readEarlierSnapshots } from "../../src/workspace/earlier-snapshots.ts";
import { commitAll, git } from "../support/commit-all.ts";
import { tempProject } from "../support/temp-project.ts";

it.each([
  ["follows a moved folder", "app/schemas/lockup", "lockup/subgraph", ["lockup/subgraph"]],
  ["ignores the former snapshot of another protocol", "generated/schemas/flow", "flow/subgraph", []],
])("%s", async (_, folder, name, want) => {
  const project = tempProject({ "generated/schemas/lockup/subgraph.graphql": "type Query { a: Int }\n" });
  commitAll(project, "main");
  project.write("app/schemas/keep.txt", "");
  git(project, "mv", "generated/schemas/lockup", folder);
  const place = { root: project.root, output: folder.split("/")[0] ?? "" };
  const found = await readEarlierSnapshots(place, "main", [name]);
  expect([...found.keys()]).toEqual(want);
});
