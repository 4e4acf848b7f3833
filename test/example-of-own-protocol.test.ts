import { cpSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { startProjectEmulator } from "../emulator/server/start-project-emulator.ts";
import { loadProject } from "../src/project/load-project.ts";
import { installAll } from "./support/built-client.ts";
import { IS_THOROUGH } from "./support/is-thorough.ts";
import { REPOSITORY } from "./support/repository.ts";
import { run } from "./support/run.ts";
import { runNode } from "./support/run-process.ts";
import { type TempProject, tempProject } from "./support/temp-project.ts";
import { typeErrors } from "./support/type-errors.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** The example as a user copies it, with the packages at hand. */
function copyExample(): TempProject {
  const project = tempProject({
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify({
      extends: join(REPOSITORY, "tsconfig.json"),
      compilerOptions: {
        typeRoots: [join(REPOSITORY, "node_modules/@types")],
        paths: {
          // Only the part that the example uses: with the whole package, all sources would be checked again.
          lockflow: [join(REPOSITORY, "src/project/config.ts")],
        },
      },
      include: ["*.ts", "generated"],
    }),
  });
  // Without the files that a run of the example leaves there.
  for (const path of ["auctions.ts", "entities", "lockflow.config.ts", "operations"]) {
    cpSync(join(REPOSITORY, "examples/own-protocol", path), join(project.root, path), { recursive: true });
  }
  installAll(project.root);
  return project;
}

it("the custom protocol example synchronizes without a host, compiles, and queries both styles", async () => {
  const { root } = copyExample();
  const synced = await run(root, ["sync"]);
  expect(synced).toMatchObject({ code: 0 });
  expect(synced.out).toContain("Introspected 3 of 3 deployments.");
  expect(synced.out).toMatch(
    /^ {2}DearestAuctions of .*, sent to example-auctions-multichain:\n.*\n {4}auction-/m,
  );
  expect(synced.out).toMatch(
    /^ {2}DearestAuctions of .*, sent to example-auctions-mainnet:\n.*\n {4}auction-1-/m,
  );
  expect(await run(root, ["check"])).toMatchObject({ code: 0 });

  if (IS_THOROUGH) expect(await typeErrors(root)).toBe("");

  const emulator = await startProjectEmulator(await loadProject(root), {});
  onTestFinished(() => emulator.close());
  for (const [name, value] of Object.entries(emulator.env())) vi.stubEnv(name, value);
  let out = "";
  vi.spyOn(console, "log").mockImplementation((line: string) => {
    out += `${line}\n`;
  });
  await import(join(root, "auctions.ts"));
  const [everywhere = "", onBase = ""] = out.split("The dearest open auctions of ").slice(1);
  expect(everywhere).toMatch(/^example-auctions-multichain:\n/);
  expect(onBase).toMatch(/^example-auctions-base:\n/);
  const rowsOf = (table: string) => table.trim().split("\n").slice(2);
  expect(rowsOf(everywhere)).toHaveLength(4);
  expect(rowsOf(onBase)).toHaveLength(4);
  for (const row of [...rowsOf(everywhere), ...rowsOf(onBase)]) {
    expect(row).toMatch(/^ {2}(ethereum|base {4}) {2}0x[\da-f]{4}…[\da-f]{4} {2,}\d+ +(\d+|none)$/);
  }
  // Both have the same rows: those on Base are in both tables, in one order.
  const shared = rowsOf(everywhere).filter((row) => row.startsWith("  base"));
  expect(shared.length).toBeGreaterThan(0);
  expect(rowsOf(onBase).slice(0, shared.length)).toEqual(shared);
});

it.runIf(IS_THOROUGH)("the custom protocol example runs with the format js, without a loader", async () => {
  const project = copyExample();
  const config = project.read("lockflow.config.ts");
  project.write("lockflow.config.ts", config.replace('brand: "example"', 'brand: "example", format: "js"'));
  const synced = await run(project.root, ["sync"]);
  expect(synced).toMatchObject({ code: 0 });
  expect(synced.out).toContain("DearestAuctions of generated/auctions/subgraph.strings.js, sent to");
  expect(Object.keys(project.files("generated")).filter((path) => /(?<!\.d)\.ts$/.test(path))).toEqual([]);
  expect(await run(project.root, ["check"])).toMatchObject({ code: 0 });

  const { code } = await transform(project.read("auctions.ts"), { loader: "ts" });
  project.write("auctions.js", code);
  const emulator = await startProjectEmulator(await loadProject(project.root), {});
  onTestFinished(() => emulator.close());
  const shown = await runNode([join(project.root, "auctions.js")], { env: emulator.env() });
  expect(shown).toMatchObject({ code: 0, err: "" });
  expect(shown.out.match(/^ {2}(ethereum|base {4}) {2}0x[\da-f]{4}…/gm)).toHaveLength(8);
});
