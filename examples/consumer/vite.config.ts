import react from "@vitejs/plugin-react";
import { startEmulator } from "lockflow/emulator";
import { defineConfig, type UserConfig } from "vite";

/** The page reads its indexers from LOCKFLOW_* variables; while it is developed they are the emulator's without any. */
export default defineConfig(async ({ command, isPreview }): Promise<UserConfig> => {
  const isNamed = process.env["LOCKFLOW_MULTICHAIN_URL"] !== undefined;
  if (command === "serve" && isPreview !== true && !isNamed) await nameEmulator();
  return { plugins: [react()], envPrefix: PUBLIC };
});

/** What a page may know. Not all of LOCKFLOW_*: the key for production endpoints is one of them. */
const PUBLIC = [
  "LOCKFLOW_BRAND",
  "LOCKFLOW_MULTICHAIN_URL",
  "LOCKFLOW_LOCKUP_ID",
  "LOCKFLOW_FLOW_ID",
  "LOCKFLOW_SUBGRAPH_TESTING_URL",
  "LOCKFLOW_EMULATOR_TIME",
];

/** Starts the emulator, which lives as long as this process, and names it to the page as live indexers would be. */
async function nameEmulator(): Promise<void> {
  const emulator = await startEmulator();
  const urlOf = (name: string) => emulator.endpoints.find(({ deployment }) => deployment === name)?.url ?? "";
  const lockup = urlOf("protocol-lockup-multichain");
  const answer = await fetch(lockup, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: "{ Action(order_by: { timestamp: desc }, limit: 1) { timestamp } }" }),
  });
  const { data } = (await answer.json()) as { data: { Action: [{ timestamp: string }] } };
  Object.assign(process.env, {
    LOCKFLOW_MULTICHAIN_URL: `${emulator.url}/{id}/v1/graphql`,
    LOCKFLOW_LOCKUP_ID: new URL(lockup).pathname.split("/")[1],
    LOCKFLOW_FLOW_ID: new URL(urlOf("protocol-flow-multichain")).pathname.split("/")[1],
    LOCKFLOW_SUBGRAPH_TESTING_URL: `${emulator.url}/testing/{deployment}`,
    LOCKFLOW_EMULATOR_TIME: data.Action[0].timestamp,
  });
}
