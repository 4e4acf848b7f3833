import { EndpointError } from "../base/errors/endpoint-error.ts";
import { PROTOCOL_MARKS } from "../project/protocol-marks.ts";
import { PROTOCOLS, type Protocol } from "../project/vocabulary.ts";
import type { EntityModel } from "../schema/entity-model.ts";
import { isNearer, type Likeness, measureLikeness, shareOf } from "./measure-likeness.ts";

/** The protocols whose marks any entity has: none of an indexer unknown to us, both of a merged one. */
export function findProtocols({ definitions }: EntityModel): Protocol[] {
  const names = new Set<string>();
  for (const definition of definitions) {
    if (definition.kind !== "entity") continue;
    for (const field of definition.fields) names.add(field.name);
  }
  return PROTOCOLS.filter((protocol) => names.has(PROTOCOL_MARKS[protocol].field));
}

/**
 * The protocols whose marks stand where they belong, in an entity called like the one that has it. The names of fields
 * are nobody's own: vaults of other projects have a `depositAmount` as well.
 */
export function findPlainProtocols({ definitions }: EntityModel): Protocol[] {
  return PROTOCOLS.filter((protocol) => {
    const { entity, field } = PROTOCOL_MARKS[protocol];
    return definitions.some(
      (one) =>
        one.kind === "entity" && one.name.includes(entity) && one.fields.some(({ name }) => name === field),
    );
  });
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
  return new EndpointError({
    code: "ENDPOINT_WRONG_PROTOCOL",
    sentence: `It serves ${others.join(" and ")} instead of ${protocol}.`,
    hint: "correct its URL: whoever reads this endpoint gets another protocol's data.",
  });
}

function servesNothingOf(protocol: Protocol): EndpointError {
  const { entity, field } = PROTOCOL_MARKS[protocol];
  return new EndpointError({
    code: "ENDPOINT_WRONG_PROTOCOL",
    sentence: `It does not serve ${protocol}: it has neither ${field} nor an entity called ${entity}.`,
    hint: "correct its URL: whoever reads this endpoint gets another project's data.",
  });
}

function servesAnotherProject(
  protocol: Protocol,
  { entities, keptEntities, fields, keptFields }: Likeness,
): EndpointError {
  return new EndpointError({
    code: "ENDPOINT_WRONG_PROTOCOL",
    sentence: `It does not serve ${protocol}: of the snapshot's ${entities} entities it has ${keptEntities}, and ${keptFields} of their ${fields} fields.`,
    hint: `correct its URL: whoever reads this endpoint gets another project's data. If ${protocol} really became this, delete its snapshot and introspect again.`,
  });
}
