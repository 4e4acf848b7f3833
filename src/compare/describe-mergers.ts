import { compareCodeUnits, findNamed } from "../base/collections.ts";
import { capitalize, typescriptLiteral } from "../base/text.ts";
import { type EntityModel, isRowDefinition } from "../dialects/entity-model.ts";
import type { ProtocolDefinition, ResolvedProtocol } from "../dialects/protocol.ts";
import { type OfSurface, type Protocol, STYLE_NAMES } from "../dialects/surface.ts";
import { BUILT_IN_PROTOCOLS, withBuiltIn } from "../project/protocols.ts";
import { findApiRenames } from "./find-api-renames.ts";

/** The entities that a deployment serves, and the protocols whose identifying fields they have. */
export type ServedEntities = OfSurface & {
  readonly model: EntityModel;
  readonly protocols: readonly Protocol[];
};

/**
 * Describes which protocols are served by one indexer now, with the definition and the commands to use.
 *
 * @param knownModel returns the entities of a surface before; null if they are unknown.
 */
export function describeMergers(
  served: readonly ServedEntities[],
  knownModel: (surface: OfSurface) => EntityModel | null,
  definitions: readonly ResolvedProtocol[],
): string[] {
  const all = withBuiltIn(definitions);
  const descriptions = new Map<string, string>();
  for (const { protocol, style, model, protocols } of served) {
    for (const other of all) {
      const pair = all.filter((candidate) => candidate.key === protocol || candidate === other);
      const names = pair.map(({ key }) => key);
      const id = names.join(" and ");
      if (pair.length < 2 || descriptions.has(id)) continue;
      const earlier = names.flatMap((key) => knownModel({ protocol: key, style }) ?? []);
      const isMarked = names.every((key) => BUILT_IN_PROTOCOLS.includes(key) && protocols.includes(key));
      if (!isMarked && !isMerger(earlier, model)) continue;
      const definition = typescriptLiteral(defineMerger(pair, earlier, model));
      const moves = pair
        .filter((member) => definitions.includes(member))
        .map(({ key }, at) => {
          // Both protocols may have operations of the same names.
          const prefix = at > 0 ? ` --prefix ${capitalize(key.replace(/\W/g, ""))}` : "";
          return `\`lockflow adapt --protocol ${key} --to merged${prefix}\``;
        });
      descriptions.set(
        id,
        `One indexer serves ${id} now. Add it to "protocols", such as merged: defineProtocol(${definition}), introspect it, and move the operations: ${moves.join(" and ")}.`,
      );
    }
  }
  return [...descriptions.values()];
}

/** Returns whether a schema has the entities of two earlier ones, each under other names. */
function isMerger(earlier: readonly EntityModel[], served: EntityModel): boolean {
  const names = earlier.map((model) =>
    findApiRenames(model, served).flatMap(({ kind, to, certain }) =>
      kind === "entity" && certain ? [to] : [],
    ),
  );
  return (
    names.length === 2 &&
    names.every(({ length }) => length > 0) &&
    new Set(names.flat()).size === names.flat().length
  );
}

function defineMerger(
  pair: readonly ResolvedProtocol[],
  earlier: readonly EntityModel[],
  served: EntityModel,
): ProtocolDefinition {
  const fields = served.definitions
    .filter(isRowDefinition)
    .flatMap((row) => row.fields.map((field) => ({ entity: row.name, field: field.name })));
  const before = earlier.flatMap(({ definitions }) => definitions.filter(isRowDefinition));
  // A new field of a kept entity is in no other protocol.
  const [unique] = fields
    .filter(({ entity }) => findNamed(before, entity))
    .filter(({ entity, field }) => !before.some((row) => row.name === entity && findNamed(row.fields, field)))
    .map(({ entity, field }) => `${entity}.${field}`)
    .sort(compareCodeUnits);
  const chain = pair
    .map(({ identity }) => identity.chain)
    .find((mark) => fields.some(({ entity, field }) => entity === mark?.entity && field === mark.field));
  const styles = STYLE_NAMES.filter((style) => pair.some((definition) => definition.styles.includes(style)));
  const chains = pair.every((definition) => definition.chains)
    ? [...new Set(pair.flatMap((definition) => definition.chains ?? []))]
    : undefined;
  return {
    ...(styles.length === 1 && { styles }),
    chains: chains?.sort(compareCodeUnits),
    identity: { protocol: unique, chain: chain ? `${chain.entity}.${chain.field}` : undefined },
  };
}
