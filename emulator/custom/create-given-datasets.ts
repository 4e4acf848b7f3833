import { cached } from "../../src/base/collections.ts";
import { isObject } from "../../src/base/parse-json.ts";
import { baseTypeName } from "../../src/dialects/api-schema.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { fieldsOfId, type IdTemplates, idTemplate } from "../../src/dialects/protocol.ts";
import { IS_PER_CHAIN, STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import type { ChainDataset, Dataset } from "../dataset/dataset.ts";
import { createWriteId, type SeededProtocol, type StyleEntities } from "../dataset/seeded/seeded-chain.ts";
import { servedStyles } from "../styles/index.ts";
import { createCustomChain, withChainIds, withIds } from "./custom-chain.ts";
import { type ParsedRows, parseRows, type RowReading } from "./parse-rows.ts";

/**
 * Creates the datasets of a protocol with given rows, once for all chains and both styles. `{chainId}` in a text
 * becomes the chain's id. A row with a `chainId` is on that chain alone. Values that only the other style has are ignored.
 *
 * @param place the name of the rows in errors: a file's path.
 * @throws EmulatorError `EMULATOR_ROWS_INVALID` with all that is wrong and where.
 */
export function createGivenDatasets(
  { key, entities, chainIds, rules, bytesType }: SeededProtocol,
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
    const addsChain = (entity: string) => isChainInId(rules.ids, entity);
    const reading = createRowReading({ style, types, all, chainId, chainIds, firstChain, addsChain });
    const parsed = parseRows(given, { model, style: servedStyles[style], bytesType, place, reading });
    const writeId = createWriteId(rules, entities, style);
    const written = withIds(
      parsed,
      (entity, id) => writeId(entity, id, chainId),
      (entity, field) => targetOf(entity, field, all),
    );
    return withChainIds(written, chainId, (entity) => !types.get(entity)?.has("chainId"));
  }

  // All rows are checked before the first request: on the first chain, and on every chain that a row names.
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

/** Whether ids of the multichain indexers hold a chain that those of subgraphs, which rows are given with, do not. */
function isChainInId(ids: IdTemplates, entity: string): boolean {
  const [own, other] = [idTemplate(ids, entity, "subgraph"), idTemplate(ids, entity, "multichain")];
  return own !== null && other !== null && fieldsOfId(own).length < fieldsOfId(other).length;
}

/** The entity whose ids a field of an entity holds, by the types that any style declares; null where it holds none. */
function targetOf(entity: string, field: string, all: readonly StoredTypes[]): string | null {
  if (field === "id") return entity;
  for (const types of all) {
    const fields = types.get(entity);
    const name = fields && ownName(field, fields);
    const target = baseTypeName((name && fields?.get(name)) ?? "");
    if (types.has(target)) return target;
  }
  return null;
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

/** The types of a style's stored fields, by entity and name. */
type StoredTypes = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The style and chain to read rows for that were given for all of them. */
type RowReadingOptions = {
  readonly style: StyleName;
  readonly types: StoredTypes;
  readonly all: readonly StoredTypes[];
  readonly chainId: number;
  readonly chainIds: readonly number[];
  /** The chain with the rows that all chains share, if one deployment serves several. */
  readonly firstChain: number;
  /** Whether the ids of an entity get the chain by themselves. */
  readonly addsChain: (entity: string) => boolean;
};

/** Replaced by the chain's id in any text. */
const CHAIN_ID = "{chainId}";
const CHAIN_FIELD = "chainId";
const ID_SUFFIX = "_id";

/** Creates the reading that turns rows given for all chains and both styles into those of one. */
function createRowReading(options: RowReadingOptions): RowReading {
  const { style, types, all, chainId, chainIds, firstChain, addsChain } = options;
  const isElsewhere = (entity: string, name: string) => all.some((other) => other.get(entity)?.has(name));

  const chainIdOf = (type = "") => (TEXTS.has(baseTypeName(type)) ? String(chainId) : chainId);

  return {
    reads: (entity) => types.has(entity) || !all.some((other) => other.has(entity)),
    id: (id) => fill(id, chainId),
    row: (entity, given) => {
      const fields = types.get(entity) ?? new Map<string, string>();
      const named = fill(given[CHAIN_FIELD], chainId);
      if (named !== undefined && !isChainId(named))
        return `.${CHAIN_FIELD}: has to be the id of a chain, not ${JSON.stringify(named)}`;
      if (named !== undefined && String(named) !== String(chainId)) return null;
      const isEverywhere = given[CHAIN_FIELD] === undefined || String(given[CHAIN_FIELD]).includes(CHAIN_ID);
      const isOwn = mentionsChain(given["id"]) || addsChain(entity);
      if (!IS_PER_CHAIN[style] && chainIds.length > 1 && isEverywhere && !isOwn) {
        if (fields.has(CHAIN_FIELD) || mentionsChain(Object.values(given)))
          return `.id: would be the same on all chains; write ${CHAIN_ID} into it, or give the row a ${CHAIN_FIELD}`;
        if (chainId !== firstChain) return null;
      }
      const row = new Map<string, unknown>();
      for (const [name, value] of Object.entries(given)) {
        const own = ownName(name, fields);
        if (own !== null)
          row.set(own, value === CHAIN_ID ? chainIdOf(fields.get(own)) : fill(value, chainId));
        else if (!isElsewhere(entity, name)) row.set(name, value);
      }
      if (fields.has(CHAIN_FIELD)) row.set(CHAIN_FIELD, chainIdOf(fields.get(CHAIN_FIELD)));
      return Object.fromEntries(row);
    },
  };
}

const TEXTS: ReadonlySet<string> = new Set(["Bytes", "ID", "String"]);

/** The chains that rows name, in any block. */
function namedChains(given: unknown): readonly number[] {
  const found = new Set<number>();
  const blocks = Array.isArray(given)
    ? given.map((block) => (isObject(block) ? block["rows"] : null))
    : [given];
  for (const tables of blocks.filter(isObject)) {
    for (const row of Object.values(tables).flat().filter(isObject)) {
      const chainId = row[CHAIN_FIELD];
      if (isChainId(chainId)) found.add(Number(chainId));
    }
  }
  return [...found];
}

function isChainId(value: unknown): boolean {
  return /^[1-9]\d{0,15}$/.test(String(value)) && (typeof value === "number" || typeof value === "string");
}

/** The name of a field in a style: a reference is `auction` or `auction_id`; null if the style has neither. */
function ownName(name: string, fields: ReadonlyMap<string, string>): string | null {
  if (fields.has(name)) return name;
  if (fields.has(`${name}${ID_SUFFIX}`)) return `${name}${ID_SUFFIX}`;
  const base = name.endsWith(ID_SUFFIX) ? name.slice(0, -ID_SUFFIX.length) : "";
  return fields.has(base) ? base : null;
}

function mentionsChain(value: unknown): boolean {
  return JSON.stringify(value ?? null).includes(CHAIN_ID);
}

function fill(value: unknown, chainId: number): unknown {
  if (typeof value === "string") return value.replaceAll(CHAIN_ID, String(chainId));
  if (Array.isArray(value)) return value.map((one) => fill(one, chainId));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fill(one, chainId)]));
}
