import { setFlagsFromString } from "node:v8";

/**
 * Makes V8 optimize code later. A run of a second spends a quarter of its processor time on optimizing code that has
 * almost finished; the loops of a large input are still optimized.
 *
 * @param v8 the version of V8. V8 prints an error for flags that it does not have, so other versions are left alone.
 */
export function delayOptimization(v8: string): void {
  for (const flag of FLAGS[v8.split(".")[0] ?? ""] ?? []) setFlagsFromString(flag);
}

/** The limits of Node 20 and Node 22, about eight times their defaults. */
const FLAGS: Readonly<Record<string, readonly string[]>> = {
  11: ["--interrupt-budget=500000"],
  12: ["--invocation-count-for-turbofan=25000", "--invocation-count-for-osr=6000"],
};
