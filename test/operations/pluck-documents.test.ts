import { describe, expect, it } from "vitest";
import { pluckDocuments } from "../../src/operations/find-in-code.ts";

/** Returns the documents of some files, each with the place of its first word. */
function pluck(files: Readonly<Record<string, string>>, names = ["graphql", "gql"]) {
  const code = Object.entries(files).map(([path, text]) => ({
    path,
    text,
    names,
    surfaces: [],
  }));
  const { documents, findings } = pluckDocuments(code);
  return {
    documents: documents.map(({ path, text, locate, importedFrom }) => {
      const { line, column } = locate(text.search(/\S/));
      return { at: `${path}:${line}:${column}`, text: text.trim(), importedFrom };
    }),
    messages: findings.map(
      ({ place, message }) => `${place?.file}:${place?.line}:${place?.column} ${message}`,
    ),
  };
}

const PARTS = "const PARTS = gql`fragment Parts on Stream { id }`;\n";

describe("a document in code", () => {
  it.each<[name: string, code: string, text: string]>([
    ["a call with a string", 'graphql("{ a }");', "{ a }"],
    ["a call with a template", "graphql(`{ a }`);", "{ a }"],
    ["a tagged template", "gql`{ a }`;", "{ a }"],
    ["a tagged template with type arguments", "gql<Query<string>, {}>`{ a }`;", "{ a }"],
    ["a call with further arguments", "graphql(`{ a }`, [Parts]);", "{ a }"],
    ["a call with type assertions around its text", "graphql((`{ a }` as const)!);", "{ a }"],
    ["a call with a comment before its text", "graphql(/* GraphQL */ `{ a }`);", "{ a }"],
    ["an import under another name", 'import { gql as ask } from "urql";\nask`{ a }`;', "{ a }"],
    ["a member of an imported module", 'import * as urql from "urql";\nurql.gql`{ a }`;', "{ a }"],
    ["a constant text", 'const text = "{ a }";\ngraphql(text);', "{ a }"],
    ["a template nested in another template", "const all = [`${gql`{ a }`}`];", "{ a }"],
    [
      "a template in a class, a function and JSX",
      "class A { b() { return <C d={gql`{ a }`} />; } }",
      "{ a }",
    ],
  ])("is %s", (_, code, text) => {
    expect(pluck({ "a.tsx": code })).toMatchObject({ documents: [{ text }], messages: [] });
  });

  it.each<[name: string, code: string]>([
    ["a method of an object", "octokit.graphql(`{ a }`);"],
    [
      "the function graphql of the package graphql",
      'import { graphql } from "graphql";\ngraphql(schema, "{ a }");',
    ],
    ["a call with an object", "graphql({ schema, source });"],
    ["a call with a document", `${PARTS.replace("PARTS", "QUERY")}graphql(QUERY)(Component);`],
    ["a comment", "// graphql(`{ a }`)"],
    ["another tag", "sql`{ a }`;"],
  ])("is not %s", (_, code) => {
    const { documents, messages } = pluck({ "a.ts": code });
    expect(documents.filter(({ text }) => text === "{ a }")).toEqual([]);
    expect(messages).toEqual([]);
  });

  it("is found only by the configured names", () => {
    const { documents } = pluck({ "a.ts": "$ask`{ a }`; gql`{ b }`;" }, ["$ask"]);
    expect(documents.map(({ text }) => text)).toEqual(["{ a }"]);
  });

  it("has the module that its function is imported from", () => {
    const code = 'import { graphql } from "./gql/lockup-subgraph";\ngraphql("{ a }");\ngql`{ b }`;';
    expect(pluck({ "a.ts": code }).documents.map(({ importedFrom }) => importedFrom)).toEqual([
      "./gql/lockup-subgraph",
      null,
    ]);
  });

  it("has the right places after escapes, interpolations and line breaks", () => {
    const text = `${PARTS}/* ${"x".repeat(9)} */ graphql("query A {\\n  \\u{61}b \\x63 d }");`;
    const [, one] = pluckDocuments([
      { path: "a.ts", text, names: ["gql", "graphql"], surfaces: [] },
    ]).documents;
    if (one === undefined) throw new Error("There is none.");
    const placeIn = (part: string) => one.locate(one.text.indexOf(part));
    const columnOf = (part: string) => (text.split("\n")[1]?.indexOf(part) ?? 0) + 1;
    expect([placeIn("query"), placeIn("ab"), placeIn("c "), placeIn("d }")]).toEqual([
      { line: 2, column: columnOf("query") },
      { line: 2, column: columnOf("\\u{61}") },
      { line: 2, column: columnOf("\\x63") },
      { line: 2, column: columnOf("d }") },
    ]);
  });
});

describe("an interpolation", () => {
  const QUERY = "gql`{ a { ...Parts } } ${PARTS}`;";

  it.each<[name: string, files: Record<string, string>]>([
    ["a constant of the file", { "a.ts": `${PARTS}${QUERY}` }],
    ["a constant below", { "a.ts": `${QUERY}\n${PARTS}` }],
    ["an alias of a constant", { "a.ts": `${PARTS.replace("PARTS", "P")}const PARTS = P;${QUERY}` }],
    [
      "a member of a constant",
      {
        "a.ts": `const ALL = { PARTS: gql\`fragment Parts on Stream { id }\` };${QUERY.replace("PARTS}", "ALL.PARTS}")}`,
      },
    ],
    ["an import", { "a.ts": `import { PARTS } from "./b.js";${QUERY}`, "b.ts": `export ${PARTS}` }],
    [
      "a member of an import",
      {
        "a.ts": `import * as b from "@/b";${QUERY.replace("PARTS}", "b.PARTS}")}`,
        "b.ts": `export ${PARTS}`,
      },
    ],
  ])("may be %s", (_, files) => {
    const { documents, messages } = pluck(files);
    expect(messages).toEqual([]);
    expect(documents.map(({ text }) => text).sort()).toEqual([
      "fragment Parts on Stream { id }",
      "{ a { ...Parts } }",
    ]);
  });

  it.each<[name: string, files: Record<string, string>, text: string]>([
    ["a text", { "a.ts": "const x = 'id';\ngql`{ a ${x} }`;" }, "a.ts:2:9 `${x}`"],
    ["a literal", { "a.ts": "gql`{ a ${1} }`;" }, "a.ts:1:9 `${1}`"],
    ["a variable", { "a.ts": `${PARTS.replace("const", "let")}${QUERY}` }, "a.ts:2:24 `${PARTS}`"],
    ["a shadowed name", { "a.ts": `${PARTS}function f(PARTS) { return ${QUERY} }` }, "a.ts:2:51 `${PARTS}`"],
    ["the result of a function", { "a.ts": "gql`{ a } ${parts( 1,\n 2)}`;" }, "a.ts:1:11 `${parts( 1, 2)}`"],
    [
      "a circular constant",
      { "a.ts": `const PARTS = OTHER; const OTHER = PARTS;${QUERY}` },
      "a.ts:1:65 `${PARTS}`",
    ],
  ])("error: cannot be %s", (_, files, text) => {
    expect(pluck(files).messages).toEqual([`${text} cannot be read, so that the document is not checked.`]);
  });

  it("may be the whole content of a document", () => {
    expect(pluck({ "a.ts": `${PARTS}const ALL = gql\`\${PARTS}\`;` }).documents).toHaveLength(1);
  });
});

describe("hostile code", () => {
  it.each<[name: string, path: string, code: string, messages: RegExp[]]>([
    ["with a syntax error", "a.ts", "const = ;\ngql`{ a }`;", [/^a\.ts:1:7 The file cannot be parsed: /]],
    [
      "with an unterminated template",
      "a.ts",
      "gql`{ a }",
      [/^a\.ts:1:\d+ The file cannot be parsed: Unterminated template/],
    ],
    ["with types in JavaScript", "a.js", "let a: string; gql`{ a }`;", []],
    ["that is binary", "a.ts", "gql(\u0000\u0001\uffff", [/^a\.ts:1:\d+ The file cannot be parsed: /]],
    [
      "nested too deeply",
      "a.ts",
      `gql\`{ a }\`; ${"(".repeat(50_000)}`,
      [/^a\.ts:null:null The file is nested too deeply/],
    ],
    [
      "with a concatenated document",
      "a.ts",
      'gql("{ a" + " }");',
      [/^a\.ts:1:5 `"\{ a" \+ " \}"` is used as a document/],
    ],
    [
      "with a document in an unknown variable",
      "a.ts",
      "gql(text);",
      [/^a\.ts:1:5 `text` is used as a document/],
    ],
  ])("%s is reported", (_, path, code, messages) => {
    expect(pluck({ [path]: code }).messages).toEqual(messages.map((one) => expect.stringMatching(one)));
  });

  it("with a sum of 2,000 terms is read", () => {
    const sum = Array.from({ length: 2_000 }, (_, index) => index).join(" + ");
    expect(pluck({ "a.ts": `const a = ${sum};\ngql\`{ a }\`;` })).toMatchObject({
      documents: [{ at: "a.ts:2:5" }],
      messages: [],
    });
  });
});
