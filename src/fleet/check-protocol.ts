import { cached } from "../base/cached.ts";
import { compareCodeUnits } from "../base/compare-code-units.ts";
import { EndpointError } from "../base/errors/endpoint-error.ts";
import { LockflowError } from "../base/errors/lockflow-error.ts";
import type { Deployment } from "../project/deployment.ts";
import { isOf } from "../project/surface.ts";
import { PROTOCOLS, type Protocol } from "../project/vocabulary.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import { parseSnapshot } from "../snapshots/parse-snapshot.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { styles } from "../styles/index.ts";
import { findPlainProtocols, findProtocols, PROTOCOL_MARKS } from "./protocol-marks.ts";
import type { SchemaReading } from "./read-schema.ts";

/** Tells why a deployment does not serve its protocol; null where it does. */
export type ProtocolCheck = (deployment: Deployment, reading: SchemaReading) => ProtocolDoubt | null;

/** Creates a check of schemas that have not the mark of their protocol, against the snapshots. */
export function createProtocolCheck(snapshots: readonly Snapshot[]): ProtocolCheck {
  const models = new Map<Snapshot | undefined, EntityModel | null>();
  const doubts = new Map<string, ProtocolDoubt | null>();
  return ({ protocol, style }, { entities, schema }) =>
    cached(doubts, `${protocol} ${style} ${entities}`, () =>
      doubtProtocol(protocol, styles[style].read(schema), (name) =>
        cached(models, snapshots.find(isOf({ protocol: name, style })), readModel),
      ),
    );
}

/** Null where there is none, and for one that was edited until it is no schema, which introspection mends. */
function readModel(snapshot: Snapshot | undefined): EntityModel | null {
  try {
    return snapshot ? styles[snapshot.style].read(parseSnapshot(snapshot.base)) : null;
  } catch (error) {
    if (error instanceof LockflowError) return null;
    throw error;
  }
}

/** Why an indexer is not taken for the protocol's. */
export type ProtocolDoubt = {
  readonly error: EndpointError;
  /** False where what is served may as well be a part of the protocol's own schema. */
  readonly isCertain: boolean;
};

/** The share below which it is another project's: releases drop some of a snapshot, and others have little by chance. */
const LEAST_SHARE = 1 / 2;

/**
 * Tells why an indexer is not the one of a protocol, or null where it may be. Whoever has the protocol's mark in an
 * entity called like its own is. Anybody else is known by what it has of the snapshot, more than another protocol's
 * has; before there is a snapshot, by the mark in any entity, or by an entity called like the one with the mark.
 *
 * @param knownModel the entity model of a protocol's snapshot in the same style; null where there is none.
 */
export function doubtProtocol(
  protocol: Protocol,
  served: EntityModel,
  knownModel: (protocol: Protocol) => EntityModel | null,
): ProtocolDoubt | null {
  if (findPlainProtocols(served).includes(protocol)) return null;
  const marked = findProtocols(served);
  const known = knownModel(protocol);
  if (known === null) {
    const { entity, field } = PROTOCOL_MARKS[protocol];
    if (marked.includes(protocol)) return null;
    if (marked.length > 0) return servesOther(protocol, marked);
    if (served.definitions.some(({ kind, name }) => kind === "entity" && name.includes(entity))) return null;
    const lack = `it has neither ${field} nor an entity called ${entity}.`;
    return { error: servesAnotherProject(protocol, lack), isCertain: true };
  }
  const likeness = measureLikeness(known, served);
  const others = PROTOCOLS.filter((other) => {
    if (other === protocol) return false;
    const model = knownModel(other);
    if (model === null) return marked.includes(other);
    const otherLikeness = measureLikeness(model, served);
    return shareOf(otherLikeness) >= LEAST_SHARE && isNearer(otherLikeness, likeness);
  });
  if (others.length > 0) return servesOther(protocol, others);
  if (shareOf(likeness) >= LEAST_SHARE) return null;
  const { entities, keptEntities, fields, keptFields, hasOthers } = likeness;
  const lack = `of the snapshot's ${entities} entities it has ${keptEntities}, and ${keptFields} of their ${fields} fields.`;
  const more = ` If ${protocol} really became this, delete its snapshot and introspect again.`;
  return { error: servesAnotherProject(protocol, lack, more), isCertain: hasOthers };
}

function servesOther(protocol: Protocol, others: readonly Protocol[]): ProtocolDoubt {
  const sentence = `It serves ${others.join(" and ")} instead of ${protocol}.`;
  return { error: wrongProtocol(sentence, "another protocol's"), isCertain: true };
}

function servesAnotherProject(protocol: Protocol, lack: string, more = ""): EndpointError {
  return wrongProtocol(`It does not serve ${protocol}: ${lack}`, "another project's", more);
}

function wrongProtocol(sentence: string, whose: string, more = ""): EndpointError {
  const hint = `correct its URL: whoever reads this endpoint gets ${whose} data.${more}`;
  return new EndpointError({ code: "ENDPOINT_WRONG_PROTOCOL", sentence, hint });
}

/** How much of a known entity model another one has, and how much besides. Fields are counted without `id`. */
type Likeness = {
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
function measureLikeness(known: EntityModel, served: EntityModel): Likeness {
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

/** How much of a known model is served, 0 to 1: of its entities or of their fields, whichever is less. */
function shareOf({ entities, keptEntities, fields, keptFields }: Likeness): number {
  // Where nearly all entities are, the fields of the one that went decide nothing, however many they were.
  const ofEntities = part(keptEntities, entities);
  return ofEntities > NEARLY_ALL ? ofEntities : Math.min(ofEntities, part(keptFields, fields));
}

const NEARLY_ALL = 3 / 4;

/** Whether what is served is nearer to one known model than to another: it has more of that one, and less besides. */
function isNearer(to: Likeness, than: Likeness): boolean {
  // What is known and served, of all that is either.
  const overlapOf = ({ fields, keptFields, servedFields }: Likeness) =>
    part(keptFields, fields + servedFields - keptFields);
  return (
    part(to.keptFields, to.fields) > part(than.keptFields, than.fields) && overlapOf(to) > overlapOf(than)
  );
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
