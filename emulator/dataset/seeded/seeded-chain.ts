import { cached, findNamed } from "../../../src/base/collections.ts";
import { baseTypeName } from "../../../src/dialects/api-schema.ts";
import { type EntityModel, isRowDefinition } from "../../../src/dialects/entity-model.ts";
import { convertId, type IdForms, kindOfPart, readIdForms } from "../../../src/dialects/id-forms.ts";
import { type BytesType, isChainField } from "../../../src/dialects/protocol.ts";
import { IS_PER_CHAIN, type StyleName } from "../../../src/dialects/surface.ts";
import type { RowValue } from "../../styles/read-view.ts";
import type { ChainDataset, Dataset, RowSource } from "../dataset.ts";
import { chainClock, chainPace } from "../rows/chain-clock.ts";
import { createRandom } from "../rows/create-random.ts";
import { createStoreVersions } from "../rows/create-store-versions.ts";
import { buildRowPlan, type RowRules } from "./build-row-plan.ts";
import { createRowMaker, dashedNames } from "./create-row-maker.ts";
import { createRowRenderer, type WriteId } from "./create-row-renderer.ts";
import { createSeededTable } from "./create-seeded-table.ts";
import { createCalendar, generationOf, NO_GROWTH, planGrowth } from "./plan-growth.ts";
import { type RowPlan, readEntityNotes } from "./row-plan.ts";

/** The rows of a protocol on one chain, as one style reads them. */
type ChainOfStyle = {
  readonly plan: RowPlan;
  /** The entities of the style. */
  readonly model: EntityModel;
  readonly chainId: number;
  /** Writes ids as the style. */
  readonly writeId: WriteId;
};

/** The most generations between the first block with readable rows and the chain's first head. */
const GENERATIONS = 15;

/**
 * One chain of generated rows for any entities: its blocks, and its rows from the first readable block on. Every
 * reference resolves at every block, and both styles have the same rows at the same blocks, each in its own form.
 */
function seededChain(
  { key, chainIds }: SeededProtocol,
  { seed, streams, asOf }: RowSource,
  { plan, model, chainId, writeId }: ChainOfStyle,
): ChainDataset {
  const clock = chainClock(seed, chainId, asOf);
  const { startBlock, earliestBlock, head, timestampOf, blockAt, findBlock } = clock;
  const source = `${seed}:${key}:${chainId}`;
  const pace = chainPace(source, earliestBlock);
  const count = streams ?? createRandom(source).int(180, 320);
  const generations = Math.min(GENERATIONS, Math.floor(count / 4));
  const growth = planGrowth(plan, count, generations);
  const from = earliestBlock;
  const calendar = createCalendar({ plan, growth, pace, seed: source, from, head: head.number, generations });

  function createdIn(entity: string, index: number): number {
    const rate = growth.get(entity) ?? NO_GROWTH;
    const generation = generationOf(rate, index);
    if (generation > 0) return calendar.blockOf(generation);
    // Rows that exist from the start were created one after the other.
    const share = (index + 1) / (Math.max(rate.base, index) + 1);
    return startBlock + Math.floor((earliestBlock - startBlock) * share);
  }

  const createdAt = (entity: string, index: number) => timestampOf(createdIn(entity, index));
  const maker = createRowMaker({ plan, growth, seed: source, chainId, chainIds, createdAt });
  const rendererOf = createRowRenderer(model, { chainId, writeId });
  const chainOfId = createChainOfId(plan);

  function mayHold(entity: string, field: string, value: RowValue): boolean {
    if (plan.get(entity)?.fields.get(field)?.source.kind === "chain")
      return String(value) === String(chainId);
    const chain = typeof value === "string" ? chainOfId(value) : null;
    return chain === null || chain === String(chainId);
  }

  const versions = createStoreVersions({
    baseBlock: earliestBlock,
    table: (name) => {
      const entity = plan.get(name);
      if (entity === undefined) return undefined;
      const render = rendererOf(entity);
      if (render === undefined) return undefined;
      return createSeededTable(entity, {
        maker,
        growth,
        calendar,
        source: plan.get(entity.rollUp?.source ?? ""),
        createdIn,
        render,
      });
    },
    lastWriteAt: pace.lastUntil,
    mayHold,
  });
  return {
    chainId,
    startBlock,
    earliestBlock,
    firstHead: head.number,
    blockAt,
    findBlock,
    storeAt: versions.at,
  };
}

/**
 * Reads the chain off an id of the default form, so that a lookup among many chains generates one chain's rows only.
 */
function createChainOfId(entities: RowPlan): (id: string) => string | null {
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

export type StyleEntities = { readonly text: string; readonly model: EntityModel };

/** Creates a function from ids of subgraphs to those of a style. */
export function createWriteId(
  { ids, chainIdentity }: RowRules,
  entities: SeededProtocol["entities"],
  style: StyleName,
): WriteId {
  const all = Object.values(entities).flatMap(
    (source) => source?.model.definitions.filter(isRowDefinition) ?? [],
  );
  const forms = new Map<string, IdForms | null>();
  const formsOf = (entity: string) =>
    cached(forms, entity, () =>
      readIdForms(ids, entity, (field) => {
        if (isChainField(chainIdentity, entity, field)) return "chain";
        const types = all
          .filter(({ name }) => name === entity)
          .map(({ fields }) => baseTypeName(findNamed(fields, field)?.type ?? ""));
        return kindOfPart(types.includes("Bytes") ? "Bytes" : (types.find((type) => type !== "") ?? ""));
      }),
    );
  const write: WriteId = (entity, value, chainId) => {
    if (Array.isArray(value)) return value.map((item) => write(entity, item, chainId));
    const form = IS_PER_CHAIN[style] || typeof value !== "string" ? null : formsOf(entity);
    // A text of another form is not the id of a row, and is not changed.
    return form === null ? value : (convertId(form[style], String(value), chainId) ?? value);
  };
  return write;
}

export type SeededProtocol = {
  readonly key: string;
  readonly entities: { readonly [S in StyleName]?: StyleEntities | undefined };
  readonly rules: RowRules;
  readonly chainIds: readonly number[];
  /** How its multichain indexer stores bytes. */
  readonly bytesType?: BytesType | undefined;
};

/** Creates the datasets of a protocol with unknown rows: generated from a seed, the same in all styles. */
export function createSeededDatasets(
  protocol: SeededProtocol,
  rows: RowSource,
): (style: StyleName) => Dataset | null {
  const { key, entities, rules } = protocol;
  const sources = Object.values(entities).filter((source) => source !== undefined);
  const plan = buildRowPlan(
    sources.map(({ text, model }) => ({ model, notes: readEntityNotes(text, key) })),
    rules,
  );
  return createDatasets(protocol, (style, model, chainId) => {
    const writeId = createWriteId(rules, entities, style);
    return seededChain(protocol, rows, { plan, model, chainId, writeId });
  });
}

/** Creates the datasets of a protocol in the styles that have entities. Its chains are created on first use. */
export function createDatasets(
  { key, entities }: Pick<SeededProtocol, "key" | "entities">,
  createChain: (style: StyleName, model: EntityModel, chainId: number) => ChainDataset,
): (style: StyleName) => Dataset | null {
  const chains = new Map<string, ChainDataset>();
  return (style) => {
    const source = entities[style];
    if (source === undefined) return null;
    const { text, model } = source;
    return {
      name: `${key} ${style}`,
      entities: text,
      model,
      settings: {},
      chain: (chainId) => cached(chains, `${style} ${chainId}`, () => createChain(style, model, chainId)),
    };
  };
}
