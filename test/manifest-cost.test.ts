import { cpSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { chains, deployments } from "../generated/manifest.ts";
import { installClient } from "./support/built-client.ts";
import { BUNDLERS } from "./support/bundlers.ts";
import { COMPILERS, compilerArguments } from "./support/is-thorough.ts";
import { REPOSITORY } from "./support/repository.ts";
import { runNode } from "./support/run-process.ts";
import { type TempProject, tempProject } from "./support/temp-project.ts";

const EXPORTS = [
  "chains",
  "deployments",
  "endpoint",
  "flowDeployments",
  "flowEndpoint",
  "flowMultichainChainIds",
  "flowOperations",
  "hasEndpoint",
  "lockupDeployments",
  "lockupEndpoint",
  "lockupMultichainChainIds",
  "lockupOperations",
  "multichainChainIds",
  "operations",
  "resolveChain",
];

describe.each(BUNDLERS)("a bundle of %s", (_, bundler) => {
  const bundle = (names: string) =>
    bundler(REPOSITORY, `export { ${names} } from "./generated/manifest.ts";`);

  it("of the whole manifest is at most 4860 bytes", async () => {
    const code = await bundle(EXPORTS.join(", "));
    for (const name of EXPORTS) expect(code).toContain(`as ${name}`);
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(4860);
  });

  it("contains only one protocol if only one is imported", async () => {
    const code = await bundle("lockupEndpoint, lockupDeployments, lockupOperations");
    expect(code).toContain("protocol-lockup-{suffix}");
    expect(code).not.toMatch(/(?<!lock)flow/);
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(4350);
  });

  it("does not contain resolveChain if it is not imported", async () => {
    expect(await bundle("endpoint")).not.toMatch(/eip155:\)/);
    expect(await bundle("resolveChain")).toMatch(/eip155:\)/);
  });

  it("contains no deployments and functions if only chains or operations are imported", async () => {
    const code = await bundle("chains");
    expect(code).toContain("eip155:137");
    expect(code).not.toMatch(/protocol-|function|=>/);
    expect(await bundle("operations")).not.toMatch(/protocol-|eip155|function|=>/);
  });
});

describe("type instantiations of the manifest", () => {
  it("stay below the limits", async () => {
    const project = consumerProject();
    const published = await declaredProject();
    await Promise.all(
      COMPILERS.map(async (compiler) => {
        const module = await instantiations(compiler, project, "manifest.ts");
        const calls = await instantiations(compiler, project, "consumer.ts");
        // The cost of a published package, whose functions are declared and not checked again.
        const declared = await instantiations(compiler, published, "consumer.ts");
        expect(calls - module, compiler).toBeLessThanOrEqual(50);
        expect(declared, compiler).toBeLessThanOrEqual(700);
        expect(module, compiler).toBeLessThanOrEqual(2030);
        expect(module, compiler).toBeGreaterThan(0);
      }),
    );
  });
});

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
  const project = tempProject({
    "package.json": '{ "type": "module" }',
    "consumer.ts": consumer(),
  });
  for (const file of ["manifest.ts", "routes.ts"]) {
    cpSync(join(REPOSITORY, "generated", file), join(project.root, file));
  }
  installClient(project.root);
  return project;
}

/** The same project with the declarations of the manifest, emitted per file. */
async function declaredProject(): Promise<TempProject> {
  const project = consumerProject();
  const args = ["--declaration", "--emitDeclarationOnly", "--isolatedDeclarations", "manifest.ts"];
  expect(await compile("typescript-7", project, args)).toMatchObject({ code: 0, out: "" });
  project.remove("manifest.ts");
  return project;
}

async function instantiations(compiler: string, project: TempProject, file: string): Promise<number> {
  const { code, out } = await compile(compiler, project, ["--noEmit", "--extendedDiagnostics", file]);
  expect({ code, errors: out.match(/error TS.*/g) }).toEqual({ code: 0, errors: null });
  return Number(/Instantiations:\s+(\d+)/.exec(out)?.[1]);
}

function compile(compiler: string, { root }: TempProject, args: readonly string[]) {
  const options = [
    "--target",
    "es2022",
    "--lib",
    "es2022",
    "--module",
    "nodenext",
    "--strict",
    "--skipLibCheck",
    "--pretty",
    "false",
  ];
  return runNode([...compilerArguments(compiler), ...options, ...args], { cwd: root });
}
