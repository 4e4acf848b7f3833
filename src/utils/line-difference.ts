/** Where two texts first differ. */
export type LineDifference = {
  /** 1-based. */
  readonly line: number;
  /** The line of the one text; null past its end. */
  readonly actual: string | null;
  readonly expected: string | null;
};

/** The first lines in which two texts differ, or null when they are equal. */
export function lineDifference(actual: string, expected: string): LineDifference | null {
  if (actual === expected) return null;
  const actualLines = actual.split("\n");
  const expectedLines = expected.split("\n");
  const last = Math.max(actualLines.length, expectedLines.length);
  for (let index = 0; index < last; index++) {
    if (actualLines[index] === expectedLines[index]) continue;
    return { line: index + 1, actual: actualLines[index] ?? null, expected: expectedLines[index] ?? null };
  }
  return null;
}
