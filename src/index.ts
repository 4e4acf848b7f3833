export type { Config } from "./config/config.ts";
export { defineConfig } from "./config/config.ts";
export type { Emulator, EmulatorEndpoint, EmulatorOptions } from "./emulator/start-emulator.ts";
export { startEmulator } from "./emulator/start-emulator.ts";
export { LockflowError } from "./errors/lockflow-error.ts";
