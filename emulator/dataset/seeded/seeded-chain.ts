import { once } from "../../../src/base/once.ts";
import type { EntityModel } from "../../../src/schema/entity-model.ts";
import type { ChainDataset } from "../dataset.ts";
import { chainBlocks } from "../rows/chain-blocks.ts";
import { chainClock } from "../rows/chain-clock.ts";
import { chainPace } from "../rows/chain-pace.ts";
import { createRandom } from "../rows/create-random.ts";
import { createStoreVersions } from "../rows/create-store-versions.ts";
import { createRollUps, type RolledUp } from "./create-roll-ups.ts";
import { createRowMaker, dashedNames } from "./create-row-maker.ts";
import { createRowRenderer } from "./create-row-renderer.ts";
import { createWriter, GENERATIONS } from "./create-writer.ts";
import { generationOf, NO_GROWTH, planGrowth } from "./plan-growth.ts";
import type { RowPlan } from "./row-plan.ts";

/** What a chain of made-up rows depends on. */
export type SeededChainOptions = {
  readonly plan: RowPlan;
  /** The entities of the style that reads the rows. */
  readonly model: EntityModel;
  readonly seed: string;
  /** The protocol's key. */
  readonly protocol: string;
  readonly chainId: number;
  /** The ids of all chains the protocol may be on, in ascending order. */
  readonly chainIds: readonly number[];
  /** How many rows a large entity has at the chain's first head; null lets the seed decide, from 180 to 320. */
  readonly count: number | null;
};

/**
 * One chain of rows that are made up for any entities: its blocks, and its rows from the first block whose rows can be read
 * to any block to come. Every reference leads to a row that is there at the block, and both styles have the same rows at the
 * same blocks, each in its own form.
 */
export function seededChain(options: SeededChainOptions): ChainDataset {
  const { plan, model, seed, protocol, chainId, chainIds } = options;
  const clock = chainClock(seed, chainId);
  const { startBlock, earliestBlock, head, timestampOf } = clock;
  const { blockAt, findBlock } = chainBlocks(seed, chainId, timestampOf);
  const source = `${seed}:${protocol}:${chainId}`;
  const pace = chainPace(source, earliestBlock);
  const count = options.count ?? createRandom(source).int(180, 320);
  const generations = Math.min(GENERATIONS, Math.floor(count / 4));
  const growth = planGrowth(plan, count, generations);
  /** The block of each generation, as far as they were made. */
  const made: number[] = [];

  function createdIn(entity: string, index: number): number {
    const own = growth.get(entity) ?? NO_GROWTH;
    const generation = generationOf(own, index);
    if (generation > 0) return made[generation - 1] ?? earliestBlock;
    // Those that are there from the start came one after the other.
    const share = (index + 1) / (Math.max(own.base, index) + 1);
    return startBlock + Math.floor((earliestBlock - startBlock) * share);
  }

  const createdAt = (entity: string, index: number) => timestampOf(createdIn(entity, index));
  const maker = createRowMaker({ plan, growth, seed: source, chainId, chainIds, createdAt });
  const renderer = createRowRenderer(model, plan, chainId);
  const baseRows = (name: string): RolledUp[] => {
    const entity = plan.entities.get(name);
    const { base } = growth.get(name) ?? NO_GROWTH;
    if (entity === undefined) return [];
    return Array.from({ length: base }, (_, index) => ({
      row: maker.make(entity, index),
      block: createdIn(name, index),
    }));
  };
  const rollUps = once(() => createRollUps(plan, maker, baseRows));
  const versions = createStoreVersions({
    baseBlock: earliestBlock,
    base: () => ({
      get: (name) => {
        const entity = plan.entities.get(name);
        if (entity === undefined || !renderer.has(name)) return undefined;
        const rows = entity.rollUp === null ? baseRows(name) : rollUps().rowsOf(name);
        return rows.map(({ row }) => renderer.render(entity, row));
      },
    }),
    baseWrittenAt: (name, _, position) =>
      plan.entities.get(name)?.rollUp
        ? (rollUps().rowsOf(name)[position]?.block ?? earliestBlock)
        : createdIn(name, position),
    mayHold: (name, field, value) => {
      if (plan.entities.get(name)?.fields.get(field)?.source.kind === "chain")
        return String(value) === String(chainId);
      const chain = typeof value === "string" ? chainOfId(value) : null;
      return chain === null || chain === String(chainId);
    },
    fixed: new Set(),
    lastWriteAt: pace.lastUntil,
    writesUntil: createWriter({
      plan,
      growth,
      maker,
      renderer,
      rollUps,
      pace,
      seed: source,
      from: earliestBlock,
      head: head.number,
      generations,
      onGeneration: (block) => made.push(block),
    }),
  });
  const chainOfId = createChainOfId(plan);
  return {
    chainId,
    startBlock,
    earliestBlock,
    firstHead: head.number,
    blockAt,
    findBlock: (hash) => {
      const block = findBlock(hash);
      return block && block.number >= earliestBlock ? block : undefined;
    },
    storeAt: versions.at,
  };
}

/** Tells the chain of an id of the usual form, so that who looks for a row among many chains need not make all rows. */
function createChainOfId({ entities }: RowPlan): (id: string) => string | null {
  const dashes = dashedNames(entities.keys());
  const usual = new Set(
    [...entities.values()]
      .filter(({ id }) => id.family === "text" && id.template === null && !id.isChain && id.twin === null)
      .map(({ name }) => dashes.get(name)),
  );
  return (id) => {
    const [, prefix, chain = null] = /^(.+)-(\d+)-\d+$/.exec(id) ?? [];
    return usual.has(prefix) ? chain : null;
  };
}
