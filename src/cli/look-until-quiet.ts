/** Waits for a number of milliseconds. */
export type Pause = (milliseconds: number) => Promise<unknown>;

/** Milliseconds without a change after which a burst of changes is over. */
const QUIET = 20;

/** Looks after which a burst that does not end is taken as it is: one second. */
const MOST_LOOKS = 50;

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
  pause: Pause,
): Promise<readonly string[]> {
  const changed = new Set(first);
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    await pause(QUIET);
    const more = await look();
    if (more.length === 0) break;
    for (const path of more) changed.add(path);
  }
  return [...changed];
}
