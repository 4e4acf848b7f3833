import { cached } from "../../../src/base/collections.ts";
import type { EntityModel } from "../../../src/dialects/entity-model.ts";
import { parseEntities } from "../../../src/dialects/parse-entities.ts";
import type { Protocol, StyleName } from "../../../src/dialects/surface.ts";
import { FLOW_ENTITIES, FLOW_MULTICHAIN_ENTITIES } from "./flow.ts";
import { LOCKUP_ENTITIES, LOCKUP_MULTICHAIN_ENTITIES } from "./lockup.ts";

/** The entities with public aggregates on the multichain indexers. */
export const PUBLIC_AGGREGATES: readonly string[] = [
  "Stream",
  "Revenue",
  "RevenueTransaction",
  "User",
  "UserTransaction",
];

const SDL: ReadonlyMap<Protocol, Readonly<Record<StyleName, string>>> = new Map(
  Object.entries({
    lockup: { multichain: LOCKUP_MULTICHAIN_ENTITIES, subgraph: LOCKUP_ENTITIES },
    flow: { multichain: FLOW_MULTICHAIN_ENTITIES, subgraph: FLOW_ENTITIES },
  }),
);

/** The reference entity SDL of an indexer. */
export function entitiesText(protocol: Protocol, style: StyleName): string {
  return SDL.get(protocol)?.[style] ?? "";
}

const models = new Map<string, EntityModel>();

/** The entity model of a reference indexer; parsed on first use. */
export function entitiesOf(protocol: Protocol, style: StyleName): EntityModel {
  const place = `${protocol} entities of the ${style} emulator`;
  return cached(models, place, () => parseEntities(entitiesText(protocol, style), place));
}
