import { existsSync, statfsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { ALONE, findStartingPrograms, readSuiteFiles, TAKES_LONG } from "./test/suites.ts";
import { LATE_OPTIMIZATION } from "./test/support/late-optimization.ts";

// Those of the browser want one, which no package installs: `npm run test:browser`.
const BROWSER = "test/browser/**";

/** What `npm run test:fast` leaves out. */
const HEAVY = [...findStartingPrograms(readSuiteFiles()), ...TAKES_LONG];

/** Hundreds of projects are written and removed again, which in memory takes a tenth of the time. */
function temporaryFolder(): Record<string, string> {
  const folder = "/dev/shm";
  if (!existsSync(folder)) return {};
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > 4e9 ? { TMPDIR: folder } : {};
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
    execArgv: [...LATE_OPTIMIZATION],
    // Several suites start processes, which are slow on a busy two-core machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: temporaryFolder(),
    experimental: { fsModuleCache: true },
    // In the order of their names, so that what takes long does not begin when the other worker is done.
    projects: [
      { extends: true, test: { name: "alone", include: [...ALONE] } },
      // Loading the same modules anew for every suite took a third of the time.
      { extends: true, test: { name: "heavy", include: HEAVY, exclude: [BROWSER], isolate: false } },
      {
        extends: true,
        test: {
          name: "light",
          include: ["test/**/*.test.ts"],
          exclude: [BROWSER, ...ALONE, ...HEAVY],
          isolate: false,
        },
      },
    ],
  },
});
