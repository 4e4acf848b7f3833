import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Several suites start a CLI process, which is slow on a busy two-core machine.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
