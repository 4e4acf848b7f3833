import { afterEach, beforeEach, type MockInstance, vi } from "vitest";

/** Makes every client of a suite repeat failed requests without a pause: the back-off is a random share of its limit. */
export function retryAtOnce(): void {
  let random: MockInstance<() => number> | undefined;
  beforeEach(() => {
    random = vi.spyOn(Math, "random").mockReturnValue(0);
  });
  afterEach(() => {
    random?.mockRestore();
  });
}
