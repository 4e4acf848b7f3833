import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { once } from "../src/base/collections.ts";
import { checkDocs } from "./support/docs/check-docs.ts";
import { parseMarkdown } from "./support/docs/parse-markdown.ts";
import { IS_THOROUGH } from "./support/is-thorough.ts";
import { REPOSITORY, readRepositoryFile, readRepositoryTree } from "./support/repository.ts";

describe("the documentation", () => {
  it("has valid code, queries, commands and links", () => {
    const made = [...Object.keys(PAGES), ...Object.keys(SOURCES)];
    expect(problems().filter((problem) => !made.includes(problem.replace(/:.*/s, "")))).toEqual([]);
  });

  it("has an index with a link to every page", () => {
    const pages = Object.keys(documents()).filter(
      (path) => /^docs\/./.test(path) && path !== "docs/README.md",
    );
    const { links } = parseMarkdown("docs/README.md", readRepositoryFile("docs/README.md"));
    const linked = links.map(({ text }) => posix.join("docs", text.replace(/#.*/, "")));
    expect(pages.filter((page) => !linked.includes(page))).toEqual([]);
  });

  it.each(["ARCHITECTURE.md", "CONTRIBUTING.md"])("names source files that exist: %s", (page) => {
    const named = [...readRepositoryFile(page).matchAll(/`([\w./-]+\/[\w.-]+\.ts)`/g)].map(
      ([, path = ""]) => path,
    );
    expect(named.length).toBeGreaterThan(5);
    const exists = (path: string) => ["", "src"].some((tree) => existsSync(join(REPOSITORY, tree, path)));
    expect(named.filter((path) => !exists(path))).toEqual([]);
  });

  it("describes every member of a protocol's definition", () => {
    const source = readRepositoryFile("src/dialects/protocol.ts");
    const [, members = ""] = /type ProtocolDefinition = \{(.*?)\n\};/s.exec(source) ?? [];
    const names = [...members.matchAll(/^ {2}readonly (\w+)\?/gm)].map(([, name]) => name);
    expect(names).toContain("entities");
    const page = readRepositoryFile("docs/protocols.md");
    expect(names.filter((name) => !page.includes(`\n| \`${name}`))).toEqual([]);
  });

  it("has the overrides with which this repository installs the stock command", () => {
    const { blocks } = parseMarkdown("docs/migrate.md", readRepositoryFile("docs/migrate.md"));
    const reported = blocks.find(({ language }) => language === "json");
    // The others replace a version by that of a dependency of this repository.
    const overrides = Object.entries<string>(JSON.parse(readRepositoryFile("package.json")).overrides);
    expect(JSON.parse(reported?.code ?? "")).toEqual({
      overrides: Object.fromEntries(overrides.filter(([, version]) => !version.startsWith("$"))),
    });
  });
});

const SH = (command: string) => ["```sh", command, "```"].join("\n");

/** Wrong code in a page, and the problems that the compiler finds. */
const WRONG_CODE: readonly (readonly [name: string, lines: readonly string[], want: readonly RegExp[]])[] = [
  [
    "a type that does not fit",
    ["# A", "```ts", "", 'const a: number = "";', "```"],
    [/^A.md:4 Type 'string'/],
  ],
  [
    "an export that does not exist",
    ["```ts", 'import { a } from "lockflow";', "```"],
    [/^A.md:2 .*no exported member 'a'/],
  ],
  [
    "an option that does not exist",
    ["```ts", 'import { defineConfig } from "lockflow";', "defineConfig({ brnd: 1 });", "```"],
    [/^A.md:3 .*'brnd'/],
  ],
  [
    "a module that is not generated",
    ["```ts", 'import "./generated/none.js";', 'import { a } from "./generated/none.js";', "```"],
    [/^A.md:2 Cannot find module/, /^A.md:3 Cannot find module/],
  ],
];

/** Wrong pages, and the problems that are found in them. */
const WRONG: typeof WRONG_CODE = [
  ["invalid GraphQL", ["```graphql", "{ a ", "```"], [/^A.md:2 Syntax Error/]],
  [
    "a field that does not exist",
    ["```graphql lockup/subgraph", "{", "  streams { moon }", "}", "```"],
    [/^A.md:3 Cannot query field "moon"/],
  ],
  [
    "a field of the other style",
    ["```graphql lockup/multichain", "{ _meta { block { number } } }", "```"],
    [/^A.md:2 Cannot query field "_meta"/],
  ],
  [
    "a fragment that does not exist",
    ["```graphql flow/subgraph", "{ streams { ...Moon } }", "```"],
    [/^A.md:2 Unknown fragment "Moon"/],
  ],
  [
    "an operation that is not portable",
    ["```graphql lockup/portable", "query A {", "  streams(first: 5000) { id }", "}", "```"],
    [/^A.md:3 .*first/],
  ],
  [
    "a snapshot that does not exist",
    ["```graphql lockup/moon", "{ a }", "```"],
    [/no snapshot "lockup\/moon"/],
  ],
  ["invalid JSON", ["```json", "{ a: 1 }", "```"], [/^A.md:2 /]],
  ["invalid YAML", ["```yaml", "a: b", "c: 'd", "```"], [/^A.md:3 /]],
  ["a script that does not exist", [SH("npm run chekc")], [/^A.md:2 package.json has no script "chekc"/]],
  [
    "a command that does not exist",
    [SH("npm ci\nnpx lockflow chekc")],
    [/^A.md:3 There is no command "chekc"/],
  ],
  [
    "a flag that does not exist",
    [SH("# first\nlockflow check --repair")],
    [/^A.md:3 "lockflow check" has no option "--repair"/],
  ],
  [
    "an unknown flag of a script",
    [SH("npm run introspect -- --speed 1")],
    [/^A.md:2 "lockflow introspect" has no option "--speed"/],
  ],
  [
    "an unknown flag after a line break",
    [SH("npx lockflow sync \\\n  --speed 1")],
    [/^A.md:2 "lockflow sync" has no option "--speed"/],
  ],
  [
    "an unknown command in a pipe",
    [SH("true && KEY=1 lockflow check | lockflow sink 2>&1")],
    [/^A.md:2 There is no command "sink"/],
  ],
  [
    "an unknown command at a prompt",
    ["```console", "$ lockflow none", "lockflow: none of this is run", "```"],
    [/^A.md:2 There is no command "none"/],
  ],
  [
    "an unknown command of a workflow",
    ["```yaml", "steps:", "  - run: npx lockflow none", "```"],
    [/^A.md:3 There is no command "none"/],
  ],
  [
    "an unknown command in text",
    ["Run `npx lockflow none` now, or `npm run none`."],
    [/^A.md:1 There is no command "none"/, /^A.md:1 package.json has no script "none"/],
  ],
  ["a program that is not installed", [SH("npx moonshot")], [/^A.md:2 npx has no "moonshot" here/]],
  ["a file that does not exist", [SH("node bench/none.mjs")], [/^A.md:2 There is no file "bench\/none.mjs"/]],
  ["a link to a missing file", ["", "[a](docs/none.md)"], [/^A.md:2 There is no file "docs\/none.md"/]],
  [
    "a reference link to a missing file",
    ["[a]", "", "[a]: ./none.md"],
    [/^A.md:3 There is no file ".\/none.md"/],
  ],
  [
    "a link to a missing heading",
    ["# One two", "[a](#one-two) [b](#three)"],
    [/^A.md:2 There is no heading "#three"/],
  ],
  ["an unchecked language", ["```rust", "```"], [/^A.md:1 Unchecked language of a block: "rust"/]],
  ["a block without a language", ["```", "a", "```"], [/^A.md:1 Unchecked language of a block: ""/]],
  ["an unclosed block", ["a", "```ts", "const a = 1;"], [/^A.md:2 A block begins here/]],
];

/** Wrong comments of a source without examples of its own, and the problems that are found. */
const WRONG_COMMENTS: readonly (readonly [
  name: string,
  path: string,
  lines: readonly string[],
  want: readonly RegExp[],
])[] = [
  [
    "a type that does not fit",
    "src/base/collections.ts",
    ["/**", " * @example", " * ```ts", ' * const a: number = "";', " * ```", " */"],
    [/^:4 Type 'string'/],
  ],
  [
    "a name that the source does not export",
    "src/base/text.ts",
    ["", "  /**", "   * @example", "   * ```ts", "   * none();", "   * ```", "   */"],
    [/^:5 Cannot find name 'none'/],
  ],
  [
    "an example that is not a block",
    "src/base/hash.ts",
    ["/** Text. */", "/**", " * @example a();", " * @throws Error", " */"],
    [/^:3 An example is code in a block/],
  ],
  [
    "no problem in a valid example",
    "src/base/own-package.ts",
    ["/**", " * @example", " * ```ts", " * VERSION.length;", " * ```", " */", "export const VERSION = 1;"],
    [],
  ],
];

const RIGHT = [
  "# The title, with `code`",
  "[a](#the-title-with-code) [b](package.json) [c](https://example.com/none) ![d](./LICENSE) `[e](none)`",
  "Run `lockflow check`, `lockflow derive --style subgraph`, `lockflow <command> --help` or `npm run build`.",
  "```ts",
  'import { defineConfig } from "lockflow";',
  'import { codegenTargets } from "lockflow/codegen";',
  'import { startEmulator } from "lockflow/emulator";',
  'import { something } from "another-package";',
  'import { RecentStreamsDocument } from "./generated/lockup/subgraph.strings.js";',
  'import { chains } from "../generated/manifest.js";',
  "const id: 1 = chains.ethereum.chainId;",
  "await using emulator = await startEmulator();",
  "something(defineConfig({ brand: RecentStreamsDocument }), codegenTargets(), emulator.url);",
  "```",
  "```js",
  "// rows.mjs",
  "export {};",
  "```",
  "```sh",
  "node --env-file=.env rows.mjs && npx tsx rows.mjs",
  "```",
  "```ts",
  'const id = "the same name in another block";',
  "```",
  "1. In a list:",
  "   ```graphql lockup/subgraph",
  "   query Q { streams(first: 1) { ...StreamFields } }",
  "   fragment Unused on Stream { id }",
  "   ```",
  "```graphql",
  "type Stream @entity { id: String! }",
  "```",
  "```json",
  '{ "scripts": { "indexers": "lockflow check", "old": "lockflow sync" } }',
  "```",
  "```sh",
  "npm ci && npm test # then",
  "npm run indexers -- --config x.json",
  "npm run generate -- --config lockflow.config.ts",
  "npx lockflow derive --style subgraph \\",
  "  entities.graphql > out.graphql",
  'KEY="a b" npx lockflow introspect --environment=production --concurrency 4 2> log.txt',
  "lockflow --version; node dist/cli.js check; npx graphql-codegen",
  "```",
  "````text",
  "```rust",
  "````",
  "```console",
  "$ lockflow check",
  "lockflow prints this",
  "```",
];

const PAGES: Readonly<Record<string, string>> = {
  "RIGHT.md": RIGHT.join("\n"),
  ...Object.fromEntries([...WRONG, ...WRONG_CODE].map(([, lines], at) => [`A${at}.md`, lines.join("\n")])),
};
const SOURCES: Readonly<Record<string, string>> = Object.fromEntries(
  WRONG_COMMENTS.map(([, path, lines]) => [path, lines.join("\n")]),
);

/** Checks all pages at once: a compiler takes as long for one block as for all. */
const problems = once(() => checkDocs({ ...documents(), ...sources(), ...PAGES, ...SOURCES }, IS_THOROUGH));

describe("the check of the documentation", () => {
  it.each(
    [...WRONG, ...(IS_THOROUGH ? WRONG_CODE : [])].map(
      ([name, , want], at) => [name, `A${at}.md:`, want] as const,
    ),
  )("finds %s", (_, page, want) => {
    const found = problems().filter((problem) => problem.startsWith(page));
    expect(found).toHaveLength(want.length);
    for (const [index, pattern] of want.entries()) {
      expect(found[index]?.replace(page, "A.md:")).toMatch(pattern);
    }
  });

  it.runIf(IS_THOROUGH)("finds invalid TypeScript and JavaScript", () => {
    const page = ["```ts", "const a = ;", "```", "```js", "", "const a = ;", "```"].join("\n");
    expect(checkDocs({ "A.md": page }, true)).toEqual([
      expect.stringMatching(/^A.md:2 /),
      expect.stringMatching(/^A.md:6 /),
    ]);
  });

  it.runIf(IS_THOROUGH).each(WRONG_COMMENTS)("finds in the comments of a source %s", (_, path, __, want) => {
    expect(readRepositoryFile(path)).not.toContain("@example");
    const found = problems().filter((problem) => problem.startsWith(`${path}:`));
    expect(found).toHaveLength(want.length);
    for (const [index, pattern] of want.entries()) {
      expect(found[index]?.slice(path.length)).toMatch(pattern);
    }
  });

  it("accepts a valid page", () => {
    expect(problems().filter((problem) => problem.startsWith("RIGHT.md:"))).toEqual([]);
  });
});

/** The Markdown files of the repository. */
function documents(): Record<string, string> {
  const above = [
    ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"],
    ...["packages/graph-node/README.md", "packages/operations/README.md"],
    ...[
      "examples/alerts/README.md",
      "examples/consumer/README.md",
      "examples/merged/README.md",
      "examples/next/README.md",
      "examples/own-protocol/README.md",
    ],
  ].filter((path) => existsSync(join(REPOSITORY, path)));
  const below = existsSync(join(REPOSITORY, "docs")) ? Object.keys(readRepositoryTree("docs")) : [];
  const paths = [...above, ...below.filter((path) => path.endsWith(".md")).map((path) => `docs/${path}`)];
  return Object.fromEntries(paths.map((path) => [path, readRepositoryFile(path)]));
}

/** The sources, whose comments have examples. */
function sources(): Record<string, string> {
  return Object.fromEntries(
    ["src", "emulator"].flatMap((tree) =>
      Object.entries(readRepositoryTree(tree)).map(([path, text]) => [`${tree}/${path}`, text]),
    ),
  );
}
