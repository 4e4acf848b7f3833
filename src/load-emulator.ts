export type { OwnIndexer } from "../emulator/custom/custom-indexer.ts";
export type { Fault, FaultHandle } from "../emulator/faults/fault.ts";
export type { Fleet } from "../emulator/server/apply-fleet.ts";
export type { Emulator, EmulatorEndpoint, EmulatorOptions } from "../emulator/server/start-emulator.ts";
export type { OperatorSettings } from "../emulator/styles/served-style.ts";

/** The emulator as its source tree gives it to the toolkit. */
export type EmulatorModule = typeof import("../emulator/toolkit.ts");

/** The toolkit's only way to the emulator's source tree. Late, because most runs ask real hosts. */
export function loadEmulator(): Promise<EmulatorModule> {
  return import("../emulator/toolkit.ts");
}
