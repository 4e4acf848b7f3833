import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { VERSION } from "../../../src/base/own-package.ts";
import type { CheckResult } from "../../../src/tasks/doctor/context.ts";
import {
  checkClient,
  checkCodegen,
  checkGraphql,
  checkModules,
  checkNode,
  checkPackages,
  checkTypescript,
} from "../../../src/tasks/doctor/tools.ts";
import { PACKAGE_MANAGERS } from "../../../src/workspace/package-manager.ts";
import { tempProject } from "../../support/temp-project.ts";
import { contextOf, projectContextOf } from "./context-of.ts";

/** The package.json of an installed package; a name that starts with `/` is a path from the root. */
function installed(name: string, version: string, more: object = {}): Record<string, string> {
  const folder = name.startsWith("/") ? name.slice(1) : `node_modules/${name}`;
  return { [`${folder}/package.json`]: JSON.stringify({ name, version, ...more }) };
}

const packageOf = (files: Readonly<Record<string, string>>) =>
  contextOf(tempProject({ "package.json": "{}", ...files }));

it.each<[node: string | undefined, status: string, sentence: string]>([
  ["20.19.0", "ok", "Node 20.19.0 is supported."],
  ["20.18.3", "problem", "Node 20.18.3 is too old: Lockflow needs 20.19 or newer."],
  ["18.20.8", "problem", "Node 18.20.8 is too old: Lockflow needs 20.19 or newer."],
  [undefined, "skipped", "The version of Node is not known."],
])("checkNode: %s → %s", (node, status, sentence) => {
  expect(checkNode({ node })).toMatchObject([{ status, sentence }]);
});

it.each<[what: string, files: Record<string, string>, want: object]>([
  ["installed", installed("lockflow-client", VERSION), { status: "ok" }],
  [
    "missing",
    {},
    {
      status: "problem",
      sentence: "lockflow-client is not installed, but generated modules import it.",
      fix: "npm install lockflow-client@^0.1.0",
    },
  ],
  [
    "of another minor version",
    installed("lockflow-client", "0.2.0"),
    {
      status: "problem",
      sentence: "lockflow-client 0.2.0 is installed, but the generated files need ^0.1.0.",
      fix: "npm install lockflow-client@^0.1.0",
    },
  ],
])("checkClient: %s", async (_, files, want) => {
  const project = tempProject({
    "package.json": "{}",
    "lockflow.config.json": "{}",
    "generated/manifest.ts": "",
    ...files,
  });
  expect(await checkClient(await projectContextOf(project))).toMatchObject([want]);
});

it("checkClient requires no package if the run time is emitted", async () => {
  const project = tempProject({ "package.json": "{}", "lockflow.config.json": '{ "runtime": "emit" }' });
  expect(await checkClient(await projectContextOf(project))).toEqual([]);
});

describe("checkPackages", () => {
  it.each<[name: string, files: Record<string, string>, status: string, sentence: string | RegExp]>([
    [
      "lock files of two package managers",
      { "package-lock.json": "", "yarn.lock": "" },
      "warning",
      /package-lock\.json, yarn\.lock/,
    ],
    ["one lock file", { "yarn.lock": "" }, "ok", "npm installs the packages in yarn.lock."],
    ["no lock file", {}, "ok", "npm installs the packages."],
    ["a broken package.json", { "package.json": "{" }, "ok", "npm installs the packages."],
  ])("%s", async (_, files, status, sentence) => {
    expect(checkPackages(await packageOf(files))).toMatchObject([
      { status, sentence: typeof sentence === "string" ? sentence : expect.stringMatching(sentence) },
    ]);
  });

  it("names the lock file and the commands of the package manager", async () => {
    const context = { ...(await packageOf({ "pnpm-lock.yaml": "" })), packageManager: PACKAGE_MANAGERS.pnpm };
    expect(checkPackages(context)).toMatchObject([
      { sentence: "pnpm installs the packages in pnpm-lock.yaml." },
    ]);
    const names = [...context.names, "yarn.lock"];
    expect(checkPackages({ ...context, names })).toMatchObject([
      { fix: "delete the unused ones, and run pnpm install" },
    ]);
  });

  it("skips a folder without package.json", async () => {
    expect(checkPackages(await contextOf(tempProject()))).toMatchObject([{ status: "skipped" }]);
  });
});

it.each<[name: string, files: Record<string, string>, want: Partial<CheckResult>[]]>([
  ["no configuration of it", {}, []],
  [
    "only its configuration",
    { "codegen.ts": "" },
    [{ status: "problem", fix: "npm install --save-dev @graphql-codegen/cli graphql" }],
  ],
  [
    "only graphql",
    { "codegen.json": "", ...installed("graphql", "16.15.0") },
    [{ status: "problem", fix: "npm install --save-dev @graphql-codegen/cli" }],
  ],
  [
    "all packages",
    { "codegen.yml": "", ...installed("graphql", "16.15.0"), ...installed("@graphql-codegen/cli", "7.0.0") },
    [{ status: "ok" }],
  ],
  ["archives of Plug'n'Play", { "codegen.ts": "", ".pnp.cjs": "" }, []],
])("checkCodegen: %s", async (_, files, want) => {
  const found = await checkCodegen(await packageOf(files));
  expect(found).toHaveLength(want.length);
  expect(found).toMatchObject(want);
});

it.each<[version: string | null, want: Partial<CheckResult>[]]>([
  [null, []],
  ["7.0.2", [{ status: "ok", sentence: "TypeScript 7.0.2 is installed." }]],
  ["5.0.0", [{ status: "ok" }]],
  ["4.9.5", [{ status: "warning", fix: "npm install --save-dev typescript@latest" }]],
])("checkTypescript: %s", async (version, want) => {
  const files = version === null ? {} : installed("typescript", version);
  const found = await checkTypescript(await packageOf(files));
  expect(found).toHaveLength(want.length);
  expect(found).toMatchObject(want);
});

describe("checkGraphql", () => {
  it.each<
    [name: string, files: Record<string, string>, status: string, sentence: RegExp, fix: RegExp | null]
  >([
    ["none", {}, "ok", /does not install graphql/, null],
    [
      "one copy",
      installed("graphql", "16.15.0"),
      "ok",
      /^graphql 16\.15\.0 is installed, in one copy\.$/,
      null,
    ],
    ["the next major", installed("graphql", "17.1.0"), "ok", /in one copy/, null],
    [
      "15",
      installed("graphql", "15.8.0"),
      "problem",
      /^graphql 15\.8\.0 is installed, but Lockflow/,
      /^npm install --save-dev graphql@16$/,
    ],
    ["an old 16", installed("graphql", "16.10.0"), "problem", /16\.10\.0/, /graphql@16/],
    [
      "one without a version",
      { "node_modules/graphql/package.json": "{}" },
      "problem",
      /^graphql unknown/,
      /graphql@16/,
    ],
    [
      "a broken package.json",
      { "node_modules/graphql/package.json": "{" },
      "ok",
      /does not install graphql/,
      null,
    ],
    [
      "two copies",
      {
        "package.json": '{ "dependencies": { "a-client": "1", "b-client": "1", "unrelated": "1" } }',
        ...installed("graphql", "16.15.0"),
        ...installed("a-client", "1.0.0", { peerDependencies: { graphql: "*" } }),
        ...installed("b-client", "1.0.0", { dependencies: { graphql: "*" } }),
        ...installed("b-client/node_modules/graphql", "15.9.0"),
        ...installed("unrelated", "1.0.0"),
        ...installed("unrelated/node_modules/graphql", "14.0.0"),
      },
      "warning",
      /the project has 16\.15\.0, b-client uses 15\.9\.0 in node_modules\/b-client\/node_modules\/graphql\. /,
      /^install one version/,
    ],
    ["archives", { ".pnp.cjs": "" }, "skipped", /Plug'n'Play/, null],
  ])("%s", async (_, files, status, sentence, fix) => {
    const [result, ...more] = await checkGraphql(await packageOf(files));
    expect(more).toEqual([]);
    expect(result).toMatchObject({ status, sentence: expect.stringMatching(sentence) });
    if (fix === null) expect(result?.fix).toBeNull();
    else expect(result?.fix).toMatch(fix);
  });

  it("treats a link to the project's copy as the same copy, and a linked other copy as another", async () => {
    const project = tempProject({
      "package.json": '{ "dependencies": { "client": "1" } }',
      ...installed("/store/client", "1.0.0", { peerDependencies: { graphql: "*" } }),
      ...installed("/store/graphql", "16.15.0"),
    });
    mkdirSync(join(project.root, "node_modules"));
    mkdirSync(join(project.root, "store/client/node_modules"));
    symlinkSync("../store/client", join(project.root, "node_modules/client"));
    symlinkSync("../store/graphql", join(project.root, "node_modules/graphql"));
    symlinkSync("../../graphql", join(project.root, "store/client/node_modules/graphql"));
    expect(await checkGraphql(await contextOf(project))).toMatchObject([{ status: "ok" }]);
    project.remove("store/client/node_modules/graphql");
    for (const [path, text] of Object.entries(installed("/store/client/node_modules/graphql", "16.15.0"))) {
      project.write(path, text);
    }
    expect(await checkGraphql(await contextOf(project))).toMatchObject([{ status: "warning" }]);
  });
});

it.each<[what: string, packages: Readonly<Record<string, string>>, want: object]>([
  ["ES modules", { "package.json": '{ "type": "module" }' }, { status: "ok", fix: null }],
  [
    "CommonJS",
    { "package.json": '{ "type": "commonjs" }' },
    {
      status: "ok",
      sentence: "package.json declares JavaScript as CommonJS, so generated/ gets its own package.json.",
    },
  ],
  [
    "undeclared",
    { "package.json": "{}" },
    { status: "warning", fix: expect.stringMatching(/^npm pkg set type=module .* lockflow generate$/) },
  ],
  [
    "CommonJS in the output folder",
    { "generated/package.json": '{ "type": "commonjs" }' },
    { status: "problem" },
  ],
  ["not in a package", {}, { status: "warning", fix: "npm init -y" }],
])("checkModules: JavaScript is %s", async (_, packages, want) => {
  const config = JSON.stringify({ protocols: ["lockup"], format: "js" });
  const project = tempProject({ "lockflow.config.json": config, ...packages });
  expect(await checkModules(await projectContextOf(project))).toMatchObject([want]);
  project.write("lockflow.config.json", '{ "protocols": ["lockup"] }');
  expect(await checkModules(await projectContextOf(project))).toEqual([]);
});
