import { cached } from "../../src/base/collections.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import type { ChainDataset, Dataset } from "../dataset/dataset.ts";
import type { SeededProtocol, StyleEntities } from "../dataset/seeded/create-seeded-datasets.ts";
import { servedStyles } from "../styles/index.ts";
import { createCustomChain } from "./custom-chain.ts";
import { type ParsedRows, parseRows } from "./parse-rows.ts";
import { createRowReading, namedChains, type StoredTypes } from "./row-reading.ts";
import { withChainIds } from "./with-chain-ids.ts";

/**
 * Creates the datasets of a protocol whose rows were given, once for all chains and both styles. Where a text says
 * `{chainId}`, it is the chain's id; a row whose `chainId` is a chain's is on that chain alone; and what only the
 * other style has is passed over.
 *
 * @param place what to call the rows in an error: a file's path.
 * @throws EmulatorError `EMULATOR_ROWS_INVALID` with all that is wrong and where.
 */
export function createGivenDatasets(
  { key, entities, chainIds }: SeededProtocol,
  given: unknown,
  place: string,
): (style: StyleName) => Dataset | null {
  const shapes = new Map(
    STYLE_NAMES.flatMap((style) => {
      const own = entities[style];
      return own === undefined ? [] : [[style, { ...own, types: storedTypes(own.model) }] as const];
    }),
  );
  const all = [...shapes.values()].map(({ types }) => types);
  const [firstChain = 1] = [...chainIds].sort((a, b) => a - b);
  const chains = new Map<string, ChainDataset>();

  function parse(style: StyleName, { model, types }: Shape, chainId: number): ParsedRows {
    const reading = createRowReading({ style, types, all, chainId, chainIds, firstChain });
    const parsed = parseRows(given, model, servedStyles[style], place, reading);
    return withChainIds(parsed, chainId, (entity) => !types.get(entity)?.has("chainId"));
  }

  // All rows are looked at before anything is served: on the first chain, and on every chain that one of them names.
  for (const [style, shape] of shapes) {
    for (const chainId of new Set([firstChain, ...namedChains(given)])) parse(style, shape, chainId);
  }
  return (style) => {
    const shape = shapes.get(style);
    if (shape === undefined) return null;
    return {
      name: `${key} ${style}`,
      entities: shape.text,
      model: shape.model,
      settings: {},
      chain: (chainId) =>
        cached(chains, `${style} ${chainId}`, () => createCustomChain(chainId, parse(style, shape, chainId))),
    };
  };
}

type Shape = StyleEntities & { readonly types: StoredTypes };

function storedTypes({ definitions }: EntityModel): StoredTypes {
  return new Map(
    definitions.flatMap((definition) => {
      if (definition.kind !== "entity" && definition.kind !== "aggregation") return [];
      const stored = definition.fields.filter(({ derived }) => !derived);
      return [[definition.name, new Map(stored.map(({ name, type }) => [name, type]))] as const];
    }),
  );
}
