import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Config } from "../../src/project/config.ts";
import { resolveProject } from "../../src/project/project.ts";
import { readCodeFiles } from "../../src/workspace/read-code.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { tempProject } from "../support/temp-project.ts";

const QUERY = "gql`query A { a }`";

/** Reads the code of a folder: the paths of files with documents, and the findings. */
function readIn(root: string, documents: Config["documents"] = ["src/**"]) {
  const { files, findings } = readCodeFiles(openWorkspace(resolveProject({ documents }, root)));
  return {
    paths: files.map(({ path }) => path),
    findings: findings.map(
      ({ place, message, code }) => `${place ? `${place.file}:${place.line} ` : ""}${message} [${code}]`,
    ),
  };
}

const read = (files: Readonly<Record<string, string>>, documents?: Config["documents"]) =>
  readIn(tempProject(files).root, documents);

const inAll = (paths: readonly string[], text = QUERY) =>
  Object.fromEntries(paths.map((path) => [path, text]));

describe("readCodeFiles returns", () => {
  it("no files if none contains a document", () => {
    const paths = Array.from({ length: 1_000 }, (_, index) => `src/${index % 30}/f${index}.ts`);
    const text =
      'import { request } from "graphql-request";\n// The graphql client.\nexport * from "./x.js";\n';
    expect(read(inAll(paths, text)).paths).toEqual([]);
  });

  it("only files that use a document tag", () => {
    const { paths } = read({
      "src/a.ts": "graphql (`{ a }`)",
      "src/b.ts": "const x = $gql`{ a }`, mygraphql = ygraphql`{ a }`;",
      "src/c.ts": 'export { A } from "./a.js";',
      "src/d.ts": 'import { gql as ask } from "urql";',
      "src/e.ts": "gql<A, B>`{ a }`",
      "src/f.ts": "export default A;",
      "src/g.ts": "export const g = 1;",
    });
    expect(paths).toEqual(["src/a.ts", "src/d.ts", "src/e.ts"]);
  });

  it("only files of code that `documents` matches, of no package, no tool and no generator", () => {
    const documents = ["src/**", "generated/**", "!**/*.test.ts", { files: ["lib/**/*.ts", "!lib/old/**"] }];
    const excluded = [
      "src/node_modules/p/a.ts",
      "src/.cache/a.ts",
      "generated/lockup/old/a.ts",
      "src/a.test.ts",
      "lib/old/a.ts",
      "src/a.css",
      "tools/a.ts",
    ];
    expect(read(inAll(["lib/x.ts", "src/x.ts", ...excluded]), documents).paths).toEqual([
      "lib/x.ts",
      "src/x.ts",
    ]);
  });

  it("files of every extension of TypeScript and JavaScript", () => {
    const paths = ["cjs", "cts", "js", "jsx", "mjs", "mts", "ts", "tsx"].map((end) => `src/a.${end}`);
    expect(read(inAll(paths), ["./src/*"]).paths).toEqual(paths);
  });

  it("each file once through links, and none through broken links or links out of the project", () => {
    const project = tempProject(inAll(["src/z/a.ts", "shared/b.ts", "node_modules/p/c.ts"]));
    const outside = tempProject({ "d.ts": QUERY });
    mkdirSync(join(project.root, "src/links"));
    const link = (to: string, name: string) => symlinkSync(to, join(project.root, "src/links", name));
    link("..", "round");
    link("../z", "again");
    link("../z/a.ts", "a.ts");
    link("../../shared", "shared");
    link("../../node_modules/p", "package");
    link(outside.root, "outside");
    link(join(outside.root, "d.ts"), "d.ts");
    link("nowhere", "e.ts");
    link("f.ts", "f.ts");
    expect(readIn(project.root).paths).toEqual(["src/links/shared/b.ts", "src/z/a.ts"]);
  });
});

describe("readCodeFiles reports", () => {
  const unread = (pattern: string, names: string) =>
    `The pattern "${pattern}" of \`documents\` names ${names} files, but only TypeScript and JavaScript files are read. [operation/unread-file]`;

  it("patterns without a file", () => {
    expect(read({ "src/a.css": "" }, ["src/**/*", "lib/*.ts"]).findings).toEqual([
      'The pattern "src/**/*" of `documents` matches no TypeScript or JavaScript file. [operation/no-code]',
      'The pattern "lib/*.ts" of `documents` matches no TypeScript or JavaScript file. [operation/no-code]',
    ]);
    expect(read({ "src/App.vue": "<template />", "src/a.css": "" }).findings).toEqual([
      'The pattern "src/**" of `documents` matches no TypeScript or JavaScript file, only src/App.vue. [operation/no-code]',
    ]);
  });

  it.each<[pattern: string, names: string]>([
    ["src/**/*.vue", ".vue"],
    ["src/**/*.{ts,svelte,tsx,astro}", ".astro, .svelte"],
    ["src/**/*.{ts,{mdx,js}}", ".mdx"],
    ["src/**/*.@(ts|vue)", ".vue"],
    ["src/**/*.?(c)vue", ".cvue, .vue"],
    ["src/**/{x.ts,App.vue}", ".vue"],
    ["src/**/*.{graphql,ts}", ".graphql"],
  ])("a pattern that names files that are not read: %s", (pattern, names) => {
    const { findings } = read(inAll(["src/x.ts", "src/App.vue"]), [pattern, "src/*.ts"]);
    expect(findings).toEqual([unread(pattern, names)]);
  });

  it.each([
    "src/**/*.[jt]s",
    "src/**/*.?(c)ts",
    "src/**/*.ts?(x)",
    "src/**/*.*",
    "src/**/*.!(css)",
    "src/**",
  ])("nothing about the pattern %s", (pattern) => {
    const files = { ...inAll(["src/x.ts", "src/a.css", "src/a.png"]), "src/App.vue": "<template />" };
    expect(read(files, [pattern, "!**/*.md"]).findings).toEqual([]);
  });

  it.each<[given: string, text: string, line: number | null]>([
    ["a template", "<script>\nconst A = gql`\n  query A { a }\n`;\n</script>\n", 2],
    ["a template with a type", "x = graphql<A, B> `query A { a }`", 1],
    ["a call", 'graphql("query A { a }")', 1],
    ["a call with a comment", "graphql(\n  /* GraphQL */ `query A { a }`)", 1],
    ["the name in text", "Write `graphql`, or graphql (as a call), with gql's names.", null],
    ["another name", "mygql`query A { a }`", null],
  ])("files that are not read, if a pattern without an extension matches one with %s", (_, text, line) => {
    const hosts = ["App.vue", "a.svelte", "b.astro", "c.mdx", "d.gts"].map((name) => `src/${name}`);
    const files = { "src/x.ts": QUERY, ...inAll([...hosts, "src/b.stories.mdx"], text) };
    const { findings } = read(files, ["src/**/*", "!src/**/*.stories.*"]);
    const said =
      'The file has a document and matches "src/**/*" of `documents`, but only TypeScript and JavaScript files are read. [operation/unread-file]';
    expect(findings).toEqual(line === null ? [] : hosts.map((path) => `${path}:${line} ${said}`));
  });
});
