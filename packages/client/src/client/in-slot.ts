import type { Client } from "./client-options.ts";
import { isWorker, type Signal } from "./platform.ts";
import { wait } from "./wait.ts";

/**
 * Does work that counts as one of the client's requests in flight. A worker bounds these by itself, and is ended where it
 * waits for what another of its requests does.
 */
export async function inSlot<T>(
  { concurrency, shared }: Client,
  signal: Signal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const { waiting } = shared;
  while (shared.running >= Math.max(1, concurrency) && !isWorker()) {
    await wait<void>(signal, (done) => {
      waiting.add(done);
      return () => waiting.delete(done);
    });
  }
  shared.running++;
  try {
    return await work();
  } finally {
    shared.running--;
    const [next] = waiting;
    if (next) {
      waiting.delete(next);
      next();
    }
  }
}
