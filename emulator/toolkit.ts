/** What the toolkit itself uses of the emulator: its commands, and runs that have no host to ask. */
export { renderVariables } from "./server/manifest-variables.ts";
export { startEmulator } from "./server/start-emulator.ts";
export { startCustomEmulator, startReferenceEmulator } from "./server/start-from-options.ts";
export { startProjectEmulator } from "./server/start-project-emulator.ts";
export { servedStyles } from "./styles/index.ts";
