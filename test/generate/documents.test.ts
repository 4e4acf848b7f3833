import { join } from "node:path";
import { type DocumentNode, parse, print, stripIgnoredCharacters, visit } from "graphql";
import { createJiti } from "jiti";
import { describe, expect, it } from "vitest";
import { generatedProject } from "../support/generated-project.ts";
import { run } from "../support/run.ts";

/** Both surfaces of the operation `Q` in a project of its own, as a program would import them. */
async function surfaces(operation: string): Promise<{ ast: DocumentNode; text: string }> {
  const project = generatedProject({ "subgraph/q.graphql": operation });
  expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
  const jiti = createJiti(import.meta.url, { moduleCache: false, fsCache: false });
  const load = (file: string) =>
    jiti.import<{ QDocument: unknown }>(join(project.root, "generated/lockup", file));
  const [ast, text] = await Promise.all([load("subgraph.ts"), load("subgraph.strings.ts")]);
  return { ast: ast.QDocument as DocumentNode, text: text.QDocument as string };
}

/** Whether a string was written as a block says nothing of its value. */
const normal = (document: DocumentNode) =>
  stripIgnoredCharacters(print(visit(document, { StringValue: (node) => ({ ...node, block: false }) })));

describe("the two surfaces of an operation", () => {
  const values: [name: string, value: string][] = [
    ["a backslash", String.raw`"a\\b"`],
    ["a quote", String.raw`"a\"b"`],
    ["a tab and a line feed", String.raw`"\t\n"`],
    ["separators of lines", String.raw`"\u2028\u2029"`],
    ["a template literal", '"`${x}`"'],
    ["a block string", '"""\n  a \\ "b"\n    c\n"""'],
    ["two blanks", '"a  b"'],
    ["commas", '"a, b,c"'],
    ["the words of a placeholder", '"lockflow:0:"'],
    ["nothing", '""'],
    ["an emoji", '"🚨"'],
  ];

  it.each(values)("hold the same string: %s", async (_, value) => {
    const operation = `query Q($alias: String = ${value}) { streams(where: { and: [{ alias: ${value} }, { alias: $alias }, { alias: "a b" }, { alias: "a  b" }] }) { id } }`;
    const { ast, text } = await surfaces(operation);
    expect(normal(parse(text))).toBe(normal(parse(operation)));
    expect(normal(ast)).toBe(normal(parse(operation)));
  });
});

describe("operations a schema has no root for", () => {
  it.each(["mutation", "subscription"])("error: a %s, with its place", async (kind) => {
    const project = generatedProject({ "subgraph/q.graphql": `# why\n${kind} M { a }` });
    const before = project.files();
    const { code, err } = await run(project.root, ["generate"]);
    expect(code).toBe(1);
    expect(err).toContain(`subgraph/q.graphql:2:1  The schema of lockup/subgraph has no ${kind}s.`);
    expect(project.files()).toEqual(before);
  });
});

describe("protocols", () => {
  it("leaves the operations of a protocol alone that the configuration leaves out", async () => {
    const project = generatedProject({
      "subgraph/q.graphql": "query Q { streams { id } }",
      "../flow/subgraph/q.graphql": "query Q { nothing { of: this } }",
    });
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    expect(Object.keys(project.files("generated"))).not.toContain("generated/flow/subgraph.ts");
  });
});
