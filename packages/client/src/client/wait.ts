import { platform, type Signal } from "./platform.ts";

/**
 * Returns a promise that settles through `done` or `fail`, or rejects at once if the signal is aborted.
 *
 * @param start starts the work, and returns a function that stops it early.
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

/** Waits for work that may ignore the signal. */
export function waitFor<T>(signal: Signal | undefined, work: Promise<T>): Promise<T> {
  return wait<T>(signal, (done, fail) => {
    work.then(done, fail);
    return () => {};
  });
}

/** The longest delay of a timer; a longer one would fire at once. */
export const MOST_MILLISECONDS = 2_147_483_647;

/** Waits a time, in milliseconds. */
export function sleep(milliseconds: number, signal: Signal | undefined): Promise<void> {
  return wait<void>(signal, (done) => {
    const timer = platform.setTimeout(done, Math.min(milliseconds, MOST_MILLISECONDS));
    return () => platform.clearTimeout(timer);
  });
}

/** The listeners of each signal. */
const reactions = /* @__PURE__ */ new WeakMap<object, Set<() => void>>();

/**
 * Calls a function when a signal is aborted.
 *
 * @returns a function that removes it.
 */
export function onAbort(signal: Signal | undefined, react: () => void): () => void {
  if (!signal) return () => {};
  const all = reactions.get(signal) ?? new Set();
  reactions.set(signal, all.add(react));
  // The same listener is added once only: Node warns about a signal with more than ten listeners.
  signal.addEventListener("abort", reactAll);
  return () => {
    all.delete(react);
    if (all.size === 0) signal.removeEventListener("abort", reactAll);
  };
}

function reactAll({ target }: { readonly target: unknown }): void {
  for (const react of reactions.get(target as Signal) ?? []) react();
}

/** Calls a function of the application. Its exceptions do not fail a query. */
export function notify<T>(listener: ((value: T) => void) | undefined, value: T): void {
  (async () => listener?.(value))().catch(() => {});
}
