// The emulator whose answers come late, by the milliseconds that the first argument says: 0 for none.
// Prints the variables that lead a manifest to it.
import { startEmulator } from "../dist/emulator.js";

const milliseconds = Number(process.argv[2]);
const emulator = await startEmulator({
  faults: milliseconds > 0 ? [{ kind: "latency", milliseconds }] : [],
});
console.log(JSON.stringify(emulator.env()));
