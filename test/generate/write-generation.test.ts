import { describe, expect, it } from "vitest";
import { hash } from "../../src/base/hash.ts";
import { isChecked, isCurrent } from "../../src/generate/write-generation.ts";
import { resolveProject } from "../../src/project/project.ts";
import { readGenerationInputs } from "../../src/workspace/generation-inputs.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { readRepositoryFile } from "../support/repository.ts";
import { run } from "../support/run.ts";
import { type TempProject, tempProject } from "../support/temp-project.ts";

const FILES = {
  "generated/manifest.ts": "// manifest\n",
  "generated/lockup/subgraph.ts": "// types\n",
  "generated/schemas/deployments.json": "{}\n",
  "generated/schemas/lockup/subgraph.graphql": "type Query { a: Int }\n",
};

/** The cache of a finished `check` of these files. */
const CACHE = {
  digest: "inputs",
  files: Object.fromEntries(
    Object.entries(FILES).map(([path, text]) => [path.slice("generated/".length), hash(text)]),
  ),
  pitfalls: [],
};

const INPUTS = {
  digest: "inputs",
  findings: [],
  groups: [],
  rows: [],
  code: { files: [], candidates: [] },
  needsPackageFile: false,
};

const open = ({ root }: TempProject) => openWorkspace(resolveProject({}, root));

describe("a cache of an earlier generation", () => {
  it("is valid for unchanged files, also with Windows line ends", () => {
    const project = tempProject(FILES);
    expect(isChecked(open(project), INPUTS, CACHE)).toBe(true);
    project.write("generated/manifest.ts", "// manifest\r\n");
    expect(isChecked(open(project), INPUTS, CACHE)).toBe(true);
  });

  it("is not valid if it does not exist", () => {
    expect(isCurrent(open(tempProject(FILES)), INPUTS, null)).toBe(false);
  });

  it("is not valid if the inputs changed, or some are misplaced", () => {
    const workspace = open(tempProject(FILES));
    expect(isCurrent(workspace, { ...INPUTS, digest: "others" }, CACHE)).toBe(false);
    const finding = { code: "operation/misplaced" } as never;
    expect(isCurrent(workspace, { ...INPUTS, findings: [finding] }, CACHE)).toBe(false);
  });

  it.each<[name: string, change: (project: TempProject) => void]>([
    ["is edited", ({ write }) => write("generated/manifest.ts", "// Manifest\n")],
    ["is removed", ({ remove }) => remove("generated/lockup/subgraph.ts")],
    ["is the last one and is edited", ({ write }) => write("generated/schemas/lockup/subgraph.graphql", "")],
    ["is added", ({ write }) => write("generated/lockup/more.ts", "")],
  ])("is not valid if a file %s", (_, change) => {
    const project = tempProject(FILES);
    change(project);
    expect(isCurrent(open(project), INPUTS, CACHE)).toBe(false);
  });

  it("of `generate` does not cover snapshots, and one of `check` does not cover added snapshots", () => {
    const project = tempProject(FILES);
    const { "schemas/lockup/subgraph.graphql": _, ...generated } = CACHE.files;
    expect(isCurrent(open(project), INPUTS, { ...CACHE, files: generated })).toBe(true);
    expect(isChecked(open(project), INPUTS, { ...CACHE, files: generated })).toBe(false);
    project.write("generated/schemas/lockup/multichain.graphql", "");
    expect(isCurrent(open(project), INPUTS, CACHE)).toBe(true);
    expect(isChecked(open(project), INPUTS, CACHE)).toBe(false);
  });
});

it("the digest of inputs includes the entity SDL before the first snapshot", async () => {
  const project = tempProject({
    "operations/lockup/subgraph/a.graphql": "query A { streams { id } }",
    "generated/schemas/lockup/subgraph.graphql": readRepositoryFile(
      "generated/schemas/lockup/subgraph.graphql",
    ),
    "auctions.graphql": "type Auction @entity { id: ID! serial: Int! }",
  });
  const digest = async () => {
    const protocols = { lockup: true, auctions: { entities: "auctions.graphql" } } as const;
    const workspace = openWorkspace(resolveProject({ protocols }, project.root));
    return (await readGenerationInputs(workspace)).digest;
  };
  const before = await digest();
  expect(await digest()).toBe(before);
  project.write("auctions.graphql", "type Auction @entity { id: ID! }");
  expect(await digest()).not.toBe(before);
});

function ownFolder() {
  const made = tempProject({
    "lockflow.config.json":
      '{ "protocols": ["lockup"], "output": "src", "only": { "styles": ["subgraph"] } }',
    "operations/lockup/subgraph/streams.graphql": "query Streams { streams(first: 5) { id } }\n",
  });
  const path = "schemas/lockup/subgraph.graphql";
  made.write(`src/${path}`, readRepositoryFile(`generated/${path}`));
  return made;
}

it("error: generate does not overwrite files of the user before the first generation", async () => {
  const made = ownFolder();
  made.write("src/manifest.ts", "export const mine = 1;\n");
  const before = made.files();
  const { code, err } = await run(made.root, ["generate"]);
  expect(code).toBe(2);
  expect(err).toContain(
    "src/manifest.ts was not written by Lockflow, and would be overwritten. Nothing was written.",
  );
  expect(made.files()).toEqual(before);

  made.remove("src/manifest.ts");
  made.write("src/index.ts", "export const mine = 1;\n");
  expect(await run(made.root, ["generate"])).toMatchObject({ code: 0 });
  expect(made.read("src/index.ts")).toBe("export const mine = 1;\n");
});

it("generate rewrites edited and empty generated files", async () => {
  const made = ownFolder();
  made.write("src/manifest.ts", "\n");
  expect(await run(made.root, ["generate"])).toMatchObject({ code: 0 });
  const manifest = made.read("src/manifest.ts");
  made.write("src/manifest.ts", "export const mine = 1;\n");
  expect(await run(made.root, ["generate"])).toMatchObject({ code: 0 });
  expect(made.read("src/manifest.ts")).toBe(manifest);
});
