import { describe, expect, it } from "vitest";
import { generatedProject } from "../support/generated-project.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { run } from "../support/run.ts";

const SNAPSHOT = "schemas/lockup/subgraph.graphql";
const RECORD = "schemas/deployments.json";

const withField = (field: string) => (text: string) =>
  text.replace("type Stream {", `type Stream {\n  ${field}`);
const withConflict = (text: string) => `${text}<<<<<<< HEAD\n=======\n>>>>>>> other\n`;

const EDITS: readonly [name: string, file: string, edit: (text: string) => string, said: string][] = [
  ["a missing type", SNAPSHOT, withField("gone: Nothing!"), 'Stream.gone refers to type "Nothing"'],
  ["an inherited name", SNAPSHOT, withField("x: constructor"), 'Stream.x refers to type "constructor"'],
  ["an input as an output", SNAPSHOT, withField("x: Stream_filter"), "but only SCALAR, OBJECT"],
  [
    "an argument of a missing type",
    SNAPSHOT,
    (text) => text.replace("where: Stream_filter", "where: Nothing"),
    "(where:) refers",
  ],
  [
    "a missing root type",
    SNAPSHOT,
    (text) => text.replace("query: Query", "query: Nothing"),
    "the query root refers",
  ],
  [
    "an interface that is not an interface",
    SNAPSHOT,
    (text) => text.replace("type Stream {", "type Stream implements BigInt {"),
    "only INTERFACE",
  ],
  [
    "a directive with a missing type",
    SNAPSHOT,
    (text) => `${text}\ndirective @x(a: Nothing) on FIELD\n`,
    "@x(a:) refers",
  ],
  ["a circular default", SNAPSHOT, (text) => `${text}\ninput A { a: A = {} }\n`, "contains itself"],
  ["a truncated file", SNAPSHOT, (text) => text.slice(0, text.length / 2), "refers to type"],
  ["invalid SDL", SNAPSHOT, (text) => `${text}\ntype {`, "is not valid GraphQL"],
  ["conflict markers", SNAPSHOT, withConflict, "is not valid GraphQL"],
  ["an empty file", SNAPSHOT, () => "", "header of a snapshot"],
  ["conflict markers in the fleet record", RECORD, withConflict, "is not JSON"],
  ["a fleet record with wrong types", RECORD, () => '{"version":1,"deployments":5}', "is not a fleet record"],
];

/** The commands that read snapshots; by default one for each edit, in turn. */
function commandsFor(name: string): readonly string[][] {
  const commands = [["check"], ["diff"], ["generate"], ["plan", "entities.graphql"]];
  const turn = EDITS.findIndex(([one]) => one === name) % commands.length;
  return IS_THOROUGH ? commands : commands.slice(turn, turn + 1);
}

describe("edited snapshots", () => {
  it.each(EDITS)("error: %s", async (name, file, edit, said) => {
    const project = generatedProject({ "subgraph/q.graphql": "query Q { streams(first: 10) { id } }" });
    project.write("entities.graphql", SMALL_ENTITIES);
    if (IS_THOROUGH) expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    const text = project.read(`generated/${file}`);
    project.write(`generated/${file}`, edit(text));
    expect(project.read(`generated/${file}`)).not.toBe(text);
    for (const command of commandsFor(name)) {
      const { code, out, err } = await run(project.root, command);
      // With its header, a file is a snapshot that was edited, which `check` reports.
      if (command[0] === "check" && file === SNAPSHOT && project.read(`generated/${file}`) !== "") {
        expect({ code, err }).toEqual({ code: 1, err: "" });
        expect(out.replaceAll(/\s+/g, " ")).toContain(said);
        expect(out).toContain("1 finding to act on");
        expect(out).toContain("[snapshot/edited ");
        continue;
      }
      expect({ command, code, err }).toEqual({
        command,
        code: 2,
        err: expect.stringMatching(
          /^lockflow: .*\nHint: restore it from version control, or delete it and run `lockflow introspect`\.\n$/,
        ),
      });
      expect(err).toContain(file);
      expect(err).toContain(said);
    }
  });

  it("error: a snapshot that is compared by name", async () => {
    const project = generatedProject({});
    const path = `generated/${SNAPSHOT}`;
    project.write(path, withField("gone: Nothing!")(project.read(path)));
    const { code, err } = await run(project.root, ["diff", "lockup/subgraph", "lockup/multichain"]);
    expect({ code, err }).toEqual({
      code: 2,
      err: 'lockflow: lockup/subgraph is not a valid schema: Stream.gone refers to type "Nothing", which is missing.\nHint: correct the file, or restore it from its source.\n',
    });
  });
});
