// Serves the Lockup subgraphs of all chains: as hosts of their own, or with the argument "shared" as paths of one host.
// Sends the endpoint of each chain to its parent. The messages "break" and "lift" set and lift the faults of two chains.
import { startEmulator } from "../dist/emulator.js";
import { chains } from "../generated/dist/manifest.js";

const shared = process.argv[2] === "shared" ? await startEmulator() : null;
const known = shared ?? (await startEmulator());
const request = (chain) => ({ protocol: "lockup", style: "subgraph", chain });
const keys = Object.keys(chains).filter((key) => known.endpoint(request(key)));

const hosts = {};
for (const key of keys) {
  hosts[key] = shared ?? (await startEmulator({ deployments: [known.endpoint(request(key)).deployment] }));
}
const endpoints = Object.fromEntries(keys.map((key) => [key, hosts[key].endpoint(request(key))]));

const [hung, broken] = keys;
process.on("message", async (message) => {
  for (const host of new Set(Object.values(hosts))) host.clearFaults();
  if (message === "break") {
    await hosts[hung].fault({
      kind: "latency",
      milliseconds: 60_000,
      deployment: endpoints[hung].deployment,
    });
    await hosts[broken].fault({ kind: "502", deployment: endpoints[broken].deployment });
  }
  process.send("done");
});
process.on("disconnect", () => process.exit());
process.send({ endpoints, failing: [hung, broken] });
