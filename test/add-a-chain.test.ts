import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { git } from "./support/commit-all.ts";
import { REPOSITORY, readRepositoryFile } from "./support/repository.ts";
import { tempProject } from "./support/temp-project.ts";

/** Chains served in each way, before, between and after the others. `next` is the key of the chain after it. */
const NEW_CHAINS = [
  { next: "abstract", chain: { key: "ab", name: "AB", chainId: 36888, shortName: "ab" } },
  {
    next: "iotex",
    chain: { key: "ink", name: "Ink", chainId: 57073, shortName: "ink", subgraphSuffix: null },
  },
  {
    next: "morph",
    chain: {
      key: "monad-testnet",
      name: "Monad Testnet",
      chainId: 10143,
      shortName: "mon-test",
      testnet: true,
      multichainName: null,
    },
  },
  { next: null, chain: { key: "zora", name: "Zora", chainId: 7777777, shortName: "zora", testing: false } },
];

it('all tests pass after "Add a chain" of CONTRIBUTING.md', { timeout: 1_800_000 }, async () => {
  const project = tempProject();
  const { root, read, write } = project;
  copyRepository(root);
  git(project, "init", "-q");
  const file = "src/project/chains.ts";
  write(file, NEW_CHAINS.reduce(addChain, read(file)).replace(/(CHAINS_AS_OF = )"[\d-]+"/, '$1"2031-02"'));

  const [, recipe = ""] =
    /\*\*Add a chain\.\*\* ([\s\S]*?)\n\n/.exec(readRepositoryFile("CONTRIBUTING.md")) ?? [];
  const commands = [...recipe.matchAll(/`npm ([^`]+)`/g)].map(([, args = ""]) => args.split(" "));
  expect(commands).toContainEqual(["start"]);
  for (const args of commands) await npm(root, args);
  // Other suites need the other core.
  await npm(root, ["test", "--", "--maxWorkers=1", "--silent"]);
});

function addChain(text: string, { next, chain }: (typeof NEW_CHAINS)[number]): string {
  const before = next === null ? "];\n" : `  chain({\n    key: "${next}",`;
  const members = { ...chain, secondsPerBlock: 1, blockExplorer: "https://explorer.example" };
  const lines = Object.entries(members).map(([name, value]) => `    ${name}: ${JSON.stringify(value)},\n`);
  expect(text).toContain(before);
  return text.replace(before, `  chain({\n${lines.join("")}  }),\n${before}`);
}

function copyRepository(root: string): void {
  cpSync(REPOSITORY, root, {
    recursive: true,
    filter: (path) => !/^(\.git|dist|.*\bnode_modules)$/.test(relative(REPOSITORY, path)),
  });
  const modules = join(root, "node_modules");
  mkdirSync(modules);
  for (const name of readdirSync(join(REPOSITORY, "node_modules"))) {
    if (name !== "lockflow-client" && name !== ".cache")
      symlinkSync(join(REPOSITORY, "node_modules", name), join(modules, name));
  }
  symlinkSync("../packages/client", join(modules, "lockflow-client"));
}

async function npm(cwd: string, args: readonly string[]): Promise<void> {
  const shell = process.platform === "win32";
  await promisify(execFile)("npm", args, { cwd, shell, maxBuffer: 2 ** 26 });
}
