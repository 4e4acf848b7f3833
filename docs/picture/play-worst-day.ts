import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Fault } from "../../emulator/faults/fault.ts";
import { startEmulator } from "../../emulator/server/start-emulator.ts";
import { drift, type Report } from "../../src/api.ts";

/** The chains whose subgraphs of payments have not answered for some nights. */
const SILENT = [
  "abstract",
  "avalanche",
  "berachain",
  "xdc",
  "bsc",
  "chiliz",
  "gnosis",
  "polygon",
  "scroll",
  "sepolia",
];

const NIGHTS = 9;
const FIRST_NIGHT = Date.parse("2026-11-13T03:17:00Z");
const DAY = 24 * 60 * 60 * 1000;

/**
 * Plays nights of `drift --memory` until the worst: a field is dropped on three chains, a deployment serves another chain,
 * one head lags behind, another stands still, and ten endpoints have been silent for days. Every run of it gives the
 * same report.
 */
export async function playWorstDay(): Promise<Report> {
  const emulator = await startEmulator({ streams: 1 });
  const root = mkdtempSync(join(tmpdir(), "lockflow-worst-day-"));
  const { now } = Date;
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
      chains: {
        iotex: { status: "retired", since: "2026-08", reason: "its streams have moved" },
        sei: { status: "dormant", since: "2026-06", reason: "nobody creates streams there" },
      },
    };
    writeFileSync(join(root, "lockflow.config.json"), JSON.stringify(config));
    const env = { SUBGRAPH_API_KEY: "emulator" };
    await emulator.fault({ kind: "502", deployment: "sei", style: "subgraph" });
    await emulator.fault({ kind: "stuck-head", deployment: "protocol-lockup-scroll" });
    let memory: string | undefined;
    for (let night = 0; ; night++) {
      Date.now = () => FIRST_NIGHT + night * DAY;
      if (night === 3) await silence(emulator, SILENT.slice(0, 4));
      if (night === 6) await silence(emulator, SILENT.slice(4));
      if (night === NIGHTS - 1) {
        for (const fault of WORST) await emulator.fault(fault);
      }
      const isLast = night === NIGHTS - 1;
      const run = await drift({ cwd: root, env, memory, require: { kind: "none" }, details: isLast });
      if (isLast) return run.report;
      memory = run.memory ?? undefined;
      emulator.advance(1800 + ((night * 977) % 1400));
    }
  } finally {
    Date.now = now;
    rmSync(root, { recursive: true, force: true });
    await emulator.close();
  }
}

const WORST: readonly Fault[] = [
  ...["arbitrum-one", "linea", "zksync"].map(
    (chain): Fault => ({
      kind: "drop-field",
      field: "Stream.cliffAmount",
      deployment: `protocol-lockup-${chain}`,
    }),
  ),
  { kind: "wrong-chain", chain: "polygon", deployment: "protocol-lockup-optimism" },
  { kind: "lagging-head", blocks: 48_210, deployment: "protocol-lockup-mainnet" },
  { kind: "release", release: "graph-node-0.44", deployment: "protocol-flow-base" },
];

async function silence(
  emulator: { readonly fault: (fault: Fault) => Promise<unknown> },
  chains: readonly string[],
): Promise<void> {
  for (const chain of chains) {
    await emulator.fault({ kind: "502", deployment: chain, protocol: "flow", style: "subgraph" });
  }
}
