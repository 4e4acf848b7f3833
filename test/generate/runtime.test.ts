import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { installClient } from "../support/built-client.ts";
import { generatedProject } from "../support/generated-project.ts";
import { IS_THOROUGH } from "../support/is-thorough.ts";
import { readRepositoryTree } from "../support/repository.ts";
import { run } from "../support/run.ts";
import type { TempProject } from "../support/temp-project.ts";
import { STRICT_FILES, typeErrors } from "../support/type-errors.ts";
import { filesIn, WITH_CHAIN } from "./generate-in.ts";

const OPERATIONS = {
  "portable/recent.graphql": "query Recent($first: Int! = 5) { streams(first: $first) { id } }",
};

const CALLS = `
import { createClient, IndexerError, run } from "./generated/client.js";
import { Recent } from "./generated/lockup/portable.js";
import { resolveChain } from "./generated/manifest.js";
import { createProxy } from "./generated/proxy.js";

const client = createClient({ env: {} });
const failed = await run(client, Recent, {}, { chain: "base" }).catch((error: unknown) => error);
export const results = [resolveChain(8453), failed instanceof IndexerError, typeof createProxy({ env: {} })];
`;

async function generated(config: object): Promise<TempProject> {
  const project = generatedProject(OPERATIONS, WITH_CHAIN);
  project.write("lockflow.config.json", JSON.stringify({ protocols: ["lockup"], ...config }));
  project.write("package.json", '{ "type": "module" }');
  project.write("calls.ts", CALLS);
  expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
  return project;
}

/** Compiler options: code that compiles with more options may not compile with fewer. */
const OPTIONS = [
  [...STRICT_FILES, "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "calls.ts"],
  [...STRICT_FILES, "calls.ts"],
];

/** Runs generated code, and in thorough mode type-checks it first. */
async function call({ root }: TempProject): Promise<unknown> {
  if (IS_THOROUGH) {
    for (const args of OPTIONS) expect(await typeErrors(root, { args })).toBe("");
  }
  return (await import(join(root, "calls.ts"))).results;
}

describe("the run time of generated code", () => {
  it("is imported from the package by default", async () => {
    const project = await generated({});
    const files = project.files("generated");
    expect(Object.keys(files).filter((path) => path.includes("/runtime/"))).toEqual([]);
    expect(files["generated/client.ts"]).toContain('export * from "lockflow-client";');
    installClient(project.root);
    expect(await call(project)).toEqual(["base", true, "function"]);
  });

  it("is copied with runtime emit, and needs no package", async () => {
    const project = await generated({ runtime: "emit" });
    const files = project.files("generated");
    expect(Object.keys(files)).toContain("generated/runtime/calls/run.ts");
    for (const [path, text] of Object.entries(files)) expect(text, path).not.toMatch(/from "lockflow-client/);
    expect(await call(project)).toEqual(["base", true, "function"]);
    expect(await run(project.root, ["check"])).toMatchObject({ code: 0 });
  });

  it.runIf(IS_THOROUGH)("is copied as JavaScript with the format js", async () => {
    const project = await generated({ runtime: "emit", format: "js" });
    expect(Object.keys(project.files("generated"))).toContain("generated/runtime/calls/run.d.ts");
    expect(await call(project)).toEqual(["base", true, "function"]);
  });

  it("is copied only as far as generated modules import it", async () => {
    const project = generatedProject({ "subgraph/a.graphql": "query A { streams { id } }" }, WITH_CHAIN);
    const copied = Object.keys(await filesIn(project, { runtime: "emit" }));
    expect(copied).toContain("runtime/manifest.ts");
    expect(copied.filter((path) => /runtime\/(calls|client|proxy|requests)\//.test(path))).toEqual([]);
  });

  it("is removed if the runtime changes back to the package", async () => {
    const project = await generated({ runtime: "emit" });
    project.write("lockflow.config.json", '{ "protocols": ["lockup"] }');
    expect(await run(project.root, ["generate"])).toMatchObject({ code: 0, err: "" });
    expect(Object.keys(project.files("generated")).filter((path) => path.includes("/runtime/"))).toEqual([]);
  });

  it("imports only its own modules", () => {
    for (const [path, text] of Object.entries(readRepositoryTree("packages/client/src"))) {
      for (const [, from] of text.matchAll(/^(?! \*).* from "([^"]*)"/gm))
        expect(from, path).toMatch(/^\.\.?\/.*\.ts$/);
    }
  });
});

describe("lockflow check with an installed run time", () => {
  const install = (project: TempProject, version: string) =>
    project.write("node_modules/lockflow-client/package.json", JSON.stringify({ version }));

  it.each([
    ["0.1.0", 0],
    ["0.2.0", 1],
  ])("of version %s exits with %i, also from the cache", async (version, code) => {
    const project = await generated({});
    install(project, version);
    for (const _ of ["first", "second"]) {
      const checked = await run(project.root, ["check"]);
      expect(checked.code).toBe(code);
      if (code === 1) {
        expect(checked.out).toContain(
          "lockflow-client 0.2.0 is installed, but the generated files need ^0.1.0.",
        );
      }
    }
  });
});
