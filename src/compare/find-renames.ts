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
  /** The fields that stayed, as they were and as they are. */
  readonly kept: readonly RenameCandidate[];
  /** By the types of the one that went and of the one that came. */
  readonly isSameType: (gone: string, come: string) => boolean;
  /** Whether the authors wrote a type, by its bare name. */
  readonly isAuthored: (type: string) => boolean;
};

/**
 * Finds fields of one entity that seem to have been renamed: one went and one came of the same type, and they are
 * alike, which the type alone does not make them. The same description tells, then words that both names have, then a
 * reference to what no other field of the entity refers to. Where two are as much alike, none is.
 *
 * @returns pairs of what went and what came.
 */
export function findRenames<T extends RenameCandidate>(
  gone: readonly T[],
  come: readonly T[],
  context: RenameContext,
): [gone: T, come: T][] {
  if (gone.length * come.length > MOST_PAIRS) return [];
  const words = new Map([...gone, ...come].map(({ name }) => [name, wordsOf(name)]));
  const facts: Facts = {
    words: (name) => words.get(name) ?? [],
    isSameType: context.isSameType,
    isAuthored: context.isAuthored,
    descriptions: new Set(context.kept.map(({ description }) => description)),
    targets: new Set(context.kept.map(({ type }) => targetOf(type))),
  };
  // An entity that was written anew has no neighbours to tell a field by: only what is beyond doubt counts.
  const neighbours = new Set(context.kept.flatMap(({ name }) => (name === "id" ? [] : [name]))).size;
  const least = neighbours < Math.max(gone.length, come.length) ? CERTAIN : 0;
  const pairs = gone.flatMap((one) =>
    come.flatMap((other): Pair<T>[] => {
      const likeness = likenessOf(one, other, facts);
      return likeness > 0 && likeness >= least ? [{ one, other, likeness }] : [];
    }),
  );
  return pickPairs(pairs).map(({ one, other }) => [one, other]);
}

/** Where more than that could be meant, nobody renamed: somebody wrote anew. */
export const MOST_PAIRS = 10_000;

/** Two things that may be one, the more alike the higher the number. */
export type Pair<T> = { readonly one: T; readonly other: T; readonly likeness: number };

/** Picks the pairs that are most alike, then those that are of what is left. Of pairs that are as good none is picked. */
export function pickPairs<T>(pairs: readonly Pair<T>[]): Pair<T>[] {
  const groups = new Map<number, Pair<T>[]>();
  for (const pair of pairs) {
    const group = groups.get(pair.likeness);
    if (group) group.push(pair);
    else groups.set(pair.likeness, [pair]);
  }
  const picked: Pair<T>[] = [];
  const settled = new Set<T>();
  for (const [, group] of [...groups].sort(([a], [b]) => b - a)) {
    const open = group.filter(({ one, other }) => !settled.has(one) && !settled.has(other));
    const rivals = new Map<T, number>();
    for (const side of open.flatMap(({ one, other }) => [one, other])) {
      rivals.set(side, (rivals.get(side) ?? 0) + 1);
    }
    picked.push(...open.filter(({ one, other }) => rivals.get(one) === 1 && rivals.get(other) === 1));
    for (const side of rivals.keys()) settled.add(side);
  }
  return picked;
}

type Facts = Pick<RenameContext, "isSameType" | "isAuthored"> & {
  readonly words: (name: string) => readonly string[];
  /** Those of the fields that stayed. */
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
