import react from "@vitejs/plugin-react";
import { startEmulator } from "lockflow/emulator";
import { defineConfig, type Plugin } from "vite";
import { createProxy, toNodeHandler } from "./generated/proxy.ts";

/** The page queries its own server, which reads the URLs of the indexers and the key. */
export default defineConfig(async ({ command, isPreview }) => {
  const isNamed = process.env["LOCKFLOW_MULTICHAIN_URL"] !== undefined;
  if (command === "serve" && isPreview !== true && !isNamed) {
    const emulator = await startEmulator({ asOf: "now" });
    Object.assign(process.env, emulator.env());
  }
  return { plugins: [react(), indexers()] };
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
