import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Emulator } from "../../emulator/server/start-emulator.ts";

/** What commands find the key of an emulator's subgraphs in: it takes any. */
export const ENV = { SUBGRAPH_API_KEY: "emulator" };

/**
 * Makes a folder with this repository's snapshots and operations, configured to ask an emulator.
 *
 * @param settings further ones of its configuration.
 * @returns its path; the caller removes it.
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
