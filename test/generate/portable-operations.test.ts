import { describe, expect, it, vi } from "vitest";
import type { StyleName } from "../../src/dialects/surface.ts";
import { generateFiles } from "../../src/generate/generate-files.ts";
import type { Config } from "../../src/project/config.ts";
import { resolveProject } from "../../src/project/project.ts";
import { generateSelected } from "../../src/tasks/generate/generate-selected.ts";
import { readGenerationInputs } from "../../src/workspace/generation-inputs.ts";
import { readOperations } from "../../src/workspace/operations.ts";
import { openWorkspace } from "../../src/workspace/workspace.ts";
import { generatedProject } from "../support/generated-project.ts";
import type { TempProject } from "../support/temp-project.ts";
import { generateIn, WITH_CHAIN } from "./generate-in.ts";

const RECENT = "query Recent($first: Int! = 10) { streams(first: $first) { ...Row } }";
const ROW = "fragment Row on Stream { id sender }";

const OTHERS = { protocols: ["lockup"], only: { styles: ["subgraph"] } } satisfies Config;

function projectIn({ root }: TempProject, config: Config = { protocols: ["lockup"] }) {
  return resolveProject(config, root);
}

async function generate(
  operations: Readonly<Record<string, string>>,
  config?: Config,
  snapshots?: readonly StyleName[],
) {
  return generateIn(generatedProject(operations, WITH_CHAIN, snapshots), config);
}

/** The files of a project with portable operations. */
const FILES = [
  "client.ts",
  "lockup/multichain.documents.ts",
  "lockup/multichain.strings.ts",
  "lockup/multichain.ts",
  "lockup/portable.ts",
  "lockup/proxied.ts",
  "lockup/subgraph.documents.ts",
  "lockup/subgraph.strings.ts",
  "lockup/subgraph.ts",
  "lockup/testing.ts",
  "manifest.ts",
  "proxied.ts",
  "proxy.ts",
  "routes.ts",
  "schemas/operations.json",
];

type Generated = Awaited<ReturnType<typeof generate>>;

const textOf = ({ files }: Generated, path: string) =>
  files.find((file) => file.path === path)?.content ?? "";

describe("generated portable operations", () => {
  it("are in the modules of both styles, in the portable module, and in operations.json", async () => {
    const generated = await generate({
      "portable/recent.graphql": RECENT,
      "portable/deep/row.graphql": ROW,
      "multichain/counts.graphql": 'query Counts { Stream_by_pk(id: "1") { ...Row } }',
    });
    expect(generated.findings).toEqual([]);
    expect(generated.files.map(({ path }) => path)).toEqual(FILES);
    const text = (path: string) => textOf(generated, path);
    expect(text("lockup/subgraph.strings.ts")).toContain("query Recent($first: Int! = 10");
    expect(text("lockup/subgraph.strings.ts")).not.toContain("Counts");
    const multichain = text("lockup/multichain.strings.ts");
    expect(multichain).toContain("streams: Stream(where: { chainId: { _in: $chainIds } }");
    expect(multichain.match(/fragment Row on Stream/g)).toHaveLength(2);
    expect(text("lockup/portable.ts")).toContain("export const Recent");
    const [digest = ""] = /digest: "\w+"/.exec(text("lockup/portable.ts")) ?? [];
    expect(digest).toMatch(/"[\da-f]{8}"/);
    expect(text("lockup/proxied.ts")).toContain(digest);
    expect(JSON.parse(text("schemas/operations.json")).operations).toMatchObject([
      { style: "multichain", operation: "Counts", file: "lockup/multichain/counts.graphql" },
      { style: "multichain", operation: "Recent", file: "lockup/portable/recent.graphql", line: 1 },
      { style: "subgraph", operation: "Recent", file: "lockup/portable/recent.graphql", line: 1 },
    ]);
  });

  it("have no multichain text if they name a past block", async () => {
    const generated = await generate({
      "portable/past.graphql":
        "query Past($n: Int!, $id: String!) { streams(block: { number: $n }, where: { id: $id }) { id sender } }",
      "portable/now.graphql": "query Now($at: Block_height) { streams(block: $at, first: 1) { id } }",
    });
    const found = { code: "portable/past-block", severity: "cosmetic" };
    expect(generated.findings).toMatchObject([found, found]);
    const text = (path: string) => textOf(generated, path);
    expect(text("lockup/multichain.strings.ts")).not.toContain("Past");
    expect(text("lockup/subgraph.strings.ts")).toContain("query Past($n: Int!, $id: String!)");
    const portable = text("lockup/portable.ts");
    expect(portable).toMatch(/name: "Past",\n.*\n {2}multichain: "",\n/);
    expect(portable).toContain('  past: "subgraph",\n  at: "{number: $n}",\n  pinned: true,\n');
    expect(portable).toContain('  past: "subgraph",\n  at: "$at",\n');
    const { operations } = JSON.parse(text("schemas/operations.json"));
    const listed = operations.map(({ style, operation }: Record<string, string>) => `${style} ${operation}`);
    expect(listed).toEqual(["multichain Now", "subgraph Now", "subgraph Past"]);
  });

  it("do not include a fragment that only one style uses", async () => {
    const { files, findings } = await generate({
      "portable/recent.graphql": "query Recent { streams(first: 1) { id } }",
      "portable/row.graphql": ROW,
      "subgraph/meta.graphql": "query Meta { _meta { block { number } } streams(first: 1) { ...Row } }",
    });
    expect(findings).toEqual([]);
    const uses = files.filter(({ content }) => content.includes("RowFragment")).map(({ path }) => path);
    expect(uses).toEqual(["lockup/subgraph.documents.ts", "lockup/subgraph.ts"]);
  });

  const portable = { "portable/a.graphql": RECENT, "portable/row.graphql": ROW };
  it.each<[name: string, operations: Readonly<Record<string, string>>, ...want: string[]]>([
    [
      "an operation with the name of one in a style's folder",
      { ...portable, "subgraph/a.graphql": "query Recent { streams(first: 1) { id } }" },
      "operation/duplicate-name Recent subgraph/a.graphql:1:7",
    ],
    [
      "the same fragment in a style's folder",
      { ...portable, "multichain/row.graphql": `query Own { Stream(limit: 1) { ...Row } }\n${ROW}` },
      "operation/duplicate-name Row multichain/row.graphql:2:10",
    ],
    [
      "two portable operations with one name",
      { "portable/a.graphql": `${RECENT} ${ROW}`, "portable/b.graphql": RECENT },
      "operation/duplicate-name Recent portable/b.graphql:1:7",
    ],
    [
      "an unused fragment",
      {
        ...portable,
        "portable/rest.graphql": "fragment Rest on Stream { ...More }\nfragment More on Stream { id }",
      },
      "operation/unused-fragment Rest portable/rest.graphql:1:10",
      "operation/unused-fragment More portable/rest.graphql:2:10",
    ],
    [
      "a fragment of a style's folder",
      {
        "portable/a.graphql": "query Recent { streams(first: 9) {\n...Row } }",
        "subgraph/row.graphql": `query Own { streams(first: 1) { ...Row } } ${ROW}`,
      },
      "operation/invalid Recent portable/a.graphql:2:4",
    ],
    [
      "a field that subgraphs do not have",
      { "portable/a.graphql": "query Recent {\n  streams(first: 1) { moon }\n}" },
      "operation/invalid Recent portable/a.graphql:2:23",
    ],
    [
      "a variable of a wrong type, used twice in an operation of one style, reported once",
      {
        "portable/a.graphql": "query Recent { streams(first: 1) { id } }",
        "subgraph/b.graphql": "query Own($n: Boolean!) { streams(first: $n, skip: $n) { id } }",
      },
      "operation/invalid Own subgraph/b.graphql:1:11",
    ],
    [
      "several rejected operations, all reported",
      {
        "portable/a.graphql":
          "query A { streams(first: 5000) { id } }\nquery B { streams(skip: 9000, first: 1) { id } __typename }",
        "multichain/own.graphql": "query Own { Stream(limit: 1) { id } }",
      },
      "portable/first-range A portable/a.graphql:1:26",
      "portable/skip-range B portable/a.graphql:2:25",
      "portable/root-typename B portable/a.graphql:2:48",
    ],
  ])("error: %s", async (_, operations, ...want) => {
    const { findings, files } = await generate(operations);
    const found = findings.map(({ code, subject, place }) =>
      `${code} ${subject} ${place?.file}:${place?.line}:${place?.column}`.replace("operations/lockup/", ""),
    );
    expect(found.sort()).toEqual(want.sort());
    expect(files.map(({ path }) => path)).not.toContain("lockup/portable.ts");
  });

  it("error: with errors withhold the files that depend on them", async () => {
    const { files } = await generate({ "portable/a.graphql": "query A { streams(first: 0) { id } }" });
    expect(files).toEqual([]);
  });
});

describe("portable operations of a protocol", () => {
  it.each([
    ["subgraph", "multichain"],
    ["multichain", "subgraph"],
  ] as const)("error: without the snapshot of its %s style", async (style, other) => {
    const generated = generate({ "portable/a.graphql": `${RECENT} ${ROW}` }, undefined, [other]);
    await expect(generated).rejects.toMatchObject({
      code: "SCHEMA_SNAPSHOT_MISSING",
      sentence: `There is no snapshot of lockup in ${style} style (generated/schemas/lockup/${style}.graphql).`,
    });
  });

  it("are generated for the style of `only`, with and without a snapshot of the other", async () => {
    const operations = { "portable/a.graphql": `${RECENT} ${ROW}` };
    for (const snapshots of [undefined, ["subgraph"] as const]) {
      const { files, findings } = await generate(operations, OTHERS, snapshots);
      expect(findings).toEqual([]);
      expect(files.map(({ path }) => path)).toEqual(FILES.filter((path) => !path.includes("multichain")));
    }
  });

  it("are written for the selected style, and the portable module only if both are selected", async () => {
    const at = generatedProject({ "portable/a.graphql": `${RECENT} ${ROW}` }, WITH_CHAIN);
    const project = projectIn(at);
    const run = async (styles: readonly StyleName[]) => {
      const selected = project.deployments.filter(({ style }) => styles.includes(style));
      const inputs = await readGenerationInputs(openWorkspace(project));
      return (await generateSelected(openWorkspace({ ...project, selected }), inputs)).written;
    };
    const own = ["lockup/subgraph.strings.ts", "lockup/subgraph.ts"];
    const written = await run(["subgraph"]);
    expect(written).toEqual(expect.arrayContaining(own));
    expect(written).not.toContain("lockup/portable.ts");
    expect(written).not.toContain("lockup/multichain.ts");
    // It would import a missing module.
    expect(written).not.toContain("proxy.ts");
    const both = await run(["subgraph", "multichain"]);
    expect(both).toEqual(expect.arrayContaining(["lockup/portable.ts", "proxy.ts"]));
  });
});

describe("compiling portable operations runs once", () => {
  const open = async () => {
    const project = projectIn(generatedProject({ "portable/a.graphql": `${RECENT} ${ROW}` }, WITH_CHAIN));
    const workspace = openWorkspace(project);
    const inputs = await readGenerationInputs(workspace);
    expect(inputs.groups).toHaveLength(2);
    // Only the compiler reads them, once per run.
    const entityFiles = vi.fn(() => null);
    Object.defineProperty(inputs.groups[0]?.portable, "entityFiles", { get: entityFiles });
    return { project, workspace, inputs, entityFiles };
  };

  it("in a generation of both styles, and of what reads their operations then", async () => {
    const { project, workspace, inputs, entityFiles } = await open();
    const { compiled } = await generateFiles(project, inputs);
    const operations = await readOperations(workspace, project.surfaces, compiled);
    expect([...operations.values()].flat()).toMatchObject([{ name: "Recent" }, { name: "Recent" }]);
    expect(entityFiles).toHaveBeenCalledTimes(1);
  });

  it("in a generation of selected deployments", async () => {
    const { project, inputs, entityFiles } = await open();
    const selected = project.deployments.filter(({ style }) => style === "subgraph");
    await generateSelected(openWorkspace({ ...project, selected }), inputs);
    expect(entityFiles).toHaveBeenCalledTimes(1);
  });
});

describe("files of portable operations", () => {
  const open = () =>
    generatedProject(
      {
        "portable/a.graphql": `${RECENT} ${ROW}`,
        "multichain/b.graphql": "query B { Stream(limit: 1) { id } }",
      },
      WITH_CHAIN,
    );

  it("are current until a file, the styles or the chain path change", async () => {
    const at = open();
    const digest = async (config?: Config) =>
      (await readGenerationInputs(openWorkspace(projectIn(at, config)))).digest;
    const before = await digest();
    expect(await digest()).toBe(before);
    at.write("operations/lockup/portable/a.graphql", `${RECENT} ${ROW} `);
    expect(await digest()).not.toBe(before);
    at.write("operations/lockup/portable/a.graphql", `${RECENT} ${ROW}`);
    expect(await digest({ protocols: { lockup: { chainPath: { Stream: "asset" } } } })).not.toBe(before);
    expect(await digest(OTHERS)).not.toBe(await digest({ ...OTHERS, protocols: ["lockup", "flow"] }));
  });

  it("change only for surfaces whose operations changed", async () => {
    const at = open();
    const run = async () => {
      const generated = await generateIn(at);
      return (path: string) => textOf(generated, path);
    };
    const first = await run();
    at.write("operations/lockup/multichain/b.graphql", "query B { Stream(limit: 2) { id } }");
    const second = await run();
    expect(second("lockup/subgraph.ts")).toBe(first("lockup/subgraph.ts"));
    for (const path of ["lockup/multichain.documents.ts", "lockup/multichain.strings.ts"]) {
      expect(second(path), path).not.toBe(first(path));
    }
    at.write("operations/lockup/portable/a.graphql", `${RECENT} fragment Row on Stream { id }`);
    const third = await run();
    for (const path of ["lockup/subgraph.ts", "lockup/multichain.ts"]) {
      expect(third(path), path).not.toBe(second(path));
    }
  });
});
