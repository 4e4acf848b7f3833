import { UsageError } from "../../src/base/errors.ts";
import { nearestName } from "../../src/base/text.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import type { Protocol } from "../../src/dialects/surface.ts";
import { entitiesOf } from "../dataset/entities/index.ts";
import type { OwnProtocol } from "./own-protocol.ts";
import { entitiesText } from "./resolve-own-protocols.ts";

/**
 * Chooses whose aggregates are public: of the entities that are named, those that each protocol has.
 *
 * @returns the entities by protocol.
 * @throws UsageError for one that no protocol has.
 */
export function chooseAggregates(
  names: readonly string[],
  served: readonly Protocol[],
  protocols: Readonly<Record<Protocol, OwnProtocol>>,
): ReadonlyMap<Protocol, readonly string[]> {
  const known = new Map(served.map((key) => [key, entityNames(key, protocols)]));
  const all = [...new Set([...known.values()].flat())];
  const stranger = names.find((name) => !all.includes(name));
  if (stranger !== undefined) {
    const nearest = nearestName(stranger, all);
    throw new UsageError({
      sentence: `--aggregates names "${stranger}", which is no entity of ${served.length === 0 ? "a multichain deployment" : served.join(" or ")}.`,
      hint: nearest === null ? `the entities are ${all.join(", ")}.` : `did you mean "${nearest}"?`,
    });
  }
  return new Map([...known].map(([key, entities]) => [key, names.filter((name) => entities.includes(name))]));
}

function entityNames(key: Protocol, protocols: Readonly<Record<Protocol, OwnProtocol>>): string[] {
  const own = protocols[key];
  const text = own && entitiesText(own, "multichain");
  const { definitions } = text === undefined ? entitiesOf(key, "multichain") : parseEntities(text, key);
  return definitions.filter(({ kind }) => kind === "entity").map(({ name }) => name);
}
