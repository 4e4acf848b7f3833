import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CheckResult } from "../../../src/tasks/doctor/context.ts";
import { checkConfig, checkDisk, checkGenerated } from "../../../src/tasks/doctor/disk.ts";
import { generate } from "../../../src/tasks/generate.ts";
import { PROTOCOL_DEPLOYMENTS } from "../../support/chain-counts.ts";
import { generatedProject } from "../../support/generated-project.ts";
import { tempProject } from "../../support/temp-project.ts";
import { contextOf, keyed, lines, projectContextOf } from "./context-of.ts";

describe("checkConfig", () => {
  const auctions = { entities: "nowhere.graphql", styles: ["subgraph"], chains: ["base"] };

  it.each<[name: string, files: Record<string, string>, want: Partial<CheckResult>]>([
    [
      "none",
      {},
      { status: "ok", sentence: expect.stringMatching(/^There is no configuration, so the defaults apply/) },
    ],
    [
      "a valid one",
      { "lockflow.config.json": '{ "protocols": ["flow"] }' },
      { status: "ok", sentence: `lockflow.config.json is valid: ${PROTOCOL_DEPLOYMENTS} deployments.` },
    ],
    [
      "an unknown key",
      { "lockflow.config.json": '{ "protocol": [] }' },
      {
        status: "problem",
        sentence: 'lockflow.config.json has an unknown key "protocol".',
        fix: 'did you mean "protocols"?',
      },
    ],
    ["broken JSON", { "lockflow.config.json": "{" }, { status: "problem" }],
    [
      "a module that throws",
      { "lockflow.config.mjs": "throw new TypeError('no')" },
      { status: "problem", sentence: expect.stringContaining("no") },
    ],
    [
      "an entity schema that does not exist",
      { "lockflow.config.json": JSON.stringify({ protocols: { auctions } }) },
      {
        status: "problem",
        sentence: '"protocols.auctions.entities" names "nowhere.graphql", which does not exist.',
        fix: "correct the path: it starts at the configuration's folder.",
      },
    ],
  ])("%s", async (_, files, want) => {
    expect(await checkConfig(await contextOf(tempProject(files)))).toMatchObject([want]);
  });
});

it("checkDisk reports an output folder that cannot be written", async () => {
  const project = keyed();
  expect(lines(await checkDisk(await contextOf(project)))).toEqual([
    "ok generated/ is writable, and the disk has space.",
  ]);
  // A file in place of the folder prevents writing into it, also for root.
  writeFileSync(join(project.root, "generated"), "");
  expect(await checkDisk(await contextOf(project))).toMatchObject([
    { status: "warning", sentence: expect.stringMatching(/^generated\/ is not writable/) },
  ]);
});

it("checkDisk checks the project folder if the configuration is broken", async () => {
  const project = keyed({}, { protocol: [] });
  expect(lines(await checkDisk(await contextOf(project)))).toEqual([
    `ok ${project.root} is writable, and the disk has space.`,
  ]);
});

describe("checkGenerated", () => {
  it.each<[name: string, files: Record<string, string>, want: string]>([
    ["no operations", {}, "There are no operations in operations/."],
    [
      "no snapshot",
      { "operations/lockup/subgraph/a.graphql": "query A { a }" },
      "There is no snapshot of lockup in subgraph style (generated/schemas/lockup/subgraph.graphql).",
    ],
  ])("throws what `generate` throws: %s", async (_, files, want) => {
    await expect(checkGenerated(await projectContextOf(tempProject(files)))).rejects.toThrow(want);
  });

  it("reports a project without generated files; from source no cache exists", async () => {
    const project = generatedProject({ "subgraph/a.graphql": "query A { streams(first: 2) { id } }" });
    const check = async () => lines(await checkGenerated(await projectContextOf(project)));
    expect(await check()).toEqual(["problem generated/ has no generated files yet."]);
    await generate({ cwd: project.root });
    expect(await check()).toEqual([
      "skipped Not checked: run `npx lockflow check` to find out whether generated/ is current.",
    ]);
  });
});
