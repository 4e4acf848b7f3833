import { onAbort } from "./on-abort.ts";
import { platform, type Signal } from "./platform.ts";

/**
 * Waits until it is done or fails, or rejects with the reason of the signal at once.
 *
 * @param start begins what is waited for, and gives what ends it early.
 */
export function wait<T>(
  signal: Signal | undefined,
  start: (done: (value: T) => void, fail: (error: unknown) => void) => () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const forget = onAbort(signal, abort);
    const stop = start(
      (value) => end(() => resolve(value)),
      (error) => end(() => reject(error)),
    );
    if (signal?.aborted) abort();

    function abort(): void {
      stop();
      end(() => reject(signal?.reason));
    }

    function end(settle: () => void): void {
      forget();
      settle();
    }
  });
}

/** Waits for work that may not know of the signal. */
export function waitFor<T>(signal: Signal | undefined, work: Promise<T>): Promise<T> {
  return wait<T>(signal, (done, fail) => {
    work.then(done, fail);
    return () => {};
  });
}

/** The most that a timer counts: after more it would be over at once. */
export const MOST_MILLISECONDS = 2_147_483_647;

/** Waits a time, in milliseconds. */
export function sleep(milliseconds: number, signal: Signal | undefined): Promise<void> {
  return wait<void>(signal, (done) => {
    const timer = platform.setTimeout(done, Math.min(milliseconds, MOST_MILLISECONDS));
    return () => platform.clearTimeout(timer);
  });
}
