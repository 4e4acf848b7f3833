import { defineConfig } from "vitest/config";

/** Suites that need a registry: they install the tarballs as a new user does. */
export default defineConfig({
  test: {
    include: ["test/packages/*.install.ts"],
    // Registries and bundlers are slow on a busy machine.
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
