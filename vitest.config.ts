import { createRequire } from "node:module";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: {
    alias: [
      // Vite would take graphql's ES build where Node takes its CommonJS build, and the plugins of GraphQL Code
      // Generator, which Node loads, refuse the types of another copy.
      { find: /^graphql$/, replacement: createRequire(import.meta.url).resolve("graphql") },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    // They want a browser, which no package installs: `npm run test:browser`.
    exclude: ["test/browser/**"],
    // Vitest would leave one of two cores idle.
    maxWorkers: 2,
    // Several suites start a CLI process, which is slow on a busy two-core machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
