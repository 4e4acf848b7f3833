import type { Call, Slots } from "../client/client-types.ts";
import { isWorker, readClock } from "./platform.ts";
import { wait } from "./wait.ts";

/**
 * Runs work once the deployment has fewer than `concurrency` requests in flight, and the client fewer than
 * `totalConcurrency`. Not in Workers: they limit requests themselves, and cancel one that waits for another.
 */
export async function inSlot<T>(
  { client, signal, end }: Pick<Call<never, never, never>, "client" | "signal" | "end">,
  deployment: string,
  work: () => T | Promise<T>,
): Promise<T> {
  const { concurrency, totalConcurrency, shared } = client;
  const { slots } = shared;
  const hasRoom = ({ running }: Slots) =>
    running < Math.max(1, concurrency) && shared.running < Math.max(1, totalConcurrency);
  const current = slots.get(deployment) ?? { running: 0, waiting: new Set() };
  slots.set(deployment, current);
  while (!hasRoom(current) && !isWorker()) {
    await wait(signal, end - readClock(), (done) => {
      current.waiting.add(done);
      return () => current.waiting.delete(done);
    });
  }
  current.running++;
  shared.running++;
  try {
    return await work();
  } finally {
    current.running--;
    shared.running--;
    // The last one of the map, so that no deployment uses up the total.
    slots.delete(deployment);
    if (current.running + current.waiting.size > 0) slots.set(deployment, current);
    for (const slot of slots.values()) {
      const [next] = slot.waiting;
      if (!next || !hasRoom(slot)) continue;
      slot.waiting.delete(next);
      next();
      break;
    }
  }
}
