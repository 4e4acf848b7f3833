import { compareCodeUnits } from "../base/compare-code-units.ts";
import type { EntityModel } from "../schema/entity-model.ts";

/** How much of a known entity model another one has, and how much besides. */
export type Likeness = {
  /** The entities that are known, and how many of them are served. */
  readonly entities: number;
  readonly keptEntities: number;
  /** The same of all of their fields, `id` apart. */
  readonly fields: number;
  readonly keptFields: number;
  /** All fields that are served. */
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
  const kept = new Map<string, number>();
  for (const [name, fields] of before) {
    const own = after.get(name);
    if (own !== undefined) kept.set(name, countShared(fields, own));
  }
  for (const [name, fields] of before) {
    if (kept.has(name)) continue;
    const [other, shared] = findMostAlike(fields, strangers);
    if (other === null || shared * 3 < fields.size * 2) continue;
    kept.set(name, shared);
    strangers.delete(other);
  }
  const names = [...before.keys()];
  return {
    entities: names.length,
    keptEntities: names.filter((name) => isHalf(kept.get(name), before.get(name)?.size ?? 0)).length,
    fields: names.reduce((sum, name) => sum + (before.get(name)?.size ?? 0), 0),
    keptFields: names.reduce((sum, name) => sum + (kept.get(name) ?? 0), 0),
    servedFields: [...after.values()].reduce((sum, { size }) => sum + size, 0),
    hasOthers: strangers.size > 0,
  };
}

/**
 * How much of a known model is served, 0 to 1: of its entities or of their fields, whichever is less. Where nearly all
 * entities are, the fields of the one that went decide nothing, however many they were.
 */
export function shareOf({ entities, keptEntities, fields, keptFields }: Likeness): number {
  const ofEntities = part(keptEntities, entities);
  return ofEntities > NEARLY_ALL ? ofEntities : Math.min(ofEntities, part(keptFields, fields));
}

const NEARLY_ALL = 3 / 4;

/** Whether what is served is nearer to one known model than to another: it has more of that one, and less besides. */
export function isNearer(to: Likeness, than: Likeness): boolean {
  return (
    part(to.keptFields, to.fields) > part(than.keptFields, than.fields) && overlapOf(to) > overlapOf(than)
  );
}

/** What is known and served of all that is either. */
function overlapOf({ fields, keptFields, servedFields }: Likeness): number {
  return part(keptFields, fields + servedFields - keptFields);
}

function part(of: number, all: number): number {
  return all === 0 ? 1 : of / all;
}

function isHalf(kept: number | undefined, all: number): boolean {
  return kept !== undefined && kept * 2 >= all;
}

type FieldsByEntity = ReadonlyMap<string, ReadonlySet<string>>;

/** In code-unit order, so that what was renamed to what depends on nothing else. */
function fieldsByEntity({ definitions }: EntityModel): FieldsByEntity {
  const entities = definitions.flatMap((definition): [string, Set<string>][] =>
    definition.kind === "entity"
      ? [
          [
            definition.name,
            new Set(definition.fields.map(({ name }) => name).filter((name) => name !== "id")),
          ],
        ]
      : [],
  );
  return new Map(entities.sort(([a], [b]) => compareCodeUnits(a, b)));
}

function countShared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const name of a) if (b.has(name)) shared++;
  return shared;
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
