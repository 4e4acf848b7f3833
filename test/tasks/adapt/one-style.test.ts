import { expect, it } from "vitest";
import { adaptIn, mergedProject, snapshotText } from "./support.ts";

it("a portable operation of a project with one style is adapted with the derived API of the other", async () => {
  const recent = "query Recent { streams(first: 10, orderBy: timestamp) { id alias chainId timestamp } }";
  const project = mergedProject(
    { "portable/recent.graphql": recent },
    { protocols: ["lockup"], only: { styles: ["multichain"] } },
  );
  project.remove("generated/schemas/lockup/subgraph.graphql");
  project.write("old.graphql", snapshotText("old", "lockup", "multichain"));
  expect((await adaptIn(project, { from: "old.graphql" })).operations).toMatchObject([{ result: "adapted" }]);
  const { operations } = await adaptIn(project, { write: true });
  expect(operations).toMatchObject([{ result: "adapted", reasons: [] }]);
  expect(project.read("operations/lockup/portable/recent.graphql")).toBe(
    recent.replace("streams(", "streams: lockupStreams("),
  );
});

it("a multichain API without values of enums keeps those of the built-in protocol", async () => {
  const project = mergedProject(
    {
      "portable/a.graphql":
        "query A($c: StreamCategory!) { streams(first: 9, where: { category_in: [$c, LockupLinear] }) { category chainId } }",
      "multichain/b.graphql": "query B { Stream { category } }",
    },
    { protocols: ["lockup"], only: { styles: ["multichain"] } },
  );
  project.remove("generated/schemas/lockup/subgraph.graphql");
  const { operations } = await adaptIn(project, { write: true });
  expect(operations).toMatchObject([
    { name: "B", result: "adapted", reasons: [] },
    { name: "A", result: "adapted", reasons: [] },
  ]);
  expect(project.read("operations/lockup/portable/a.graphql")).toContain("$c: LockupStreamCategory!");
});
