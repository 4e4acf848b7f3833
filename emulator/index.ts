/**
 * The emulator with all its options: a local server that speaks both styles, for test suites and demonstrations.
 *
 * @packageDocumentation
 */

export type { OwnBlock, OwnIndexer, OwnRow, OwnRows } from "./custom/own-indexer.ts";
export type { Fault, FaultHandle, FaultKind, FaultScope, FaultTiming } from "./faults/fault.ts";
export type { ApiKey } from "./server/api-keys.ts";
export type { Fleet } from "./server/apply-fleet.ts";
export type { EmulatedDeployment } from "./server/emulated-deployment.ts";
export type {
  Emulator,
  EmulatorEndpoint,
  EmulatorOptions,
  EmulatorRequestCount,
} from "./server/start-emulator.ts";
export { startEmulator } from "./server/start-emulator.ts";
