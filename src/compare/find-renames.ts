import { compareCodeUnits, findNamed, groupBy, indexByName } from "../base/collections.ts";
import { baseTypeName, isList } from "../dialects/api-schema.ts";
import {
  type EntityField,
  type EntityModel,
  isRowDefinition,
  type RowDefinition,
} from "../dialects/entity-model.ts";
import type { Change } from "../dialects/members.ts";
import { findImplementers, joinInterfaces } from "./join-interfaces.ts";
import { isOtherQuantity, nameLikeness, wordLikeness, wordsOf } from "./name-likeness.ts";
import type { RolledUp } from "./roll-up.ts";

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
  /** Whether a type is an entity, by its bare name. */
  readonly isEntity: (type: string) => boolean;
};

/** A field that has another name now. */
export type FieldRename<T> = {
  readonly gone: T;
  readonly come: T;
  /** True for the same description, or the same words: in another notation or order, or spelled correctly. */
  readonly isCertain: boolean;
};

/** Finds renamed fields of one entity: they share type and description, words, or a unique reference to an entity. */
export function findRenames<T extends RenameCandidate>(
  gone: readonly T[],
  come: readonly T[],
  context: RenameContext,
): FieldRename<T>[] {
  const words = new Map([...gone, ...come].map(({ name }) => [name, wordsOf(name)]));
  const facts: Facts = {
    words: (name) => words.get(name) ?? [],
    isSameType: context.isSameType,
    isEntity: context.isEntity,
    descriptions: new Set(context.stayed.map(({ description }) => description)),
    targets: new Set(context.stayed.map(({ type }) => targetOf(type))),
  };
  // A rewritten entity has no neighbours to recognise a field by: only what is beyond doubt counts.
  const neighbours = new Set(context.stayed.flatMap(({ name }) => (name === "id" ? [] : [name]))).size;
  const least = neighbours < Math.max(gone.length, come.length) ? CERTAIN : 0;
  const pairs = pairUp(gone, come, (one, other) => {
    const likeness = likenessOf(one, other, facts);
    return likeness >= least ? likeness : 0;
  });
  return pairs.map(([one, other]) => ({
    gone: one,
    come: other,
    isCertain: likenessOf(one, other, facts) >= CERTAIN,
  }));
}

/** With more candidates, the type was rewritten, not renamed. */
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

type Facts = Pick<RenameContext, "isSameType" | "isEntity"> & {
  readonly words: (name: string) => readonly string[];
  readonly descriptions: ReadonlySet<string | null>;
  /** What the fields that stayed refer to. */
  readonly targets: ReadonlySet<string>;
};

const SAME_DESCRIPTION = 3;
const CERTAIN = 2;

function likenessOf(gone: RenameCandidate, come: RenameCandidate, facts: Facts): number {
  if (!facts.isSameType(gone.type, come.type)) return 0;
  const [left, right] = [facts.words(gone.name), facts.words(come.name)];
  if (isOtherQuantity(left, right)) return 0;
  const { description } = gone;
  if (description !== null && description === come.description && !facts.descriptions.has(description)) {
    return SAME_DESCRIPTION;
  }
  const words = wordLikeness(left, right);
  if (words !== 0) return 1 + words;
  const isReference = [gone, come].every(
    ({ type }) => facts.isEntity(baseTypeName(type)) && !facts.targets.has(targetOf(type)),
  );
  return isReference ? 1 : 0;
}

function targetOf(type: string): string {
  return `${isList(type) ? "list of " : ""}${baseTypeName(type)}`;
}

/** Another name of what has fields: an entity, an interface or an aggregation. */
export type EntityRename = { readonly from: string; readonly to: string };

/** Finds renamed entities: of few fields, a word of the name or a reference has to be shared, too. */
export function findEntityRenames(before: EntityModel, after: EntityModel): EntityRename[] {
  const [was, is] = [indexRows(before), indexRows(after)];
  const gone = [...was.values()].filter(({ name }) => !is.has(name));
  const come = [...is.values()].filter(({ name }) => !was.has(name));
  if (gone.length === 0 || come.length === 0) return [];
  const context: Context = {
    gone: new Set(gone.map(({ name }) => name)),
    come: new Set(come.map(({ name }) => name)),
    followed: followReferences(was, is),
  };
  return pairUp(gone, come, (one, other) =>
    one.kind === other.kind ? entityLikeness(one, other, context) : 0,
  )
    .map(([one, other]) => ({ from: one.name, to: other.name }))
    .sort((a, b) => compareCodeUnits(a.from, b.from));
}

type Context = {
  readonly gone: ReadonlySet<string>;
  readonly come: ReadonlySet<string>;
  /** `Stream LockupStream` where a field that stayed led to the one and leads to the other. */
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

/** Lists and nulls; of a reference the nulls do not count. */
function shapeOf({ type, derived }: EntityField): string {
  return `${type.replace(/\w+/, "").replaceAll("!", "")}${derived ? " derived" : ""}`;
}

const MANY = 8;
const MOST = 0.75;
const HALF = 0.5;

function entityLikeness(gone: RowDefinition, come: RowDefinition, context: Context): number {
  const [left, right] = [ownFields(gone), ownFields(come)];
  const alike = left.filter((field) => {
    const other = findNamed(come.fields, field.name);
    return other !== undefined && isAlike(field, other, context);
  }).length;
  const share = alike / Math.max(left.length, right.length, 1);
  const isFollowed = context.followed.has(`${gone.name} ${come.name}`);
  const isEnough =
    isFollowed || nameLikeness(gone.name, come.name) > 0
      ? alike > 0 && share >= HALF
      : alike >= MANY && share >= MOST;
  return isEnough ? share + (isFollowed ? 1 : 0) : 0;
}

function ownFields({ fields }: RowDefinition): readonly EntityField[] {
  return fields.filter(({ name }) => name !== "id");
}

/** Of the same type, or referring to what went where the other refers to what came. */
function isAlike(a: EntityField, b: EntityField, { gone, come }: Context): boolean {
  if (a.derived !== b.derived) return false;
  if (a.type === b.type) return true;
  const [target, other] = [baseTypeName(a.type), baseTypeName(b.type)];
  return gone.has(target) && come.has(other) && a.type.replace(target, other) === b.type;
}

/**
 * Makes one cause of two where a field seems to have been renamed, and of those of an interface and its implementers. What
 * followed from either follows from the joined cause.
 */
export function mergeRenames(
  causes: readonly RolledUp[],
  before: EntityModel,
  after: EntityModel,
): readonly RolledUp[] {
  const [gone, come] = [byEntity(causes, "field-removed"), byEntity(causes, "field-added")];
  const entities = new Set(
    [...before.definitions, ...after.definitions].filter(isRowDefinition).map(({ name }) => name),
  );
  const byEntityName = new Map<string, { readonly gone: Candidate[]; readonly come: Candidate[] }>();
  const pairs: Renamed[] = [];
  for (const [entity, left] of gone) {
    const right = come.get(entity) ?? [];
    const [fieldsBefore, fieldsAfter] = [fieldsOf(before, entity), fieldsOf(after, entity)];
    const candidates = (some: readonly RolledUp[], fields: ReadonlyMap<string, EntityField>) =>
      some.flatMap((cause): Candidate[] => {
        const field = cause.origin?.kind === "field" ? fields.get(cause.origin.field) : undefined;
        return field ? [{ ...field, cause }] : [];
      });
    const fields = { gone: candidates(left, fieldsBefore), come: candidates(right, fieldsAfter) };
    byEntityName.set(entity, fields);
    const found = findRenames(fields.gone, fields.come, {
      stayed: [...fieldsBefore.values(), ...fieldsAfter.values()].filter(
        ({ name }) => fieldsBefore.has(name) && fieldsAfter.has(name),
      ),
      isSameType: (a, b) => a === b,
      isEntity: (type) => entities.has(type),
    });
    pairs.push(...found.map((rename) => ({ entity, ...rename })));
  }
  const implementers = findImplementers([before, after]);
  const merged = new Map<RolledUp, readonly RolledUp[]>();
  for (const rename of [...pairs, ...renamesOfRelatives(pairs, byEntityName, implementers)]) {
    if (merged.has(rename.gone.cause) || merged.has(rename.come.cause)) continue;
    merged.set(rename.gone.cause, [join(rename)]);
    merged.set(rename.come.cause, []);
  }
  return joinInterfaces(
    causes.flatMap((cause) => merged.get(cause) ?? cause),
    implementers,
  );
}

type Renamed = FieldRename<Candidate> & { readonly entity: string };

/** Finds the renames that an interface and its implementers share with one of them, in which the pair was recognized. */
function renamesOfRelatives(
  pairs: readonly Renamed[],
  fields: ReadonlyMap<string, { readonly gone: readonly Candidate[]; readonly come: readonly Candidate[] }>,
  implementers: ReadonlyMap<string, ReadonlySet<string>>,
): FieldRename<Candidate>[] {
  return [...implementers].flatMap(([name, entities]) => {
    const relatives = [name, ...entities];
    return pairs
      .filter(({ entity }) => relatives.includes(entity))
      .flatMap(({ gone, come, isCertain }) =>
        relatives.flatMap((relative) => {
          const own = fields.get(relative);
          const [left, right] = [
            findNamed(own?.gone ?? [], gone.name),
            findNamed(own?.come ?? [], come.name),
          ];
          return left && right && left.type === right.type ? [{ gone: left, come: right, isCertain }] : [];
        }),
      );
  });
}

type Candidate = EntityField & { readonly cause: RolledUp };

function join({ gone: { name, cause }, come: other, isCertain }: FieldRename<Candidate>): RolledUp {
  return {
    ...cause,
    change: { ...cause.change, kind: "field-renamed", before: name, after: other.name },
    derivedChanges: [...cause.derivedChanges, other.cause.change, ...other.cause.derivedChanges],
    derived: cause.derived + 1 + other.cause.derived,
    ...(isCertain ? { moves: findMoves(cause, other.cause, name, other.name) } : { isOnlyPossible: true }),
  };
}

/** What went and came again with the other name in place of the first: `Stream_orderBy.asset__symbol`. */
function findMoves(gone: RolledUp, come: RolledUp, from: string, to: string): ReadonlyMap<string, string> {
  const now = new Set([come.change, ...come.derivedChanges].map(({ coordinate }) => coordinate));
  const moves = new Map<string, string>();
  for (const { coordinate } of [gone.change, ...gone.derivedChanges]) {
    const dot = coordinate.indexOf(".");
    for (let at = coordinate.indexOf(from, dot); at >= 0; at = coordinate.indexOf(from, at + 1)) {
      const moved = `${coordinate.slice(0, at)}${to}${coordinate.slice(at + from.length)}`;
      if (dot >= 0 && now.has(moved)) moves.set(coordinate, moved);
    }
  }
  return moves;
}

function byEntity(causes: readonly RolledUp[], kind: Change["kind"]): Map<string, RolledUp[]> {
  const some = causes.filter(({ change, layer }) => change.kind === kind && layer === "entity");
  return groupBy(some, ({ origin }) => (origin?.kind === "field" ? origin.entity : ""));
}

function fieldsOf({ definitions }: EntityModel, entity: string): Map<string, EntityField> {
  const definition = findNamed(definitions, entity);
  const fields = definition && isRowDefinition(definition) ? definition.fields : [];
  return new Map(fields.map((field) => [field.name, field]));
}
