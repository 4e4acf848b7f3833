import { compareCodeUnits, findNamed, groupBy, indexByName } from "../base/collections.ts";
import { baseTypeName, isList } from "../dialects/api-schema.ts";
import {
  type EntityField,
  type EntityModel,
  isRowDefinition,
  type RowDefinition,
} from "../dialects/entity-model.ts";
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
  const least = neighbours < Math.max(removed.length, added.length) ? CERTAIN : 0;
  const pairs = pairUp(removed, added, (one, other) => {
    const similarity = similarityOf(one, other, facts);
    return similarity >= least ? similarity : 0;
  });
  const isFamiliar = neighbours >= Math.max(removed.length, added.length);
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
  const pairs = removed.flatMap((one) =>
    added.map((other) => ({ removed: one, added: other, similarity: similarityOf(one, other) })),
  );
  const groups = groupBy(pairs, ({ similarity }) => similarity);
  groups.delete(0);
  const picked: { removed: T; added: T }[] = [];
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

/** Pairs removed and added items by the new names that are known. */
export function pairKnown<T extends { readonly name: string }>(
  removed: readonly T[],
  added: readonly T[],
  newNameOf: (removed: T) => string | undefined,
): Pair<T>[] {
  return removed.flatMap((one) => {
    const other = findNamed(added, newNameOf(one) ?? "");
    return other === undefined ? [] : [{ removed: one, added: other }];
  });
}

/** Returns the items that are in no pair. */
export function without<T>(items: readonly T[], pairs: readonly Pair<T>[]): T[] {
  return items.filter((item) => !pairs.some(({ removed, added }) => removed === item || added === item));
}

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

/** A renamed entity, interface or aggregation. */
export type EntityRename = { readonly from: string; readonly to: string };

/** The new names of types and members by their old coordinates: `Stream.sender` and `Stream.senderAddress`. */
export type CertainRenames = ReadonlyMap<string, string>;

export const NO_RENAMES: CertainRenames = new Map();

/**
 * Finds renamed entities by their fields. With few equal fields, the names or a reference must match too.
 *
 * @param known renames that the other style proves.
 */
export function findEntityRenames(
  before: EntityModel,
  after: EntityModel,
  known: CertainRenames = NO_RENAMES,
): EntityRename[] {
  const [was, is] = [indexRows(before), indexRows(after)];
  const removed = [...was.values()].filter(({ name }) => !is.has(name));
  const added = [...is.values()].filter(({ name }) => !was.has(name));
  if (removed.length === 0 || added.length === 0) return [];
  const proved = pairKnown(removed, added, ({ name }) => known.get(name));
  const context: Context = {
    removed: new Set(removed.map(({ name }) => name)),
    added: new Set(added.map(({ name }) => name)),
    followed: followReferences(was, is),
  };
  const found = pairUp(without(removed, proved), without(added, proved), (one, other) =>
    one.kind === other.kind ? entitySimilarity(one, other, context) : 0,
  );
  return [...proved, ...found]
    .map((pair) => ({ from: pair.removed.name, to: pair.added.name }))
    .sort((a, b) => compareCodeUnits(a.from, b.from));
}

type Context = {
  readonly removed: ReadonlySet<string>;
  readonly added: ReadonlySet<string>;
  /** `Stream LockupStream` if an unchanged field referred to the first and refers to the second now. */
  readonly followed: ReadonlySet<string>;
};

function indexRows({ definitions }: EntityModel): Map<string, RowDefinition> {
  return indexByName(definitions.filter(isRowDefinition));
}

function followReferences(
  was: ReadonlyMap<string, RowDefinition>,
  is: ReadonlyMap<string, RowDefinition>,
): ReadonlySet<string> {
  const followed = new Set<string>();
  for (const { name, fields } of was.values()) {
    const now = is.get(name);
    if (now === undefined) continue;
    for (const field of fields) {
      const other = findNamed(now.fields, field.name);
      if (other && shapeOf(other) === shapeOf(field)) followed.add(pairKey(field, other));
    }
  }
  return followed;
}

function pairKey(a: EntityField, b: EntityField): string {
  return `${baseTypeName(a.type)} ${baseTypeName(b.type)}`;
}

/** Returns the list brackets of a type. Nullability does not matter for a reference. */
function shapeOf({ type, derived }: EntityField): string {
  return `${type.replace(/\w+/, "").replaceAll("!", "")}${derived ? " derived" : ""}`;
}

const MANY = 8;
const MOST = 0.75;
const HALF = 0.5;

function entitySimilarity(removed: RowDefinition, added: RowDefinition, context: Context): number {
  const [left, right] = [ownFields(removed), ownFields(added)];
  const alike = left.filter((field) => {
    const other = findNamed(added.fields, field.name);
    return other !== undefined && isAlike(field, other, context);
  }).length;
  const share = alike / Math.max(left.length, right.length, 1);
  const isFollowed = context.followed.has(`${removed.name} ${added.name}`);
  const isEnough =
    isFollowed || nameSimilarity(removed.name, added.name) > 0
      ? alike > 0 && share >= HALF
      : alike >= MANY && share >= MOST;
  return isEnough ? share + (isFollowed ? 1 : 0) : 0;
}

function ownFields({ fields }: RowDefinition): readonly EntityField[] {
  return fields.filter(({ name }) => name !== "id");
}

/** Returns whether two fields have the same type, or refer to a removed and an added entity. */
function isAlike(a: EntityField, b: EntityField, { removed, added }: Context): boolean {
  if (a.derived !== b.derived) return false;
  if (a.type === b.type) return true;
  const [target, other] = [baseTypeName(a.type), baseTypeName(b.type)];
  return removed.has(target) && added.has(other) && a.type.replace(target, other) === b.type;
}
