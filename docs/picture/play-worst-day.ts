import { rmSync } from "node:fs";
import type { Fault } from "../../emulator/faults/fault.ts";
import { startEmulator } from "../../emulator/server/start-emulator.ts";
import { drift, type Report } from "../../src/index.ts";
import { ENV, makeProject } from "./make-project.ts";

/** The chains whose Flow subgraphs have not answered for some nights. */
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
 * one head lags behind, another is stuck, and ten endpoints have been silent for days. Every run returns the same
 * report.
 */
export async function playWorstDay(): Promise<Report> {
  const emulator = await startEmulator({ streams: 1 });
  const root = makeProject(emulator, {
    chains: {
      iotex: { status: "retired", since: "2026-08", reason: "its streams have moved" },
      sei: { status: "dormant", since: "2026-06", reason: "nobody creates streams there" },
    },
  });
  const { now } = Date;
  try {
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
      const run = await drift({ cwd: root, env: ENV, memory, require: { kind: "none" }, details: isLast });
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
