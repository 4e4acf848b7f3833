import { cpSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { once } from "../src/base/collections.ts";
import { BUILT_IN_PROTOCOLS } from "../src/project/protocols.ts";
import { portableModules } from "./generate/portable-modules.ts";
import { SCHEMA } from "./operations/portable/schema.ts";
import { installClient } from "./support/built-client.ts";
import { BUNDLERS } from "./support/bundlers.ts";
import { COMPILERS, compilerArguments } from "./support/is-thorough.ts";
import { REPOSITORY } from "./support/repository.ts";
import { runNode } from "./support/run-process.ts";
import { type TempProject, tempProject } from "./support/temp-project.ts";

/** Bytes that a bundle may add to the two texts of an operation: its plan, variable readers and cursors. */
const OVERHEAD = 3_400;

const OPERATIONS = `
  query ShipsByFlag($flag: Bytes!, $first: Int! = 100, $skip: Int! = 0) {
    ships(where: { flag: $flag }, first: $first, skip: $skip, orderBy: tonnage, orderDirection: desc) {
      id chainId tonnage home { id name } captain { id }
    }
  }
  query AllShips($after: BigInt! = 0, $first: Int! = 1000) {
    ships(where: { serial_gt: $after }, first: $first, orderBy: serial) { id chainId serial home { id } }
  }
  query FindShips($where: Ship_filter, $by: Ship_orderBy) { ships(where: $where, orderBy: $by) { id } }
  query ShipsById($after: String! = "", $first: Int! = 100) { ships(where: { id_gt: $after }, first: $first) { id } }
`;

describe.each(BUNDLERS)("a bundle of %s", (_, bundle) => {
  it("with one operation contains only its texts and the code that it needs", async () => {
    const project = await modulesProject();
    for (const name of ["ShipsByFlag", "AllShips"]) {
      const code = await bundle(
        project.root,
        `import { ${name} } from "./auctions/portable.ts";\nconsole.log(${name});`,
      );
      const texts = await textsOf(project, name);
      for (const text of texts) expect(code).toContain(text);
      expect([...code.matchAll(/\bquery (\w+)/g)].map(([, found]) => found)).toEqual([name, name]);
      expect(code).not.toMatch(/_nocase|_is_null|fetch|AbortController/);
      expect(Buffer.byteLength(code) - Buffer.byteLength(texts.join(""))).toBeLessThanOrEqual(OVERHEAD);
    }
  });

  it("of each operation of the library has the same limit", async () => {
    const project = tempProject({ "package.json": '{ "type": "module" }' });
    cpSync(join(REPOSITORY, "generated"), project.root, { recursive: true });
    installClient(project.root);
    for (const protocol of BUILT_IN_PROTOCOLS) {
      const module: object = await import(join(REPOSITORY, `generated/${protocol}/portable.ts`));
      const names = Object.keys(module).filter((name) => !name.startsWith("decode"));
      expect(names).toHaveLength(11);
      for (const name of names) {
        const code = await bundle(
          project.root,
          `import { ${name} } from "./${protocol}/portable.ts";\nconsole.log(${name});`,
        );
        const texts = await textsOf(project, name, protocol);
        expect(Buffer.byteLength(code) - Buffer.byteLength(texts.join("")), name).toBeLessThanOrEqual(
          OVERHEAD,
        );
      }
    }
  });

  it("is empty if nothing is imported from the modules", async () => {
    const project = await modulesProject();
    const code = await bundle(
      project.root,
      'import "./client.ts";\nimport "./auctions/portable.ts";\nimport {} from "./client.ts";',
    );
    expect(code.trim()).toBe("");
  });

  it("with mapVariables does not contain mapFilter, which adds at most 1655 bytes", async () => {
    const project = await modulesProject();
    const size = async (names: string, module: string) => {
      const code = await bundle(project.root, `export { ${names} } from "./${module}.ts";`);
      return { code, bytes: gzipSync(code, { level: 9 }).length };
    };
    const variables = await size("mapVariables", "client");
    expect(variables.code).not.toMatch(/_nocase|_is_null/);
    expect(variables.bytes).toBeLessThanOrEqual(1190);
    const both = await size("mapVariables, mapFilter", "client");
    expect(both.bytes - variables.bytes).toBeLessThanOrEqual(1655);
    const error = await size("IndexerError", "client");
    expect(error.bytes).toBeLessThanOrEqual(450);
    // Ships refer to four other entities.
    const table = await size("shipFilter", "auctions/portable");
    expect(table.code).not.toMatch(/=>|function|class|query/);
    expect(table.bytes).toBeLessThanOrEqual(500);
  });
});

describe.each(BUNDLERS)("the client in a bundle of %s", (_, bundle) => {
  it.each<[names: string, limit: number, isNotThere: RegExp]>([
    ["createClient", 3010, /Retry-After|retry-after/i],
    ["createClient, run", 9860, /async function\*|fromCharCode|queryKey/],
    ["createClient, run, each", 10_740, /async function\*|fromCharCode|queryKey/],
    ["createClient, merged", 11_335, /async function\*|queryKey/],
    ["createClient, pages", 12_205, /queryKey/],
    ["createClient, health", 10_940, /async function\*|fromCharCode|queryKey/],
    [
      "createClient, run, each, merged, pages, health, query, queryEach, queryMerged, queryHealth, queryPages",
      14_705,
      /_nocase|_is_null/,
    ],
  ])("with %s has %i bytes after gzip, without the routes", async (names, limit, isNotThere) => {
    const project = await modulesProject();
    // The routes are the project's own.
    project.write("routes.ts", "export const [routes]: never[] = [];\n");
    const code = await bundle(project.root, `export { ${names} } from "./client.ts";`);
    expect(code).not.toMatch(isNotThere);
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(limit);
  });
});

describe.each(BUNDLERS)("a page behind the proxy in a bundle of %s", (_, bundle) => {
  it.each<[names: string, limit: number]>([
    ["createClient, run", 1_500],
    ["createClient, run, merged, pages", 2_080],
    ["createClient, run, each, merged, pages, all, watch, health", 2_865],
    ["isServed", 1_400],
  ])("with %s and an operation has at most %i bytes, without texts and readers", async (names, limit) => {
    const code = await bundle(
      REPOSITORY,
      `export { ${names} } from "./generated/proxied.ts"; export { RecentStreams } from "./generated/lockup/proxied.ts";`,
    );
    expect(code).toContain("RecentStreams");
    expect(code).not.toMatch(
      /query RecentStreams|orderDirection:|order_by|process\.env|LOCKFLOW_|https?:\/\/\w|must be an? /,
    );
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(limit);
  });
});

describe("type instantiations of the client", () => {
  it("stay below the limits", async () => {
    const project = await modulesProject();
    project.write(
      "use.ts",
      [
        'import { createClient, each, mapVariables, merged, pages, run } from "./client.js";',
        'import { AllShips, FindShips, ShipsByFlag, ShipsById } from "./auctions/portable.js";',
        'mapVariables(ShipsByFlag, "multichain", { flag: "0xab" }, [1]);',
        'mapVariables(AllShips, "subgraph", { after: 5n });',
        'mapVariables(FindShips, "subgraph", { where: { or: [{ name: "a" }] } });',
        "const client = createClient();",
        'run(client, ShipsByFlag, { flag: "0xab" }, { chain: 8453 });',
        'each(client, ShipsByFlag, { flag: "0xab" }, { chains: "all" });',
        'merged(client, ShipsByFlag, { flag: "0xab" }, { chains: ["base", 1] });',
        'pages(client, ShipsById, {}, { chain: "base" });',
      ].join("\n"),
    );
    await Promise.all(
      COMPILERS.map(async (compiler) => {
        const declared = join(project.root, compiler);
        const emit = ["--declaration", "--emitDeclarationOnly", "--outDir", declared, "client.ts"];
        await runNode([...compilerArguments(compiler), ...TARGET, "--skipLibCheck", ...emit], {
          cwd: project.root,
        });
        const [manifest, types, source, use] = await Promise.all([
          instantiations(compiler, project, `${compiler}/manifest.d.ts`),
          instantiations(compiler, project, `${compiler}/client.d.ts`),
          instantiations(compiler, project, "client.ts", "--skipLibCheck"),
          instantiations(compiler, project, "use.ts", "--skipLibCheck"),
        ]);
        expect(types - manifest, compiler).toBeLessThanOrEqual(1820);
        expect(types - manifest, compiler).toBeGreaterThan(0);
        expect(source, compiler).toBeLessThanOrEqual(11_500);
        expect(use - source, compiler).toBeLessThanOrEqual(2520);
      }),
    );
  });
});

const modules = once(() => portableModules({ entities: SCHEMA, operations: OPERATIONS }));

async function modulesProject(): Promise<TempProject> {
  const project = tempProject({ ...(await modules()), "package.json": '{ "type": "module" }' });
  installClient(project.root);
  return project;
}

/** The texts of an operation in both styles. */
async function textsOf({ root }: TempProject, name: string, protocol = "auctions"): Promise<string[]> {
  const modules: Record<string, string>[] = await Promise.all(
    ["multichain", "subgraph"].map((style) => import(join(root, `${protocol}/${style}.strings.ts`))),
  );
  return modules.map((module) => module[`${name}Document`] ?? "");
}

async function instantiations(
  compiler: string,
  { root }: TempProject,
  ...files: readonly string[]
): Promise<number> {
  const options = [...TARGET, "--noEmit", "--extendedDiagnostics", "--pretty", "false"];
  const { code, out } = await runNode([...compilerArguments(compiler), ...options, ...files], { cwd: root });
  expect({ code, errors: out.match(/error TS.*/g) }).toEqual({ code: 0, errors: null });
  return Number(/Instantiations:\s+(\d+)/.exec(out)?.[1]);
}

const TARGET = ["--target", "es2022", "--lib", "es2022", "--module", "nodenext", "--strict"];
