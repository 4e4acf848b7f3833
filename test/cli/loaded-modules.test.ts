import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { builtProgram } from "../support/built-program.ts";
import { generatedProject } from "../support/generated-project.ts";
import { run } from "../support/run.ts";
import { exitCode, runNode, startCli } from "../support/run-process.ts";
import { tempProject } from "../support/temp-project.ts";

/** Modules that an unchanged run does not need: schemas, GraphQL, the client's run time, and writing files. */
const HEAVY =
  /^src\/(dialects\/|base\/write-files)|node_modules\/graphql\/|^packages\/client\/src\/(client|requests|variables)\//;

/** The module that a run with work loads first. */
const TUNING = "src/cli/tune-v8.ts";

/** Modules that every command may load: names of surfaces and protocols, and a comparison of texts with numbers. */
const SMALL = [
  "src/dialects/protocol.ts",
  "src/dialects/surface.ts",
  "node_modules/graphql/jsutils/naturalCompare.js",
];

it("an unchanged generate or check loads only what it runs", async () => {
  const project = generatedProject({
    "subgraph/a.graphql": "query Aliases { streams(first: 5) { id alias } }",
  });
  // The cache is stored here.
  project.write("node_modules/.keep", "");
  project.write(
    "lockflow.config.ts",
    'import { defineConfig } from "lockflow";\n\nexport default defineConfig({ protocols: ["lockup"], only: { styles: ["subgraph"] } });\n',
  );
  const lockflow = (...args: string[]) =>
    runNode([builtProgram(), ...args], {
      cwd: project.root,
      env: { NODE_V8_COVERAGE: join(project.root, "coverage") },
    });
  // V8 prints an error for an unknown limit.
  expect(await lockflow("generate")).toMatchObject({ code: 0, err: "" });
  expect(loadedModules(project.root)).toContain(TUNING);
  expect(await run(project.root, ["check"])).toMatchObject({ code: 0, err: "" });
  expect(loadedModules(project.root).filter(isHeavy)).not.toEqual([]);

  for (const command of ["generate", "check"]) {
    project.remove("coverage");
    expect(await lockflow(command)).toMatchObject({ code: 0, err: "" });
    const modules = loadedModules(project.root);
    expect(modules).toContain(`src/tasks/${command}.ts`);
    expect(modules.filter(isHeavy)).toEqual([]);
    expect(modules).not.toContain(TUNING);
    expect(loadedFiles(project.root).filter((path) => path.includes("/node_modules/jiti/"))).toEqual([]);
  }
});

it("emulate loads the code that answers queries before it is ready, and startEmulator does not", async () => {
  const { root } = tempProject();
  const env = { NODE_V8_COVERAGE: join(root, "coverage") };
  const emulate = startCli(["emulate", "--port", "0"], { cwd: root, env });
  const ended = exitCode(emulate);
  let out = "";
  for await (const text of emulate.stdout ?? []) {
    out += text;
    if (out.includes("Serving")) emulate.kill("SIGINT");
  }
  expect(await ended).toBe(0);
  const code = ["styles/subgraph", "styles/multichain"].map((folder) => `emulator/${folder}/execute.ts`);
  expect(loadedModules(root)).toEqual(
    expect.arrayContaining([...code, "emulator/dataset/rows/chain-dataset.ts"]),
  );

  rmSync(join(root, "coverage"), { recursive: true });
  const url = pathToFileURL(join(dirname(builtProgram()), "emulator.js"));
  const script = `const { startEmulator } = await import("${url}"); await (await startEmulator()).close();`;
  writeFileSync(join(root, "start.mjs"), script);
  await runNode(["start.mjs"], { cwd: root, env });
  expect(loadedModules(root)).toContain("emulator/server/start-emulator.ts");
  expect(loadedModules(root)).not.toContain(code[0]);
});

function isHeavy(module: string): boolean {
  return HEAVY.test(module) && !SMALL.includes(module);
}

/** Lists the source files in every chunk that the runs of a program loaded; the bundler names them in comments. */
function loadedModules(root: string): string[] {
  return loadedFiles(root).flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/^\/\/ (.+)$/gm)].map(([, module = ""]) => module),
  );
}

/** Lists the files of code that the runs of a program loaded. */
function loadedFiles(root: string): string[] {
  const folder = join(root, "coverage");
  const urls = readdirSync(folder).flatMap((name) => {
    const { result }: { readonly result: readonly { readonly url: string }[] } = JSON.parse(
      readFileSync(join(folder, name), "utf8"),
    );
    return result.map(({ url }) => url).filter((url) => url.startsWith("file:"));
  });
  return [...new Set(urls)].map((url) => fileURLToPath(url));
}
