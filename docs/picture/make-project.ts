import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Emulator } from "../../emulator/server/start-emulator.ts";

/** The variable with the key for subgraphs. The emulator accepts any key. */
export const ENV = { SUBGRAPH_API_KEY: "emulator" };

/**
 * Creates a project with this repository's snapshots and operations that queries an emulator.
 *
 * @param settings more settings of its configuration.
 * @returns the path of its folder; the caller removes it.
 */
export function makeProject(emulator: Emulator, settings: object = {}): string {
  const root = mkdtempSync(join(tmpdir(), "lockflow-picture-"));
  for (const folder of ["generated/schemas", "operations"]) {
    cpSync(new URL(`../../${folder}`, import.meta.url), join(root, folder), { recursive: true });
  }
  const idOf = (name: string) =>
    emulator.endpoints.find(({ deployment }) => deployment === name)?.url.split("/")[3] ?? "";
  const config = {
    multichain: {
      url: `${emulator.url}/{id}/v1/graphql`,
      ids: { lockup: idOf("protocol-lockup-multichain"), flow: idOf("protocol-flow-multichain") },
    },
    subgraph: {
      production: { url: `${emulator.url}/production/{deployment}`, apiKey: { env: "SUBGRAPH_API_KEY" } },
      testing: { url: `${emulator.url}/testing/{deployment}` },
    },
    ...settings,
  };
  writeFileSync(join(root, "lockflow.config.json"), JSON.stringify(config));
  return root;
}
