import { baseTypeName, isList } from "../utils/type-expression.ts";
import { nameLikeness } from "./name-likeness.ts";

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
  const pairs = gone.flatMap((one) =>
    come.flatMap((other): Pair<T>[] => {
      const likeness = context.isSameType(one.type, other.type) ? likenessOf(one, other, context) : 0;
      return likeness > 0 ? [{ one, other, likeness }] : [];
    }),
  );
  // An entity that was written anew has no neighbours to tell a field by: only what is beyond doubt counts.
  const neighbours = new Set(context.kept.flatMap(({ name }) => (name === "id" ? [] : [name]))).size;
  const isNew = neighbours < Math.max(gone.length, come.length);
  return pickPairs(pairs.filter(({ likeness }) => !isNew || likeness >= CERTAIN)).map(({ one, other }) => [
    one,
    other,
  ]);
}

/** Two things that may be one, the more alike the higher the number. */
export type Pair<T> = { readonly one: T; readonly other: T; readonly likeness: number };

/** Picks the pairs that are most alike, then those that are of what is left. Of pairs that are as good none is picked. */
export function pickPairs<T>(pairs: readonly Pair<T>[]): Pair<T>[] {
  const meet = (a: Pair<T>, b: Pair<T>) => a.one === b.one || a.other === b.other;
  const best = pairs.filter((pair) =>
    pairs.every((rival) => rival === pair || !meet(rival, pair) || rival.likeness < pair.likeness),
  );
  if (best.length === 0) return [];
  return [...best, ...pickPairs(pairs.filter((pair) => !best.some((picked) => meet(picked, pair))))];
}

const SAME_DESCRIPTION = 3;
const CERTAIN = 2;

function likenessOf(
  gone: RenameCandidate,
  come: RenameCandidate,
  { kept, isAuthored }: RenameContext,
): number {
  const { description } = gone;
  const isTelling = description !== null && !kept.some((field) => field.description === description);
  if (isTelling && description === come.description) return SAME_DESCRIPTION;
  const words = nameLikeness(gone.name, come.name);
  if (words !== 0) return 1 + words;
  const target = (type: string) => `${isList(type) ? "list of " : ""}${baseTypeName(type)}`;
  const isReference = isAuthored(baseTypeName(gone.type)) && isAuthored(baseTypeName(come.type));
  const taken = new Set(kept.map(({ type }) => target(type)));
  return isReference && !taken.has(target(gone.type)) && !taken.has(target(come.type)) ? 1 : 0;
}
