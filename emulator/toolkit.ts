/** The parts of the emulator that the toolkit uses: its commands, and runs without a configured host. */
export { renderVariables } from "./server/manifest-variables.ts";
export { startEmulator } from "./server/start-emulator.ts";
export { startCustomEmulator, startReferenceEmulator } from "./server/start-from-options.ts";
export { startProjectEmulator } from "./server/start-project-emulator.ts";
export { servedStyles } from "./styles/index.ts";
