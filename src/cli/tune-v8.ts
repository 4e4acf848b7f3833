import { setFlagsFromString } from "node:v8";

/** What a command spends its time or memory on. */
export type Work = keyof typeof FLAGS;

/**
 * Sets limits of V8 for this process. Only the command does so: a library must not change the process that loads it.
 *
 * @param version of V8, which prints an error for a limit that it does not have.
 */
export function tuneV8(work: Work, version: string): void {
  const flags: Readonly<Record<string, readonly string[]>> = FLAGS[work];
  for (const flag of flags[version.split(".")[0] ?? ""] ?? []) setFlagsFromString(flag);
}

/** By the version of V8: 11 is Node 20, 12 Node 22. */
const FLAGS = {
  /**
   * A run of a second spends a quarter of its processor time on optimizing code that has almost finished. With about
   * eight times the defaults, only the loops of a large input are optimized.
   */
  generation: {
    11: ["--interrupt-budget=500000"],
    12: ["--invocation-count-for-turbofan=25000", "--invocation-count-for-osr=6000"],
  },
  /** By default, garbage may grow to three times the live memory; here to as much again. */
  export: { 11: ["--heap-growing-percent=100"], 12: ["--heap-growing-percent=100"] },
} as const;
