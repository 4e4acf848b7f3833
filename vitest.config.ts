import { createRequire } from "node:module";
import { defineConfig } from "vitest/config";

/** Suites that put something in the place of a module, which no other may find there, or look at the heap. */
const ALONE = [
  "test/cli/check.test.ts",
  "test/emulator/indexers/lazy-generation.test.ts",
  "test/emulator/indexers/protocol-dataset.test.ts",
  "test/fleet/error-memory.test.ts",
];

export default defineConfig({
  resolve: {
    alias: [
      // Vite would take graphql's ES build where Node takes its CommonJS build, and the plugins of GraphQL Code
      // Generator, which Node loads, refuse the types of another copy.
      { find: /^graphql$/, replacement: createRequire(import.meta.url).resolve("graphql") },
    ],
  },
  test: {
    // Vitest would leave one of two cores idle.
    maxWorkers: 2,
    // Several suites start a CLI process, which is slow on a busy two-core machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "together",
          include: ["test/**/*.test.ts"],
          // Those of the browser want one, which no package installs: `npm run test:browser`.
          exclude: ["test/browser/**", ...ALONE],
          // Loading the same modules anew for every suite took a third of the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: "alone", include: ALONE } },
    ],
  },
});
