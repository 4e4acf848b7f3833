import { groupBy } from "../base/group-by.ts";
import type { ResolvedProtocol } from "../project/protocols/resolve-protocols.ts";
import type { Protocol } from "../project/vocabulary.ts";
import type { EntityModel } from "../schema/entity-model.ts";

/** What is known of protocols by their definitions. */
export type Marked = readonly Pick<ResolvedProtocol, "key" | "identity">[];

/** The protocols whose marks any entity has: none of an indexer unknown to us, both of a merged one. */
export function findProtocols(model: EntityModel, definitions: Marked): Protocol[] {
  return definitions.flatMap((one) => (markedEntities(model, one).length > 0 ? [one.key] : []));
}

/** The protocols whose marks stand in an entity of the right name: vaults of other projects have a `depositAmount` too. */
export function findPlainProtocols(model: EntityModel, definitions: Marked): Protocol[] {
  return definitions.flatMap((one) =>
    markedEntities(model, one).some((name) => name.includes(one.identity.protocol?.entity ?? name))
      ? [one.key]
      : [],
  );
}

/** The protocols that their marks tell from all others: a merged indexer may be known by the mark of one it became of. */
export function findTelling(definitions: Marked): ReadonlySet<Protocol> {
  const owners = groupBy(
    definitions,
    ({ identity: { protocol } }) => protocol && `${protocol.entity}.${protocol.field}`,
  );
  return new Set(
    [...owners].flatMap(([mark, [one, ...more]]) => (mark && one && more.length === 0 ? [one.key] : [])),
  );
}

/** The names of the entities that have the field by which a protocol is known. */
function markedEntities({ definitions }: EntityModel, { identity: { protocol } }: Marked[number]): string[] {
  return definitions.flatMap((one) =>
    one.kind === "entity" && one.fields.some(({ name }) => name === protocol?.field) ? [one.name] : [],
  );
}
