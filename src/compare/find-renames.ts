import { groupBy } from "../base/group-by.ts";
import { baseTypeName, isList } from "../base/type-expression.ts";
import { wordLikeness, wordsOf } from "./name-likeness.ts";

/** A field as renames are found by. */
export type RenameCandidate = {
  readonly name: string;
  readonly type: string;
  readonly description: string | null;
};

/** The other fields of the entity, and what its types are. */
export type RenameContext = {
  readonly stayed: readonly RenameCandidate[];
  readonly isSameType: (gone: string, come: string) => boolean;
  /** Whether the authors wrote a type, by its bare name. */
  readonly isAuthored: (type: string) => boolean;
};

/** Finds renamed fields of one entity: they share type and description, words, or a unique reference. */
export function findRenames<T extends RenameCandidate>(
  gone: readonly T[],
  come: readonly T[],
  context: RenameContext,
): [gone: T, come: T][] {
  const words = new Map([...gone, ...come].map(({ name }) => [name, wordsOf(name)]));
  const facts: Facts = {
    words: (name) => words.get(name) ?? [],
    isSameType: context.isSameType,
    isAuthored: context.isAuthored,
    descriptions: new Set(context.stayed.map(({ description }) => description)),
    targets: new Set(context.stayed.map(({ type }) => targetOf(type))),
  };
  // A rewritten entity has no neighbours to recognise a field by: only what is beyond doubt counts.
  const neighbours = new Set(context.stayed.flatMap(({ name }) => (name === "id" ? [] : [name]))).size;
  const least = neighbours < Math.max(gone.length, come.length) ? CERTAIN : 0;
  return pairUp(gone, come, (one, other) => {
    const likeness = likenessOf(one, other, facts);
    return likeness >= least ? likeness : 0;
  });
}

/** With more candidates than these nobody renamed: somebody rewrote. */
export const MOST_PAIRS = 10_000;

/** Pairs what went with what came, the most alike (above 0) first; of equally alike pairs none is chosen. */
export function pairUp<T>(
  gone: readonly T[],
  come: readonly T[],
  likenessOf: (one: T, other: T) => number,
): [gone: T, come: T][] {
  if (gone.length * come.length > MOST_PAIRS) return [];
  const pairs = gone.flatMap((one) =>
    come.map((other) => ({ one, other, likeness: likenessOf(one, other) })),
  );
  const groups = groupBy(pairs, ({ likeness }) => likeness);
  groups.delete(0);
  const picked: [T, T][] = [];
  const settled = new Set<T>();
  for (const [, group] of [...groups].sort(([a], [b]) => b - a)) {
    const open = group.filter(({ one, other }) => !settled.has(one) && !settled.has(other));
    const rivals = groupBy(
      open.flatMap(({ one, other }) => [one, other]),
      (side) => side,
    );
    for (const { one, other } of open) {
      if (rivals.get(one)?.length === 1 && rivals.get(other)?.length === 1) picked.push([one, other]);
    }
    for (const side of rivals.keys()) settled.add(side);
  }
  return picked;
}

type Facts = Pick<RenameContext, "isSameType" | "isAuthored"> & {
  readonly words: (name: string) => readonly string[];
  readonly descriptions: ReadonlySet<string | null>;
  /** What the fields that stayed refer to. */
  readonly targets: ReadonlySet<string>;
};

const SAME_DESCRIPTION = 3;
const CERTAIN = 2;

function likenessOf(gone: RenameCandidate, come: RenameCandidate, facts: Facts): number {
  if (!facts.isSameType(gone.type, come.type)) return 0;
  const { description } = gone;
  if (description !== null && description === come.description && !facts.descriptions.has(description)) {
    return SAME_DESCRIPTION;
  }
  const words = wordLikeness(facts.words(gone.name), facts.words(come.name));
  if (words !== 0) return 1 + words;
  const isReference = [gone, come].every(
    ({ type }) => facts.isAuthored(baseTypeName(type)) && !facts.targets.has(targetOf(type)),
  );
  return isReference ? 1 : 0;
}

function targetOf(type: string): string {
  return `${isList(type) ? "list of " : ""}${baseTypeName(type)}`;
}
