import { afterAll, beforeAll } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/server/start-emulator.ts";
import { run } from "./run.ts";

/** Starts an emulator for the tests of a suite. `ask` runs the command against it until its rows end. */
export function asking(options: Parameters<typeof startEmulator>[0]) {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ dailyQueries: 1_000_000, ...options });
  });
  afterAll(() => emulator.close());
  const ask = (cwd: string, args: readonly string[], { env, ...more }: Parameters<typeof run>[2] = {}) =>
    run(cwd, ["ask", ...args], {
      stopped: new Promise<void>(() => {}),
      env: { ...emulator.env(), ...env },
      ...more,
    });
  return { emulator: () => emulator, ask };
}
