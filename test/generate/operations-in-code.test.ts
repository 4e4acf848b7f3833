import { describe, expect, it } from "vitest";
import type { Config } from "../../src/project/config.ts";
import { generatedProject } from "../support/generated-project.ts";
import { generateInMemory } from "./in-memory.ts";

const PLAIN = ["src/**/*.{ts,tsx}"];
const SUBGRAPH = "query Recent { streams(first: 3) { id } }";
const MULTICHAIN = "query Recent { Stream(limit: 3) { id } }";
const IN_FILES = { "subgraph/recent.graphql": SUBGRAPH, "multichain/recent.graphql": MULTICHAIN };

type Given = {
  readonly documents?: Config["documents"];
  readonly operations?: Readonly<Record<string, string>>;
  readonly snapshots?: readonly ("multichain" | "subgraph")[];
};

/** Generates for code; a text is that of `src/a.ts`. */
async function generate(
  code: string | Readonly<Record<string, string>>,
  { documents = PLAIN, operations = {}, snapshots }: Given = {},
) {
  const project = generatedProject(operations, undefined, snapshots);
  const files = typeof code === "string" ? { "src/a.ts": code } : code;
  for (const [path, text] of Object.entries(files)) project.write(path, text);
  return generateInMemory(project, { documents });
}

/** Returns the recorded operations of code without errors: `style Name file:line`. */
async function recorded(...given: Parameters<typeof generate>): Promise<string[]> {
  const { errors, texts } = await generate(...given);
  expect(errors).toEqual([]);
  const { operations } = JSON.parse(texts["schemas/operations.json"] ?? "") as {
    operations: { style: string; operation: string; file: string; line: number }[];
  };
  return operations.map(({ style, operation, file, line }) => `${style} ${operation} ${file}:${line}`);
}

describe("operations in code", () => {
  it("are recorded and in the manifest, but are not generated", async () => {
    const code = {
      "src/a.ts": `\nexport const recent = graphql(\`\n  ${SUBGRAPH}\n\`);`,
      "src/deep/b.tsx":
        "gql`query Other { Stream(limit: 3) { ...Parts } } ${PARTS}`; const PARTS = gql`fragment Parts on Stream { id }`;",
    };
    expect(await recorded(code)).toEqual([
      "multichain Other ../src/deep/b.tsx:1",
      "subgraph Recent ../src/a.ts:3",
    ]);
    const { texts } = await generate(code);
    expect(texts["manifest.ts"]).toContain('  subgraph: {\n    Recent: "all",\n  },\n');
    expect(Object.keys(texts)).toEqual(["manifest.ts", "routes.ts", "schemas/operations.json"]);
  });

  it("do not change what is generated from files, can use their fragments, and do not repeat their errors", async () => {
    const operations = { "subgraph/recent.graphql": `${SUBGRAPH} fragment Parts on Stream { alias }` };
    const code = "gql`query More { streams(first: 3) { ...Parts } }`";
    expect(await recorded(code, { operations })).toEqual([
      "subgraph More ../src/a.ts:1",
      "subgraph Recent lockup/subgraph/recent.graphql:1",
    ]);
    const { texts } = await generate(code, { operations });
    expect(texts["lockup/subgraph.ts"]).not.toContain("More");
    expect((await generate("", { operations })).errors).toContainEqual(
      expect.stringMatching(/^operations\/lockup\/subgraph\/recent.graphql:1:52 .*\/unused-fragment\]$/),
    );
    const wrong = {
      "subgraph/a.graphql": operations["subgraph/recent.graphql"].replace("{ id", "{ nothing id"),
    };
    const { errors } = await generate(`gql\`${MULTICHAIN}\``, { operations: wrong });
    expect(errors.filter((error) => error.includes('"nothing"'))).toHaveLength(1);
  });

  it.each<[what: string, code: string, errors: RegExp[]]>([
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
      [/^src\/a\.ts:1:5 .*no mutations\. \[operation\/no-root\]$/],
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
        /^src\/a\.ts:2:30 .*inside.*\[operation\/unreadable\]$/,
        /^src\/a\.ts:1:24 .*\[operation\/unused-fragment\]$/,
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
  ])("error: %s", async (_, code, errors) => {
    expect((await generate(code)).errors).toEqual(errors.map((error) => expect.stringMatching(error)));
  });

  it("error: are in a file that is not read", async () => {
    const code = { "src/a.ts": `gql\`${SUBGRAPH}\``, "src/App.vue": `gql\`${SUBGRAPH}\`` };
    const { errors } = await generate(code, { documents: ["src/**"] });
    expect(errors).toEqual([expect.stringMatching(/^src\/App\.vue:1:null .*\[operation\/unread-file\]$/)]);
  });

  it("error: duplicate the name of an operation in a file of their surface", async () => {
    const { errors } = await generate(`gql\`${SUBGRAPH}\``, { operations: IN_FILES });
    expect(errors).toContainEqual(
      expect.stringMatching(/^src\/a\.ts:1:11 .*Two operations are named "Recent".*\/duplicate-name\]$/),
    );
  });
});

describe("the surface of an operation in code", () => {
  const BOTH = "query Both { _schema: __schema { queryType { name } } }";
  const ONLY_SUBGRAPH = [{ files: PLAIN, style: "subgraph" as const }];

  it.each<[what: string, code: string | Record<string, string>, given: Given, rows: string[]]>([
    ["is the one that accepts it", `gql\`${MULTICHAIN}\``, {}, ["multichain Recent ../src/a.ts:1"]],
    [
      "is every one that accepts it",
      `gql\`${BOTH}\``,
      {},
      ["multichain Both ../src/a.ts:1", "subgraph Both ../src/a.ts:1"],
    ],
    [
      "is not that of a file with its name if another accepts it",
      `gql\`${BOTH}\``,
      { operations: { "subgraph/both.graphql": BOTH } },
      ["multichain Both ../src/a.ts:1", "subgraph Both lockup/subgraph/both.graphql:1"],
    ],
    ["is set by its entry", `gql\`${BOTH}\``, { documents: ONLY_SUBGRAPH }, ["subgraph Both ../src/a.ts:1"]],
    [
      "is set by the last entry",
      `gql\`${BOTH}\``,
      { documents: [...ONLY_SUBGRAPH, { files: "src/*.ts", style: "multichain" }] },
      ["multichain Both ../src/a.ts:1"],
    ],
    [
      "is the one in the name of its module",
      `import { graphql } from "./gql/my-subgraph/index.js"; graphql("${BOTH}")`,
      {},
      ["subgraph Both ../src/a.ts:1"],
    ],
    [
      "is that of the operation that uses it, for a fragment",
      {
        "src/a.ts": "gql`query A { Stream(limit: 3) { ...P } }`",
        "src/b.ts": "gql`fragment P on Stream { id }`",
        "src/c.ts": "gql`query C { streams(first: 3) { ...P } }`",
      },
      {},
      ["multichain A ../src/a.ts:1", "subgraph C ../src/c.ts:1"],
    ],
  ])("%s", async (_, code, given, rows) => {
    expect(await recorded(code, given)).toEqual(rows);
  });

  it.each<[what: string, text: string, hint: string]>([
    [
      "is the nearest one",
      "query A { streams { id alias a b c } }",
      "none of lockup/multichain, lockup/subgraph accepts it; lockup/subgraph is the nearest.",
    ],
    [
      "is one even if every field is unknown",
      "query A { repository { name } }",
      "lockup/multichain is the nearest.",
    ],
  ])("%s, if none accepts it", async (_, text, hint) => {
    expect((await generate(`gql\`${text}\``)).fixes).toContainEqual(expect.stringContaining(hint));
  });

  it("error: is set by its entry, even if another accepts it", async () => {
    const { errors, fixes } = await generate(`gql\`${MULTICHAIN}\``, { documents: ONLY_SUBGRAPH });
    expect(errors).toEqual([expect.stringContaining('Cannot query field "Stream" on type "Query"')]);
    expect(fixes.join()).not.toContain("nearest");
  });

  it("error: has no snapshot", async () => {
    const given = { documents: ONLY_SUBGRAPH, snapshots: ["multichain"] } as const;
    await expect(generate(`gql\`${MULTICHAIN}\``, given)).rejects.toThrow(
      "There is no snapshot of lockup in subgraph style",
    );
  });
});
