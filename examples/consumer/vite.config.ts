import react from "@vitejs/plugin-react";
import { startEmulator } from "lockflow/emulator";
import { defineConfig, type Plugin } from "vite";
import { createProxy, toNodeHandler } from "./generated/proxy";

/** The page queries its own server, which reads the URLs of the indexers and the key. */
export default defineConfig(async ({ command, isPreview }) => {
  const isNamed = process.env["LOCKFLOW_MULTICHAIN_URL"] !== undefined;
  if (command === "serve" && isPreview !== true && !isNamed) await nameEmulator();
  return { plugins: [react(), indexers()], envPrefix: "LOCKFLOW_EMULATOR_TIME" };
});

/** Answers at `/api/indexers` with the generated proxy, as the server of an application would. */
function indexers(): Plugin {
  const answer = toNodeHandler(createProxy());
  return {
    name: "indexers",
    configureServer: ({ middlewares }) => void middlewares.use("/api/indexers", answer),
    configurePreviewServer: ({ middlewares }) => void middlewares.use("/api/indexers", answer),
  };
}

/**
 * Starts the emulator for as long as this process runs, and sets the variables that direct the proxy to it. The page uses
 * the time of the emulator's head blocks as the current time.
 */
async function nameEmulator(): Promise<void> {
  const emulator = await startEmulator();
  Object.assign(process.env, emulator.env());
  const subgraph = emulator.endpoints.find(({ deployment }) => deployment === "protocol-lockup-mainnet");
  const answer = await fetch(subgraph?.url ?? "", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${process.env["LOCKFLOW_SUBGRAPH_API_KEY"]}`,
    },
    body: JSON.stringify({ query: "{ _meta { block { timestamp } } }" }),
  });
  const { data } = (await answer.json()) as { data: { _meta: { block: { timestamp: number } } } };
  process.env["LOCKFLOW_EMULATOR_TIME"] = String(data._meta.block.timestamp);
}
