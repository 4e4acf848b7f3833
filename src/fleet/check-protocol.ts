import { compareCodeUnits } from "../base/collections.ts";
import { EndpointError } from "../base/errors.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import type { EntityModel } from "../dialects/entity-model.ts";
import type { Style } from "../dialects/style.ts";
import type { Protocol } from "../dialects/surface.ts";
import { withBuiltIn } from "../project/protocols.ts";
import { type KnownModel, knownModels } from "../workspace/models.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { findPlainProtocols, findProtocols, findUniquelyMarked, type Marked } from "./read-schema.ts";

/** Why an indexer does not seem to serve a protocol. */
export type ProtocolDoubt = {
  readonly error: EndpointError;
  /** False if the served schema may be a part of the protocol's own schema. */
  readonly isCertain: boolean;
};

/**
 * Returns why an indexer does not serve a protocol, or null if it may.
 *
 * 1. If the protocol has a mark (an identifying field) that no other has, an indexer with that mark serves it.
 * 2. Otherwise, if the entities are known, the indexer must be more like them than like those of another protocol.
 * 3. Otherwise, the indexer must have the mark in any entity, or an entity with the name of the one with the mark.
 * 4. Without a mark, it must have at least one entity.
 *
 * @param knowledge.knownModel returns the entities of a protocol in the same style; null if unknown.
 */
export function findProtocolDoubt(
  served: EntityModel,
  protocol: Protocol,
  { knownModel, definitions }: ProtocolKnowledge,
): ProtocolDoubt | null {
  const isMarkUnique = findUniquelyMarked(definitions).has(protocol);
  if (isMarkUnique && findPlainProtocols(served, definitions).includes(protocol)) return null;
  const marked = findProtocols(served, definitions);
  const expected = knownModel(protocol);
  const mark = definitions.find(({ key }) => key === protocol)?.identity.protocol ?? null;
  if (expected === null) {
    if (mark === null && !served.definitions.some(({ kind }) => kind === "entity")) {
      const lack = "its schema has no entities of this style.";
      return servesAnotherProject(protocol, lack);
    }
    if (mark === null || marked.includes(protocol)) return null;
    const { entity, field } = mark;
    if (marked.length > 0) return servesOther(protocol, marked);
    if (served.definitions.some(({ kind, name }) => kind === "entity" && name.includes(entity))) return null;
    const lack = `it has neither ${field} nor an entity named ${entity}.`;
    return servesAnotherProject(protocol, lack);
  }
  const likeness = measureLikeness(expected.model, served);
  const isAlike = shareOf(likeness) >= LEAST_SHARE;
  const expectedMarks = findProtocols(expected.model, definitions);
  // A mark that the known entities do not have is misspelt or new.
  const hasMark = isMarkUnique && expectedMarks.includes(protocol);
  const isPart = expectedMarks.some((key) => !marked.includes(key)) && !isNearlyAll(likeness);
  // A protocol that is recognized by its mark has no likeness.
  const candidates = definitions.flatMap(({ key }): { key: Protocol; likeness: Likeness | null }[] => {
    if (key === protocol) return [];
    const model = knownModel(key)?.model;
    if (model === undefined) {
      // An indexer of both protocols also has the mark of the other one.
      return marked.includes(key) && (hasMark || !isAlike || isPart) ? [{ key, likeness: null }] : [];
    }
    const other = measureLikeness(model, served);
    return shareOf(other) >= LEAST_SHARE && isNearer(other, likeness) ? [{ key, likeness: other }] : [];
  });
  const isNearest = ({ likeness: candidate }: (typeof candidates)[number]) =>
    !candidates.some(({ likeness: other }) => other && candidate && isNearer(other, candidate));
  const others = candidates.filter(isNearest).map(({ key }) => key);
  if (others.length > 0) {
    const key = `protocols.${protocol}.identity.protocol`;
    const more = isMarkUnique
      ? ""
      : ` If it is ${protocol}, add ${key}: a field that only this protocol has.`;
    const merged = isAlike
      ? ` If it serves both, configure it as one protocol: \`lockflow adapt --to\` moves the operations to it.`
      : "";
    return servesOther(protocol, others, more + merged);
  }
  if (isAlike) return null;
  const { entities, keptEntities, fields, keptFields, hasOthers } = likeness;
  const { file } = expected;
  const all = file === null ? `the snapshot's ${entities} entities` : `the ${entities} entities in ${file}`;
  const lack = `of ${all} it has ${keptEntities}, and ${keptFields} of their ${fields} fields.`;
  const action = file === null ? "delete its snapshot and introspect again" : `correct ${file}`;
  const more = ` If ${protocol} really changed this much, ${action}.`;
  return { ...servesAnotherProject(protocol, lack, more), isCertain: hasOthers };
}

type ProtocolKnowledge = {
  readonly knownModel: (protocol: Protocol) => KnownModel | null;
  readonly definitions: Marked;
};

function servesOther(protocol: Protocol, others: readonly Protocol[], more = ""): ProtocolDoubt {
  const sentence = `It serves ${others.join(" and ")} instead of ${protocol}.`;
  return doubt(sentence, `its rows are another protocol's.${more}`);
}

function servesAnotherProject(protocol: Protocol, lack: string, more = ""): ProtocolDoubt {
  return doubt(`It does not serve ${protocol}: ${lack}`, `its rows are another project's.${more}`);
}

function doubt(sentence: string, reason: string): ProtocolDoubt {
  const hint = `correct its URL: ${reason}`;
  return { error: new EndpointError({ code: "ENDPOINT_WRONG_PROTOCOL", sentence, hint }), isCertain: true };
}

/** The overlap of a known entity model with a served one. Fields are counted without `id`. */
export type Likeness = {
  /** The number of known entities. */
  readonly entities: number;
  /** The number of known entities that are served. */
  readonly keptEntities: number;
  readonly fields: number;
  readonly keptFields: number;
  readonly servedFields: number;
  /** Whether some served entities match no known entity. */
  readonly hasOthers: boolean;
};

/**
 * Measures how much of a known entity model is served. An entity is kept if the served entity of the same name has at
 * least half of its fields. Without one, it counts as renamed if a new entity has two thirds: many unrelated entities
 * share a hash, a position and a time. Fields are compared by name, because types change.
 */
export function measureLikeness(expected: EntityModel, served: EntityModel): Likeness {
  const [before, after] = [fieldsByEntity(expected), fieldsByEntity(served)];
  const added = new Map([...after].filter(([name]) => !before.has(name)));
  let [keptEntities, keptFields] = [0, 0];
  for (const [name, fields] of before) {
    const namesake = after.get(name);
    const { match, shared } = namesake
      ? { match: name, shared: countShared(fields, namesake) }
      : findMostAlike(fields, added);
    if (!namesake && (match === null || shared * 3 < fields.size * 2)) continue;
    if (shared * 2 >= fields.size) keptEntities++;
    keptFields += shared;
    if (match !== null) added.delete(match);
  }
  return {
    entities: before.size,
    keptEntities,
    fields: countFields(before),
    keptFields,
    servedFields: countFields(after),
    hasOthers: added.size > 0,
  };
}

/** Below this share, the schema belongs to another project. Releases drop less, and unrelated schemas share less. */
export const LEAST_SHARE = 1 / 2;

/** Returns the served share of a known model, from 0 to 1: of its entities or of their fields, whichever is less. */
export function shareOf({ entities, keptEntities, fields, keptFields }: Likeness): number {
  // If nearly all entities are served, the number of fields of a removed one does not matter.
  const ofEntities = part(keptEntities, entities);
  return ofEntities > NEARLY_ALL ? ofEntities : Math.min(ofEntities, part(keptFields, fields));
}

const NEARLY_ALL = 3 / 4;

/**
 * Returns whether a served schema is nearer to one known model than to another: it has a larger share of it, and a
 * larger overlap with it. If two models resemble each other, an overlap of nearly 1 is enough.
 */
export function isNearer(to: Likeness, than: Likeness): boolean {
  const overlap = overlapOf(to);
  return (
    overlap > overlapOf(than) &&
    (part(to.keptFields, to.fields) > part(than.keptFields, than.fields) || overlap > NEARLY_THE_SAME)
  );
}

/** Above this share, two models are the same. Each half of a merged indexer has a smaller share. */
const NEARLY_THE_SAME = 9 / 10;

/** Returns whether nearly all of a known model is served, as after a release. */
export function isNearlyAll({ fields, keptFields }: Likeness): boolean {
  return part(keptFields, fields) > NEARLY_THE_SAME;
}

/** Returns the share of fields that are both known and served, from 0 to 1. */
export function overlapOf({ fields, keptFields, servedFields }: Likeness): number {
  return part(keptFields, fields + servedFields - keptFields);
}

function part(of: number, all: number): number {
  return all === 0 ? 1 : of / all;
}

type FieldsByEntity = ReadonlyMap<string, ReadonlySet<string>>;

/** Indexes fields by entity, in code-unit order, so that the result does not depend on the order of the schema. */
function fieldsByEntity({ definitions }: EntityModel): FieldsByEntity {
  const entities = definitions.flatMap((definition): [string, Set<string>][] =>
    definition.kind === "entity"
      ? [[definition.name, new Set(definition.fields.flatMap(({ name }) => (name === "id" ? [] : [name])))]]
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

/** Returns the entity that shares most fields, or the first of several. */
function findMostAlike(
  fields: ReadonlySet<string>,
  others: FieldsByEntity,
): { readonly match: string | null; readonly shared: number } {
  let best: { match: string | null; shared: number } = { match: null, shared: 0 };
  for (const [match, names] of others) {
    const shared = countShared(fields, names);
    if (shared > best.shared) best = { match, shared };
  }
  return best;
}

/**
 * Recognizes the protocol of a schema by its mark, or by its entities if it has no unique mark. Returns null for no
 * protocol, or more than one.
 */
export function recognizeProtocol(schema: ApiSchema, style: Style, workspace: Workspace): Protocol | null {
  const { surfaces, definitions } = workspace.project;
  const model = style.schemas.read(schema);
  const all = withBuiltIn(definitions);
  const marked = only(findProtocols(model, all));
  const isConfigured = definitions.some(({ key }) => key === marked);
  const uniquelyMarked = findUniquelyMarked(all);
  const unmarked = definitions.filter(({ key }) => !uniquelyMarked.has(key));
  if (isConfigured || unmarked.length === 0) return marked;
  const snapshots = surfaces
    .filter((surface) => surface.style === style.name)
    .map(workspace.snapshot)
    .filter((snapshot) => snapshot !== null);
  const modelOf = knownModels(workspace, snapshots);
  const ofStyle = (protocol: Protocol) => modelOf({ protocol, style: style.name });
  const alike = unmarked.filter(
    ({ key }) =>
      ofStyle(key) !== null &&
      findProtocolDoubt(model, key, { knownModel: ofStyle, definitions: all }) === null,
  );
  return only(alike.map(({ key }) => key)) ?? marked;
}

function only<T>(items: readonly T[]): T | null {
  return items.length === 1 ? (items[0] ?? null) : null;
}
