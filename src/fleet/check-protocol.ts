import { cached, compareCodeUnits } from "../base/collections.ts";
import { EndpointError } from "../base/errors.ts";
import type { ApiSchema } from "../dialects/api-schema.ts";
import type { EntityModel } from "../dialects/entity-model.ts";
import { styles } from "../dialects/index.ts";
import type { Style } from "../dialects/style.ts";
import type { OfSurface, Protocol } from "../dialects/surface.ts";
import type { Deployment } from "../project/deployment.ts";
import { withBuiltIn } from "../project/protocols.ts";
import { type KnownModel, knownModels } from "../workspace/models.ts";
import type { Workspace } from "../workspace/workspace.ts";
import {
  findPlainProtocols,
  findProtocols,
  findTelling,
  type Marked,
  type SchemaReading,
} from "./read-schema.ts";

/** Returns why a deployment does not serve its protocol; null if it does. */
export type ProtocolCheck = (deployment: Deployment, reading: SchemaReading) => ProtocolDoubt | null;

/** Creates the check of schemas without the identifying field of their protocol. Results are memoized by entities. */
export function createProtocolCheck(
  knownModel: (surface: OfSurface) => KnownModel | null,
  definitions: Marked,
): ProtocolCheck {
  const doubts = new Map<string, ProtocolDoubt | null>();
  return ({ protocol, style }, { entities, schema }) =>
    cached(doubts, `${protocol} ${style} ${entities}`, () =>
      doubtProtocol(
        protocol,
        styles[style].schemas.read(schema),
        (name) => knownModel({ protocol: name, style }),
        definitions,
      ),
    );
}

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
 * @param knownModel the entities of a protocol in the same style; null where none are known.
 */
export function doubtProtocol(
  protocol: Protocol,
  served: EntityModel,
  knownModel: (protocol: Protocol) => KnownModel | null,
  definitions: Marked,
): ProtocolDoubt | null {
  const isMarkUnique = findTelling(definitions).has(protocol);
  if (isMarkUnique && findPlainProtocols(served, definitions).includes(protocol)) return null;
  const marked = findProtocols(served, definitions);
  const known = knownModel(protocol);
  const mark = definitions.find(({ key }) => key === protocol)?.identity.protocol ?? null;
  if (known === null) {
    if (mark === null && !served.definitions.some(({ kind }) => kind === "entity")) {
      const lack = "its schema has no entities of this style.";
      return { error: servesAnotherProject(protocol, lack), isCertain: true };
    }
    if (mark === null || marked.includes(protocol)) return null;
    const { entity, field } = mark;
    if (marked.length > 0) return servesOther(protocol, marked);
    if (served.definitions.some(({ kind, name }) => kind === "entity" && name.includes(entity))) return null;
    const lack = `it has neither ${field} nor an entity named ${entity}.`;
    return { error: servesAnotherProject(protocol, lack), isCertain: true };
  }
  const likeness = measureLikeness(known.model, served);
  const isAlike = shareOf(likeness) >= LEAST_SHARE;
  // A mark that the known entities do not have is misspelt, or newer than they are.
  const hasMark = isMarkUnique && findProtocols(known.model, definitions).includes(protocol);
  const isPart = hasLostMark(known.model, marked, definitions) && !isNearlyAll(likeness);
  const candidates = definitions.flatMap(({ key }): Candidate[] => {
    if (key === protocol) return [];
    const model = knownModel(key)?.model;
    if (model === undefined) {
      // Without its own mark, an indexer of both protocols has the mark of the other.
      return marked.includes(key) && (hasMark || !isAlike || isPart) ? [{ key, likeness: null }] : [];
    }
    const other = measureLikeness(model, served);
    return shareOf(other) >= LEAST_SHARE && isNearer(other, likeness) ? [{ key, likeness: other }] : [];
  });
  const others = nearestOf(candidates);
  if (others.length > 0) {
    const key = `protocols.${protocol}.identity.protocol`;
    const more = !isMarkUnique
      ? ` If it is ${protocol}, add ${key}: a field that only this protocol has.`
      : "";
    return servesOther(protocol, others, more);
  }
  if (isAlike) return null;
  const { entities, keptEntities, fields, keptFields, hasOthers } = likeness;
  const all =
    known.file === null ? `the snapshot's ${entities} entities` : `the ${entities} entities in ${known.file}`;
  const lack = `of ${all} it has ${keptEntities}, and ${keptFields} of their ${fields} fields.`;
  const action = known.file === null ? "delete its snapshot and introspect again" : `correct ${known.file}`;
  const more = ` If ${protocol} really changed this much, ${action}.`;
  return { error: servesAnotherProject(protocol, lack, more), isCertain: hasOthers };
}

/** Whether the known entities have the mark of a protocol, and the served ones do not. */
function hasLostMark(known: EntityModel, marked: readonly Protocol[], definitions: Marked): boolean {
  return findProtocols(known, definitions).some((key) => !marked.includes(key));
}

/** Another protocol that may be served; null likeness if it was recognized by its mark. */
type Candidate = { readonly key: Protocol; readonly likeness: Likeness | null };

/** Returns the candidates that no other candidate is nearer than. */
function nearestOf(candidates: readonly Candidate[]): Protocol[] {
  return candidates.flatMap(({ key, likeness }) =>
    candidates.some((one) => one.likeness && likeness && isNearer(one.likeness, likeness)) ? [] : [key],
  );
}

function servesOther(protocol: Protocol, others: readonly Protocol[], more = ""): ProtocolDoubt {
  const sentence = `It serves ${others.join(" and ")} instead of ${protocol}.`;
  return { error: wrongProtocol(sentence, "another protocol's", more), isCertain: true };
}

function servesAnotherProject(protocol: Protocol, lack: string, more = ""): EndpointError {
  return wrongProtocol(`It does not serve ${protocol}: ${lack}`, "another project's", more);
}

function wrongProtocol(sentence: string, whose: string, more = ""): EndpointError {
  const hint = `correct its URL: its rows are ${whose}.${more}`;
  return new EndpointError({ code: "ENDPOINT_WRONG_PROTOCOL", sentence, hint });
}

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

/**
 * Recognizes the protocol of a schema by its mark, or by its entities if it has no mark of its own; null where that
 * is none, or more than one.
 */
export function recognizeProtocol(schema: ApiSchema, style: Style, workspace: Workspace): Protocol | null {
  const { surfaces, definitions } = workspace.project;
  const model = style.schemas.read(schema);
  const all = withBuiltIn(definitions);
  const marked = only(findProtocols(model, all));
  const isConfigured = definitions.some(({ key }) => key === marked);
  const telling = findTelling(all);
  const unmarked = definitions.filter(({ key }) => !telling.has(key));
  if (isConfigured || unmarked.length === 0) return marked;
  const snapshots = surfaces
    .filter((surface) => surface.style === style.name)
    .map(workspace.snapshot)
    .filter((snapshot) => snapshot !== null);
  const known = knownModels(workspace, snapshots);
  const ofStyle = (protocol: Protocol) => known({ protocol, style: style.name });
  const alike = unmarked.filter(
    ({ key }) => ofStyle(key) !== null && doubtProtocol(key, model, ofStyle, all) === null,
  );
  return only(alike.map(({ key }) => key)) ?? marked;
}

function only<T>(items: readonly T[]): T | null {
  return items.length === 1 ? (items[0] ?? null) : null;
}
