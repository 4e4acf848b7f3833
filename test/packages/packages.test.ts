import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { html } from "../../src/report/forms/html.ts";
import { json } from "../../src/report/forms/json.ts";
import { PLAIN, report } from "../report/fixtures.ts";
import { clientProject } from "../support/client-project.ts";
import { parseMarkdown } from "../support/docs/parse-markdown.ts";
import {
  copyFromRepository,
  REPOSITORY,
  readGenerated,
  readRepositoryFile,
  readRepositoryTree,
} from "../support/repository.ts";
import { runNode } from "../support/run-process.ts";
import type { Answers } from "./consumer/question.ts";
import { filesBelow, foreignImports } from "./foreign-imports.ts";
import { installGraphql17 } from "./install-graphql-17.ts";
import { installOffline } from "./install-offline.ts";
import { npm, pack, type Tarballs, unpack } from "./pack.ts";

type Release = "graphql 16" | "graphql 17";

/** The newest release requires newer versions of Node than this repository, and has to be downloaded. */
const RELEASES: readonly Release[] = ["graphql 16", "graphql 17"];

let folder: string;
let tarballs: Tarballs;

beforeAll(async () => {
  // The path has spaces, because home folders can have them.
  folder = mkdtempSync(join(tmpdir(), "lockflow packages "));
  tarballs = await pack(folder);
  await Promise.all([
    unpack(tarballs.toolkit, join(folder, "lockflow")),
    unpack(tarballs.client, join(folder, "lockflow-client")),
    unpack(tarballs.operations, join(folder, "lockflow-operations")),
  ]);
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a project with the packages and the named parts of this repository's installation. */
function createProject(
  name: string,
  files: Readonly<Record<string, string>>,
  installed: Readonly<Record<string, string>> = {},
): string {
  const project = join(folder, name);
  for (const [path, content] of Object.entries({ "package.json": '{ "type": "module" }', ...files })) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), content);
  }
  for (const own of ["lockflow", "lockflow-client", "lockflow-operations"]) {
    cpSync(join(folder, own), join(project, "node_modules", own), { recursive: true });
  }
  installOffline(project, { ...Object.fromEntries(INSTALLED.map((name) => [name, name])), ...installed });
  return project;
}

/** The dependencies of an installation. */
const INSTALLED = ["jiti", "ts-morph"];

describe("the packages", () => {
  it("import only their dependencies at run time", () => {
    const { dependencies, peerDependencies } = JSON.parse(readRepositoryFile("package.json"));
    // The declarations import the stock command, if it is installed; jiti is for TypeScript only.
    expect(Object.keys(dependencies)).toEqual(INSTALLED);
    expect(Object.keys(peerDependencies)).toContain("@graphql-codegen/cli");
    expect(foreignImports(join(folder, "lockflow/dist"))).toEqual(["@graphql-codegen/cli", ...INSTALLED]);
  });

  it("have a declaration for every import of a declaration", () => {
    const dist = join(folder, "lockflow/dist");
    const files = filesBelow(dist).filter((path) => path.endsWith(".d.ts"));
    const imported = files.flatMap((path) =>
      [...readFileSync(join(dist, path), "utf8").matchAll(/ from "(\.[^"]+)\.js"/g)].map(([, to = ""]) =>
        posix.join(posix.dirname(path), `${to}.d.ts`),
      ),
    );
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.filter((path) => !files.includes(path))).toEqual([]);
  });

  it("contain the page of a report, the same as from source", async () => {
    const given = report();
    writeFileSync(join(folder, "report.json"), json.render(given, PLAIN));
    const args = [
      join(folder, "lockflow/dist/cli.js"),
      "report",
      "report.json",
      "--report",
      "html=page.html",
    ];
    expect(await runNode(args, { cwd: folder })).toMatchObject({ code: 0, err: "" });
    expect(readFileSync(join(folder, "page.html"), "utf8")).toBe(html.render(given, PLAIN));
  });

  it("have the repository, the home page and the bug tracker", () => {
    const [toolkit, operations] = ["package.json", "packages/operations/package.json"].map((path) =>
      JSON.parse(readRepositoryFile(path)),
    );
    expect(toolkit.repository.url).toMatch(/^git\+https:\/\/[^/]+\/[^/]+\/[^/]+\.git$/);
    const page = toolkit.repository.url.replace(/^git\+|\.git$/g, "");
    expect([toolkit.homepage, toolkit.bugs]).toEqual([`${page}#readme`, `${page}/issues`]);
    expect(operations.repository).toEqual({ ...toolkit.repository, directory: "packages/operations" });
    expect(operations.homepage.startsWith(`${page}/tree/main/packages/operations`)).toBe(true);
    expect(operations.bugs).toBe(toolkit.bugs);
  });

  it("contain every file of the repository that the program reads", async () => {
    const [packed] = JSON.parse(await npm(["pack", "--dry-run", "--json", "--ignore-scripts"], REPOSITORY));
    const held = packed.files.map(({ path }: { readonly path: string }) => path);
    const read = ["packages/client/src", "src/tasks/init/templates", "operations"].flatMap((folder) =>
      Object.keys(readRepositoryTree(folder)).map((path) => `${folder}/${path}`),
    );
    expect(read.length).toBeGreaterThan(50);
    expect(held).toEqual(expect.arrayContaining(["docs/findings.md", ...read]));
  });

  it("are built as the documentation describes", () => {
    const [documented, options] = [
      ...readRepositoryFile("docs/publish.md").matchAll(/^```json\n([\s\S]*?)^```/gm),
    ].map(([, json]) => JSON.parse(json ?? ""));
    const { name, version, scripts, exports, ...shape } = documented;
    // Its main entry exports more than the manifest.
    const { ".": _, ...entries } = exports;
    const own = JSON.parse(readRepositoryFile("packages/operations/package.json"));
    expect(own).toMatchObject({ ...shape, exports: entries });
    const { outDir, ...compiled } = options.compilerOptions;
    const config = JSON.parse(readRepositoryFile("packages/operations/tsconfig.json"));
    expect(config.compilerOptions).toMatchObject(compiled);
    expect([name, version, scripts.prepack, outDir]).toEqual([
      "@acme/indexer-typings",
      "1.0.0",
      "tsc",
      "dist",
    ]);
  });
});

it("the program has the licence of every bundled package", () => {
  const dist = join(folder, "lockflow/dist");
  const code = filesBelow(dist).filter((path) => path.endsWith(".js"));
  const bundled = new Set(
    code.flatMap((path) =>
      [
        ...readFileSync(join(dist, path), "utf8").matchAll(
          /^\/\/ (?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)/gm,
        ),
      ].map(([, name = ""]) => name),
    ),
  );
  expect([...bundled]).toContain("graphql");
  const licenses = readFileSync(join(dist, "THIRD-PARTY-LICENSES.txt"), "utf8");
  const lacking = [...bundled].filter((name) => {
    const { version } = JSON.parse(readRepositoryFile(`node_modules/${name}/package.json`));
    return !licenses.includes(`${name} ${version} (`);
  });
  expect(lacking).toEqual([]);
  expect(licenses.match(/Permission is hereby granted/g)?.length ?? 0).toBeGreaterThan(2);
});

describe("the tarballs", () => {
  it("import nothing at run time but the client, which imports nothing", () => {
    expect(foreignImports(join(folder, "lockflow-client"))).toEqual([]);
    expect(foreignImports(join(folder, "lockflow-operations/dist"))).toEqual(["lockflow-client"]);
  });

  it("contain every generated module, every schema, and every operation unchanged", () => {
    const modules = Object.keys(readGenerated()).filter((path) => path.endsWith(".ts"));
    expect(modules.length).toBeGreaterThan(8);
    const held = filesBelow(join(folder, "lockflow-operations"));
    const built = [...modules, "amounts.ts", "index.ts"].map((path) => `dist/${path.replace(/\.ts$/, "")}`);
    const schemas = Object.keys(readRepositoryTree("generated/schemas")).map((path) => `schemas/${path}`);
    expect(held).toEqual(
      [
        ...built.flatMap((path) => [`${path}.d.ts`, `${path}.js`]),
        ...schemas,
        ...Object.keys(readRepositoryTree("operations")).map((path) => `dist/operations/${path}`),
        ...["LICENSE", "README.md", "package.json"],
      ].sort(),
    );
  });

  it("contain all the code to emit, in the toolkit", () => {
    const emitted = Object.keys(readRepositoryTree("packages/client/src")).sort();
    expect(emitted.length).toBeGreaterThan(15);
    expect(filesBelow(join(folder, "lockflow/packages/client/src"))).toEqual(emitted);
  });

  it.each(["lockflow", "lockflow-client", "lockflow-operations"])("pass publint: %s", async (name) => {
    const { messages, pkg } = await publint({ pkgDir: join(folder, name), strict: true, pack: false });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it.concurrent.each(["toolkit", "client", "operations"] as const)(
    "pass attw, with types for each entry: %s",
    async (name) => {
      // attw does not support patterns as entries.
      const modules = filesBelow(join(folder, "lockflow-operations/dist")).filter((path) =>
        path.endsWith(".js"),
      );
      const entries = modules.map((path) => path.replace(/\.js$/, ""));
      const { code, out, err } = await runNode([
        join(REPOSITORY, "node_modules/@arethetypeswrong/cli/dist/index.js"),
        tarballs[name],
        // CommonJS loads ES modules with `require`: Node supports it since 20.19, attw does not know it.
        ...["--profile", "esm-only", "--no-definitely-typed", "--format", "ascii"],
        ...(name === "operations" ? ["--entrypoints", ".", ...entries] : []),
      ]);
      expect(code, out + err).toBe(0);
    },
  );

  it.each(["lockflow", "lockflow-client", "lockflow-operations"])(
    "have pages whose relative links work: %s",
    (name) => {
      const held = filesBelow(join(folder, name));
      const pages = held.filter((path) => path.endsWith(".md"));
      expect(pages).toContain("README.md");
      const dead = pages.flatMap((path) =>
        parseMarkdown(path, readFileSync(join(folder, name, path), "utf8"))
          .links.filter(({ text }) => !/^([a-z]+:|#)/.test(text))
          .filter(({ text }) => !held.includes(posix.join(posix.dirname(path), text.replace(/#.*/, ""))))
          .map(({ line, text }) => `${path}:${line} ${text}`),
      );
      expect(dead).toEqual([]);
    },
  );

  it("keep the descriptions of the schema in declarations", () => {
    const declarations = readFileSync(join(folder, "lockflow-operations/dist/flow/subgraph.d.ts"), "utf8");
    expect(declarations).toContain("/** addressA adds amountA to the balance. */");
  });
});

const RESOLUTIONS = {
  bundler: { module: "preserve", moduleResolution: "bundler", noEmit: true },
  node16: { module: "node16", noEmit: true },
  nodenext: { module: "nodenext" },
};

type Resolution = keyof typeof RESOLUTIONS;

const RESOLUTION_NAMES = Object.keys(RESOLUTIONS) as Resolution[];

describe("consumers", () => {
  const CLIENTS = [
    "@apollo/client",
    "@tanstack/react-query",
    "@types/react",
    "@urql/core",
    "graphql-request",
  ];
  const projects = new Map<Release, string>();
  const graphqls = new Map<Release, string>();

  beforeAll(async () => {
    const files = Object.fromEntries(
      Object.entries(readRepositoryTree("test/packages/consumer")).map(([path, text]) => [
        `src/${path}`,
        text,
      ]),
    );
    for (const [name, options] of Object.entries(RESOLUTIONS)) {
      files[`tsconfig.${name}.json`] = JSON.stringify({
        compilerOptions: { ...STRICT, ...options, rootDir: "src", outDir: "out" },
        include: ["src"],
        // Under the rules of Node 16, CommonJS can import modules only with `import()`.
        exclude: name === "node16" ? ["src/require.cts"] : [],
      });
    }
    files["src/require.cts"] = [
      'import lockflow = require("lockflow");',
      'import { chains } from "lockflow-operations";',
      'import { HealthDocument } from "lockflow-operations/flow/multichain.strings";',
      "const base: 8453 = chains.base.chainId;",
      "export = [typeof lockflow.startEmulator, base, HealthDocument.slice(0, 12)];",
    ].join("\n");
    files["src/import.cts"] = [
      "export async function load(): Promise<8453> {",
      '  const { chains } = await import("lockflow-operations/manifest");',
      "  return chains.base.chainId;",
      "}",
    ].join("\n");
    const clients = Object.fromEntries([...CLIENTS, "react", "rxjs"].map((name) => [name, name]));
    for (const release of RELEASES) {
      const graphql = release === "graphql 16" ? "graphql" : await installGraphql17(folder);
      if (graphql === null) continue;
      graphqls.set(release, graphql);
      projects.set(release, createProject(`consumer of ${release}`, files, { ...clients, graphql }));
    }
  }, 120_000);

  /** Returns the project with a release of graphql; skips the test if it could not be installed. */
  function projectWith(release: Release, skip: (note: string) => never): string {
    return projects.get(release) ?? skip(`${release} could not be installed: no registry was reached`);
  }

  type Row = readonly [compiler: string, graphql: Release, resolutions: readonly Resolution[]];
  const rows: readonly Row[] = [
    ["typescript", "graphql 16", ["node16"]],
    ["typescript", "graphql 17", ["bundler"]],
    ["typescript-6", "graphql 16", ["bundler"]],
    ["typescript-6", "graphql 17", ["nodenext"]],
    // It resolves in every way with every release of graphql; the older compilers also compile the sources.
    ["typescript-7", "graphql 16", RESOLUTION_NAMES],
    ["typescript-7", "graphql 17", RESOLUTION_NAMES],
  ];

  it.concurrent.for(rows)(
    "compile with %s beside %s",
    { timeout: 120_000 },
    async ([compiler, release, resolutions], { skip }) => {
      const cwd = projectWith(release, skip);
      const program = join(REPOSITORY, "node_modules", compiler, "bin/tsc");
      for (const resolution of resolutions) {
        const result = await runNode([program, "-p", `tsconfig.${resolution}.json`], { cwd });
        expect(result, resolution).toEqual({ code: 0, out: "", err: "" });
      }
    },
  );

  // The default run tests it with the graphql of this repository.
  it("have the types of generated documents beside graphql 17", async ({ skip }) => {
    projectWith("graphql 17", skip);
    const { root } = clientProject(graphqls.get("graphql 17") ?? "");
    const program = join(REPOSITORY, "node_modules/typescript-7/bin/tsc");
    expect(await runNode([program, "-p", root], { cwd: root })).toEqual({ code: 0, out: "", err: "" });
  });

  it.for(RELEASES)("query both styles with every client, beside %s", async (release, { skip }) => {
    const cwd = projectWith(release, skip);
    const { out, err } = await runNode(["--input-type=module", "-e", ASK_ALL], { cwd });
    expect(err).toBe("");
    const answers: Record<string, Answers> = JSON.parse(out);
    const { "plain fetch": plain, "graphql-request": request, ...others } = answers;
    expect(plain?.multichain.length).toBeGreaterThan(0);
    expect(plain?.subgraph.length).toBeGreaterThan(0);
    for (const [client, answer] of Object.entries(others)) expect(answer, client).toEqual(plain);
    // It was called with both surfaces.
    expect(request).toEqual({
      multichain: [...(plain?.multichain ?? []), ...(plain?.multichain ?? [])],
      subgraph: [...(plain?.subgraph ?? []), ...(plain?.subgraph ?? [])],
    });
    expect(Object.keys(others).sort()).toEqual([
      "Apollo Client",
      "TanStack Query",
      "main entry",
      "portable constants",
      "urql",
    ]);
  });

  it("load the packages from CommonJS", async () => {
    const cwd = projects.get("graphql 16") ?? "";
    const script = 'process.stdout.write(JSON.stringify(require("./out/require.cjs")))';
    const { out, err } = await runNode(["-e", script], { cwd });
    expect({ out, err }).toEqual({ out: '["function",8453,"query Health"]', err: "" });
  });
});

const ASK_ALL =
  'import { askAll } from "./out/ask-all.js"; process.stdout.write(JSON.stringify(await askAll()));';

it("the packages serve the query page of the emulator", async () => {
  const script = `
    import { startEmulator } from "lockflow/emulator";
    const emulator = await startEmulator();
    const page = await fetch(emulator.url + "/testing/protocol-lockup-base/graphql");
    process.stdout.write(await page.text());
    await emulator.close();`;
  const cwd = createProject("page", { "ask.mjs": script });
  const { code, out, err } = await runNode(["ask.mjs"], { cwd });
  expect(code, err).toBe(0);
  expect(out).toMatch(/<title>protocol-lockup-base<\/title>[\s\S]*<style>[\s\S]*<script>[\s\S]*runQuery/);
}, 60_000);

describe("the program", () => {
  const configOf = (protocol: "flow" | "lockup") =>
    `import { defineConfig } from "lockflow";\nexport default defineConfig({ protocols: ["${protocol}"] });\n`;
  /** A graphql package that throws when it is loaded. */
  const unusable = (version: string) => ({
    "node_modules/graphql/package.json": JSON.stringify({ name: "graphql", version, main: "index.js" }),
    "node_modules/graphql/index.js": 'throw new Error("the graphql of the project");',
  });

  it.concurrent.each<[string, files: Record<string, string>, below: string]>([
    ["a CommonJS project with graphql 15", { "package.json": "{}", ...unusable("15.10.1") }, "."],
    [
      "a folder of a workspace, without graphql",
      { "package.json": '{ "type": "module", "workspaces": ["apps/*"] }', "apps/one/package.json": "{}" },
      "apps/one",
    ],
  ])("generates in %s", async (name, files, below) => {
    const cwd = join(
      createProject(name, { ...files, [join(below, "lockflow.config.ts")]: configOf("lockup") }),
      below,
    );
    copyInputs("lockup", cwd);
    const program = join(folder, name, "node_modules/lockflow/dist/cli.js");
    const { code, out, err } = await runNode([program, "generate"], { cwd });
    expect({ code, err }, out).toEqual({ code: 0, err: "" });
    const made = readFileSync(join(cwd, "generated/lockup/subgraph.ts"), "utf8");
    expect(made).toBe(readRepositoryFile("generated/lockup/subgraph.ts"));
  });

  // The default run tests it from source.
  it.concurrent("generates the same files with the stock command, which has its own graphql", async () => {
    const config = [
      'import { codegenTargets } from "lockflow/codegen";',
      'export default { generates: codegenTargets({ protocols: ["flow"], styles: ["subgraph"] }) };',
    ].join("\n");
    const project = createProject("two copies", {
      "codegen.mjs": config,
      "lockflow.config.ts": configOf("flow"),
      ...unusable("16.15.0"),
    });
    copyInputs("flow", project);
    const stock = join(REPOSITORY, "node_modules/@graphql-codegen/cli/esm/bin.js");
    const { code, out, err } = await runNode([stock, "--config", "codegen.mjs"], { cwd: project });
    expect(code, `${out}${err}`).toBe(0);
    const made = readFileSync(join(project, "generated/flow/subgraph.ts"), "utf8");
    expect(made).toBe(readRepositoryFile("generated/flow/subgraph.ts"));
  });

  function copyInputs(protocol: "flow" | "lockup", into: string): void {
    copyFromRepository(into, `operations/${protocol}`, `generated/schemas/${protocol}`);
  }
});

const STRICT = {
  target: "es2022",
  lib: ["es2023", "dom"],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
};
