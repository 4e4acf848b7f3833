/**
 * The emulator with all its options: a local server that speaks both styles, for test suites and demonstrations.
 *
 * @packageDocumentation
 */

export type { ApiKey } from "./adapters/adapter.ts";
export type { OwnBlock, OwnIndexer, OwnProtocol, OwnRow, OwnRows } from "./custom/custom-indexer.ts";
export type { Fault, FaultHandle, FaultKind, FaultScope, FaultTiming } from "./faults/fault.ts";
export type { EmulatedDeployment } from "./indexers/emulated-deployment.ts";
export type { Fleet } from "./server/apply-fleet.ts";
export type { EmulatedTarget, EndpointQuestion } from "./server/find-endpoint.ts";
export type {
  Emulator,
  EmulatorEndpoint,
  EmulatorOptions,
  EmulatorRequestCount,
} from "./server/start-emulator.ts";
export { startEmulator } from "./server/start-emulator.ts";
