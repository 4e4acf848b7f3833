import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { port } from "../../../src/tasks/port.ts";
import { REPOSITORY } from "../../support/repository.ts";
import { tempProject } from "../../support/temp-project.ts";
import { typeErrors } from "../../support/type-errors.ts";

it("rewrites the code of a project, whose types still fit", async () => {
  const project = tempProject({ "package.json": '{ "type": "module", "private": true }' });
  cpSync(join(REPOSITORY, "test/fixtures/port"), project.root, { recursive: true });
  cpSync(join(REPOSITORY, "generated/schemas/lockup"), join(project.root, "generated/schemas/lockup"), {
    recursive: true,
  });
  symlinkSync(join(REPOSITORY, "node_modules"), join(project.root, "node_modules"), "dir");
  const options = { cwd: project.root, patterns: ["src"], rewrite: true, against: null };
  const { operations, notes } = await port({ ...options, write: true });
  expect(notes).toEqual([]);
  expect(operations.map(({ name, result }) => [name, result])).toEqual([
    ["OneStream", "portable"],
    ["FirstAssets", "portable"],
    ["SenderStreams_Graph", "portable"],
    ["RecentStreamsOfChain", "portable"],
    ["Progress", "style"],
  ]);
  const chain = '{ chain: resolveChain(chainId) as ChainRef<"lockup"> }';
  const streams = project.read("src/streams.ts");
  // Both documents of the pair became one operation, with its names of variables and keys.
  const call = `run(indexers, SenderStreams_Graph, { sender: sender as \`0x\${string}\`, first: 20 }, ${chain})`;
  expect(streams).toContain(`  const data = (await ${call}).data;\n  return data.streams;`);
  expect(streams).toContain(`  const { streams } = (await ${call}).data;`);
  expect(streams).toContain("request<unknown>(MULTICHAIN, COUNTERS)");
  expect(streams).not.toContain("SUBGRAPHS");
  const hooks = project.read("src/hooks.tsx");
  expect(hooks).toContain("const ONE_STREAM = OneStreamDocument;");
  expect(hooks).toContain("run(indexers, lockflowFirstAssets, {}, { chain: 8453 }).then(({ data }) => data)");
  expect(project.read("src/queries/envio.ts")).toContain("export const COUNTERS = ProgressDocument;");
  expect(await typeErrors(project.root)).toBe("");
});
