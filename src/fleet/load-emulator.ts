export type { Fault, FaultHandle } from "../../emulator/faults/fault.ts";
export type { Emulator, EmulatorEndpoint, EmulatorOptions } from "../../emulator/server/start-emulator.ts";
export type { OperatorSettings } from "../../emulator/styles/served-style.ts";

/** Loads the emulator, the toolkit's only import of that source tree. Lazy, because most runs query real hosts. */
export function loadEmulator(): Promise<typeof import("../../emulator/toolkit.ts")> {
  return import("../../emulator/toolkit.ts");
}
