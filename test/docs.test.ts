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
    expect(allProblems().filter((problem) => !made.includes(problem.replace(/:.*/s, "")))).toEqual([]);
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

const block = (language: string, ...lines: readonly string[]) =>
  [`\`\`\`${language}`, ...lines, "```"].join("\n");
const SH = (command: string) => block("sh", command);

/** Wrong text, with marks at the places of its problems, and the problems. */
type Wrong = readonly [text: string, ...problems: readonly RegExp[]];

/** Wrong code, which the compiler finds. */
const WRONG_CODE: readonly Wrong[] = [
  [`# A\n${block("ts", "", '¦const a: number = "";')}`, /Type 'string'/],
  [block("ts", '¦import { a } from "lockflow";'), /no exported member 'a'/],
  [block("ts", 'import { defineConfig } from "lockflow";', "¦defineConfig({ brnd: 1 });"), /'brnd'/],
  [
    block("ts", '¦import "./generated/none.js";', '¦import { a } from "./generated/none.js";'),
    ...[/Cannot find module/, /Cannot find module/],
  ],
];

const WRONG: readonly Wrong[] = [
  [block("graphql", "¦{ a "), /Syntax Error/],
  [block("graphql lockup/subgraph", "{", "¦  streams { moon }", "}"), /Cannot query field "moon"/],
  [block("graphql lockup/multichain", "¦{ _meta { block { number } } }"), /Cannot query field "_meta"/],
  [block("graphql flow/subgraph", "¦{ streams { ...Moon } }"), /Unknown fragment "Moon"/],
  [block("graphql lockup/portable", "query A {", "¦  streams(first: 5000) { id }", "}"), /first/],
  [block("graphql lockup/moon", "{ a }"), /no snapshot "lockup\/moon"/],
  [block("json", "¦{ a: 1 }"), /./],
  [block("yaml", "a: b", "¦c: 'd"), /./],
  [SH("¦npm run chekc"), /package.json has no script "chekc"/],
  [SH("npm ci\n¦npx lockflow chekc"), /There is no command "chekc"/],
  [SH("# first\n¦lockflow check --repair"), /"lockflow check" has no option "--repair"/],
  [SH("¦npm run introspect -- --speed 1"), /introspect" has no option "--speed"/],
  [SH("¦npx lockflow sync \\\n  --speed 1"), /sync" has no option "--speed"/],
  [SH("¦true && KEY=1 lockflow check | lockflow sink 2>&1"), /no command "sink"/],
  [block("console", "¦$ lockflow none", "lockflow: none"), /no command "none"/],
  [block("yaml", "steps:", "¦  - run: npx lockflow none"), /no command "none"/],
  [
    "¦Run `npx lockflow none` now, or ¦`npm run none`.",
    ...[/There is no command "none"/, /package.json has no script "none"/],
  ],
  [SH("¦npx moonshot"), /npx has no "moonshot" here/],
  [SH("¦node bench/none.mjs"), /There is no file "bench\/none.mjs"/],
  ["\n¦[a](docs/none.md)", /There is no file "docs\/none.md"/],
  ["[a]\n\n¦[a]: ./none.md", /There is no file ".\/none.md"/],
  ["# One two\n¦[a](#one-two) [b](#three)", /There is no heading "#three"/],
  ["¦```rust\n```", /Unchecked language of a block: "rust"/],
  ["¦```\na\n```", /Unchecked language of a block: ""/],
  ["a\n¦```ts\nconst a = 1;", /A block begins here/],
];

/** Wrong comments of a source without examples of its own. */
const WRONG_COMMENTS: readonly (readonly [path: string, ...wrong: Wrong])[] = [
  [
    "src/base/collections.ts",
    '/**\n * @example\n * ```ts\n¦ * const a: number = "";\n * ```\n */',
    /Type 'string'/,
  ],
  [
    "src/base/text.ts",
    "\n  /**\n   * @example\n   * ```ts\n¦   * none();\n   * ```\n   */",
    /Cannot find name 'none'/,
  ],
  [
    "src/base/hash.ts",
    "/** Text. */\n/**\n¦ * @example a();\n * @throws Error\n */",
    /An example is code in a block/,
  ],
  [
    "src/base/own-package.ts",
    "/**\n * @example\n * ```ts\n * VERSION.length;\n * ```\n */\nexport const VERSION = 1;",
  ],
];

/** Requires exactly the problems of a text at its marks. */
function expectProblems(path: string, text: string, problems: readonly RegExp[]): void {
  const lines = text
    .split("¦")
    .slice(0, -1)
    .map(
      (_, at, parts) =>
        parts
          .slice(0, at + 1)
          .join("")
          .split("\n").length,
    );
  const found = allProblems().filter((problem) => problem.startsWith(`${path}:`));
  expect(found).toHaveLength(problems.length);
  for (const [index, pattern] of problems.entries()) {
    expect(found[index]).toMatch(pattern);
    if (lines[index] !== undefined) expect(found[index]).toContain(`${path}:${lines[index]} `);
  }
}

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
  ...Object.fromEntries(
    [...WRONG, ...WRONG_CODE].map(([text], at) => [`A${at}.md`, text.replaceAll("¦", "")]),
  ),
};
const SOURCES: Readonly<Record<string, string>> = Object.fromEntries(
  WRONG_COMMENTS.map(([path, text]) => [path, text.replaceAll("¦", "")]),
);

/** Checks all pages at once: a compiler takes as long for one block as for all. */
const allProblems = once(() =>
  checkDocs({ ...documents(), ...sources(), ...PAGES, ...SOURCES }, IS_THOROUGH),
);

describe("the check of the documentation", () => {
  it.each(
    [...WRONG, ...(IS_THOROUGH ? WRONG_CODE : [])].map(
      ([text, ...problems], at) => [problems, text, `A${at}.md`] as const,
    ),
  )("finds %s in %j", (problems, text, page) => expectProblems(page, text, problems));

  it.runIf(IS_THOROUGH)("finds invalid TypeScript and JavaScript", () => {
    const page = `${block("ts", "const a = ;")}\n${block("js", "", "const a = ;")}`;
    expect(checkDocs({ "A.md": page }, true)).toEqual([
      expect.stringMatching(/^A.md:2 /),
      expect.stringMatching(/^A.md:6 /),
    ]);
  });

  it
    .runIf(IS_THOROUGH)
    .each(WRONG_COMMENTS.map(([path, text, ...problems]) => [path, problems, text] as const))(
    "finds in the comments of %s %s",
    (path, problems, text) => {
      expect(readRepositoryFile(path)).not.toContain("@example");
      expectProblems(path, text, problems);
    },
  );

  it("accepts a valid page", () => {
    expect(allProblems().filter((problem) => problem.startsWith("RIGHT.md:"))).toEqual([]);
  });
});

/** The Markdown files of the repository. */
function documents(): Record<string, string> {
  const above = [
    ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"],
    ...["packages/graph-node/README.md", "packages/operations/README.md"],
    ...["alerts", "consumer", "merged", "next", "own-protocol"].map((name) => `examples/${name}/README.md`),
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
