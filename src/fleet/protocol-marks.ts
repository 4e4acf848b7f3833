import { PROTOCOLS, type Protocol } from "../project/vocabulary.ts";
import type { EntityModel } from "../schema/entity-model.ts";

/** The field that an indexer is known by, and the entity that has it: a vesting stream has a deposit, a payment stream a rate. */
export const PROTOCOL_MARKS = {
  lockup: { entity: "Stream", field: "depositAmount" },
  flow: { entity: "Stream", field: "ratePerSecond" },
} as const satisfies Readonly<Record<Protocol, unknown>>;

/** The protocols whose marks any entity has: none of an indexer unknown to us, both of a merged one. */
export function findProtocols(model: EntityModel): Protocol[] {
  return PROTOCOLS.filter((protocol) => markedEntities(model, protocol).length > 0);
}

/** The protocols whose marks stand in an entity of the right name: vaults of other projects have a `depositAmount` too. */
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
