/** Returns a random number below the given one. 0 is the simplest choice, so that failing cases shrink to it. */
export type Choose = (below: number) => number;

/** Creates choices from given numbers, and 0 after the last of them. */
export function createChoices(numbers: readonly number[]): Choose {
  let at = 0;
  return (below) => (numbers[at++] ?? 0) % below;
}
