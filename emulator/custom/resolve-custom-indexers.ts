import { EmulatorError } from "../../src/base/errors.ts";
import { deriveAccepted } from "../../src/dialects/derive-entities.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { styles } from "../../src/dialects/index.ts";
import { releaseFeatures } from "../../src/dialects/multichain/release.ts";
import { INTERNAL_TABLE_NAMES, internalTables } from "../../src/dialects/multichain/tables.ts";
import { resolveRelease } from "../../src/dialects/platform.ts";
import { IS_PER_CHAIN, type StyleName } from "../../src/dialects/surface.ts";
import type { Dataset } from "../dataset/dataset.ts";
import type { EmulatedDeployment } from "../indexers/emulated-deployment.ts";
import { unknownRelease } from "../indexers/releases.ts";
import { servedStyles } from "../styles/index.ts";
import type { OperatorSettings } from "../styles/served-style.ts";
import { createCustomChain, mapRows } from "./custom-chain.ts";
import type { OwnIndexer } from "./custom-indexer.ts";
import { parseRows } from "./parse-rows.ts";

/** Names of an indexer's files, for errors. */
type IndexerPlaces = { readonly entities: string; readonly rows: string };

type ResolvedCustomIndexer = { readonly deployment: EmulatedDeployment; readonly dataset: Dataset };

const DEFAULT_NAME = "indexer";
const DEFAULT_CHAIN = 1;

/**
 * Checks custom indexers as their platforms do, and parses their rows.
 *
 * @throws SchemaError for entities their platform refuses.
 * @throws EmulatorError for rows of another schema, duplicate names, and an unknown release.
 */
export async function resolveCustomIndexers(
  indexers: readonly OwnIndexer[],
  places: Partial<IndexerPlaces> = {},
): Promise<ResolvedCustomIndexer[]> {
  const resolved: ResolvedCustomIndexer[] = [];
  for (const indexer of indexers) {
    const name = indexer.name ?? DEFAULT_NAME;
    checkName(name, resolved);
    resolved.push(
      await resolveOne(indexer, name, {
        entities: places.entities ?? name,
        rows: places.rows ?? `The value "rows" of "${name}"`,
      }),
    );
  }
  return resolved;
}

function checkName(name: string, others: readonly ResolvedCustomIndexer[]): void {
  if (!/^[\w.-]{1,100}$/.test(name) || /^\.+$/.test(name)) {
    throw new EmulatorError({
      code: "EMULATOR_BAD_INDEXER",
      sentence: `"${name}" cannot name an indexer, because its URL has the name in it.`,
      hint: "use letters, digits, _, - and . only.",
    });
  }
  if (others.some(({ deployment }) => deployment.name === name)) {
    throw new EmulatorError({
      code: "EMULATOR_BAD_INDEXER",
      sentence: `Two indexers are called "${name}".`,
      hint: "give each a different name.",
    });
  }
}

async function resolveOne(
  { style: styleName, entities, rows, release, settings = {}, chainId = DEFAULT_CHAIN }: OwnIndexer,
  name: string,
  places: IndexerPlaces,
): Promise<ResolvedCustomIndexer> {
  const { platform } = styles[styleName];
  const platformRelease = resolveRelease(release ?? platform.defaultRelease, platform);
  if (platformRelease === null) throw unknownRelease(name, release ?? "");
  checkSettings(name, settings, styleName);
  // Derived now, so that startup reports the refusals of the platform, not the first query.
  const { model } = await deriveAccepted(
    styleName,
    { name: places.entities, text: entities },
    { ...settings, release: platformRelease },
  );
  const platformTables = IS_PER_CHAIN[styleName] ? [] : internalTables(releaseFeatures(platformRelease));
  const { bytesType } = settings;
  const target = { model, style: servedStyles[styleName], bytesType, place: places.rows, platformTables };
  const isPerChain = keptPerChain(model, settings);
  const blocks = mapRows(parseRows(rows ?? {}, target), (entity, row) =>
    isPerChain(entity) ? { ...row, chainId } : row,
  );
  const chain = createCustomChain(chainId, blocks);
  return {
    deployment: {
      name,
      protocol: null,
      style: styleName,
      chainIds: [chainId],
      environments: [IS_PER_CHAIN[styleName] ? "testing" : "production"],
      release: platformRelease,
      settings,
    },
    dataset: { name: `custom ${name}`, entities, model, settings: {}, chain: () => chain },
  };
}

function checkSettings(name: string, settings: OperatorSettings, style: StyleName): void {
  const names = servedStyles[style].settings;
  for (const [setting, value] of Object.entries(settings)) {
    if (value === undefined || names.some((name) => name === setting)) continue;
    throw new EmulatorError({
      code: "EMULATOR_BAD_INDEXER",
      sentence: `"${name}" has a setting "${setting}", which the ${style} style does not have.`,
      hint: `its settings are ${names.join(", ")}.`,
    });
  }
}

/** Whether rows of an entity have the chain's id: if entities are stored per chain, all but cross-chain ones. */
function keptPerChain({ definitions }: EntityModel, { perChainEntities = false }: OperatorSettings) {
  const crossing = new Set(
    definitions.flatMap((definition) =>
      definition.kind === "entity" && definition.crossChain ? definition.name : [],
    ),
  );
  return (entity: string) => perChainEntities && !crossing.has(entity) && !INTERNAL_TABLE_NAMES.has(entity);
}
