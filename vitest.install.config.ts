import { defineConfig } from "vitest/config";

/** Suites that need a registry: they install the tarballs as a new user does. */
export default defineConfig({
  test: {
    include: ["test/packages/*.install.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
