import { platform, type Signal } from "./platform.ts";

/** The longest delay of a timer, 23 days: one of 2 ** 31 milliseconds would fire at once. */
export const MOST_MILLISECONDS = 2_000_000_000;

/** The rejection of `wait` when the time is over. */
export const LATE: object = {};

/**
 * Waits until the work settles the promise, or for some milliseconds without work. Rejects with `LATE` when the time is
 * over, and at once with the reason of the signal, even if the work ignores it.
 *
 * @param start starts the work, and returns a function that stops it. It is called unless the work is done.
 */
export function wait<T = void>(
  signal: Signal | undefined,
  milliseconds: number,
  start?: (done: (value: T) => void, fail: (error: unknown) => void) => () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    throwIfAborted(signal);
    // Undefined if the work fails before it returns.
    let stop: (() => void) | undefined;
    const end = () => {
      platform.clearTimeout(timer);
      forget();
    };
    const done = (value: T) => {
      end();
      resolve(value);
    };
    const fail = (error: unknown) => {
      end();
      stop?.();
      reject(error);
    };
    const late = () => (start ? fail(LATE) : done(undefined as T));
    const timer = platform.setTimeout(late, Math.min(milliseconds, MOST_MILLISECONDS));
    const forget = onAbort(signal, fail);
    stop = start?.(done, fail);
  });
}

/** Throws the reason of an aborted signal. */
export function throwIfAborted(signal: Signal | undefined): void {
  if (signal?.aborted) throw reasonOf(signal);
}

/** Returns why a signal was aborted. React Native does not keep the reason. */
function reasonOf(signal: { readonly aborted: boolean; readonly reason?: unknown }): unknown {
  const { reason = Object.assign(new Error("Aborted."), { name: "AbortError" }) } = signal;
  return reason;
}

/** The listeners of each signal. */
const listeners = /* @__PURE__ */ new WeakMap<object, Set<(reason: unknown) => void>>();

/**
 * Calls a function with the reason when a signal is aborted.
 *
 * @returns a function that removes it.
 */
export function onAbort(signal: Signal | undefined, react: (reason: unknown) => void): () => void {
  if (!signal) return () => {};
  const all = listeners.get(signal) ?? new Set();
  listeners.set(signal, all.add(react));
  // The same listener is added once only: Node warns about a signal with more than ten listeners.
  signal.addEventListener("abort", reactAll);
  return () => {
    all.delete(react);
    if (all.size === 0) signal.removeEventListener("abort", reactAll);
  };
}

function reactAll({ target }: { readonly target: unknown }): void {
  for (const react of listeners.get(target as Signal) ?? []) react(reasonOf(target as Signal));
}

/** Calls a function of the application. Its exceptions do not fail a query. */
export function notify<T>(listener: ((value: T) => void) | undefined, value: T): void {
  if (listener) (async () => listener(value))().catch(() => {});
}
