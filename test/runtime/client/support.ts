import { afterAll, beforeAll } from "vitest";
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from "../../../emulator/server/start-emulator.ts";
import { routes } from "../../../generated/routes.ts";
import type { Client, ClientOptions } from "../../../packages/client/src/client/client-types.ts";
import { createClient } from "../../../packages/client/src/client/create-client.ts";

/** Returns a client from the source, with the library's routes. */
export function clientOf(options: ClientOptions): Client {
  return createClient(routes, options);
}

/** Starts one emulator for a suite. */
export function withEmulator(options: EmulatorOptions = {}): () => Emulator {
  let emulator: Emulator | undefined;
  beforeAll(async () => {
    emulator = await startEmulator({ streams: 30, ...options });
  });
  afterAll(() => emulator?.close());
  return () => {
    if (!emulator) throw new Error("The emulator has not started.");
    return emulator;
  };
}

/** Counts the requests to each deployment during some work. */
export async function countRequests(
  emulator: Emulator,
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const count = () => {
    const counts = new Map<string, number>();
    for (const { deployment, count } of emulator.requests()) {
      counts.set(deployment, (counts.get(deployment) ?? 0) + count);
    }
    return counts;
  };
  const before = count();
  await work();
  return Object.fromEntries(
    [...count()].flatMap(([name, now]) => {
      const asked = now - (before.get(name) ?? 0);
      return asked === 0 ? [] : [[name, asked]];
    }),
  );
}

/** Returns the value that a promise rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error("It did not reject.");
    },
    (error: unknown) => error,
  );
}
