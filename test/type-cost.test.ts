import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { chains, deployments } from "../generated/manifest.ts";
import { installClient } from "./support/built-client.ts";
import { COMPILERS, compilerArguments } from "./support/is-thorough.ts";
import { REPOSITORY } from "./support/repository.ts";
import { runNode } from "./support/run-process.ts";
import { shipModules } from "./support/ship-modules.ts";
import { type TempProject, tempProject } from "./support/temp-project.ts";

/** A module that requests every endpoint. */
function consumer(): string {
  const calls = Object.values(deployments).flatMap(({ protocol, style, chains: keys, environments }) =>
    keys.flatMap((chain) =>
      environments.map(
        (environment) => `endpoint(${JSON.stringify({ protocol, style, chain, environment })});`,
      ),
    ),
  );
  expect(calls.length).toBeGreaterThan(4 * Object.keys(chains).length);
  return ['import { endpoint } from "./manifest.js";', ...calls, ""].join("\n");
}

function consumerProject(): TempProject {
  const project = tempProject({ "package.json": '{ "type": "module" }', "consumer.ts": consumer() });
  for (const file of ["manifest.ts", "routes.ts"]) {
    cpSync(join(REPOSITORY, "generated", file), join(project.root, file));
  }
  installClient(project.root);
  return project;
}

it.each(COMPILERS)("the manifest costs few type instantiations of %s", async (compiler) => {
  const project = consumerProject();
  const module = await instantiations(compiler, project, "manifest.ts");
  const calls = await instantiations(compiler, project, "consumer.ts");
  expect(calls - module).toBeLessThanOrEqual(50);
  expect(module).toBeLessThanOrEqual(2030);
  expect(module).toBeGreaterThan(0);
  // The cost of a published package, whose functions are declared and not checked again.
  const declared = ["--declaration", "--emitDeclarationOnly", "--isolatedDeclarations", "manifest.ts"];
  expect(await compile("typescript-7", project, declared)).toMatchObject({ code: 0, out: "" });
  project.remove("manifest.ts");
  expect(await instantiations(compiler, project, "consumer.ts")).toBeLessThanOrEqual(700);
});

it.each(COMPILERS)("the client costs few type instantiations of %s", async (compiler) => {
  const project = await shipModules();
  project.write(
    "use.ts",
    `import { createClient, each, mapVariables, merged, pages, run } from "./client.js";
    import { AllShips, FindShips, ShipsByFlag, ShipsById } from "./auctions/portable.js";
    mapVariables(ShipsByFlag, "multichain", { flag: "0xab" }, [1]);
    mapVariables(AllShips, "subgraph", { after: 5n });
    mapVariables(FindShips, "subgraph", { where: { or: [{ name: "a" }] } });
    const client = createClient();
    run(client, ShipsByFlag, { flag: "0xab" }, { chain: 8453 });
    each(client, ShipsByFlag, { flag: "0xab" }, { chains: "all" });
    merged(client, ShipsByFlag, { flag: "0xab" }, { chains: ["base", 1] });
    pages(client, ShipsById, {}, { chain: "base" });`,
  );
  await compile(compiler, project, [
    "--declaration",
    "--emitDeclarationOnly",
    "--outDir",
    "types",
    "client.ts",
  ]);
  const manifest = await instantiations(compiler, project, "types/manifest.d.ts");
  const types = await instantiations(compiler, project, "types/client.d.ts");
  expect(types - manifest).toBeLessThanOrEqual(1820);
  expect(types - manifest).toBeGreaterThan(0);
  const source = await instantiations(compiler, project, "client.ts");
  expect(source).toBeLessThanOrEqual(11_500);
  expect((await instantiations(compiler, project, "use.ts")) - source).toBeLessThanOrEqual(2520);
});

async function instantiations(compiler: string, project: TempProject, file: string): Promise<number> {
  // A declaration costs something only if it is checked.
  const checked = file.endsWith(".d.ts") ? ["--skipLibCheck", "false"] : [];
  const args = ["--noEmit", "--extendedDiagnostics", ...checked, file];
  const { code, out } = await compile(compiler, project, args);
  expect({ code, errors: out.match(/error TS.*/g) }).toEqual({ code: 0, errors: null });
  return Number(/Instantiations:\s+(\d+)/.exec(out)?.[1]);
}

const TARGET = "--target es2022 --lib es2022 --module nodenext --strict --skipLibCheck --pretty false";

function compile(compiler: string, { root }: TempProject, args: readonly string[]) {
  return runNode([...compilerArguments(compiler), ...TARGET.split(" "), ...args], { cwd: root });
}
