export type { EmulatedDeployment } from "./emulator/emulated-deployment.ts";
export type {
  Emulator,
  EmulatorEndpoint,
  EmulatorOptions,
  EmulatorRequestCount,
} from "./emulator/start-emulator.ts";
export { startEmulator } from "./emulator/start-emulator.ts";
