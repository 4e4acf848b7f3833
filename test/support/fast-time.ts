import { onTestFinished, vi } from "vitest";

/** Faster, the time-outs of requests would end before a busy machine answers. */
const SPEED = 5;

/**
 * Makes timers and `performance.now` of this process run five times as fast until the test is over.
 *
 * @returns the delays of the timers that were set, in milliseconds of that time.
 */
export function fastTime(): readonly number[] {
  const delays: number[] = [];
  const { setTimeout } = globalThis;
  const now = performance.now.bind(performance);
  const began = now();
  const clock = vi.spyOn(performance, "now").mockImplementation(() => began + (now() - began) * SPEED);
  const timer = vi.spyOn(globalThis, "setTimeout").mockImplementation(((work: () => void, delay = 0) => {
    delays.push(delay);
    return setTimeout(work, delay / SPEED);
  }) as typeof setTimeout);
  onTestFinished(() => {
    clock.mockRestore();
    timer.mockRestore();
  });
  return delays;
}
