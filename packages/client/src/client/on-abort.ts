import type { Signal } from "./platform.ts";

/** What happens when a signal is aborted. */
const reactions = /* @__PURE__ */ new WeakMap<object, Set<() => void>>();

/**
 * Lets something happen when a signal is aborted.
 *
 * @returns what lets it not happen any more.
 */
export function onAbort(signal: Signal | undefined, react: () => void): () => void {
  if (!signal) return () => {};
  const all = reactions.get(signal) ?? new Set();
  reactions.set(signal, all.add(react));
  // Added any number of times it is there once: Node warns of a signal with more than ten listeners.
  signal.addEventListener("abort", reactAll);
  return () => {
    all.delete(react);
    if (all.size === 0) signal.removeEventListener("abort", reactAll);
  };
}

function reactAll({ target }: { readonly target: unknown }): void {
  for (const react of reactions.get(target as Signal) ?? []) react();
}
