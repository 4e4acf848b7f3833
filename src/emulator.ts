/**
 * The emulator with all its options: a local server that speaks both styles, for test suites and demonstrations.
 *
 * @packageDocumentation
 */

export type { ApiKey } from "./emulator/api-keys.ts";
export type { Fleet } from "./emulator/apply-fleet.ts";
export type { EmulatedDeployment } from "./emulator/emulated-deployment.ts";
export type { Fault, FaultHandle, FaultKind, FaultScope, FaultTiming } from "./emulator/faults/fault.ts";
export type { OwnBlock, OwnIndexer, OwnRow, OwnRows } from "./emulator/own/own-indexer.ts";
export type {
  Emulator,
  EmulatorEndpoint,
  EmulatorOptions,
  EmulatorRequestCount,
} from "./emulator/start-emulator.ts";
export { startEmulator } from "./emulator/start-emulator.ts";
