import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commitAll } from "../support/commit-all.ts";
import { generatedProject, snapshotText } from "../support/generated-project.ts";
import { SMALL_ENTITIES } from "../support/indexer-answers.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { run } from "../support/run.ts";
import type { TempProject } from "../support/temp-project.ts";

const PLAIN = ["src/**/*.{ts,tsx}"];
const SUBGRAPH = "query Recent { streams(first: 3) { id } }";
const MULTICHAIN = "query Recent { Stream(limit: 3) { id } }";

type Row = {
  readonly style: string;
  readonly operation: string;
  readonly file: string;
  readonly line: number;
};

/** A project with code, and snapshots of lockup in both styles. */
function projectOf(
  code: Readonly<Record<string, string>>,
  { documents = PLAIN, operations = {} }: { documents?: unknown; operations?: Record<string, string> } = {},
): TempProject {
  const project = generatedProject(operations);
  project.write("lockflow.config.json", JSON.stringify({ protocols: ["lockup"], documents }));
  for (const [path, text] of Object.entries(code)) project.write(path, text);
  return project;
}

/** Returns the findings of a check, with place, message and code. */
async function check(project: TempProject): Promise<string[]> {
  const report = join(project.root, "report.json");
  const { code } = await run(project.root, ["check", "--report", `json=${report}`]);
  const { findings } = JSON.parse(project.read("report.json")) as {
    findings: {
      code: string;
      message: string;
      fix: string;
      place: { file: string; line: number; column: number };
    }[];
  };
  project.remove("report.json");
  expect(code).toBe(findings.length === 0 ? 0 : 1);
  return findings.map(
    ({ place, message, code }) =>
      `${place === null ? "" : `${place.file}:${place.line}:${place.column} `}${message} [${code}]`,
  );
}

async function recorded(project: TempProject): Promise<string[]> {
  expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
  const { operations } = JSON.parse(project.read("generated/schemas/operations.json")) as {
    operations: Row[];
  };
  return operations.map(({ style, operation, file, line }) => `${style} ${operation} ${file}:${line}`);
}

describe("operations in code", () => {
  it("do not repeat the errors of fragments in files", async () => {
    const project = projectOf(
      { "src/a.ts": `export const recent = graphql(\`${SUBGRAPH}\`);` },
      {
        operations: {
          "subgraph/a.graphql":
            "query InFile { streams(first: 1) { ...Parts } } fragment Parts on Stream { nothing }",
        },
      },
    );
    const { err } = await run(project.root, ["generate"]);
    expect(err.match(/"nothing"/g)).toHaveLength(1);
  });

  it("are recorded and in the manifest, but are not generated", async () => {
    const project = projectOf({
      "src/a.ts": `\nexport const recent = graphql(\`\n  ${SUBGRAPH}\n\`);`,
      "src/deep/b.tsx":
        "gql`query Other { Stream(limit: 3) { ...Parts } } ${PARTS}`; const PARTS = gql`fragment Parts on Stream { id }`;",
    });
    expect(await recorded(project)).toEqual([
      "multichain Other ../src/deep/b.tsx:1",
      "subgraph Recent ../src/a.ts:3",
    ]);
    expect(await check(project)).toEqual([]);
    expect(project.read("generated/manifest.ts")).toContain('  subgraph: {\n    Recent: "all",\n  },\n');
    expect(Object.keys(project.files("generated")).filter((path) => path.endsWith(".ts"))).toEqual([
      "generated/manifest.ts",
      "generated/routes.ts",
    ]);
  });

  it("do not change what is generated from files, and can use their fragments", async () => {
    const operations = { "subgraph/recent.graphql": `${SUBGRAPH} fragment Parts on Stream { alias }` };
    const used = "query More { streams(first: 3) { ...Parts } }";
    const project = projectOf({ "src/a.ts": `gql\`${used}\`` }, { operations });
    expect(await recorded(project)).toEqual([
      "subgraph More ../src/a.ts:1",
      "subgraph Recent lockup/subgraph/recent.graphql:1",
    ]);
    expect(project.read("generated/lockup/subgraph.ts")).not.toContain("More");
    expect(await check(project)).toEqual([]);
    project.write("src/a.ts", "");
    expect(await check(project)).toEqual([
      expect.stringMatching(
        /^operations\/lockup\/subgraph\/recent.graphql:1:52 .*\[operation\/unused-fragment\]$/,
      ),
    ]);
  });

  it.each<[what: string, code: string, reported: RegExp[]]>([
    [
      "text that is not GraphQL",
      'graphql("…nonsense…")',
      [/^src\/a\.ts:1:10 Unexpected character: U\+2026\. \[operation\/syntax\]$/],
    ],
    ["an empty document", "gql``", [/^src\/a\.ts:1:5 .*\[operation\/syntax\]$/]],
    [
      "an unknown field",
      "\n  gql`\n  query A {\n    streams { nope }\n}`",
      [/^src\/a\.ts:4:15 Cannot query field "nope" on type "Stream"\. \[operation\/invalid\]$/],
    ],
    [
      "an error in a string with escaped lines",
      'gql("query A {\\n  streams {\\n\\"\\"")',
      [/^src\/a\.ts:1:30 Expected Name, found String .*\[operation\/syntax\]$/],
    ],
    [
      "a mutation",
      "gql`mutation A { streams { id } }`",
      [/^src\/a\.ts:1:5 .*has no mutations\. \[operation\/no-root\]$/],
    ],
    ["a type", "gql`type A { a: Int }`", [/^src\/a\.ts:1:5 .*\[operation\/not-executable\]$/]],
    ["an anonymous operation", "gql`{ streams { id } }`", [/^src\/a\.ts:1:5 .*\[operation\/anonymous\]$/]],
    [
      "an unused fragment",
      "gql`fragment A on Stream { id }`",
      [/^src\/a\.ts:1:14 .*\[operation\/unused-fragment\]$/],
    ],
    [
      "an unknown fragment",
      "gql`query A { streams { ...None } }`",
      [/^src\/a\.ts:1:28 Unknown fragment "None"\. \[operation\/invalid\]$/],
    ],
    [
      "an interpolation",
      "gql`query A { streams { ${id} } }`",
      [/^src\/a\.ts:1:25 .*\[operation\/unreadable\]$/],
    ],
    [
      "an interpolated document whose file is not read",
      'import { P } from "parts";\ngql`query A { streams { ...P } } ${P}`',
      [/^src\/a\.ts:2:28 Unknown fragment "P"\. \[operation\/invalid\]$/],
    ],
    [
      "an interpolated document within another",
      "const P = gql`fragment P on Stream { id }`;\ngql`query A { streams { ...P ${P} } }`",
      [
        /^src\/a\.ts:1:24 .*\[operation\/unused-fragment\]$/,
        /^src\/a\.ts:2:30 .*inside.*\[operation\/unreadable\]$/,
      ],
    ],
    [
      "a duplicate name",
      `gql\`${SUBGRAPH}\`;\ngql\`${SUBGRAPH}\``,
      [/^src\/a\.ts:2:11 .*Two operations are named "Recent".*\[operation\/duplicate-name\]$/],
    ],
    [
      "a syntax error",
      "const = 1; gql`",
      [
        /^src\/a\.ts:1:7 The file cannot be parsed: .*\[operation\/unreadable\]$/,
        /^src\/a\.ts:1:16 Unexpected <EOF>\. \[operation\/syntax\]$/,
      ],
    ],
  ])("error: %s", async (_, code, reported) => {
    expect(await check(projectOf({ "src/a.ts": code }))).toEqual(
      reported.map((one) => expect.stringMatching(one)),
    );
  });

  it("error: duplicate the name of an operation in a file of their surface", async () => {
    const operations = { "subgraph/recent.graphql": SUBGRAPH, "multichain/recent.graphql": MULTICHAIN };
    const project = projectOf({ "src/a.ts": `gql\`${SUBGRAPH}\`` }, { operations });
    expect(await check(project)).toContainEqual(
      expect.stringMatching(
        /^src\/a\.ts:1:11 .*Two operations are named "Recent".*\[operation\/duplicate-name\]$/,
      ),
    );
  });

  it("are an error in `generate`, which then writes nothing", async () => {
    const project = projectOf({ "src/a.ts": "gql`query A { nope }`" });
    const before = project.files();
    const { code, err } = await run(project.root, ["generate"]);
    expect(code).toBe(1);
    expect(err).toContain("src/a.ts:1:15");
    expect(project.files()).toEqual(before);
  });

  it("belong to their surfaces in a run with --style, too", async () => {
    const operations = { "subgraph/recent.graphql": SUBGRAPH, "multichain/recent.graphql": MULTICHAIN };
    const project = projectOf({ "src/a.ts": "gql`query More { Stream(limit: 3) { id } }`" }, { operations });
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    const before = project.files("generated");
    expect(await run(project.root, ["generate", "--style", "subgraph"])).toMatchObject({ code: 0, err: "" });
    expect(project.files("generated")).toEqual(before);
    project.write("src/a.ts", "gql`query More { Stream(limit: 3) { nope } }`");
    const { code, err } = await run(project.root, ["generate", "--style", "subgraph"]);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining("manifest.ts") });
    expect((await run(project.root, ["generate", "--style", "multichain"])).code).toBe(1);
  });

  it.runIf(IS_THOROUGH)("have findings for changes since a ref", async () => {
    const asked = "query Recent {\n  streams(first: 3) { depositAmount }\n}";
    const project = projectOf({ "src/a.ts": `\n  gql\`${asked}\`` });
    expect((await run(project.root, ["generate"])).code).toBe(0);
    commitAll(project, "main");
    const changed = SMALL_ENTITIES.replace("depositAmount: BigInt!", "depositAmount: BigInt");
    project.write("generated/schemas/lockup/subgraph.graphql", snapshotText("subgraph", changed));
    await run(project.root, ["check", "--against", "HEAD", "--report", "json=report.json"]);
    const { findings, operations } = JSON.parse(project.read("report.json")) as {
      findings: { code: string; operations: object[] }[];
      operations: object[];
    };
    expect(operations).toMatchObject([
      { name: "Recent", style: "subgraph", file: "src/a.ts", line: 2, impact: "changes-type" },
    ]);
    expect(findings.flatMap((finding) => finding.operations)).toMatchObject([
      { name: "Recent", file: "src/a.ts", line: 3, column: 23 },
    ]);
  });
});

describe("the surface of an operation in code", () => {
  const BOTH = "query Both { _schema: __schema { queryType { name } } }";

  it.each<[what: string, code: Record<string, string>, documents: unknown, rows: string[]]>([
    [
      "is the one that accepts it",
      { "src/a.ts": `gql\`${MULTICHAIN}\`` },
      PLAIN,
      ["multichain Recent ../src/a.ts:1"],
    ],
    [
      "is every one that accepts it",
      { "src/a.ts": `gql\`${BOTH}\`` },
      PLAIN,
      ["multichain Both ../src/a.ts:1", "subgraph Both ../src/a.ts:1"],
    ],
    [
      "is set by its entry",
      { "src/a.ts": `gql\`${BOTH}\`` },
      [{ files: PLAIN, style: "subgraph" }],
      ["subgraph Both ../src/a.ts:1"],
    ],
    [
      "is set by the last entry",
      { "src/a.ts": `gql\`${BOTH}\`` },
      [
        { files: PLAIN, style: "subgraph" },
        { files: "src/*.ts", style: "multichain" },
      ],
      ["multichain Both ../src/a.ts:1"],
    ],
    [
      "is the one in the name of its module",
      { "src/a.ts": `import { graphql } from "./gql/my-subgraph/index.js"; graphql("${BOTH}")` },
      PLAIN,
      ["subgraph Both ../src/a.ts:1"],
    ],
    [
      "is that of the operation that uses it, for a fragment",
      {
        "src/a.ts": "gql`query A { Stream(limit: 3) { ...P } }`",
        "src/b.ts": "gql`fragment P on Stream { id }`",
        "src/c.ts": "gql`query C { streams(first: 3) { ...P } }`",
      },
      PLAIN,
      ["multichain A ../src/a.ts:1", "subgraph C ../src/c.ts:1"],
    ],
  ])("%s", async (_, code, documents, rows) => {
    const project = projectOf(code, { documents });
    expect(await recorded(project)).toEqual(rows);
    expect(await check(project)).toEqual([]);
  });

  it("is not that of a file with its name if another accepts it", async () => {
    const operations = { "subgraph/both.graphql": BOTH };
    const project = projectOf({ "src/a.ts": `gql\`${BOTH}\`` }, { operations });
    expect(await recorded(project)).toEqual([
      "multichain Both ../src/a.ts:1",
      "subgraph Both lockup/subgraph/both.graphql:1",
    ]);
  });

  it.each<[what: string, text: string, documents: unknown, hint: string]>([
    [
      "is the nearest one",
      "query A { streams { id alias a b c } }",
      PLAIN,
      "none of lockup/multichain, lockup/subgraph accepts it; lockup/subgraph is the nearest.",
    ],
    [
      "is reported even if every field is unknown",
      "query A { repository { name } }",
      PLAIN,
      "lockup/multichain is the nearest.",
    ],
  ])("%s, if none accepts it", async (_, text, documents, hint) => {
    const project = projectOf({ "src/a.ts": `gql\`${text}\`` }, { documents });
    const { code, out } = await run(project.root, ["check"]);
    expect(code).toBe(1);
    expect(out).toContain(hint);
  });

  it("error: is set by its entry, even if another accepts it", async () => {
    const project = projectOf(
      { "src/a.ts": `gql\`${MULTICHAIN}\`` },
      { documents: [{ files: PLAIN, style: "subgraph" }] },
    );
    const { out } = await run(project.root, ["check"]);
    expect(out).toContain('Cannot query field "Stream" on type "Query"');
    expect(out).not.toContain("nearest");
  });

  it("error: has no snapshot", async () => {
    const project = projectOf(
      { "src/a.ts": `gql\`${MULTICHAIN}\`` },
      { documents: [{ files: PLAIN, style: "subgraph" }] },
    );
    project.remove("generated/schemas/lockup/subgraph.graphql");
    const { code, err } = await run(project.root, ["check"]);
    expect(code).toBe(2);
    expect(err).toContain("There is no snapshot of lockup in subgraph style");
  });
});

describe("the files of `documents`", () => {
  const WRONG = "gql`query A { nope }`";

  it.each<[what: string, path: string]>([
    ["of a package", "src/node_modules/p/a.ts"],
    ["of a tool", "src/.cache/a.ts"],
    ["that are generated", "generated/lockup/old/a.ts"],
    ["that are excluded", "src/a.test.ts"],
    ["that are excluded by their entry", "lib/old/a.ts"],
    ["that are not code", "src/a.css"],
    ["that no pattern matches", "tools/a.ts"],
  ])("exclude files %s", async (_, path) => {
    const documents = ["src/**", "generated/**", "!**/*.test.ts", { files: ["lib/**/*.ts", "!lib/old/**"] }];
    const files = { "src/x.ts": `gql\`${SUBGRAPH}\``, "lib/x.ts": "", "generated/b/x.ts": "" };
    const found = await check(projectOf({ ...files, [path]: WRONG }, { documents }));
    expect(found.filter((one) => one.includes("nope"))).toEqual([]);
  });

  it.each([".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"])(
    "include files that end in %s",
    async (ending) => {
      const found = await check(projectOf({ [`src/a${ending}`]: WRONG }, { documents: ["./src/*"] }));
      expect(found).toContainEqual(expect.stringMatching(/^src\/a\.\w+:1:15 Cannot query field "nope"/));
    },
  );

  it("error: match nothing", async () => {
    const found = await check(projectOf({ "src/a.css": "" }, { documents: ["src/**/*", "lib/*.ts"] }));
    expect(found.slice(0, 2)).toEqual([
      'The pattern "lib/*.ts" of `documents` matches no TypeScript or JavaScript file. [operation/no-code]',
      'The pattern "src/**/*" of `documents` matches no TypeScript or JavaScript file. [operation/no-code]',
    ]);
  });

  describe("that are not read", () => {
    const QUERY = `gql\`${SUBGRAPH}\``;
    const CODE = { "src/x.ts": QUERY };

    it.each<[pattern: string, names: string]>([
      ["src/**/*.vue", ".vue"],
      ["src/**/*.{ts,svelte,tsx,astro}", ".astro, .svelte"],
      ["src/**/*.{ts,{mdx,js}}", ".mdx"],
      ["src/**/*.@(ts|vue)", ".vue"],
      ["src/**/*.?(c)vue", ".cvue, .vue"],
      ["src/**/{x.ts,App.vue}", ".vue"],
      ["src/**/*.{graphql,ts}", ".graphql"],
    ])("error: the pattern %s names them", async (pattern, names) => {
      const findings = await check(
        projectOf({ ...CODE, "src/App.vue": QUERY }, { documents: [pattern, "src/*.ts"] }),
      );
      const unread = findings.filter((one) => /operation\/(unread-file|no-code)/.test(one));
      expect(unread).toEqual([
        `The pattern "${pattern}" of \`documents\` names ${names} files, but only TypeScript and JavaScript files are read. [operation/unread-file]`,
      ]);
    });

    it.each([
      "src/**/*.[jt]s",
      "src/**/*.?(c)ts",
      "src/**/*.ts?(x)",
      "src/**/*.*",
      "src/**/*.!(css)",
      "src/**",
    ])("are not named by the pattern %s", async (pattern) => {
      const files = { ...CODE, "src/a.css": QUERY, "src/a.png": QUERY, "src/App.vue": "<template />" };
      const documents = [pattern, "!**/*.md"];
      expect((await check(projectOf(files, { documents }))).join("\n")).not.toMatch(/unread-file|no-code/);
    });

    it.each<[given: string, text: string, isFound: boolean]>([
      ["a template", "<script>\nconst A = gql`\n  query A { a }\n`;\n</script>\n", true],
      ["a template with a type", "x = graphql<A, B> `query A { a }`", true],
      ["a call", 'graphql("query A { a }")', true],
      ["a call with a comment", "graphql(\n  /* GraphQL */ `query A { a }`)", true],
      ["the name in text", "Write `graphql`, or graphql (as a call), with gql's names.", false],
      ["another name", "mygql`query A { a }`", false],
    ])("are an error if a pattern without an extension matches one with %s", async (_, text, isFound) => {
      for (const name of ["App.vue", "a.svelte", "b.astro", "c.mdx", "d.gts"]) {
        const documents = ["src/**/*", "!src/**/*.stories.*"];
        const project = projectOf(
          { ...CODE, [`src/${name}`]: text, "src/b.stories.mdx": text },
          { documents },
        );
        const found = (await check(project)).filter((one) => one.includes("unread-file"));
        const line = text.split("\n").findIndex((one) => /g(raph)?ql/.test(one)) + 1;
        const want = `src/${name}:${line}:null The file has a document and matches "src/**/*" of \`documents\`, but only TypeScript and JavaScript files are read. [operation/unread-file]`;
        expect(found).toEqual(isFound ? [want] : []);
      }
    });

    it("are named if a pattern matches no other files", async () => {
      const files = { "src/App.vue": "<template />", "src/a.css": "", "lib/x.ts": QUERY };
      const found = await check(projectOf(files, { documents: ["src/**/*", "lib/**"] }));
      expect(found).toContain(
        'The pattern "src/**/*" of `documents` matches no TypeScript or JavaScript file, only src/App.vue. [operation/no-code]',
      );
    });

    it("stop generate, too", async () => {
      const project = projectOf({ ...CODE, "src/App.vue": QUERY }, { documents: ["src/**"] });
      const { code, err } = await run(project.root, ["generate"]);
      expect(code).toBe(1);
      expect(err).toContain("src/App.vue:1");
    });
  });

  it("are read once through links, and not through broken links or links out of the project", async () => {
    const project = projectOf({
      "src/z/a.ts": `gql\`${SUBGRAPH}\``,
      "shared/b.ts": "gql`query B { Stream(limit: 3) { id } }`",
      "node_modules/p/c.ts": WRONG,
    });
    const outside = projectOf({ "d.ts": WRONG });
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
    expect(await recorded(project)).toEqual([
      "multichain B ../src/links/shared/b.ts:1",
      "subgraph Recent ../src/z/a.ts:1",
    ]);
  });
});
