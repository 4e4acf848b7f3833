import { IS_THOROUGH } from "./is-thorough.ts";

/**
 * How often a property is tried: `RUNS` times where that is set.
 *
 * @param usual so often as finds what more runs find.
 * @param thorough where there is the time for it.
 */
export function runs(usual: number, thorough = usual): number {
  return Number(process.env["RUNS"] ?? (IS_THOROUGH ? thorough : usual));
}
