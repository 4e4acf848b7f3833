import { expect, it } from "vitest";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import { commitAll } from "../../support/commit-all.ts";
import { apiOf, snapshotOf } from "../../support/merged-indexer.ts";
import { tempProject } from "../../support/temp-project.ts";
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

it("the old API of an own multichain protocol is derived with the committed entity file", async () => {
  const old = `enum Kind { A B }
    type House @entity { id: ID! chainId: BigInt! auctions: [Auction!]! @derivedFrom(field: "house") }
    type Auction @entity { id: ID! chainId: BigInt! house: House! kind: Kind! }`;
  const text = (own: string) =>
    snapshotOf("own", "multichain", apiOf("multichain", parseEntities(own, "own.graphql")));
  const path = "generated/schemas/own/multichain.graphql";
  const query = "query A($k: Kind!) { auctions(where: { kind: $k }) { id kind } }";
  const project = tempProject({
    "lockflow.config.json":
      '{ "protocols": { "own": { "entities": "own.graphql", "styles": ["multichain"] } } }',
    "own.graphql": old,
    [path]: text(old),
    "operations/own/portable/a.graphql": query,
  });
  commitAll(project, "main");
  const now = old.replaceAll(/\b(Auction|Kind)\b/g, "English$1");
  project.write("own.graphql", now);
  project.write(path, text(now));
  const { operations } = await adaptIn(project, { write: true });
  expect(operations).toMatchObject([{ result: "adapted", reasons: [] }]);
  expect(project.read("operations/own/portable/a.graphql")).toBe(
    query.replace("Kind", "EnglishKind").replace("auctions", "auctions: englishAuctions"),
  );
});
