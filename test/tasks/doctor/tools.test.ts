import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { VERSION } from "../../../src/base/own-package.ts";
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
import { contextOf, linesWithFix, matching, projectContextOf } from "./context-of.ts";

type Files = Readonly<Record<string, string>>;

/** The package.json of an installed package; a name that starts with `/` is a path from the root. */
function installed(name: string, version: string, more: object = {}): Files {
  const folder = name.startsWith("/") ? name.slice(1) : `node_modules/${name}`;
  return { [`${folder}/package.json`]: JSON.stringify({ name, version, ...more }) };
}

const packageOf = (files: Files) => contextOf(tempProject({ "package.json": "{}", ...files }));

it.each<[node: string | undefined, want: string]>([
  ["20.19.0", "ok Node 20.19.0 is supported."],
  ["20.18.3", "problem Node 20.18.3 is too old: Lockflow needs 20.19 or newer."],
  ["18.20.8", "problem Node 18.20.8 is too old: Lockflow needs 20.19 or newer."],
  [undefined, "skipped The version of Node is not known."],
])("checkNode: %s → %s", (node, want) => {
  expect(checkNode({ node }).map(({ status, sentence }) => `${status} ${sentence}`)).toEqual([want]);
});

it.each<[files: Files, ...want: (string | RegExp)[]]>([
  [installed("lockflow-client", VERSION), /^ok /],
  [
    {},
    "problem lockflow-client is not installed, but generated modules import it. → npm install lockflow-client@^0.1.0",
  ],
  [
    installed("lockflow-client", "0.2.0"),
    "problem lockflow-client 0.2.0 is installed, but the generated files need ^0.1.0. → npm install lockflow-client@^0.1.0",
  ],
  // No package is needed if the run time is emitted.
  [{ "lockflow.config.json": '{ "runtime": "emit" }' }],
])("checkClient: %j", async (files, ...want) => {
  const own = { "package.json": "{}", "lockflow.config.json": "{}", "generated/manifest.ts": "" };
  const found = await checkClient(await projectContextOf(tempProject({ ...own, ...files })));
  expect(linesWithFix(found)).toEqual(matching(...want));
});

describe("checkPackages", () => {
  it.each<[files: Files, want: string | RegExp]>([
    [{ "package-lock.json": "", "yarn.lock": "" }, /^warning .*package-lock\.json, yarn\.lock/],
    [{ "yarn.lock": "" }, "ok npm installs the packages in yarn.lock."],
    [{}, "ok npm installs the packages."],
    [{ "package.json": "{" }, "ok npm installs the packages."],
  ])("%j", async (files, want) => {
    expect(linesWithFix(checkPackages(await packageOf(files)))).toEqual(matching(want));
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

const GRAPHQL = installed("graphql", "16.15.0");

it.each<[name: string, files: Files, ...want: RegExp[]]>([
  ["no configuration of it", {}],
  [
    "only its configuration",
    { "codegen.ts": "" },
    /^problem .* → npm install --save-dev @graphql-codegen\/cli graphql$/,
  ],
  [
    "only graphql",
    { "codegen.json": "", ...GRAPHQL },
    /^problem .* → npm install --save-dev @graphql-codegen\/cli$/,
  ],
  ["all packages", { "codegen.yml": "", ...GRAPHQL, ...installed("@graphql-codegen/cli", "7.0.0") }, /^ok /],
  ["archives of Plug'n'Play", { "codegen.ts": "", ".pnp.cjs": "" }],
])("checkCodegen: %s", async (_, files, ...want) => {
  expect(linesWithFix(await checkCodegen(await packageOf(files)))).toEqual(matching(...want));
});

it.each<[version: string | null, ...want: (string | RegExp)[]]>([
  [null],
  ["7.0.2", "ok TypeScript 7.0.2 is installed."],
  ["5.0.0", /^ok /],
  ["4.9.5", /^warning .* → npm install --save-dev typescript@latest$/],
])("checkTypescript: %s", async (version, ...want) => {
  const files = version === null ? {} : installed("typescript", version);
  expect(linesWithFix(await checkTypescript(await packageOf(files)))).toEqual(matching(...want));
});

describe("checkGraphql", () => {
  it.each<[name: string, files: Files, want: string | RegExp]>([
    ["none", {}, /^ok .*does not install graphql[^→]*$/],
    ["one copy", GRAPHQL, "ok graphql 16.15.0 is installed, in one copy."],
    ["the next major", installed("graphql", "17.1.0"), /^ok .*in one copy\.$/],
    [
      "15",
      installed("graphql", "15.8.0"),
      /^problem graphql 15\.8\.0 is installed, but Lockflow.* → npm install --save-dev graphql@16$/,
    ],
    ["an old 16", installed("graphql", "16.10.0"), /^problem .*16\.10\.0.*graphql@16/],
    [
      "one without a version",
      { "node_modules/graphql/package.json": "{}" },
      /^problem graphql unknown.*graphql@16/,
    ],
    ["a broken package.json", { "node_modules/graphql/package.json": "{" }, /^ok .*does not install graphql/],
    [
      "two copies",
      {
        "package.json": '{ "dependencies": { "a-client": "1", "b-client": "1", "unrelated": "1" } }',
        ...GRAPHQL,
        ...installed("a-client", "1.0.0", { peerDependencies: { graphql: "*" } }),
        ...installed("b-client", "1.0.0", { dependencies: { graphql: "*" } }),
        ...installed("b-client/node_modules/graphql", "15.9.0"),
        ...installed("unrelated", "1.0.0"),
        ...installed("unrelated/node_modules/graphql", "14.0.0"),
      },
      /^warning .*the project has 16\.15\.0, b-client uses 15\.9\.0 in node_modules\/b-client\/node_modules\/graphql\. .*→ install one version/,
    ],
    ["archives", { ".pnp.cjs": "" }, /^skipped .*Plug'n'Play/],
  ])("%s", async (_, files, want) => {
    expect(linesWithFix(await checkGraphql(await packageOf(files)))).toEqual(matching(want));
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
    project.write("store/client/node_modules/graphql/package.json", '{ "version": "16.15.0" }');
    expect(await checkGraphql(await contextOf(project))).toMatchObject([{ status: "warning" }]);
  });
});

it.each<[what: string, packages: Files, want: string | RegExp]>([
  ["ES modules", { "package.json": '{ "type": "module" }' }, /^ok [^→]*$/],
  [
    "CommonJS",
    { "package.json": '{ "type": "commonjs" }' },
    "ok package.json declares JavaScript as CommonJS, so generated/ gets its own package.json.",
  ],
  ["undeclared", { "package.json": "{}" }, /^warning .* → npm pkg set type=module .* lockflow generate$/],
  ["CommonJS in the output folder", { "generated/package.json": '{ "type": "commonjs" }' }, /^problem /],
  ["not in a package", {}, /^warning .* → npm init -y$/],
])("checkModules: JavaScript is %s", async (_, packages, want) => {
  const config = { protocols: ["lockup"], format: "js" };
  const project = tempProject({ "lockflow.config.json": JSON.stringify(config), ...packages });
  expect(linesWithFix(await checkModules(await projectContextOf(project)))).toEqual(matching(want));
  project.write("lockflow.config.json", '{ "protocols": ["lockup"] }');
  expect(await checkModules(await projectContextOf(project))).toEqual([]);
});
