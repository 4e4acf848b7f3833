import { expect, it } from "vitest";
import { type CompileOptions, compile } from "../../src/tasks/compile.ts";
import { generatedProject } from "../support/generated-project.ts";
import { createProject, ENTITIES, MULTICHAIN, SUBGRAPH } from "./compile/fixtures.ts";

const of = (operation: string, more: Partial<CompileOptions> = {}) => {
  const project = createProject();
  project.write("notes/idea.graphql", "query Idea { streams { id nope } }");
  project.write("notes/broken.graphql", "query Broken { streams {");
  return compile({ cwd: project.root, operation, ...more });
};

it("compile returns both texts, the variables and the rules", async () => {
  const [compiled, ...others] = await of("BySender", { protocol: "lockup" });
  expect(others).toEqual([]);
  expect(compiled).toMatchObject({
    operation: "BySender",
    protocol: "lockup",
    refusals: [],
    notes: [],
    subgraph: { text: SUBGRAPH },
    multichain: { text: MULTICHAIN },
  });
  expect(compiled?.variables[1]).toEqual({
    name: "text",
    type: "String!",
    subgraph: [{ name: "text", type: "String!", value: "as it is" }],
    multichain: [
      { name: "text_like", type: "String!", value: "%<value>%, or the value if it begins or ends with %" },
    ],
  });
  expect(compiled?.rules[1]).toEqual({
    rule: "chain-scope",
    means: "only rows of the requested chains are returned",
    file: "operations/lockup/portable/by-sender.graphql",
    line: 3,
    column: 3,
  });
});

it("compile describes a filter as unchanged in the dialect of the author", async () => {
  const project = createProject();
  project.write(
    "notes/find.graphql",
    "query Find($where: Stream_filter!) { streams(where: $where, first: 5) { id } }",
  );
  const [compiled] = await compile({ cwd: project.root, operation: "notes/find.graphql" });
  expect(compiled?.variables[0]).toMatchObject({
    subgraph: [{ name: "where", value: "as it is" }],
    multichain: [{ name: "where", value: "the filter of Stream, translated" }],
  });
});

it("compile returns every refusal with its place, and no text", async () => {
  const [compiled] = await of("Started");
  expect(compiled).toMatchObject({ subgraph: { text: null }, multichain: { text: null } });
  expect(compiled?.refusals[0]).toEqual({
    code: "portable/first-range",
    message: "`first` must be an integer from 1 to 1000; got 2000.",
    file: "operations/lockup/portable/started.graphql",
    line: 2,
    column: 18,
    hint: "page by a cursor, such as `where: { id_gt: $after }`.",
  });
  expect(compiled?.refusals).toHaveLength(2);
  expect(compiled?.notes.map(({ code }) => code)).toEqual(["portable/direction-without-order"]);
});

it("compile takes a file of the subgraph style with the fragments of its folder", async () => {
  const compiled = await of("operations/lockup/subgraph/old.graphql");
  expect(compiled.map(({ operation }) => operation)).toEqual(["Old", "Older"]);
  expect(compiled[1]?.multichain.text).toContain("fragment Own on Asset");
  expect(compiled[0]?.notes).toHaveLength(1);
});

it.each([
  ["notes/idea.graphql", "operation/invalid", 'Cannot query field "nope"'],
  ["notes/broken.graphql", "operation/syntax", ""],
])("compile refuses a file that is not valid: %s", async (file, code, message) => {
  const [compiled] = await of(file);
  expect(compiled?.refusals).toMatchObject([{ code, file, message: expect.stringContaining(message) }]);
});

it.each<[operation: string, protocol: string, sentence: string, hint: string]>([
  ["BySendr", "lockup", 'Unknown portable operation "BySendr".', 'did you mean "BySender"?'],
  [
    "Older",
    "lockup",
    'The operation "Older" is not portable: it is in operations/lockup/subgraph/old.graphql.',
    "pass the path of their file",
  ],
  ["no.graphql", "lockup", 'The file "no.graphql" does not exist.', "name a file of operations"],
  ["operations/lockup/portable/fields.graphql", "lockup", "has no operation.", "it contains only fragments"],
  ["BySender", "lokup", 'no protocol "lokup"', 'did you mean "lockup"?'],
])("error: compile: %s of %s", async (operation, protocol, sentence, hint) => {
  await expect(of(operation, { protocol })).rejects.toMatchObject({
    sentence: expect.stringContaining(sentence),
    hint: expect.stringContaining(hint),
  });
});

it("error: compile: an unknown name among many lists the first", async () => {
  const queries = [..."GFEDCBA"].map((name) => `query ${name}Ships { streams { id } }`).join("\n");
  const { root: cwd } = generatedProject({ "portable/all.graphql": queries }, ENTITIES);
  await expect(compile({ cwd, operation: "Nothing" })).rejects.toMatchObject({
    hint: expect.stringContaining(
      "there are AShips, BShips, CShips, DShips, EShips and 2 more. A file is named",
    ),
  });
});
