import { afterEach } from "vitest";
import {
  type Emulator,
  type EmulatorEndpoint,
  type EmulatorOptions,
  startEmulator,
} from "../../emulator/server/start-emulator.ts";
import type { Environment, StyleName } from "../../src/dialects/surface.ts";

const running: Emulator[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((emulator) => emulator.close()));
});

/** Starts an emulator that is closed when the test ends. Few streams, because most tests need only some. */
export async function emulate(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator({ streams: 12, ...options });
  running.push(emulator);
  return emulator;
}

/** Returns the first endpoint of a style and environment, or the one of a deployment. */
export function endpoint(
  { endpoints }: Emulator,
  style: StyleName,
  environment: Environment = "production",
  name?: string,
): EmulatorEndpoint {
  const match = endpoints.find(
    (candidate) =>
      candidate.style === style &&
      candidate.environment === environment &&
      (name === undefined || candidate.deployment === name),
  );
  if (match === undefined) throw new Error(`Unknown ${style} ${environment} endpoint ${name ?? ""}.`);
  return match;
}

export const HEALTH = "{ _meta { block { number } } }";

/** Sends a GraphQL request as clients do. */
export function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}
