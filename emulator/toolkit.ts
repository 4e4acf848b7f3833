/** What the toolkit itself uses of the emulator: its commands, and runs that have no host to ask. */
export { entitiesOf } from "./dataset/entities/index.ts";
export { parseFaults, withUsageErrors } from "./faults/parse-faults.ts";
export { renderVariables } from "./server/manifest-variables.ts";
export { startEmulator } from "./server/start-emulator.ts";
export { startProjectEmulator } from "./server/start-project-emulator.ts";
export { servedStyles } from "./styles/index.ts";
