import { cpSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { startEmulator } from "../../../emulator/server/start-emulator.ts";
import { port } from "../../../src/tasks/port.ts";
import { IS_THOROUGH } from "../../support/is-thorough.ts";
import { REPOSITORY } from "../../support/repository.ts";
import { tempProject } from "../../support/temp-project.ts";
import { typeErrors } from "../../support/type-errors.ts";

it("rewrites the code of a project, which still type-checks and returns the same rows in both styles", async () => {
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
    ["Amounts", "portable"],
    ["Ids", "portable"],
    ["OneStream", "portable"],
    ["FirstAssets", "portable"],
    ["LatestStreams", "portable"],
    ["AssetsBySymbol", "portable"],
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
  // Of a file of operations, and by a path of tsconfig.json.
  expect(project.read("src/assets.ts")).toContain(`run(indexers, AssetsBySymbol, { symbols }, ${chain})`);
  const hooks = project.read("src/hooks.tsx");
  expect(hooks).toContain("const ONE_STREAM = OneStreamDocument;");
  const data = "select: ({ data }) => data";
  expect(hooks).toContain(
    `useQuery({ ...query(indexers, lockflowFirstAssets, {}, { chain: 8453 }), ${data} })`,
  );
  const chainId = '{ chain: chainId as ChainRef<"lockup"> }';
  const latest = `query(indexers, lockflowLatestStreams, { sender: sender as \`0x\${string}\` }, ${chainId})`;
  expect(hooks).toContain(`useQuery({ ...${latest}, ${data}, staleTime: 10_000 })`);
  // Another file has a wrong type of the rows: only the document that it uses is rewritten less.
  const amounts = project.read("src/amounts.ts");
  expect(amounts).toContain("const AMOUNTS = AmountsDocument;");
  expect(amounts).toContain("request<{ Stream: Amount[] }>(MULTICHAIN, AMOUNTS, { chainIds: [chainId] })");
  expect(amounts).toContain(`(await run(indexers, Ids, {}, ${chain})).data`);
  const documents = project.read("src/queries/envio.ts");
  expect(documents).toContain("export const COUNTERS = ProgressDocument;");
  // Another file exports it, too.
  expect(documents).toContain("export const RECENT_ENVIO = RecentStreamsOfChainDocument;");
  expect(documents).not.toContain("gql");
  if (IS_THOROUGH) expect(await typeErrors(project.root)).toBe("");

  const emulator = await startEmulator();
  onTestFinished(() => {
    // Later suites of this worker start processes, which would query this emulator.
    vi.unstubAllEnvs();
    return emulator.close();
  });
  const hosts = Object.entries(emulator.env());
  const sender = "0x355ba6d17d318069d8b008f41cb36fba6572e985";
  const shownWithout = async (style: string) => {
    vi.unstubAllEnvs();
    for (const [name, value] of hosts) if (!name.startsWith(`LOCKFLOW_${style}_`)) vi.stubEnv(name, value);
    vi.resetModules();
    const { recent, streamsOf } = await import(join(project.root, "src/streams.ts"));
    return { recent: await recent(1), streams: await streamsOf(sender, 1) };
  };
  const [one, other] = [await shownWithout("SUBGRAPH"), await shownWithout("MULTICHAIN")];
  expect(one.recent).toHaveLength(5);
  expect(one.streams).not.toEqual([]);
  expect(other).toEqual(one);
});
