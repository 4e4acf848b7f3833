import { cached, compareCodeUnits, findNamed, groupBy } from "../base/collections.ts";
import { baseTypeName } from "../dialects/api-schema.ts";
import type { EntityEnum, EntityField, RowDefinition } from "../dialects/entity-model.ts";
import { MOST_PAIRS, pairUp } from "./find-renames.ts";
import { isOpposed, nameSimilarity } from "./name-similarity.ts";
import { changeOfWords, type WordChange } from "./word-change.ts";

/** The entities, interfaces and aggregations of a model, and its enums. */
export type ModelParts = {
  readonly rows: ReadonlyMap<string, RowDefinition>;
  readonly enums: ReadonlyMap<string, EntityEnum>;
};

/** A renamed entity, interface or aggregation. */
export type EntityRename = {
  readonly from: string;
  readonly to: string;
  readonly why: "confirmed" | "structure" | "systematic" | "name" | "guess";
};

/** Facts about entities from outside the two models. */
export type EntityFacts = {
  /** Confirmed new names by their old ones. */
  readonly confirmed: ReadonlyMap<string, string>;
  /** The keys of confirmed changes of words. */
  readonly changes: ReadonlySet<string>;
  /** Returns whether a version in between had both entities. */
  readonly coexisted: (from: string, to: string) => boolean;
};

/**
 * Finds renamed entities, and the keys of the changes of words that are accepted for all names. Pairs with the same change
 * are judged together: after a merge of two indexers, `Action` fits `FlowAction` as well as `LockupAction`, and only the
 * other pairs of each change show which of them it became.
 */
export function findEntityRenames(
  before: ModelParts,
  after: ModelParts,
  facts: EntityFacts,
): { readonly renames: readonly EntityRename[]; readonly accepted: ReadonlySet<string> } {
  const comparison = compareParts(before, after);
  const removed = [...before.rows.values()].filter(({ name }) => !after.rows.has(name));
  const added = [...after.rows.values()].filter(({ name }) => !before.rows.has(name));
  const renames: EntityRename[] = [];
  const [renamed, claimed] = [new Map<string, string>(), new Set<string>()];
  const isOpen = ({ from, to }: Names) => !renamed.has(from) && !claimed.has(to);
  const claim = (rename: EntityRename) => {
    renames.push(rename);
    renamed.set(rename.from, rename.to);
    claimed.add(rename.to);
  };
  for (const { name: from, kind } of removed) {
    const to = facts.confirmed.get(from);
    const other = added.find((definition) => definition.name === to);
    if (other?.kind === kind && !claimed.has(other.name)) claim({ from, to: other.name, why: "confirmed" });
  }
  const accepted = new Set(facts.changes);
  const pairs =
    removed.length * added.length > MOST_PAIRS
      ? []
      : removed.flatMap((definition) =>
          added.flatMap((other) => comparePair(definition, other, comparison) ?? []),
        );
  const hypotheses = arrange(pairs.filter(({ from, to }) => !facts.coexisted(from, to)));
  /** The other indexer of a merge: most of its old names have their new ones already. */
  const isSibling = ({ pairs }: Hypothesis) =>
    pairs.filter(({ from, to }) => (renamed.get(from) ?? to) !== to).length * 2 >= pairs.length;
  for (const hypothesis of hypotheses) {
    const { change, pairs, weight } = hypothesis;
    if (!facts.changes.has(change.key) && !pairs.some(({ isProved }) => isProved)) continue;
    if (isSibling(hypothesis)) continue;
    const isSpelling = change.kind === "spelling";
    const rivals = hypotheses
      .filter((rival) => rival.weight >= weight * RIVAL && !isSibling(rival))
      .filter((rival) => !isSpelling || rival.change.kind === "spelling")
      .flatMap((rival) => rival.pairs.filter(isOpen));
    const isContested = (pair: Pair) =>
      rivals.some((rival) => rival !== pair && (rival.from === pair.from || rival.to === pair.to));
    const certain = pairs.filter(
      (pair) => isOpen(pair) && (pair.isProved || pair.follows) && (pair.isLed || !isContested(pair)),
    );
    for (const { from, to, isProved } of certain) {
      claim({ from, to, why: isSpelling ? "name" : isProved ? "structure" : "systematic" });
    }
    if (certain.length > 0 && !isSpelling && change.kind !== "order") accepted.add(change.key);
  }
  const guesses = pairUp(
    removed.filter(({ name }) => !renamed.has(name)),
    added.filter(({ name }) => !claimed.has(name)),
    (definition, other) =>
      facts.coexisted(definition.name, other.name) ? 0 : guessSimilarity(definition, other, comparison),
  );
  for (const pair of guesses) claim({ from: pair.removed.name, to: pair.added.name, why: "guess" });
  return { renames, accepted };
}

type Names = { readonly from: string; readonly to: string };

/** A hypothesis with a smaller share of another one's weight does not contest its pairs. */
const RIVAL = 0.75;

type Comparison = {
  readonly before: ModelParts;
  readonly after: ModelParts;
  /** The types of the fields of kept entities that referred to a removed entity, by that entity. */
  readonly leads: ReadonlyMap<string, ReadonlySet<string>>;
  /** `Stream LockupStream` for each lead that is a reference of the same shape. */
  readonly led: ReadonlySet<string>;
  readonly changeOf: (from: string, to: string) => WordChange | null;
};

function compareParts(before: ModelParts, after: ModelParts): Comparison {
  const leads = new Map<string, Set<string>>();
  const led = new Set<string>();
  for (const { name, fields } of before.rows.values()) {
    const now = after.rows.get(name);
    for (const field of now === undefined ? [] : fields) {
      const from = baseTypeName(field.type);
      const isRemoved = before.rows.has(from) && !after.rows.has(from);
      const other = isRemoved ? findNamed(now?.fields ?? [], field.name) : undefined;
      if (other === undefined) continue;
      const to = baseTypeName(other.type);
      cached(leads, from, () => new Set<string>()).add(to);
      if (shapeOf(field) === shapeOf(other)) led.add(`${from} ${to}`);
    }
  }
  const changes = new Map<string, WordChange | null>();
  const changeOf = (from: string, to: string) =>
    cached(changes, `${from} ${to}`, () => changeOfWords(from, to));
  return { before, after, leads, led, changeOf };
}

/** Returns the list brackets of a type. Nullability does not matter for a reference. */
function shapeOf({ type, derived }: EntityField): string {
  return `${type.replace(/\w+/, "").replaceAll("!", "")}${derived ? " derived" : ""}`;
}

type Pair = Names & {
  readonly change: WordChange;
  /** The number of fields that are alike, and their share of the fields of the larger side. */
  readonly alike: number;
  readonly share: number;
  readonly isLed: boolean;
  /** Whether the pair is a rename without other pairs. */
  readonly isProved: boolean;
  /** Whether the pair is a rename if another one proves its change of words. */
  readonly follows: boolean;
};

const NEAR = 0.75;
const FITS = 0.5;
const LEAST_ALIKE = 3;

function comparePair(removed: RowDefinition, added: RowDefinition, comparison: Comparison): Pair | null {
  const [from, to] = [removed.name, added.name];
  const change = removed.kind === added.kind ? comparison.changeOf(from, to) : null;
  if (change === null) return null;
  const { alike, share } = countAlike(removed, added, (a, b) => isSameType(a, b, change, comparison));
  if (share < FITS) return null;
  const { kind, isOtherRows } = change;
  const isLed = comparison.led.has(`${from} ${to}`);
  const isIdentical = share === 1;
  const isNear =
    share >= NEAR && countReferences(added, comparison.after) <= countReferences(removed, comparison.before);
  const isExcluded =
    isOpposed(from, to) || [...(comparison.leads.get(from) ?? [])].some((target) => target !== to);
  const isEnough = {
    spelling: true,
    order: isLed ? isNear : isIdentical,
    plural: isLed ? isNear : isIdentical,
    end: isLed
      ? isIdentical || (isNear && !isOtherRows)
      : isIdentical && alike >= LEAST_ALIKE && !isOtherRows,
    word: isLed && isIdentical && !isOtherRows,
  }[kind];
  return {
    from,
    to,
    change,
    alike,
    share,
    isLed,
    isProved: !isExcluded && isEnough,
    follows: !isExcluded && isNear && !isOtherRows,
  };
}

/** Counts the fields with equal names and types, without ids. */
function countAlike(
  { fields: before }: RowDefinition,
  { fields: after }: RowDefinition,
  isSame: (a: string, b: string) => boolean,
): { readonly alike: number; readonly share: number } {
  const alike = before.filter((field) => {
    const other = field.name === "id" ? undefined : findNamed(after, field.name);
    return other !== undefined && other.derived === field.derived && isSame(field.type, other.type);
  }).length;
  const [left, right] = [before, after].map((fields) => fields.filter(({ name }) => name !== "id").length);
  const larger = Math.max(left ?? 0, right ?? 0);
  return { alike, share: larger === 0 ? 1 : alike / larger };
}

/** Returns whether two types are equal after a change of words, without their nullability. */
function isSameType(a: string, b: string, { key }: WordChange, comparison: Comparison): boolean {
  const [left, right] = [a.replaceAll("!", ""), b.replaceAll("!", "")];
  if (left === right) return true;
  const [from, to] = [baseTypeName(left), baseTypeName(right)];
  if (left.replace(from, to) !== right) return false;
  if (isReplaced(comparison, "enums", { from, to })) return true;
  const change = isReplaced(comparison, "rows", { from, to }) ? comparison.changeOf(from, to) : null;
  return change !== null && (change.key === key || change.kind === "spelling");
}

/** Returns whether one part was removed and the other added. */
function isReplaced({ before, after }: Comparison, parts: keyof ModelParts, { from, to }: Names): boolean {
  const [was, is] = [before[parts], after[parts]];
  return was.has(from) && !is.has(from) && is.has(to) && !was.has(to);
}

function countReferences({ fields }: RowDefinition, { rows }: ModelParts): number {
  return fields.filter(({ type, derived }) => !derived && rows.has(baseTypeName(type))).length;
}

/** Pairs with one change of words. */
type Hypothesis = {
  readonly change: WordChange;
  readonly pairs: readonly Pair[];
  readonly weight: number;
};

/** Groups pairs by their change, spellings first, then the heaviest. */
function arrange(pairs: readonly Pair[]): Hypothesis[] {
  return [...groupBy(pairs, ({ change }) => change.key).values()]
    .map((same): Hypothesis => {
      const [{ change }] = same as [Pair, ...Pair[]];
      return { change, pairs: same, weight: same.reduce((sum, { alike, share }) => sum + alike * share, 0) };
    })
    .sort(
      (a, b) =>
        Number(b.change.kind === "spelling") - Number(a.change.kind === "spelling") ||
        b.weight - a.weight ||
        compareCodeUnits(a.change.key, b.change.key),
    );
}

const MANY = 8;

/** The similarity of a removed and an added entity that may be a rename; 0 for none. */
function guessSimilarity(removed: RowDefinition, added: RowDefinition, comparison: Comparison): number {
  if (removed.kind !== added.kind) return 0;
  const { alike, share } = countAlike(removed, added, (a, b) => {
    const [from, to] = [baseTypeName(a), baseTypeName(b)];
    return a === b || (isReplaced(comparison, "rows", { from, to }) && a.replace(from, to) === b);
  });
  const isLed = comparison.led.has(`${removed.name} ${added.name}`);
  const isEnough =
    isLed || nameSimilarity(removed.name, added.name) > 0
      ? alike > 0 && share >= FITS
      : alike >= MANY && share >= NEAR;
  return isEnough ? share + (isLed ? 1 : 0) : 0;
}
