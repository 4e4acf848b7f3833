import { isObject } from "../../src/base/parse-json.ts";
import { baseTypeName } from "../../src/dialects/api-schema.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { fieldsOfId, type IdTemplates, idTemplate } from "../../src/dialects/protocol.ts";
import { IS_PER_CHAIN, STYLE_NAMES, type StyleName } from "../../src/dialects/surface.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { createDatasets, createWriteId, type SeededProtocol } from "../dataset/seeded/seeded-chain.ts";
import { servedStyles } from "../styles/index.ts";
import { createCustomChain, mapRows } from "./custom-chain.ts";
import { type ParsedBlock, parseRows, type RowReading } from "./parse-rows.ts";

/** Replaced by the chain's id in any text. */
const CHAIN_ID = "{chainId}";
const CHAIN_FIELD = "chainId";
const ID_SUFFIX = "_id";

/**
 * Creates the datasets of a protocol with given rows, once for all chains and both styles. `{chainId}` in a text
 * becomes the chain's id. A row with a `chainId` is on that chain alone. Values that only the other style has are ignored.
 *
 * @param place the name of the rows in errors: a file's path.
 * @throws EmulatorError `EMULATOR_ROWS_INVALID` with all that is wrong and where.
 */
export function createGivenDatasets(
  protocol: SeededProtocol,
  rows: unknown,
  place: string,
): (style: StyleName) => Dataset | null {
  const { entities, chainIds, rules, bytesType } = protocol;
  const all = Object.values(entities).map((source) => storedTypes(source?.model));
  /** The chain with the rows that all chains share, if one deployment serves several. */
  const [firstChain = 1] = [...chainIds].sort((a, b) => a - b);
  const isElsewhere = (entity: string, name: string) => all.some((types) => types.get(entity)?.has(name));

  /** Creates the reading that turns rows for all chains and both styles into those of one. */
  function createReading(style: StyleName, types: StoredTypes, chainId: number): RowReading {
    const chainIdAs = (type = "") => (TEXTS.has(baseTypeName(type)) ? String(chainId) : chainId);
    return {
      reads: (entity) => types.has(entity) || !all.some((others) => others.has(entity)),
      id: (id) => fill(id, chainId),
      row: (entity, row) => {
        const fields = types.get(entity) ?? new Map<string, string>();
        const chain = fill(row[CHAIN_FIELD], chainId);
        if (chain !== undefined && !isChainId(chain))
          return `.${CHAIN_FIELD}: has to be the id of a chain, not ${JSON.stringify(chain)}`;
        if (chain !== undefined && String(chain) !== String(chainId)) return null;
        const isEverywhere = row[CHAIN_FIELD] === undefined || String(row[CHAIN_FIELD]).includes(CHAIN_ID);
        const isDistinct = mentionsChain(row["id"]) || isChainInId(rules.ids, entity);
        if (!IS_PER_CHAIN[style] && chainIds.length > 1 && isEverywhere && !isDistinct) {
          if (fields.has(CHAIN_FIELD) || mentionsChain(Object.values(row)))
            return `.id: would be the same on all chains; write ${CHAIN_ID} into it, or give the row a ${CHAIN_FIELD}`;
          if (chainId !== firstChain) return null;
        }
        const values = new Map<string, unknown>();
        for (const [key, value] of Object.entries(row)) {
          const name = nameIn(fields, key);
          if (name !== null)
            values.set(name, value === CHAIN_ID ? chainIdAs(fields.get(name)) : fill(value, chainId));
          else if (key !== CHAIN_FIELD && !isElsewhere(entity, key)) values.set(key, value);
        }
        if (fields.has(CHAIN_FIELD)) values.set(CHAIN_FIELD, chainIdAs(fields.get(CHAIN_FIELD)));
        return Object.fromEntries(values);
      },
    };
  }

  function parse(style: StyleName, model: EntityModel, chainId: number): ParsedBlock[] {
    const types = storedTypes(model);
    const reading = createReading(style, types, chainId);
    const blocks = parseRows(rows, { model, style: servedStyles[style], bytesType, place, reading });
    const writeId = createWriteId(rules, entities, style);
    return mapRows(blocks, (entity, row) => {
      const written = Object.entries(row).map(([name, value]) => {
        const target = targetOf(entity, name, all);
        return [name, target === null ? value : writeId(target, value, chainId)];
      });
      const values = Object.fromEntries(written);
      return types.get(entity)?.has(CHAIN_FIELD) ? values : { ...values, chainId };
    });
  }

  // All rows are checked before the first request: on the first chain, and on every chain that a row names.
  for (const style of STYLE_NAMES) {
    const model = entities[style]?.model;
    if (model === undefined) continue;
    for (const chainId of new Set([firstChain, ...namedChains(rows)])) parse(style, model, chainId);
  }
  return createDatasets(protocol, (style, model, chainId) =>
    createCustomChain(chainId, parse(style, model, chainId)),
  );
}

/** Whether ids of the multichain indexers hold a chain that those of subgraphs, which rows are given with, do not. */
function isChainInId(ids: IdTemplates, entity: string): boolean {
  const [template, other] = [idTemplate(ids, entity, "subgraph"), idTemplate(ids, entity, "multichain")];
  return template !== null && other !== null && fieldsOfId(template).length < fieldsOfId(other).length;
}

/** The entity whose ids a field of an entity holds, by the types that any style declares; null where it holds none. */
function targetOf(entity: string, field: string, all: readonly StoredTypes[]): string | null {
  if (field === "id") return entity;
  for (const types of all) {
    const fields = types.get(entity);
    const name = fields && nameIn(fields, field);
    const target = baseTypeName((name && fields?.get(name)) ?? "");
    if (types.has(target)) return target;
  }
  return null;
}

/** The types of a style's stored fields, by entity and name. */
type StoredTypes = ReadonlyMap<string, ReadonlyMap<string, string>>;

function storedTypes(model: EntityModel | undefined): StoredTypes {
  return new Map(
    model?.definitions.flatMap((definition) => {
      if (definition.kind !== "entity" && definition.kind !== "aggregation") return [];
      const stored = definition.fields.filter(({ derived }) => !derived);
      return [[definition.name, new Map(stored.map(({ name, type }) => [name, type]))] as const];
    }),
  );
}

const TEXTS: ReadonlySet<string> = new Set(["Bytes", "ID", "String"]);

/** The chains that rows name, in any block. */
function namedChains(rows: unknown): readonly number[] {
  const blocks = Array.isArray(rows) ? rows.map((block) => (isObject(block) ? block["rows"] : null)) : [rows];
  return blocks
    .filter(isObject)
    .flatMap((tables) => Object.values(tables).flat())
    .filter(isObject)
    .map((row) => row[CHAIN_FIELD])
    .filter(isChainId)
    .map(Number);
}

function isChainId(value: unknown): boolean {
  return /^[1-9]\d{0,15}$/.test(String(value)) && (typeof value === "number" || typeof value === "string");
}

/** The name of a field in a style: a reference is `auction` or `auction_id`; null if the style has neither. */
function nameIn(fields: ReadonlyMap<string, string>, name: string): string | null {
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
  if (Array.isArray(value)) return value.map((item) => fill(item, chainId));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, fill(member, chainId)]));
}
