import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmulator } from "../../emulator/server/start-emulator.ts";
import { runCommandLine } from "../../src/cli/run-command-line.ts";
import type { Turn } from "./render-terminal.ts";

/** Plays what the picture shows: one of 54 deployments has dropped a field, and `drift` says what that breaks. */
export async function playSession(): Promise<Turn[]> {
  const emulator = await startEmulator({
    // No row is shown.
    streams: 1,
    faults: [{ kind: "drop-field", field: "Stream.cliffAmount", deployment: "protocol-lockup-linea" }],
  });
  const root = mkdtempSync(join(tmpdir(), "lockflow-picture-"));
  try {
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
    };
    writeFileSync(join(root, "lockflow.config.json"), JSON.stringify(config));
    return [await run(root, "drift")];
  } finally {
    rmSync(root, { recursive: true, force: true });
    await emulator.close();
  }
}

async function run(root: string, args: string): Promise<Turn> {
  let output = "";
  await runCommandLine(args.split(" "), {
    cwd: root,
    env: { SUBGRAPH_API_KEY: "emulator" },
    out: (text) => {
      output += text;
    },
    err: () => {},
    isTerminal: false,
    untilStopped: () => Promise.resolve(),
  });
  return { command: `npx lockflow ${args}`, output: output.trimEnd().split("\n") };
}
