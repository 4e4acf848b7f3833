// The emulator whose answers come late, by the milliseconds that the first argument says.
// Prints the variables that lead a manifest to it.
import { startEmulator } from "../dist/emulator.js";

const emulator = await startEmulator({
  faults: [{ kind: "latency", milliseconds: Number(process.argv[2]) }],
});
console.log(JSON.stringify(emulator.env()));
