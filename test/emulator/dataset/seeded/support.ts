import { expect } from "vitest";
import { parseRows } from "../../../../emulator/custom/parse-rows.ts";
import type { ChainDataset, Dataset } from "../../../../emulator/dataset/dataset.ts";
import type { RowRules } from "../../../../emulator/dataset/seeded/build-row-plan.ts";
import { createSeededDatasets } from "../../../../emulator/dataset/seeded/seeded-chain.ts";
import { servedStyles } from "../../../../emulator/styles/index.ts";
import type { Row, RowValue } from "../../../../emulator/styles/read-view.ts";
import { baseTypeName, isList, isRequired } from "../../../../src/dialects/api-schema.ts";
import type { EntityModel } from "../../../../src/dialects/entity-model.ts";
import { parseEntities } from "../../../../src/dialects/parse-entities.ts";
import type { StyleName } from "../../../../src/dialects/surface.ts";

export const NO_RULES: RowRules = { chainIdentity: null, chainPath: {}, cursors: {}, ids: {} };

/** Creates the datasets of entities in one style or both. */
export function seeded(
  texts: { readonly [S in StyleName]?: string },
  { rules = NO_RULES, seed = "test", count = 40 as number | null, chainIds = [1, 10, 8453] } = {},
): (style: StyleName) => Dataset {
  const entities = Object.fromEntries(
    Object.entries(texts).map(([style, text]) => [style, { text, model: parseEntities(text, style) }]),
  );
  const datasets = createSeededDatasets(
    { key: "auctions", entities, rules, chainIds },
    { seed, streams: count, asOf: null },
  );
  return (style) => {
    const dataset = datasets(style);
    if (dataset === null) throw new TypeError(`no ${style}`);
    return dataset;
  };
}

/** Returns the tables of a model: its entities and aggregations. */
export function tablesOf({ definitions }: EntityModel) {
  return definitions.flatMap((definition) =>
    definition.kind === "entity" || definition.kind === "aggregation" ? [definition] : [],
  );
}

/** Returns the entities with the name of an entity or an interface. */
export function targetsOf({ definitions }: EntityModel, type: string): string[] {
  return definitions.flatMap((definition) =>
    definition.kind === "entity" && (definition.name === type || definition.interfaces.includes(type))
      ? [definition.name]
      : [],
  );
}

/** Returns all rows of a chain at a block, by entity. */
export function rowsAt(dataset: Dataset, chain: ChainDataset, block: number): Record<string, readonly Row[]> {
  const store = chain.storeAt(block);
  return Object.fromEntries(tablesOf(dataset.model).map(({ name }) => [name, store.rows(name)]));
}

/** Returns the dangling references of a chain at a block, as `Entity.field`. */
export function danglingAt({ model }: Dataset, chain: ChainDataset, block: number): string[] {
  const store = chain.storeAt(block);
  return tablesOf(model).flatMap(({ name, fields }) =>
    fields
      .filter(({ type, derived }) => !derived && targetsOf(model, baseTypeName(type)).length > 0)
      .flatMap((field) => {
        const targets = targetsOf(model, baseTypeName(field.type));
        const ids = store.rows(name).flatMap((row) => listOf(row[field.name] ?? null));
        return ids.some((id) => !targets.some((target) => store.find(target, String(id)) !== undefined))
          ? [`${name}.${field.name}`]
          : [];
      }),
  );
}

/** Expects that the rows at a block are valid for their entities, refer to rows, and fit single derived fields. */
export function checkRows(
  dataset: Dataset,
  style: StyleName,
  { chainId, block }: { chainId: number; block: number },
): void {
  const chain = dataset.chain(chainId);
  const store = chain.storeAt(block);
  expect(danglingAt(dataset, chain, block)).toEqual([]);
  const rows: Record<string, readonly Row[]> = {};
  for (const { name, fields } of tablesOf(dataset.model)) {
    // The platform adds a column `chainId` to tables without one.
    const isAdded = !fields.some((field) => field.name === "chainId");
    rows[name] = store.rows(name).map(({ chainId, ...row }) => (isAdded ? row : { chainId, ...row }) as Row);
    expect(new Set(idsOf(rows[name])).size, name).toBe(rows[name].length);
    for (const field of fields.filter(({ derived, type }) => derived && !isList(type))) {
      for (const { id = null } of rows[name]) {
        const matches = targetsOf(dataset.model, baseTypeName(field.type)).flatMap((target) =>
          store.matching(target, field.derivedFrom ?? "", id),
        );
        expect(matches.length, `${name}.${field.name}`).toBeLessThanOrEqual(1);
        if (isRequired(field.type)) expect(matches.length, `${name}.${field.name}`).toBe(1);
      }
    }
  }
  parseRows(rows, { model: dataset.model, style: servedStyles[style], place: "rows" });
}

/** Returns a value as a list, which is empty for null. */
export function listOf(value: RowValue): readonly RowValue[] {
  if (value === null) return [];
  return Array.isArray(value) ? value : [value];
}

export function idsOf(rows: readonly Row[] | undefined): string[] {
  return (rows ?? []).map(({ id }) => String(id));
}
