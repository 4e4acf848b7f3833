import { defineConfig } from "vitest/config";

/** What needs a registry: an installation from the tarballs, as somebody does it who is new to them. */
export default defineConfig({
  test: {
    include: ["test/packages/*.install.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
