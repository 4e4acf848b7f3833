import { type DocumentNode, parse, print, stripIgnoredCharacters, visit } from "graphql";
import { describe, expect, it } from "vitest";
import { emitJavaScript } from "../../src/generate/format-files.ts";
import { generateFrom } from "../support/generate-from.ts";
import { generatedProject } from "../support/generated-project.ts";
import { run } from "../support/run.ts";
import { filesIn } from "./generate-in.ts";

const SDL = `
  type Query { streams(where: Filter): [Stream!]! }
  type Stream { id: ID! }
  input Filter { and: [Filter!] alias: String }
`;

/** Prints a document without the difference between block strings and other strings. */
const normal = (document: DocumentNode) =>
  stripIgnoredCharacters(print(visit(document, { StringValue: (node) => ({ ...node, block: false }) })));

/** Loads what a module exports. */
async function load(module: string): Promise<Record<string, unknown>> {
  const [file] = emitJavaScript("documents", module);
  return import(`data:text/javascript,${encodeURIComponent(file?.content ?? "")}`);
}

describe("the parsed document and the text of an operation", () => {
  it.each([
    ["a backslash", String.raw`"a\\b"`],
    ["a quote", String.raw`"a\"b"`],
    ["a tab and a line feed", String.raw`"\t\n"`],
    ["separators of lines", String.raw`"\u2028\u2029"`],
    ["a template literal", '"`${x}`"'],
    ["a block string", '"""\n  a \\ "b"\n    c\n"""'],
    ["two blanks", '"a  b"'],
    ["commas", '"a, b,c"'],
    ["the text of a placeholder", '"lockflow:0:"'],
    ["an empty string", '""'],
    ["an emoji", '"🚨"'],
  ])("contain the same string: %s", async (_, value) => {
    const and = `{ alias: ${value} }, { alias: $alias }, { alias: "a b" }, { alias: "a  b" }`;
    const operations = `query Q($alias: String = ${value}) { streams(where: { and: [${and}] }) { id } }`;
    const { documents, strings } = await generateFrom({ sdl: SDL, operations });
    const { QDocument: node } = await load(documents);
    const { QDocument: text } = await load(strings);
    expect(normal(parse(String(text)))).toBe(normal(parse(operations)));
    expect(normal(node as DocumentNode)).toBe(normal(parse(operations)));
  });
});

it.each(["mutation", "subscription"])("error: a %s without a root type, with its place", async (kind) => {
  const project = generatedProject({ "subgraph/q.graphql": `# why\n${kind} M { a }` });
  const before = project.files();
  const { code, err } = await run(project.root, ["generate"]);
  expect(code).toBe(1);
  expect(err).toContain(`subgraph/q.graphql:2:1  The schema of lockup/subgraph has no ${kind}s.`);
  expect(project.files()).toEqual(before);
});

it("operations of a protocol that is not configured are ignored", async () => {
  const project = generatedProject({
    "subgraph/q.graphql": "query Q { streams { id } }",
    "../flow/subgraph/q.graphql": "query Q { nothing { of: this } }",
  });
  const paths = Object.keys(await filesIn(project));
  expect(paths).toContain("lockup/subgraph.ts");
  expect(paths).not.toContain("flow/subgraph.ts");
});
