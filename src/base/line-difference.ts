/** Where two texts first differ: line and column from 1, and both lines, null past the end of a text. */
export type LineDifference = {
  readonly line: number;
  readonly column: number;
  readonly actual: string | null;
  readonly expected: string | null;
};

/** The first lines in which two texts differ, or null when they are equal. */
export function lineDifference(actual: string, expected: string): LineDifference | null {
  if (actual === expected) return null;
  const [actualLines, expectedLines] = [actual.split("\n"), expected.split("\n")];
  let index = 0;
  while (actualLines[index] === expectedLines[index]) index++;
  const [one, other] = [actualLines[index] ?? null, expectedLines[index] ?? null];
  let same = 0;
  while (one !== null && same < one.length && one[same] === other?.[same]) same++;
  return { line: index + 1, column: same + 1, actual: one, expected: other };
}
