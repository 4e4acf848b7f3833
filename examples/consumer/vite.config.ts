import react from "@vitejs/plugin-react";
import { startEmulator } from "lockflow/emulator";
import { defineConfig, type UserConfig } from "vite";

/** The page reads its indexers from LOCKFLOW_* variables; while it is developed they are the emulator's without any. */
export default defineConfig(async ({ command, isPreview }): Promise<UserConfig> => {
  const isNamed = process.env["LOCKFLOW_MULTICHAIN_URL"] !== undefined;
  if (command === "serve" && isPreview !== true && !isNamed) await nameEmulator();
  return { plugins: [react()], envPrefix: "LOCKFLOW_" };
});

/** Starts the emulator, which lives as long as this process, and names it to the page as live indexers would be. */
async function nameEmulator(): Promise<void> {
  const emulator = await startEmulator();
  const urlOf = (name: string) => emulator.endpoints.find(({ deployment }) => deployment === name)?.url ?? "";
  const testing = `${emulator.url}/testing/{deployment}`;
  const answer = await fetch(testing.replace("{deployment}", "protocol-lockup-mainnet"), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: "{ _meta { block { timestamp } } }" }),
  });
  const { data } = (await answer.json()) as { data: { _meta: { block: { timestamp: number } } } };
  Object.assign(process.env, {
    LOCKFLOW_MULTICHAIN_URL: `${emulator.url}/{id}/v1/graphql`,
    LOCKFLOW_LOCKUP_ID: new URL(urlOf("protocol-lockup-multichain")).pathname.split("/")[1],
    LOCKFLOW_FLOW_ID: new URL(urlOf("protocol-flow-multichain")).pathname.split("/")[1],
    LOCKFLOW_SUBGRAPH_TESTING_URL: testing,
    LOCKFLOW_EMULATOR_TIME: String(data._meta.block.timestamp),
  });
}
