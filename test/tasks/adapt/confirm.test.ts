import { describe, expect, it } from "vitest";
import type { EntityModel } from "../../../src/dialects/entity-model.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import { commitAll } from "../../support/commit-all.ts";
import { apiOf, snapshotOf } from "../../support/merged-indexer.ts";
import { type TempProject, tempProject } from "../../support/temp-project.ts";
import { adaptIn } from "./support.ts";

const OLD = `
  enum Kind { Linear Dynamic }
  type Stream @entity { id: ID! alias: String! kind: Kind! start: BigInt! }`;

const modelOf = (text: string): EntityModel => parseEntities(text, "entities.graphql");
const snapshot = (text: string) => snapshotOf("own", "subgraph", apiOf("subgraph", modelOf(text)));

/** A repository with an own protocol whose entities changed since the last commit. */
function ownProject(query: string, after: string, definition: object = {}): TempProject {
  const project = tempProject({
    "lockflow.config.json": JSON.stringify({ protocols: { own: { styles: ["subgraph"], ...definition } } }),
    "generated/schemas/own/subgraph.graphql": snapshot(OLD),
    "operations/own/subgraph/a.graphql": query,
  });
  commitAll(project, "main");
  project.write("generated/schemas/own/subgraph.graphql", snapshot(after));
  return project;
}

describe("a possible rename", () => {
  const project = () =>
    ownProject("query A { streams { alias } }", OLD.replace("alias: String!", "ticker: String!"));

  it("is named in the reason and not used", async () => {
    const { operations, files } = await adaptIn(project());
    expect(files).toEqual([]);
    expect(operations).toMatchObject([
      { result: "refused", reasons: [{ code: "adapt/not-valid", line: 1, column: 21 }] },
    ]);
  });

  it("that would repair an operation is named with the option to confirm it", async () => {
    const own = ownProject(
      "query A { streams { alias } }",
      OLD.replace("alias: String!", "aliasText: String!"),
    );
    const [operation] = (await adaptIn(own)).operations;
    expect(operation?.reasons[0]?.message).toMatch(/confirm with --rename Stream\.alias=aliasText/);
  });

  it("is used if it is confirmed, also in a second run", async () => {
    const own = project();
    const renames = ["Stream.alias=ticker"];
    const { operations } = await adaptIn(own, { renames, write: true });
    expect(operations).toMatchObject([{ result: "adapted" }]);
    expect(own.read("operations/own/subgraph/a.graphql")).toBe("query A { streams { alias: ticker } }");
    expect((await adaptIn(own, { renames, write: true })).operations).toMatchObject([{ result: "valid" }]);
  });
});

describe("a renamed value of an enum in the answer", () => {
  const project = () =>
    ownProject("query A { streams(where: { kind: Linear }) { kind } }", OLD.replace("Linear", "LINEAR"));

  it("is refused, because an alias cannot keep a value", async () => {
    expect((await adaptIn(project())).operations).toMatchObject([
      { result: "refused", reasons: [{ code: "adapt/answer-values" }] },
    ]);
  });

  it("is a note if it is confirmed", async () => {
    const { operations, diff } = await adaptIn(project(), { renames: ["Kind.Linear=LINEAR"] });
    expect(operations).toMatchObject([{ result: "adapted", notes: [{ code: "adapt/answer-values" }] }]);
    expect(diff).toContain("+query A { streams(where: { kind: LINEAR }) { kind } }");
  });
});

describe("the configuration", () => {
  it("is noted with the text to write, and a stale key does not stop the run", async () => {
    const own = ownProject(
      "query A { streams(orderBy: start) { id start } }",
      OLD.replace("start:", "START:"),
      {
        times: ["Stream.start"],
        cursors: { Stream: "start" },
      },
    );
    const { operations } = await adaptIn(own, { renames: ["Stream.start=START"] });
    expect(operations).toMatchObject([{ result: "adapted" }]);
    expect(operations[0]?.notes.find(({ code }) => code === "adapt/configuration")).toMatchObject({
      file: "lockflow.config.json",
      message:
        'Write in the configuration "protocols.own": cursors: { Stream: "START" }, times: ["Stream.START"].',
    });
  });
});

it("does not refuse for what prevented generation before: a scalar without a type", async () => {
  const text = (own: string) => snapshotOf("own", "multichain", apiOf("multichain", modelOf(own)));
  const path = "generated/schemas/own/multichain.graphql";
  const project = tempProject({
    "lockflow.config.json": JSON.stringify({ protocols: { own: { styles: ["multichain"] } } }),
    [path]: text(OLD),
    "operations/own/multichain/a.graphql":
      "query A($k: kind) { Stream(where: { kind: { _eq: $k } }) { kind } }",
  });
  commitAll(project, "main");
  project.write(path, text(OLD.replaceAll(/\b(Stream|Kind)\b/g, "Pay$1")));
  const { operations } = await adaptIn(project, { renames: ["Stream=PayStream"], write: true });
  expect(operations).toMatchObject([{ result: "adapted", reasons: [] }]);
  expect(project.read("operations/own/multichain/a.graphql")).toBe(
    "query A($k: paykind) { Stream: PayStream(where: { kind: { _eq: $k } }) { kind } }",
  );
});
