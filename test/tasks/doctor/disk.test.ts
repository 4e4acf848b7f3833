import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkConfig, checkDisk, checkGenerated } from "../../../src/tasks/doctor/disk.ts";
import { generate } from "../../../src/tasks/generate.ts";
import { PROTOCOL_DEPLOYMENTS } from "../../support/chain-counts.ts";
import { generatedProject } from "../../support/generated-project.ts";
import { tempProject } from "../../support/temp-project.ts";
import { contextOf, keyed, lines, linesWithFix, matching, projectContextOf } from "./context-of.ts";

const JSON_CONFIG = "lockflow.config.json";

it.each<[name: string, files: Record<string, string>, want: RegExp | string]>([
  ["none", {}, /^ok There is no configuration, so the defaults apply/],
  [
    "a valid one",
    { [JSON_CONFIG]: '{ "protocols": ["flow"] }' },
    `ok lockflow.config.json is valid: ${PROTOCOL_DEPLOYMENTS} deployments.`,
  ],
  [
    "an unknown key",
    { [JSON_CONFIG]: '{ "protocol": [] }' },
    'problem lockflow.config.json has an unknown key "protocol". → did you mean "protocols"?',
  ],
  ["broken JSON", { [JSON_CONFIG]: "{" }, /^problem /],
  ["a module that throws", { "lockflow.config.mjs": "throw new TypeError('no')" }, /^problem .*no/s],
  [
    "an entity schema that does not exist",
    {
      [JSON_CONFIG]: '{ "protocols": { "auctions": { "entities": "nowhere.graphql", "chains": ["base"] } } }',
    },
    'problem "protocols.auctions.entities" names "nowhere.graphql", which does not exist. → correct the path: it starts at the configuration\'s folder.',
  ],
])("checkConfig: %s", async (_, files, want) => {
  expect(linesWithFix(await checkConfig(await contextOf(tempProject(files))))).toEqual(matching(want));
});

it("checkDisk reports an output folder that cannot be written", async () => {
  const project = keyed();
  expect(lines(await checkDisk(await contextOf(project)))).toEqual([
    "ok generated/ is writable, and the disk has space.",
  ]);
  // A file in place of the folder prevents writing into it, also for root.
  writeFileSync(join(project.root, "generated"), "");
  expect(lines(await checkDisk(await contextOf(project)))).toEqual(
    matching(/^warning generated\/ is not writable/),
  );
});

it("checkDisk checks the project folder if the configuration is broken", async () => {
  const project = keyed({}, { protocol: [] });
  expect(lines(await checkDisk(await contextOf(project)))).toEqual([
    `ok ${project.root} is writable, and the disk has space.`,
  ]);
});

describe("checkGenerated", () => {
  it.each<[name: string, files: Record<string, string>, want: string]>([
    ["no operations", {}, "operations/ has no operations."],
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
