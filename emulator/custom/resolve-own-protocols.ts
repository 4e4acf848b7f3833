import { UsageError } from "../../src/base/errors.ts";
import { nearestName } from "../../src/base/text.ts";
import { deriveAccepted } from "../../src/dialects/derive-entities.ts";
import { parseEntities } from "../../src/dialects/parse-entities.ts";
import { type Protocol, STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import type { Dataset, RowSource } from "../dataset/dataset.ts";
import { entitiesOf } from "../dataset/entities/index.ts";
import type { RowRules } from "../dataset/seeded/build-row-plan.ts";
import { createSeededDatasets, type StyleEntities } from "../dataset/seeded/seeded-chain.ts";
import type { EmulatedDeployment } from "../indexers/emulated-deployment.ts";
import type { OwnDatasets } from "../indexers/protocol-dataset.ts";
import { createGivenDatasets } from "./create-given-datasets.ts";
import type { OwnProtocol } from "./custom-indexer.ts";

/**
 * Checks the entities of protocols as the platforms of their deployments do, and creates their datasets.
 *
 * @param deployments all that are served.
 * @throws SchemaError for entities that a platform refuses.
 * @throws EmulatorError for rows that are not of these entities.
 */
export async function resolveOwnProtocols(
  protocols: Readonly<Record<Protocol, OwnProtocol>>,
  deployments: readonly EmulatedDeployment[],
  source: RowSource,
): Promise<OwnDatasets> {
  const resolved = new Map<Protocol, (style: StyleName) => Dataset | null>();
  for (const [key, protocol] of Object.entries(protocols)) {
    const served = deployments.filter((deployment) => deployment.protocol === key);
    await checkEntities(key, protocol, served);
    const entities = readEntities(key, protocol);
    const chainIds = served.flatMap((deployment) => deployment.chainIds);
    const rules = rulesOf(protocol);
    const bytesType = served.find(({ settings }) => settings?.bytesType)?.settings?.bytesType;
    const content = { key, entities, rules, chainIds, bytesType };
    resolved.set(
      key,
      protocol.rows === undefined
        ? createSeededDatasets(content, source)
        : createGivenDatasets(
            content,
            protocol.rows,
            protocol.places?.rows ?? `The value "rows" of "${key}"`,
          ),
    );
  }
  return resolved;
}

/** The entity SDL of a protocol in a style. */
export function entitiesText({ entities }: OwnProtocol, style: StyleName): string | undefined {
  return typeof entities === "string" ? entities : entities[style];
}

function placeOf(key: Protocol, { places }: OwnProtocol, style: StyleName): string {
  return places?.entities?.[style] ?? key;
}

/** Each is checked once for all deployments with the same release and settings. */
async function checkEntities(
  key: Protocol,
  protocol: OwnProtocol,
  deployments: readonly EmulatedDeployment[],
): Promise<void> {
  const checked = new Set<string>();
  for (const { style: name, release, settings } of deployments) {
    const text = entitiesText(protocol, name);
    const variant = JSON.stringify([name, release, settings]);
    if (text === undefined || checked.has(variant)) continue;
    checked.add(variant);
    const sharedBy = isForBoth(protocol) ? key : undefined;
    await deriveAccepted(
      name,
      { name: placeOf(key, protocol, name), text, sharedBy },
      { ...settings, release },
    );
  }
}

function isForBoth(protocol: OwnProtocol): boolean {
  const [text, ...others] = STYLE_NAMES.map((style) => entitiesText(protocol, style));
  return others.every((other) => other === text);
}

function readEntities(key: Protocol, protocol: OwnProtocol): { readonly [S in StyleName]?: StyleEntities } {
  const entries = STYLE_NAMES.flatMap((style): [StyleName, StyleEntities][] => {
    const text = entitiesText(protocol, style);
    if (text === undefined) return [];
    const place = placeOf(key, protocol, style);
    return [[style, { text, model: parseEntities(text, place) }]];
  });
  return Object.fromEntries(entries);
}

function rulesOf({ identity, chainPath = {}, cursors = {}, ids = {} }: OwnProtocol): RowRules {
  const [entity, field] = identity?.chain?.split(".") ?? [];
  const chainIdentity = entity !== undefined && field !== undefined ? { entity, field } : null;
  return { chainIdentity, chainPath, cursors, ids };
}

/**
 * Resolves the entities with public aggregates: those of the named ones that each protocol has.
 *
 * @returns the entities by protocol.
 * @throws UsageError for one that no protocol has.
 */
export function chooseAggregates(
  names: readonly string[],
  served: readonly Protocol[],
  protocols: Readonly<Record<Protocol, OwnProtocol>>,
): ReadonlyMap<Protocol, readonly string[]> {
  const entitiesOfProtocols = new Map(served.map((key) => [key, entityNames(key, protocols)]));
  const all = [...new Set([...entitiesOfProtocols.values()].flat())];
  const unknown = names.find((name) => !all.includes(name));
  if (unknown !== undefined) {
    const nearest = nearestName(unknown, all);
    throw new UsageError({
      sentence: `--aggregates names "${unknown}", which is not an entity of ${served.length === 0 ? "a multichain deployment" : served.join(" or ")}.`,
      hint: nearest === null ? `the entities are ${all.join(", ")}.` : `did you mean "${nearest}"?`,
    });
  }
  return new Map(
    [...entitiesOfProtocols].map(([key, entities]) => [key, names.filter((name) => entities.includes(name))]),
  );
}

function entityNames(key: Protocol, protocols: Readonly<Record<Protocol, OwnProtocol>>): string[] {
  const protocol = protocols[key];
  const text = protocol && entitiesText(protocol, "multichain");
  const { definitions } = text === undefined ? entitiesOf(key, "multichain") : parseEntities(text, key);
  return definitions.filter(({ kind }) => kind === "entity").map(({ name }) => name);
}
