import { describe, expect, it } from "vitest";
import { entitiesOf } from "../../../emulator/dataset/entities/index.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import type { StyleName } from "../../../src/dialects/surface.ts";
import { parseRenames, requireApplying } from "../../../src/tasks/adapt/confirm-renames.ts";
import { apiOf, mergedModel, snapshotOf } from "../../support/merged-indexer.ts";
import { adaptIn, changedProject } from "./support.ts";

const OLD = `
  enum Kind { Linear Dynamic }
  type Stream @entity { id: ID! alias: String! kind: Kind! start: BigInt! }`;

type Own = { readonly style?: StyleName; readonly times?: string[]; readonly cursors?: object };

/** A repository with an own protocol whose entities changed since the last commit. */
function ownProject(query: string, after: string, { style = "subgraph", ...definition }: Own = {}) {
  const snapshot = (text: string) =>
    snapshotOf("own", style, apiOf(style, parseEntities(text, "entities.graphql")));
  const path = `${style}/a.graphql`;
  return changedProject({ style, text: [snapshot(OLD), snapshot(after)], path }, query, definition);
}

describe("a possible rename", () => {
  const ALIAS = "query A { streams { alias } }";
  const project = () => ownProject(ALIAS, OLD.replace("alias: String!", "ticker: String!"));

  it("is named in the reason and not used", async () => {
    const { operations, files } = await adaptIn(project());
    expect(files).toEqual([]);
    expect(operations).toMatchObject([
      { result: "refused", reasons: [{ code: "adapt/not-valid", line: 1, column: 21 }] },
    ]);
  });

  it("that would repair an operation is named with the option to confirm it", async () => {
    const own = ownProject(ALIAS, OLD.replace("alias: String!", "aliasText: String!"));
    const [operation] = (await adaptIn(own)).operations;
    expect(operation?.reasons[0]?.message).toMatch(/confirm with --rename Stream\.alias=aliasText/);
  });

  it("is used if it is confirmed, also in a second run", async () => {
    const own = project();
    const renames = ["Stream.alias=ticker"];
    expect((await adaptIn(own, { renames, write: true })).operations).toMatchObject([{ result: "adapted" }]);
    expect(own.read("operations/own/subgraph/a.graphql")).toBe("query A { streams { alias: ticker } }");
    expect((await adaptIn(own, { renames, write: true })).operations).toMatchObject([{ result: "valid" }]);
  });
});

it("a renamed value of an enum in the answer is refused, because an alias cannot keep it, or a note if confirmed", async () => {
  const own = ownProject(
    "query A { streams(where: { kind: Linear }) { kind } }",
    OLD.replace("Linear", "LINEAR"),
  );
  const message = 'An alias cannot keep values: the answer has "LINEAR" in place of "Linear".';
  const note = { code: "adapt/answer-values", message };
  expect((await adaptIn(own)).operations).toMatchObject([{ result: "refused", reasons: [note] }]);
  const { operations, diff } = await adaptIn(own, { renames: ["Kind.Linear=LINEAR"] });
  expect(operations).toMatchObject([{ result: "adapted", notes: [note] }]);
  expect(diff).toContain("+query A { streams(where: { kind: LINEAR }) { kind } }");
});

it("the configuration is noted with the text to write, and a stale key does not stop the run", async () => {
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

it("does not refuse for what prevented generation before: a scalar without a type", async () => {
  const query = "query A($k: kind) { Stream(where: { kind: { _eq: $k } }) { kind } }";
  const after = OLD.replaceAll(/\b(Stream|Kind)\b/g, "Pay$1");
  const project = ownProject(query, after, { style: "multichain" });
  const { operations } = await adaptIn(project, { renames: ["Stream=PayStream"], write: true });
  expect(operations).toMatchObject([{ result: "adapted", reasons: [] }]);
  expect(project.read("operations/own/multichain/a.graphql")).toBe(
    "query A($k: paykind) { Stream: PayStream(where: { kind: { _eq: $k } }) { kind } }",
  );
});

it.each<[renames: string[], want: RegExp]>([
  [["Stream.alias"], /must be Entity\.field=newField/],
  [["Stream.alias=alias"], /does not change/],
  [["Stream=LockupStream", "Stream=FlowStream"], /Stream twice/],
  [["Stream=LockupStream", "Action=LockupStream"], /gives two parts the name "LockupStream"/],
  [["Stream.nothing=moniker"], /has no field nothing/],
  [["Strem=LockupStream"], /old schema has no Strem/],
  [["Stream=Moniker"], /new schema has no Moniker/],
  [["Stream=LockupStreamCategory"], /is an entity, and LockupStreamCategory is an enum/],
  [["Watcher.streamCounter=nothing"], /does not apply/],
  [["Stream.sender=recipient", "Stream.recipient=sender"], /in the new schema too|has no/],
  [["Stream.alias=sender"], /in the new schema too|old schema too/],
])("error: --rename %j: %s", (renames, want) => {
  const pair = { before: entitiesOf("lockup", "subgraph"), after: mergedModel("subgraph") };
  expect(() => requireApplying(parseRenames(renames), [pair])).toThrow(want);
});
