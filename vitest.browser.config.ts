import { defineConfig } from "vitest/config";

/** What needs a browser: Chromium, which no package installs. `CHROMIUM` says where it is. */
export default defineConfig({
  test: {
    include: ["test/browser/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
