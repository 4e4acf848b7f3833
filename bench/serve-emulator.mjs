// Starts the emulator as a test suite does. The first argument is the number of streams per chain.
// Prints the URL of each style.
import { startEmulator } from "../dist/emulator.js";

const deployment = { protocol: "lockup" };
const emulator = await startEmulator({
  streams: Number(process.argv[2]),
  dailyQueries: Number.MAX_SAFE_INTEGER,
  deployments: [
    {
      ...deployment,
      name: "protocol-lockup-mainnet",
      style: "subgraph",
      chainIds: [1],
      environments: ["testing"],
    },
    {
      ...deployment,
      name: "protocol-lockup-multichain",
      style: "multichain",
      chainIds: [1, 10],
      environments: ["production"],
    },
  ],
});
console.log(JSON.stringify(Object.fromEntries(emulator.endpoints.map(({ style, url }) => [style, url]))));
