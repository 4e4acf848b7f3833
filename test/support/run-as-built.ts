import { afterAll, beforeAll, vi } from "vitest";

/** Runs the tests of a suite as a built package, which keeps caches in node_modules; the sources keep none. */
export function runAsBuilt(): void {
  beforeAll(() => void vi.stubGlobal("__LOCKFLOW_BUILD__", "test"));
  afterAll(() => void vi.unstubAllGlobals());
}
