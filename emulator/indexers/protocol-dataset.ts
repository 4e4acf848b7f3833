import { cached } from "../../src/base/collections.ts";
import { styles } from "../../src/dialects/index.ts";
import { resolveOwnRelease } from "../../src/dialects/platform.ts";
import type { Protocol, StyleName } from "../../src/dialects/surface.ts";
import { BUILT_IN } from "../../src/project/protocols.ts";
import type { ChainDataset, Dataset, RowSource } from "../dataset/dataset.ts";
import { entitiesOf, entitiesText, PUBLIC_AGGREGATES } from "../dataset/entities/index.ts";
import { chainDataset } from "../dataset/rows/chain-dataset.ts";
import { createMemo } from "../styles/served-style.ts";

type ProtocolDatasets = (protocol: Protocol, style: StyleName) => Dataset;

/** The datasets of own protocols, which also replace built-in ones; null if a style has none. */
export type OwnDatasets = ReadonlyMap<Protocol, (style: StyleName) => Dataset | null>;

/** Seeds with cached rows: suites start many emulators, mostly with the same seed. */
const MOST_SEEDS = 2;

/** The chains of a seed, shared by all emulators: rows depend on seed and block alone. */
const chainsOfSeeds = createMemo<string, Map<string, ChainDataset>>(MOST_SEEDS);

/**
 * Creates the datasets of protocols: simulated ones of the reference indexers, unless others are given. The styles
 * share the rows of a protocol and chain.
 */
export function createProtocolDatasets(source: RowSource, others: OwnDatasets = new Map()): ProtocolDatasets {
  const { seed, streams, asOf } = source;
  const chains = chainsOfSeeds.get(JSON.stringify([seed, streams, asOf]), () => new Map());

  return (protocol, style) =>
    others.get(protocol)?.(style) ?? {
      name: `${protocol} ${style}`,
      entities: entitiesText(protocol, style),
      model: entitiesOf(protocol, style),
      settings: { aggregates: PUBLIC_AGGREGATES },
      release: resolveOwnRelease(BUILT_IN.find(({ key }) => key === protocol)?.release, styles[style]),
      chain: (chainId) =>
        cached(chains, `${protocol} ${chainId}`, () => chainDataset({ ...source, protocol, chainId })),
    };
}
