/** Decides what is random: a number below the given one. Of a run that shrinks, the first of the choices is the plainest. */
export type Choose = (below: number) => number;

/** Creates choices of given numbers. Where there are no more, the first choice is taken. */
export function createChoices(numbers: readonly number[]): Choose {
  let at = 0;
  return (below) => (numbers[at++] ?? 0) % below;
}
