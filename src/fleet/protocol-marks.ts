import { PROTOCOLS, type Protocol } from "../project/vocabulary.ts";
import type { EntityModel } from "../schema/entity-model.ts";

/** What the indexer of a protocol is known by: a field, and the entity that has it. */
export type ProtocolMark = { readonly entity: string; readonly field: string };

/**
 * A vesting stream has an amount that was deposited once, a payment stream has a rate. Neither reference indexer has
 * the other's field.
 */
export const PROTOCOL_MARKS: Readonly<Record<Protocol, ProtocolMark>> = {
  lockup: { entity: "Stream", field: "depositAmount" },
  flow: { entity: "Stream", field: "ratePerSecond" },
};

/** The protocols whose marks any entity has: none of an indexer unknown to us, both of a merged one. */
export function findProtocols(model: EntityModel): Protocol[] {
  return PROTOCOLS.filter((protocol) => markedEntities(model, protocol).length > 0);
}

/**
 * The protocols whose marks stand where they belong, in an entity called like the one that has it. The names of fields
 * are nobody's own: vaults of other projects have a `depositAmount` as well.
 */
export function findPlainProtocols(model: EntityModel): Protocol[] {
  return PROTOCOLS.filter((protocol) =>
    markedEntities(model, protocol).some((name) => name.includes(PROTOCOL_MARKS[protocol].entity)),
  );
}

/** The names of the entities that have the field by which a protocol is known. */
function markedEntities({ definitions }: EntityModel, protocol: Protocol): string[] {
  const { field } = PROTOCOL_MARKS[protocol];
  return definitions.flatMap((one) =>
    one.kind === "entity" && one.fields.some(({ name }) => name === field) ? [one.name] : [],
  );
}
