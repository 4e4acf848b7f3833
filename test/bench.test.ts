import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { once } from "../src/base/collections.ts";
import { installAll } from "./support/built-client.ts";
import { builtProgram } from "./support/built-program.ts";
import { REPOSITORY, readRepositoryFile } from "./support/repository.ts";
import { runNode } from "./support/run-process.ts";

/** Inputs too small for meaningful ratios: the test only checks that each script runs to its end. */
const SMALL = {
  BENCH_ASKED: "10",
  BENCH_CALLS: "60",
  BENCH_EDITS: "1",
  BENCH_MEMBERS: "20",
  BENCH_PROTOCOLS: "3",
  BENCH_ROUNDS: "1",
  BENCH_ROWS: "2000",
  BENCH_STREAMS: "1000",
  BENCH_SURFACES: "flow/subgraph",
  BENCH_TURNS: "1",
  BENCH_VISITORS: "60",
};

/** The files that scripts read, without the build and the installed packages. */
const READ = [
  ...["bench", "emulator", "generated", "operations", "packages", "scripts", "src"],
  ...["test/fixtures/former-library", "test/support"],
  ...["LICENSE", "lockflow.config.ts", "package.json", "tsconfig.json"],
];

const { scripts } = JSON.parse(readRepositoryFile("package.json"));
const steps = [...scripts.bench.matchAll(/node ((?:--import tsx )?bench\/[\w-]+\.mjs)/g)].map(
  ([, step]) => step,
);

it.each(steps)("%s runs to its end with small inputs", { timeout: 300_000 }, async (step) => {
  const { code, out, err } = await runNode(step.split(" "), { cwd: await builtRepository(), env: SMALL });
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).not.toBe("");
});

const root = mkdtempSync(join(tmpdir(), "lockflow-bench-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Copies the repository with the output of `npm run build`. */
const builtRepository = once(async (): Promise<string> => {
  const built = join(REPOSITORY, "generated/dist");
  for (const path of READ) {
    cpSync(join(REPOSITORY, path), join(root, path), {
      recursive: true,
      filter: (source) => source !== built,
    });
  }
  installAll(root);
  symlinkSync(dirname(builtProgram()), join(root, "dist"));
  const building = await runNode(["--import", "tsx", "scripts/build-operations.ts"], { cwd: root });
  expect(building).toMatchObject({ code: 0, err: "" });
  return root;
});
