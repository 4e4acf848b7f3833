import { existsSync, statfsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import {
  findStartingPrograms,
  findThorough,
  isOnlyThorough,
  readSuiteFiles,
  TAKES_LONG,
} from "./test/suites.ts";
import { IS_THOROUGH } from "./test/support/is-thorough.ts";
import { LATE_OPTIMIZATION } from "./test/support/late-optimization.ts";

const files = readSuiteFiles();

/** The suites of this run: `npm run check:packages` has its own. Those of `test/browser` need a browser. */
const SUITES = IS_THOROUGH
  ? findThorough(files)
  : Object.keys(files).filter(
      (path) => /^test\/(?!browser\/).*\.test\.ts$/.test(path) && !isOnlyThorough(path),
    );

/** The suites that `npm run test:fast` leaves out. */
const HEAVY = [...findStartingPrograms(files), ...TAKES_LONG];

/** Hundreds of projects are written and removed again, which in memory takes a tenth of the time. */
function temporaryFolder(): Record<string, string> {
  const folder = "/dev/shm";
  if (!existsSync(folder)) return {};
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 4e9 ? { TMPDIR: folder } : {};
}

/** Suites that share the modules of a worker: loading them anew for each took a third of the time. */
function sharedProject(name: string, includes: (path: string) => boolean): TestProjectInlineConfiguration {
  return { extends: true, test: { name, include: SUITES.filter(includes), isolate: false } };
}

export default defineConfig({
  resolve: {
    alias: [
      // Vite would take graphql's ES build where Node takes its CommonJS build, and the plugins of GraphQL Code
      // Generator, which Node loads, refuse the types of another copy.
      { find: /^graphql$/, replacement: createRequire(import.meta.url).resolve("graphql") },
      // To load it so takes a third of the time.
      {
        find: /^typescript$/,
        replacement: fileURLToPath(new URL("test/support/typescript.ts", import.meta.url)),
      },
    ],
  },
  test: {
    // Vitest would leave one of two cores idle.
    maxWorkers: 2,
    // On two cores the collector's threads only compete with the workers, for a fifth of the processor time.
    execArgv: [...LATE_OPTIMIZATION, "--single-threaded-gc"],
    // Several suites start processes, which are slow on a busy two-core machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: temporaryFolder(),
    experimental: { fsModuleCache: true },
    projects: [
      // Workers load the toolkit once per project: two projects only if one of them is asked for.
      ...(process.argv.includes("--project")
        ? [
            sharedProject("heavy", (path) => HEAVY.includes(path)),
            sharedProject("light", (path) => !HEAVY.includes(path)),
          ]
        : [sharedProject("all", () => true)]),
    ],
  },
});
