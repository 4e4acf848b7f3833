import { expect, it } from "vitest";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import { apiOf, snapshotOf } from "../../support/merged-indexer.ts";
import { adaptIn, changedProject, mergedProject, type Operations, pathOf, snapshotText } from "./support.ts";

/** A project whose only style is multichain. */
function multichainProject(operations: Operations) {
  const project = mergedProject(operations, { protocols: ["lockup"], only: { styles: ["multichain"] } });
  project.remove(pathOf("subgraph"));
  return project;
}

it("a portable operation of a project with one style is adapted with the derived API of the other", async () => {
  const recent = "query Recent { streams(first: 10, orderBy: timestamp) { id alias chainId timestamp } }";
  const project = multichainProject({ "portable/recent.graphql": recent });
  project.write("old.graphql", snapshotText("old", "lockup", { style: "multichain" }));
  expect((await adaptIn(project, { from: "old.graphql" })).operations).toMatchObject([{ result: "adapted" }]);
  const { operations } = await adaptIn(project, { write: true });
  expect(operations).toMatchObject([{ result: "adapted", reasons: [] }]);
  expect(project.read("operations/lockup/portable/recent.graphql")).toBe(
    recent.replace("streams(", "streams: lockupStreams("),
  );
});

it("a multichain API without values of enums keeps those of the built-in protocol", async () => {
  const project = multichainProject({
    "portable/a.graphql":
      "query A($c: StreamCategory!) { streams(first: 9, where: { category_in: [$c, LockupLinear] }) { category chainId } }",
    "multichain/b.graphql": "query B { Stream { category } }",
  });
  const { operations } = await adaptIn(project, { write: true });
  expect(operations).toMatchObject([
    { name: "B", result: "adapted", reasons: [] },
    { name: "A", result: "adapted", reasons: [] },
  ]);
  expect(project.read("operations/lockup/portable/a.graphql")).toContain("$c: LockupStreamCategory!");
});

it("the old API of an own multichain protocol is derived with the committed entity file", async () => {
  const old = `enum Kind { A B }
    type House @entity { id: ID! chainId: BigInt! auctions: [Auction!]! @derivedFrom(field: "house") }
    type Auction @entity { id: ID! chainId: BigInt! house: House! kind: Kind! }`;
  const now = old.replaceAll(/\b(Auction|Kind)\b/g, "English$1");
  const text = (own: string) =>
    snapshotOf("own", "multichain", apiOf("multichain", parseEntities(own, "own.graphql")));
  const query = "query A($k: Kind!) { auctions(where: { kind: $k }) { id kind } }";
  const project = changedProject(
    {
      style: "multichain",
      text: [text(old), text(now)],
      path: "portable/a.graphql",
      more: { "own.graphql": old },
    },
    query,
    { entities: "own.graphql" },
  );
  project.write("own.graphql", now);
  const { operations } = await adaptIn(project, { write: true });
  expect(operations).toMatchObject([{ result: "adapted", reasons: [] }]);
  expect(project.read("operations/own/portable/a.graphql")).toBe(
    query.replace("Kind", "EnglishKind").replace("auctions", "auctions: englishAuctions"),
  );
});
