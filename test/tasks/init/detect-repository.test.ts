import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { detectRepository } from "../../../src/tasks/init/detect-repository.ts";
import { tempProject } from "../../support/temp-project.ts";

type Files = Readonly<Record<string, string>>;
type Seen = Partial<Awaited<ReturnType<typeof look>>>;

const pack = (fields: object): Files => ({ "package.json": JSON.stringify(fields) });
const tsconfig = (text = "{}"): Files => ({ "tsconfig.json": text });
const compiled = (options: string) => tsconfig(`{ "compilerOptions": { ${options} } }`);
const NEXT = pack({ dependencies: { next: "16" } });
const TYPESCRIPT = pack({ devDependencies: { typescript: "7" } });

const lookAt = (files: Files) => look(tempProject({ "package.json": '{ "name": "app" }', ...files }).root);

describe("detectRepository", () => {
  it.each<[name: string, files: Files, want: { isBundled: boolean; importExtension: string } | null]>(
    (
      [
        ["its configuration", tsconfig(), "node .js"],
        ["its package", TYPESCRIPT, "node .js"],
        ["a broken configuration", tsconfig("{ // "), "node .js"],
        ["its configuration beside one for JavaScript", { "jsconfig.json": "{}", ...tsconfig() }, "node .js"],
        ["JavaScript that the compiler checks", { "jsconfig.json": "{}", ...TYPESCRIPT }, null],
        [
          "a bundler",
          tsconfig('{ // as Vite writes it\n "compilerOptions": {\n "moduleResolution": "Bundler" } }'),
          "bundler ",
        ],
        [
          "a bundler on one line, after text that looks like a comment",
          tsconfig(
            '{ "include": ["**/*.ts"], "compilerOptions": { "moduleResolution": "bundler", /* a "}" */ } }',
          ),
          "bundler ",
        ],
        ["a bundler by its module setting", compiled('"module": "Preserve"'), "bundler "],
        [
          "a bundler in an extended configuration, by path and by package",
          {
            ...tsconfig('{ "extends": ["@a/b", "./config/base"] }'),
            "config/base.json": '{ "extends": "./tsconfig.json" }',
            "config/tsconfig.json": '{ "compilerOptions": { "moduleResolution": "bundler" } }',
            "node_modules/@a/b/tsconfig.json": '{ "compilerOptions": { "moduleResolution": "nodenext" } }',
          },
          "bundler ",
        ],
        [
          "Node's modules, whatever is extended",
          {
            ...tsconfig('{ "extends": "./tsconfig.json", "compilerOptions": { "module": "NodeNext" } }'),
            ...NEXT,
          },
          "node ",
        ],
        ["Next.js without a module setting", { ...tsconfig(), ...NEXT }, "bundler "],
        [
          "ts-jest in a CommonJS package",
          { ...tsconfig(), ...pack({ devDependencies: { "ts-jest": "29" } }) },
          "node ",
        ],
        [
          "allowImportingTsExtensions, in the first referenced configuration",
          {
            ...tsconfig(
              '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }, { "path": "./b" }] }',
            ),
            "tsconfig.app.json":
              '{ "compilerOptions": { "moduleResolution": "bundler", "allowImportingTsExtensions": true } }',
          },
          "bundler .ts",
        ],
        [
          "webpack in ES modules of Node",
          {
            ...compiled('"module": "nodenext"'),
            ...pack({ type: "module", devDependencies: { webpack: "5" } }),
          },
          "node .js",
        ],
      ] as const
    ).map(([name, files, want]) => {
      const [kind, importExtension = ""] = want?.split(" ") ?? [];
      return [name, files, want && { isBundled: kind === "bundler", importExtension }];
    }),
  )("detects how TypeScript imports by %s", async (_, files, typescript) => {
    expect(await lookAt(files)).toMatchObject({ typescript });
  });

  it.each<[name: string, files: Files, want: Seen]>([
    ["only a package", {}, nothing()],
    ["TypeScript without a bundler", tsconfig(), { modules: "CommonJS" }],
    ["Next.js in TypeScript", { ...tsconfig(), ...NEXT }, { modules: "ES modules" }],
    ["Next.js in JavaScript", NEXT, { modules: "ES modules" }],
    ["ES modules", pack({ type: "module" }), { modules: "ES modules" }],
    ["CommonJS", pack({ type: "commonjs" }), { modules: "CommonJS" }],
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
    ["GitHub by its remote", { ".git/config": "url = git@github.com:a/b.git\n" }, { isOnGithub: true }],
    [
      "another host",
      { ".git/config": "url = https://gitlab.example.com/github.com.git\n" },
      { isOnGithub: false },
    ],
    ["a worktree", { ".git": "gitdir: /elsewhere" }, { isOnGithub: false }],
    ["a configuration for editors", { ".graphqlrc.yml": "schema: a" }, { graphqlConfig: ".graphqlrc.yml" }],
    ["a configuration without an extension", { ".graphqlrc": "schema: a" }, { graphqlConfig: ".graphqlrc" }],
    ["a configuration in package.json", pack({ graphql: {} }), { graphqlConfig: "package.json" }],
    ["a folder of sources", { "src/a.ts": "" }, { hasSourceFolder: true }],
  ])("detects %s", async (_, files, want) => {
    expect(await lookAt(files)).toMatchObject(want);
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

  it.each<[text: string | null, want: RegExp]>([
    [null, /^There is no package.json in .*npm init -y/s],
    ['{ "name": "app", }', /^package.json is not valid JSON: .*Nothing was written/s],
    ["[]", /^package.json is not an object\..*npm init -y/s],
    ['{ "scripts": [] }', /^"scripts" in package.json is not an object\..*Nothing was written/s],
  ])("error: package.json is %s", async (text, want) => {
    const project = tempProject(text === null ? {} : { "package.json": text });
    await expect(look(project.root)).rejects.toMatchObject({
      code: "USAGE",
      message: expect.stringMatching(want),
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
