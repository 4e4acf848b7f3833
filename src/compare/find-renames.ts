/** A field as renames are found by. */
export type RenameCandidate = {
  readonly name: string;
  readonly type: string;
  readonly description: string | null;
};

/**
 * Finds fields of one entity that seem to have been renamed: one went and one came of the same type, and most of
 * the others stayed. Where several could be meant, the description tells, then the name; where nothing tells, none is.
 *
 * @param kept how many fields stayed.
 * @param isSameType by the types of the one that went and of the one that came.
 * @returns pairs of what went and what came.
 */
export function findRenames<T extends RenameCandidate>(
  gone: readonly T[],
  come: readonly T[],
  kept: number,
  isSameType: (gone: string, come: string) => boolean = (a, b) => a === b,
): [gone: T, come: T][] {
  // An entity that was written anew has no neighbours to tell a field by.
  if (kept < Math.max(gone.length, come.length)) return [];
  const pairs: [T, T][] = [];
  const [left, right] = [new Set(gone), new Set(come)];
  for (const alike of LIKENESSES) {
    const matches = (a: T, b: T) => isSameType(a.type, b.type) && alike(a, b);
    for (const a of [...left]) {
      const [b, ...more] = [...right].filter((candidate) => matches(a, candidate));
      if (b === undefined || more.length > 0) continue;
      if ([...left].filter((candidate) => matches(candidate, b)).length > 1) continue;
      pairs.push([a, b]);
      left.delete(a);
      right.delete(b);
    }
  }
  return pairs;
}

/** Best first. */
const LIKENESSES: readonly ((a: RenameCandidate, b: RenameCandidate) => boolean)[] = [
  (a, b) => a.description !== null && a.description === b.description,
  (a, b) => wordsOf(a.name).some((word) => wordsOf(b.name).includes(word)),
  () => true,
];

/** `depositAmount` is made of `deposit` and `amount`. */
function wordsOf(name: string): string[] {
  return name
    .split(/_|(?<=[a-z0-9])(?=[A-Z])/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== "");
}
