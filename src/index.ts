import type { Emulator, EmulatorOptions } from "./emulator/start-emulator.ts";

export type { Config } from "./config/config.ts";
export { defineConfig } from "./config/config.ts";
export type { Fault, FaultHandle } from "./emulator/faults/fault.ts";
export type { Emulator, EmulatorEndpoint, EmulatorOptions } from "./emulator/start-emulator.ts";
export { LockflowError } from "./errors/lockflow-error.ts";

/**
 * Starts the emulator: all deployments over real HTTP on this machine, for a test suite or a demonstration.
 * Everything it needs is loaded by the call, because configurations import this module too.
 *
 * @throws EmulatorError when the port is taken.
 * @example
 * ```ts
 * import { startEmulator } from "lockflow";
 *
 * await using emulator = await startEmulator();
 * console.log(emulator.endpoints.length);
 * ```
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await import("./emulator/start-emulator.ts");
  return emulator.startEmulator(options);
}
