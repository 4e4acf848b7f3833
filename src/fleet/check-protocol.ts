import { cached } from "../base/cached.ts";
import { EndpointError } from "../base/errors/endpoint-error.ts";
import { LockflowError } from "../base/errors/lockflow-error.ts";
import type { Deployment } from "../project/deployment.ts";
import { isOf } from "../project/surface.ts";
import type { Protocol } from "../project/vocabulary.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import { parseSnapshot } from "../snapshots/parse-snapshot.ts";
import type { Snapshot } from "../snapshots/snapshot.ts";
import { styles } from "../styles/index.ts";
import { isNearer, LEAST_SHARE, measureLikeness, shareOf } from "./likeness.ts";
import { findPlainProtocols, findProtocols, type Marked } from "./protocol-marks.ts";
import type { SchemaReading } from "./read-schema.ts";

/** Tells why a deployment does not serve its protocol; null where it does. */
export type ProtocolCheck = (deployment: Deployment, reading: SchemaReading) => ProtocolDoubt | null;

/** Creates a check of schemas that have not the mark of their protocol, against the snapshots. */
export function createProtocolCheck(snapshots: readonly Snapshot[], definitions: Marked): ProtocolCheck {
  const models = new Map<Snapshot | undefined, EntityModel | null>();
  const doubts = new Map<string, ProtocolDoubt | null>();
  return ({ protocol, style }, { entities, schema }) =>
    cached(doubts, `${protocol} ${style} ${entities}`, () =>
      doubtProtocol(
        protocol,
        styles[style].read(schema),
        (name) => cached(models, snapshots.find(isOf({ protocol: name, style })), readModel),
        definitions,
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
  definitions: Marked,
): ProtocolDoubt | null {
  if (findPlainProtocols(served, definitions).includes(protocol)) return null;
  const marked = findProtocols(served, definitions);
  const known = knownModel(protocol);
  if (known === null) {
    const mark = definitions.find(({ key }) => key === protocol)?.identity.protocol;
    if (!mark || marked.includes(protocol)) return null;
    const { entity, field } = mark;
    if (marked.length > 0) return servesOther(protocol, marked);
    if (served.definitions.some(({ kind, name }) => kind === "entity" && name.includes(entity))) return null;
    const lack = `it has neither ${field} nor an entity called ${entity}.`;
    return { error: servesAnotherProject(protocol, lack), isCertain: true };
  }
  const likeness = measureLikeness(known, served);
  const keys = definitions.map(({ key }) => key);
  const others = keys.filter((other) => {
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
