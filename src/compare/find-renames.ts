import { groupBy } from "../base/collections.ts";
import { baseTypeName, isList } from "../dialects/api-schema.ts";
import {
  isCorrected,
  isOpposed,
  isOtherQuantity,
  nameSimilarity,
  wordSimilarity,
  wordsOf,
} from "./name-similarity.ts";
import { changeOfWords } from "./word-change.ts";

/** The facts of a field that renames are found by. */
export type RenameCandidate = {
  readonly name: string;
  readonly type: string;
  readonly description: string | null;
};

/** The other fields of the entity, and facts about types. */
export type RenameContext = {
  readonly stayed: readonly RenameCandidate[];
  readonly isSameType: (removed: string, added: string) => boolean;
  /** Returns whether a type, by its bare name, is an entity. */
  readonly isEntity: (type: string) => boolean;
};

/** A renamed field. */
export type FieldRename<T> = {
  readonly removed: T;
  readonly added: T;
  /** `name` for the same words in another notation, order or spelling, `structure` for the same description. */
  readonly why: "name" | "structure" | "guess";
};

/** Finds renamed fields of one entity: same type, and the same description, similar words or a unique reference. */
export function findRenames<T extends RenameCandidate>(
  removed: readonly T[],
  added: readonly T[],
  context: RenameContext,
): FieldRename<T>[] {
  const words = new Map([...removed, ...added].map(({ name }) => [name, wordsOf(name)]));
  const facts: Facts = {
    words: (name) => words.get(name) ?? [],
    isSameType: context.isSameType,
    isEntity: context.isEntity,
    descriptions: new Set(context.stayed.map(({ description }) => description)),
    targets: new Set(context.stayed.map(({ type }) => targetOf(type))),
  };
  // A rewritten entity has too few unchanged fields to compare with, so only certain renames count.
  const neighbours = new Set(context.stayed.flatMap(({ name }) => (name === "id" ? [] : [name]))).size;
  const isFamiliar = neighbours >= Math.max(removed.length, added.length);
  const pairs = pairUp(removed, added, (field, other) => {
    const similarity = similarityOf(field, other, facts);
    return isFamiliar || similarity >= CERTAIN ? similarity : 0;
  });
  const countDescribed = (text: string | null) =>
    [...removed, ...added].filter(({ description }) => description === text).length;
  return pairs.map((pair): FieldRename<T> => {
    const [from, to] = [pair.removed.name, pair.added.name];
    const change = changeOfWords(from, to)?.kind;
    const isOpposite = change !== "spelling" && isOpposed(from, to);
    if (!isOpposite && (change === "spelling" || change === "order" || isCorrected(from, to))) {
      return { ...pair, why: "name" };
    }
    const isDescribed =
      similarityOf(pair.removed, pair.added, facts) === SAME_DESCRIPTION &&
      countDescribed(pair.removed.description) === 2;
    const isLikely = !isOpposite && (isFamiliar || nameSimilarity(from, to) > 0);
    return { ...pair, why: isDescribed && isLikely ? "structure" : "guess" };
  });
}

/** The most pairs to compare. With more, the type was rewritten. */
export const MOST_PAIRS = 10_000;

/** Pairs removed with added items, the most similar first. Ties are not paired, nor is a similarity of 0. */
export function pairUp<T>(
  removed: readonly T[],
  added: readonly T[],
  similarityOf: (removed: T, added: T) => number,
): Pair<T>[] {
  if (removed.length * added.length > MOST_PAIRS) return [];
  const pairs = removed.flatMap((item) =>
    added.map((other) => ({ removed: item, added: other, similarity: similarityOf(item, other) })),
  );
  const groups = groupBy(pairs, ({ similarity }) => similarity);
  groups.delete(0);
  const picked: Pair<T>[] = [];
  const settled = new Set<T>();
  for (const [, group] of [...groups].sort(([a], [b]) => b - a)) {
    const open = group.filter((pair) => !settled.has(pair.removed) && !settled.has(pair.added));
    const rivals = groupBy(
      open.flatMap((pair) => [pair.removed, pair.added]),
      (side) => side,
    );
    for (const pair of open) {
      const isTied = [pair.removed, pair.added].some((side) => rivals.get(side)?.length !== 1);
      if (!isTied) picked.push({ removed: pair.removed, added: pair.added });
    }
    for (const side of rivals.keys()) settled.add(side);
  }
  return picked;
}

type Pair<T> = { readonly removed: T; readonly added: T };

type Facts = Pick<RenameContext, "isSameType" | "isEntity"> & {
  readonly words: (name: string) => readonly string[];
  readonly descriptions: ReadonlySet<string | null>;
  /** The targets of the unchanged fields. */
  readonly targets: ReadonlySet<string>;
};

const SAME_DESCRIPTION = 3;
const CERTAIN = 2;

function similarityOf(removed: RenameCandidate, added: RenameCandidate, facts: Facts): number {
  if (!facts.isSameType(removed.type, added.type)) return 0;
  const [left, right] = [facts.words(removed.name), facts.words(added.name)];
  if (isOtherQuantity(left, right)) return 0;
  const { description } = removed;
  if (description !== null && description === added.description && !facts.descriptions.has(description)) {
    return SAME_DESCRIPTION;
  }
  const words = wordSimilarity(left, right);
  if (words !== 0) return 1 + words;
  const isReference = [removed, added].every(
    ({ type }) => facts.isEntity(baseTypeName(type)) && !facts.targets.has(targetOf(type)),
  );
  return isReference ? 1 : 0;
}

function targetOf(type: string): string {
  return `${isList(type) ? "list of " : ""}${baseTypeName(type)}`;
}
