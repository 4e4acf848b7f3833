// The emulator as a test suite starts it, with the streams per chain that the first argument says.
// Prints the URL of each style.
import { startEmulator } from "../dist/emulator.js";

const deployment = { protocol: "lockup", environments: ["production"] };
const emulator = await startEmulator({
  streams: Number(process.argv[2]),
  deployments: [
    { ...deployment, name: "protocol-lockup-mainnet", style: "subgraph", chainIds: [1] },
    { ...deployment, name: "protocol-lockup-multichain", style: "multichain", chainIds: [1, 10] },
  ],
});
console.log(JSON.stringify(Object.fromEntries(emulator.endpoints.map(({ style, url }) => [style, url]))));
