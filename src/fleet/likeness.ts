import { compareCodeUnits } from "../base/compare-code-units.ts";
import type { EntityModel } from "../schema/entity-model.ts";

/** How much of a known entity model another one has, and how much besides. Fields are counted without `id`. */
export type Likeness = {
  /** The entities that are known, and how many of them are served. */
  readonly entities: number;
  readonly keptEntities: number;
  /** The same of all of their fields. */
  readonly fields: number;
  readonly keptFields: number;
  readonly servedFields: number;
  /** Whether what is served has entities that none of the known ones became. */
  readonly hasOthers: boolean;
};

/**
 * Measures how much of a known entity model is served. An entity is, when the one of its name has at least half of its
 * fields; or, where none has its name, when one of a new name has two thirds: it was renamed then, and not just given
 * the hash, the position and the time that entities of all kinds have. Fields go by name alone, because types change.
 */
export function measureLikeness(known: EntityModel, served: EntityModel): Likeness {
  const [before, after] = [fieldsByEntity(known), fieldsByEntity(served)];
  const strangers = new Map([...after].filter(([name]) => !before.has(name)));
  let [keptEntities, keptFields] = [0, 0];
  for (const [name, fields] of before) {
    const own = after.get(name);
    const [other, shared] = own ? [name, countShared(fields, own)] : findMostAlike(fields, strangers);
    if (!own && (other === null || shared * 3 < fields.size * 2)) continue;
    if (shared * 2 >= fields.size) keptEntities++;
    keptFields += shared;
    if (other !== null) strangers.delete(other);
  }
  return {
    entities: before.size,
    keptEntities,
    fields: countFields(before),
    keptFields,
    servedFields: countFields(after),
    hasOthers: strangers.size > 0,
  };
}

/** The share below which it is another project's: releases drop some of a snapshot, and others have little by chance. */
export const LEAST_SHARE = 1 / 2;

/** How much of a known model is served, 0 to 1: of its entities or of their fields, whichever is less. */
export function shareOf({ entities, keptEntities, fields, keptFields }: Likeness): number {
  // Where nearly all entities are, the fields of the one that went decide nothing, however many they were.
  const ofEntities = part(keptEntities, entities);
  return ofEntities > NEARLY_ALL ? ofEntities : Math.min(ofEntities, part(keptFields, fields));
}

const NEARLY_ALL = 3 / 4;

/**
 * Whether what is served is nearer to one known model than to another: it has more of that one, and less besides. Of
 * two that resemble each other, it is also nearer to the one that it is nearly the same as.
 */
export function isNearer(to: Likeness, than: Likeness): boolean {
  const overlap = overlapOf(to);
  return (
    overlap > overlapOf(than) &&
    (part(to.keptFields, to.fields) > part(than.keptFields, than.fields) || overlap > NEARLY_THE_SAME)
  );
}

/** The share above which one model is meant by another: of what an indexer of two has, either is less. */
const NEARLY_THE_SAME = 9 / 10;

/** Whether nearly all of a known model is served, as a release keeps it. */
export function isNearlyAll({ fields, keptFields }: Likeness): boolean {
  return part(keptFields, fields) > NEARLY_THE_SAME;
}

/** How much of all that is known or served is both, 0 to 1. */
export function overlapOf({ fields, keptFields, servedFields }: Likeness): number {
  return part(keptFields, fields + servedFields - keptFields);
}

function part(of: number, all: number): number {
  return all === 0 ? 1 : of / all;
}

type FieldsByEntity = ReadonlyMap<string, ReadonlySet<string>>;

/** In code-unit order, so that what was renamed to what depends on nothing else. */
function fieldsByEntity({ definitions }: EntityModel): FieldsByEntity {
  const entities = definitions.flatMap((one): [string, Set<string>][] =>
    one.kind === "entity"
      ? [[one.name, new Set(one.fields.flatMap(({ name }) => (name === "id" ? [] : [name])))]]
      : [],
  );
  return new Map(entities.sort(([a], [b]) => compareCodeUnits(a, b)));
}

function countFields(entities: FieldsByEntity): number {
  return [...entities.values()].reduce((sum, { size }) => sum + size, 0);
}

function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return [...a].filter((name) => b.has(name)).length;
}

/** The entity that has most of the fields, the first of several. */
function findMostAlike(
  fields: ReadonlySet<string>,
  others: FieldsByEntity,
): [name: string | null, shared: number] {
  let best: [string | null, number] = [null, 0];
  for (const [name, own] of others) {
    const shared = countShared(fields, own);
    if (shared > best[1]) best = [name, shared];
  }
  return best;
}
