export type { Fault, FaultHandle } from "../../emulator/faults/fault.ts";
export type { Emulator, EmulatorEndpoint, EmulatorOptions } from "../../emulator/server/start-emulator.ts";
export type { OperatorSettings } from "../../emulator/styles/served-style.ts";

/** The toolkit's only way to the emulator's source tree. Late, because most runs ask real hosts. */
export function loadEmulator(): Promise<typeof import("../../emulator/toolkit.ts")> {
  return import("../../emulator/toolkit.ts");
}
