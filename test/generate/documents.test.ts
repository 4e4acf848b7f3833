import { type DocumentNode, Kind, parse, print, stripIgnoredCharacters, visit } from "graphql";
import { describe, expect, it } from "vitest";
import { typescriptLiteral } from "../../src/base/text.ts";
import { emitJavaScript } from "../../src/generate/format-files.ts";
import { printDocument } from "../../src/operations/print-document.ts";
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

/** Line separators of JavaScript before 2019 and of many editors; JSON does not escape them. */
const SEPARATORS = "a\u2028b\u2029c\u2028";

describe("a string with line separators", () => {
  it("is printed in a document with all of them escaped", () => {
    const [node] = parse(`query Q { a(text: "${SEPARATORS}") }`).definitions;
    if (node?.kind !== Kind.OPERATION_DEFINITION) throw new TypeError("no operation");
    const text = printDocument(node, []);
    expect(text).toBe(String.raw`query Q {
  a(text: "a\u2028b\u2029c\u2028")
}`);
    expect(printDocument(parse(text).definitions[0] as typeof node, [])).toBe(text);
  });

  it("is printed as TypeScript with all of them escaped, also in a key", () => {
    const text = typescriptLiteral({ [SEPARATORS]: [SEPARATORS] });
    expect(text).toBe(String.raw`{ "a\u2028b\u2029c\u2028": ["a\u2028b\u2029c\u2028"] }`);
    expect(JSON.parse(text.slice(2, -2).replace(/^.*: /, ""))).toEqual([SEPARATORS]);
  });
});
