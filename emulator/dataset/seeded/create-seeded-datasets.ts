import { cached } from "../../../src/base/collections.ts";
import type { EntityModel } from "../../../src/dialects/entity-model.ts";
import type { StyleName } from "../../../src/dialects/surface.ts";
import type { ChainDataset, Dataset } from "../dataset.ts";
import { buildRowPlan, type RowRules } from "./build-row-plan.ts";
import { readEntityNotes } from "./read-entity-notes.ts";
import { seededChain } from "./seeded-chain.ts";

/** The entities of a style: their SDL, and the model of it. */
export type StyleEntities = { readonly text: string; readonly model: EntityModel };

/** A protocol to make rows for. */
export type SeededProtocol = {
  readonly key: string;
  readonly entities: { readonly [S in StyleName]?: StyleEntities | undefined };
  readonly rules: RowRules;
  /** The ids of all chains it may be on. */
  readonly chainIds: readonly number[];
};

/**
 * Creates the datasets of a protocol of which nothing is known but its entities: the styles have the same rows, made from a
 * seed.
 *
 * @param count how many rows a large entity has on each chain; null lets the seed decide.
 */
export function createSeededDatasets(
  { key, entities, rules, chainIds }: SeededProtocol,
  seed: string,
  count: number | null,
): (style: StyleName) => Dataset | null {
  const known = Object.values(entities).filter((one) => one !== undefined);
  const plan = buildRowPlan(
    known.map(({ text, model }) => ({ model, notes: readEntityNotes(text, key) })),
    rules,
  );
  const ascending = [...new Set(chainIds)].sort((a, b) => a - b);
  const chains = new Map<string, ChainDataset>();
  return (style) => {
    const own = entities[style];
    if (own === undefined) return null;
    const { text, model } = own;
    return {
      name: `${key} ${style}`,
      entities: text,
      model,
      settings: {},
      chain: (chainId) =>
        cached(chains, `${style} ${chainId}`, () =>
          seededChain({ plan, model, seed, protocol: key, chainId, chainIds: ascending, count }),
        ),
    };
  };
}
