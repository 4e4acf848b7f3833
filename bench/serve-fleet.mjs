// Starts the emulator with a latency. The first argument is the latency in milliseconds.
// Prints the environment variables that direct a manifest to it.
import { startEmulator } from "../dist/emulator.js";

const milliseconds = Number(process.argv[2]);
const emulator = await startEmulator({
  faults: milliseconds > 0 ? [{ kind: "latency", milliseconds }] : [],
});
console.log(JSON.stringify(emulator.env()));
