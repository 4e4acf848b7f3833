import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { detectRepository } from "../../../src/tasks/init/detect-repository.ts";
import { tempProject } from "../../support/temp-project.ts";

type Seen = Partial<Awaited<ReturnType<typeof look>>>;

describe("detectRepository", () => {
  it.each<[name: string, files: Record<string, string>, want: Seen]>([
    ["only a package", {}, nothing()],
    [
      "TypeScript by its configuration",
      { "tsconfig.json": "{}" },
      { typescript: { isBundled: false, importExtension: ".js" }, modules: "CommonJS" },
    ],
    [
      "a bundler",
      {
        "tsconfig.json": '{ // as Vite writes it\n "compilerOptions": {\n "moduleResolution": "Bundler" } }',
      },
      { typescript: { isBundled: true, importExtension: "" } },
    ],
    [
      "a bundler on one line, after text that looks like a comment",
      {
        "tsconfig.json":
          '{ "include": ["**/*.ts"], "compilerOptions": { "moduleResolution": "bundler", /* a "}" */ } }',
      },
      { typescript: { isBundled: true, importExtension: "" } },
    ],
    [
      "a bundler by its module setting",
      { "tsconfig.json": '{ "compilerOptions": { "module": "Preserve" } }' },
      { typescript: { isBundled: true, importExtension: "" } },
    ],
    [
      "a bundler in an extended configuration, by path and by package",
      {
        "tsconfig.json": '{ "extends": ["@a/b", "./config/base"] }',
        "config/base.json": '{ "extends": "./tsconfig.json" }',
        "config/tsconfig.json": '{ "compilerOptions": { "moduleResolution": "bundler" } }',
        "node_modules/@a/b/tsconfig.json": '{ "compilerOptions": { "moduleResolution": "nodenext" } }',
      },
      { typescript: { isBundled: true, importExtension: "" } },
    ],
    [
      "Node's modules, whatever is extended",
      {
        "tsconfig.json": '{ "extends": "./tsconfig.json", "compilerOptions": { "module": "NodeNext" } }',
        ...pack({ dependencies: { next: "16" } }),
      },
      { typescript: { isBundled: false, importExtension: "" } },
    ],
    [
      "Next.js without a module setting",
      { "tsconfig.json": "{}", ...pack({ dependencies: { next: "16" } }) },
      { typescript: { isBundled: true, importExtension: "" }, modules: "ES modules" },
    ],
    [
      "ts-jest in a CommonJS package",
      { "tsconfig.json": "{}", ...pack({ devDependencies: { "ts-jest": "29" } }) },
      { typescript: { isBundled: false, importExtension: "" } },
    ],
    [
      "allowImportingTsExtensions, in the first referenced configuration",
      {
        "tsconfig.json":
          '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./b" }] }',
        "tsconfig.app.json":
          '{ "compilerOptions": { "moduleResolution": "bundler", "allowImportingTsExtensions": true } }',
      },
      { typescript: { isBundled: true, importExtension: ".ts" } },
    ],
    [
      "webpack in ES modules of Node",
      {
        "tsconfig.json": '{ "compilerOptions": { "module": "nodenext" } }',
        ...pack({ type: "module", devDependencies: { webpack: "5" } }),
      },
      { typescript: { isBundled: false, importExtension: ".js" }, modules: "ES modules" },
    ],
    [
      "JavaScript that the compiler checks",
      { "jsconfig.json": "{}", ...pack({ devDependencies: { typescript: "7" } }) },
      { typescript: null },
    ],
    [
      "TypeScript beside a configuration for JavaScript",
      { "jsconfig.json": "{}", "tsconfig.json": "{}" },
      { typescript: { isBundled: false, importExtension: ".js" } },
    ],
    [
      "a broken configuration",
      { "tsconfig.json": "{ // " },
      { typescript: { isBundled: false, importExtension: ".js" } },
    ],
    [
      "TypeScript by its package",
      pack({ devDependencies: { typescript: "7" } }),
      { typescript: { isBundled: false, importExtension: ".js" } },
    ],
    ["ES modules", pack({ type: "module" }), { modules: "ES modules" }],
    ["CommonJS", pack({ type: "commonjs" }), { modules: "CommonJS" }],
    ["Next.js in JavaScript", pack({ dependencies: { next: "16" } }), { modules: "ES modules" }],
    [
      "graphql-request",
      pack({ dependencies: { "graphql-request": "7", swr: "2" } }),
      { client: "graphql-request" },
    ],
    ["Apollo Client", pack({ dependencies: { "@apollo/client": "4" } }), { client: "@apollo/client" }],
    ["urql", pack({ peerDependencies: { urql: "5" } }), { client: "urql" }],
    [
      "TanStack Query",
      pack({ dependencies: { "@tanstack/vue-query": "5" } }),
      { client: "@tanstack/vue-query" },
    ],
    ["GitHub by its folder", { ".git/config": "", ".github/a": "" }, { isOnGithub: true }],
    [
      "GitHub by its remote",
      { ".git/config": '[remote "origin"]\n\turl = git@github.com:a/b.git\n' },
      { isOnGithub: true },
    ],
    [
      "another host",
      { ".git/config": '[remote "origin"]\n\turl = https://gitlab.example.com/github.com.git\n' },
      { isOnGithub: false },
    ],
    ["a worktree", { ".git": "gitdir: /elsewhere" }, { isOnGithub: false }],
    ["a configuration for editors", { ".graphqlrc.yml": "schema: a" }, { graphqlConfig: ".graphqlrc.yml" }],
    ["a configuration without an extension", { ".graphqlrc": "schema: a" }, { graphqlConfig: ".graphqlrc" }],
    ["a configuration in package.json", pack({ graphql: {} }), { graphqlConfig: "package.json" }],
    ["a folder of sources", { "src/a.ts": "" }, { hasSourceFolder: true }],
  ])("detects %s", async (_, files, want) => {
    const project = tempProject({ "package.json": '{ "name": "app" }', ...files });
    expect(await look(project.root)).toMatchObject(want);
  });

  it("reads the root of a workspace for its packages", async () => {
    const project = tempProject({
      ".git/config": "",
      ".github/a": "",
      "package.json":
        '{ "workspaces": ["packages/*"], "devDependencies": { "typescript": "7", "urql": "5" } }',
      "pnpm-lock.yaml": "",
      "packages/my app/package.json": '{ "name": "app" }',
    });
    const { folder, root, ...seen } = await look(join(project.root, "packages/my app"));
    expect(seen).toMatchObject({
      path: "packages/my app",
      packageManager: "pnpm",
      lockFile: "pnpm-lock.yaml",
      typescript: { isBundled: false, importExtension: ".js" },
      // The client of another package does not count.
      client: "fetch",
      isOnGithub: true,
    });
    expect({ folder, root }).toEqual({ folder: join(project.root, "packages/my app"), root: project.root });
  });

  it("stops at the root of a workspace without git", async () => {
    const project = tempProject({
      "yarn.lock": "",
      "a/package.json": '{ "workspaces": ["b"] }',
      "a/package-lock.json": "",
      "a/b/package.json": "{}",
      "c/package.json": "{}",
    });
    expect(await look(join(project.root, "a/b"))).toMatchObject({ packageManager: "npm", path: "" });
    expect(await look(join(project.root, "c"))).toMatchObject({ packageManager: "npm", lockFile: null });
  });

  it("skips a broken package.json in a parent folder", async () => {
    const project = tempProject({ ".git/config": "", "package.json": "{", "a/package.json": "{}" });
    expect(await look(join(project.root, "a"))).toMatchObject({ path: "a", packageManager: "npm" });
  });

  it.each<[name: string, text: string | null, sentence: string | RegExp, hint: RegExp]>([
    ["no package.json", null, /^There is no package.json in /, /npm init -y/],
    ["broken JSON", '{ "name": "app", }', /^package.json is not valid JSON: /, /Nothing was written/],
    ["a list", "[]", "package.json is not an object.", /npm init -y/],
    [
      "scripts that are not an object",
      '{ "scripts": [] }',
      '"scripts" in package.json is not an object.',
      /Nothing was written/,
    ],
  ])("error: %s", async (_, text, sentence, hint) => {
    const project = tempProject(text === null ? {} : { "package.json": text });
    await expect(look(project.root)).rejects.toMatchObject({
      code: "USAGE",
      sentence: typeof sentence === "string" ? sentence : expect.stringMatching(sentence),
      hint: expect.stringMatching(hint),
    });
  });
});

/** The result in a short form for the tables above. */
async function look(directory: string) {
  const { packageManager, client, graphqlConfig, ...seen } = await detectRepository(directory, undefined);
  return {
    ...seen,
    packageManager: packageManager.name,
    client: client.name,
    graphqlConfig: graphqlConfig?.name ?? null,
  };
}

function pack(fields: Record<string, unknown>): Record<string, string> {
  return { "package.json": JSON.stringify(fields) };
}

function nothing(): Seen {
  return {
    path: "",
    modules: "unknown",
    packageManager: "npm",
    lockFile: null,
    isPinned: false,
    typescript: null,
    hasSourceFolder: false,
    client: "fetch",
    isOnGithub: false,
    graphqlConfig: null,
    envExample: null,
  };
}
