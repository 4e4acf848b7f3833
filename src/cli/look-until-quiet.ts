import { setTimeout as pause } from "node:timers/promises";

/** Milliseconds without a change after which a burst of changes is over. */
const QUIET = 20;

/** Milliseconds after which a burst that does not end is taken as it is. */
const LONGEST_BURST = 1000;

/**
 * Looks again and again until nothing changes any more: a save of many files, a checkout and a formatter are one run
 * each.
 *
 * @param first what was seen to have changed.
 * @returns all that has changed, each path once.
 */
export async function lookUntilQuiet(
  look: () => Promise<readonly string[]>,
  first: readonly string[],
): Promise<readonly string[]> {
  const changed = new Set(first);
  const end = performance.now() + LONGEST_BURST;
  while (performance.now() < end) {
    await pause(QUIET);
    const more = await look();
    if (more.length === 0) break;
    for (const path of more) changed.add(path);
  }
  return [...changed];
}
