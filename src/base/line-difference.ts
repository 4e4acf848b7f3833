/** Where two texts first differ. */
export type LineDifference = {
  /** 1-based. */
  readonly line: number;
  /** Of the first character in which the lines differ, 1-based. */
  readonly column: number;
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
    const [one, other] = [actualLines[index], expectedLines[index]];
    if (one === other) continue;
    return {
      line: index + 1,
      column: commonLength(one ?? "", other ?? "") + 1,
      actual: one ?? null,
      expected: other ?? null,
    };
  }
  return null;
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
