import { cached } from "../base/cached.ts";
import { EndpointError } from "../base/errors/endpoint-error.ts";
import type { Deployment } from "../project/deployment.ts";
import type { OfSurface } from "../project/surface.ts";
import type { Protocol } from "../project/vocabulary.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import { styles } from "../styles/index.ts";
import type { KnownModel } from "./known-models.ts";
import { isNearer, isNearlyAll, LEAST_SHARE, type Likeness, measureLikeness, shareOf } from "./likeness.ts";
import { findPlainProtocols, findProtocols, findTelling, type Marked } from "./protocol-marks.ts";
import type { SchemaReading } from "./read-schema.ts";

/** Tells why a deployment does not serve its protocol; null where it does. */
export type ProtocolCheck = (deployment: Deployment, reading: SchemaReading) => ProtocolDoubt | null;

/** Creates a check of schemas that have not the mark of their protocol, against what is known of the protocols. */
export function createProtocolCheck(
  knownModel: (surface: OfSurface) => KnownModel | null,
  definitions: Marked,
): ProtocolCheck {
  const doubts = new Map<string, ProtocolDoubt | null>();
  return ({ protocol, style }, { entities, schema }) =>
    cached(doubts, `${protocol} ${style} ${entities}`, () =>
      doubtProtocol(
        protocol,
        styles[style].read(schema),
        (name) => knownModel({ protocol: name, style }),
        definitions,
      ),
    );
}

/** Why an indexer is not taken for the protocol's. */
export type ProtocolDoubt = {
  readonly error: EndpointError;
  /** False where what is served may as well be a part of the protocol's own schema. */
  readonly isCertain: boolean;
};

/**
 * Tells why an indexer is not the one of a protocol, or null where it may be. Whoever has the protocol's mark in an
 * entity called like its own is. Anybody else, and everybody of a protocol without a mark that no other has, is known by
 * what it has of the known entities, more than of another protocol's. Before any are known, by the mark in any entity, or by an entity
 * called like the one with the mark; and where there is no mark either, nothing can be said but that there are entities.
 *
 * @param knownModel the entities of a protocol in the same style; null where none are known.
 */
export function doubtProtocol(
  protocol: Protocol,
  served: EntityModel,
  knownModel: (protocol: Protocol) => KnownModel | null,
  definitions: Marked,
): ProtocolDoubt | null {
  const tells = findTelling(definitions).has(protocol);
  if (tells && findPlainProtocols(served, definitions).includes(protocol)) return null;
  const marked = findProtocols(served, definitions);
  const known = knownModel(protocol);
  const mark = definitions.find(({ key }) => key === protocol)?.identity.protocol ?? null;
  if (known === null) {
    if (mark === null && !served.definitions.some(({ kind }) => kind === "entity")) {
      const lack = "its schema has no entities, as that of an indexer of this style has.";
      return { error: servesAnotherProject(protocol, lack), isCertain: true };
    }
    if (mark === null || marked.includes(protocol)) return null;
    const { entity, field } = mark;
    if (marked.length > 0) return servesOther(protocol, marked);
    if (served.definitions.some(({ kind, name }) => kind === "entity" && name.includes(entity))) return null;
    const lack = `it has neither ${field} nor an entity called ${entity}.`;
    return { error: servesAnotherProject(protocol, lack), isCertain: true };
  }
  const likeness = measureLikeness(known.model, served);
  const isAlike = shareOf(likeness) >= LEAST_SHARE;
  // One that its own entities lack is misspelt, or of later ones.
  const hasMark = tells && findProtocols(known.model, definitions).includes(protocol);
  const isPart = hasLostMark(known.model, marked, definitions) && !isNearlyAll(likeness);
  const candidates = definitions.flatMap(({ key }): Candidate[] => {
    if (key === protocol) return [];
    const model = knownModel(key)?.model;
    if (model === undefined) {
      // Without a mark of its own an indexer may well have that of another, as one of both has, and has all of both.
      return marked.includes(key) && (hasMark || !isAlike || isPart) ? [{ key, likeness: null }] : [];
    }
    const other = measureLikeness(model, served);
    return shareOf(other) >= LEAST_SHARE && isNearer(other, likeness) ? [{ key, likeness: other }] : [];
  });
  const others = nearestOf(candidates);
  if (others.length > 0) {
    const key = `protocols.${protocol}.identity.protocol`;
    const more = !tells ? ` If it is ${protocol}, add ${key}: a field that others lack.` : "";
    return servesOther(protocol, others, more);
  }
  if (isAlike) return null;
  const { entities, keptEntities, fields, keptFields, hasOthers } = likeness;
  const all =
    known.file === null ? `the snapshot's ${entities} entities` : `the ${entities} entities in ${known.file}`;
  const lack = `of ${all} it has ${keptEntities}, and ${keptFields} of their ${fields} fields.`;
  const mend = known.file === null ? "delete its snapshot and introspect again" : `correct ${known.file}`;
  const more = ` If ${protocol} really became this, ${mend}.`;
  return { error: servesAnotherProject(protocol, lack, more), isCertain: hasOthers };
}

/** Whether what is known has the mark of a protocol that what is served has not. */
function hasLostMark(known: EntityModel, marked: readonly Protocol[], definitions: Marked): boolean {
  return findProtocols(known, definitions).some((key) => !marked.includes(key));
}

/** Another protocol that may be served; without a likeness it is known by its mark. */
type Candidate = { readonly key: Protocol; readonly likeness: Likeness | null };

/** Those of several to which none of the others is preferred. */
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
  const hint = `correct its URL: whoever reads this endpoint gets ${whose} data.${more}`;
  return new EndpointError({ code: "ENDPOINT_WRONG_PROTOCOL", sentence, hint });
}
