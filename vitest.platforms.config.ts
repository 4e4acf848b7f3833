import { defineConfig } from "vitest/config";

/** What needs a real graph-node and a real PostgreSQL, which `npm run test:platforms` installs. */
export default defineConfig({
  test: {
    include: ["test/platforms/**/*.platform.ts"],
    // A node and its database are busy, too.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
