import { expect, it } from "vitest";
import { adaptIn, mergedProject } from "./support.ts";

it("a portable operation of a project with one style is adapted with the derived API of the other", async () => {
  const recent = "query Recent { streams(first: 10, orderBy: timestamp) { id alias chainId timestamp } }";
  const project = mergedProject(
    { "portable/recent.graphql": recent },
    { protocols: ["lockup"], only: { styles: ["multichain"] } },
  );
  project.remove("generated/schemas/lockup/subgraph.graphql");
  const { operations } = await adaptIn(project, { write: true });
  expect(operations).toMatchObject([{ result: "adapted", reasons: [] }]);
  expect(project.read("operations/lockup/portable/recent.graphql")).toBe(
    recent.replace("streams(", "streams: lockupStreams("),
  );
});
