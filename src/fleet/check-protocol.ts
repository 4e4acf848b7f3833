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

/**
 * Creates a check that holds what is served against the snapshots, once for all who serve the same. It parses them, so
 * it is loaded for schemas only that have not the mark of their protocol.
 */
export function createProtocolCheck(snapshots: readonly Snapshot[]): ProtocolCheck {
  const models = new Map<Snapshot, EntityModel | null>();
  const doubts = new Map<string, ProtocolDoubt | null>();
  return ({ protocol, style }, { entities, schema }) => {
    const knownModel = (name: Protocol) => {
      const snapshot = snapshots.find(isOf({ protocol: name, style }));
      if (snapshot === undefined) return null;
      if (!models.has(snapshot)) models.set(snapshot, readModel(snapshot));
      return models.get(snapshot) ?? null;
    };
    const key = `${protocol} ${style} ${entities}`;
    if (!doubts.has(key)) doubts.set(key, doubtProtocol(protocol, styles[style].read(schema), knownModel));
    return doubts.get(key) ?? null;
  };
}

/** Null for one that was edited until it is no schema, which introspection mends. */
function readModel({ style, base }: Snapshot): EntityModel | null {
  try {
    return styles[style].read(parseSnapshot(base));
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

/**
 * The share of a snapshot, as `shareOf` measures it, below which an indexer without the protocol's mark is another
 * project's. Releases rename and drop some of it; other indexers have little of it by chance.
 */
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
    if (marked.includes(protocol)) return null;
    if (marked.length > 0) return { error: servesOther(protocol, marked), isCertain: true };
    return hasMarkedEntity(protocol, served) ? null : { error: servesNothingOf(protocol), isCertain: true };
  }
  const likeness = measureLikeness(known, served);
  const others = PROTOCOLS.filter((other) => {
    if (other === protocol) return false;
    const model = knownModel(other);
    if (model === null) return marked.includes(other);
    const otherLikeness = measureLikeness(model, served);
    return shareOf(otherLikeness) >= LEAST_SHARE && isNearer(otherLikeness, likeness);
  });
  if (others.length > 0) return { error: servesOther(protocol, others), isCertain: true };
  if (shareOf(likeness) >= LEAST_SHARE) return null;
  return { error: servesAnotherProject(protocol, likeness), isCertain: likeness.hasOthers };
}

function hasMarkedEntity(protocol: Protocol, { definitions }: EntityModel): boolean {
  const { entity } = PROTOCOL_MARKS[protocol];
  return definitions.some(({ kind, name }) => kind === "entity" && name.includes(entity));
}

function servesOther(protocol: Protocol, others: readonly Protocol[]): EndpointError {
  return wrongProtocol(`It serves ${others.join(" and ")} instead of ${protocol}.`, "another protocol's");
}

function servesNothingOf(protocol: Protocol): EndpointError {
  const { entity, field } = PROTOCOL_MARKS[protocol];
  return wrongProtocol(
    `It does not serve ${protocol}: it has neither ${field} nor an entity called ${entity}.`,
    "another project's",
  );
}

function servesAnotherProject(protocol: Protocol, likeness: Likeness): EndpointError {
  const { entities, keptEntities, fields, keptFields } = likeness;
  return wrongProtocol(
    `It does not serve ${protocol}: of the snapshot's ${entities} entities it has ${keptEntities}, and ${keptFields} of their ${fields} fields.`,
    "another project's",
    ` If ${protocol} really became this, delete its snapshot and introspect again.`,
  );
}

function wrongProtocol(sentence: string, whose: string, more = ""): EndpointError {
  return new EndpointError({
    code: "ENDPOINT_WRONG_PROTOCOL",
    sentence,
    hint: `correct its URL: whoever reads this endpoint gets ${whose} data.${more}`,
  });
}

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
