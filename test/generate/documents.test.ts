import { join } from "node:path";
import { type DocumentNode, parse, print, stripIgnoredCharacters, visit } from "graphql";
import { createJiti } from "jiti";
import { describe, expect, it } from "vitest";
import { once } from "../../src/base/collections.ts";
import { generatedProject } from "../support/generated-project.ts";
import { run } from "../support/run.ts";

/** Prints a document without the difference between block strings and other strings. */
const normal = (document: DocumentNode) =>
  stripIgnoredCharacters(print(visit(document, { StringValue: (node) => ({ ...node, block: false }) })));

describe("the parsed document and the text of an operation", () => {
  const values: [name: string, value: string][] = [
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
  ];

  const operations = values.map(
    ([, value], at) =>
      `query Q${at}($alias: String = ${value}) { streams(where: { and: [{ alias: ${value} }, { alias: $alias }, { alias: "a b" }, { alias: "a  b" }] }) { id } }`,
  );

  /** The modules of both, imported like in an application. */
  const load = once(async () => {
    const project = generatedProject(
      Object.fromEntries(operations.map((text, at) => [`subgraph/${at}.graphql`, text])),
    );
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    const jiti = createJiti(import.meta.url, { moduleCache: false, fsCache: false });
    const [nodes, strings] = await Promise.all(
      ["subgraph.ts", "subgraph.strings.ts"].map((file) =>
        jiti.import<Record<string, unknown>>(join(project.root, "generated/lockup", file)),
      ),
    );
    return { nodes, strings };
  });

  it.each(values.map(([name], at) => [name, at] as const))("contain the same string: %s", async (_, at) => {
    const { nodes, strings } = await load();
    const want = normal(parse(operations[at] ?? ""));
    expect(normal(parse(String(strings?.[`Q${at}Document`])))).toBe(want);
    expect(normal(nodes?.[`Q${at}Document`] as DocumentNode)).toBe(want);
  });
});

describe("operations without a root type in the schema", () => {
  it.each(["mutation", "subscription"])("error: a %s, with its place", async (kind) => {
    const project = generatedProject({ "subgraph/q.graphql": `# why\n${kind} M { a }` });
    const before = project.files();
    const { code, err } = await run(project.root, ["generate"]);
    expect(code).toBe(1);
    expect(err).toContain(`subgraph/q.graphql:2:1  The schema of lockup/subgraph has no ${kind}s.`);
    expect(project.files()).toEqual(before);
  });
});

describe("generate", () => {
  it("ignores the operations of a protocol that is not configured", async () => {
    const project = generatedProject({
      "subgraph/q.graphql": "query Q { streams { id } }",
      "../flow/subgraph/q.graphql": "query Q { nothing { of: this } }",
    });
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    expect(Object.keys(project.files("generated"))).not.toContain("generated/flow/subgraph.ts");
  });
});
