import { startEmulator } from "lockflow/emulator";
import type { NextConfig } from "next";
import { PHASE_DEVELOPMENT_SERVER } from "next/constants.js";

/** In development, without variables for the indexers, the emulator serves them. */
export default async function configure(phase: string): Promise<NextConfig> {
  if (phase === PHASE_DEVELOPMENT_SERVER && process.env["LOCKFLOW_MULTICHAIN_URL"] === undefined) {
    const emulator = await startEmulator({ asOf: "now" });
    Object.assign(process.env, emulator.env());
  }
  return { poweredByHeader: false };
}
