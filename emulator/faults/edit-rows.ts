import { cached, findNamed } from "../../src/base/collections.ts";
import { baseTypeName, isList, isRequired, itemType, nullableType } from "../../src/dialects/api-schema.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import type { Dataset } from "../dataset/dataset.ts";
import { type IndexedTable, indexTable } from "../dataset/rows/create-store-versions.ts";
import type { Row, RowStore, RowValue } from "../styles/read-view.ts";
import { storeHex } from "../styles/served-style.ts";
import { editModel, holdersOf, type ModelEdit, membersOf } from "./edit-model.ts";

/** Creates the change of one entity's rows in a store. */
type RowChange = (store: RowStore) => (row: Row) => Row;

/**
 * Creates the editor of rows for an edit of their model. Tables are edited on first use; unchanged ones stay the same
 * array.
 *
 * @param model the entities before the edit.
 */
export function createRowEditor(model: EntityModel, edit: ModelEdit): (store: RowStore) => RowStore {
  const changes = new Map<string, RowChange>();
  for (const entity of model.definitions) {
    const change = entity.kind === "entity" ? changeOf(model, edit, entity.name) : null;
    if (change) changes.set(entity.name, change);
  }
  const tables = new WeakMap<readonly Row[], IndexedTable>();
  const edited = new WeakMap<RowStore, RowStore>();

  function tableOf(entity: string, store: RowStore): IndexedTable | null {
    const change = changes.get(entity);
    if (change === undefined) return null;
    return cached(tables, store.rows(entity), (before) => indexTable(() => before.map(change(store))));
  }

  return (store) => {
    if (changes.size === 0) return store;
    return cached(edited, store, () => ({
      rows: (entity) => tableOf(entity, store)?.rows() ?? store.rows(entity),
      find: (entity, id) => {
        const table = tableOf(entity, store);
        return table === null ? store.find(entity, id) : table.find(id);
      },
      matching: (entity, field, value) =>
        tableOf(entity, store)?.matching(field, value) ?? store.matching(entity, field, value),
      writtenAt: store.writtenAt,
    }));
  };
}

/** Null if the rows stay the same; removed fields may stay in them, since no query reaches them. */
function changeOf(model: EntityModel, edit: ModelEdit, entity: string): RowChange | null {
  if (edit.kind === "add-enum-member") return memberChange(model, edit.member, entity);
  const [owner, field] = membersOf(edit.field);
  if (!holdersOf(model, owner).includes(entity)) return null;
  switch (edit.kind) {
    case "drop-field":
      return null;
    case "rename-field": {
      const { to } = edit;
      if (fieldsOf(model, entity).some((entityField) => entityField.name === field && entityField.derived))
        return null;
      return () =>
        ({ [field]: value = null, ...rest }) => ({ ...rest, [to]: value });
    }
    case "retype-field":
    case "add-field": {
      const { type } = edit;
      const isNew = edit.kind === "add-field";
      return (store) => {
        const target = { model, store };
        return (row) => ({
          ...row,
          [field]: convertValue(isNew ? null : (row[field] ?? null), type, target),
        });
      };
    }
  }
}

/** The first row gets the new member in every field of the enum. */
function memberChange(model: EntityModel, path: string, entity: string): RowChange | null {
  const [name, member] = membersOf(path);
  const fields = fieldsOf(model, entity).filter(
    (field) => baseTypeName(field.type) === name && !field.derived,
  );
  if (fields.length === 0) return null;
  const values = fields.map((field) => [field.name, isList(field.type) ? [member] : member] as const);
  return (store) => {
    const first = store.rows(entity)[0]?.["id"];
    return (row) => (row["id"] === first ? { ...row, ...Object.fromEntries(values) } : row);
  };
}

function fieldsOf(model: EntityModel, entity: string) {
  const definition = findNamed(model.definitions, entity);
  return definition?.kind === "entity" ? definition.fields : [];
}

/**
 * Creates the editor of a dataset: its entities, and its rows at every block. Returns a dataset that the edit does not
 * fit unchanged.
 */
export function createDatasetEditor(edit: ModelEdit): (dataset: Dataset) => Dataset {
  const edited = new Map<string, (dataset: Dataset) => Dataset>();
  return (dataset) => cached(edited, dataset.name, () => createChange(dataset, edit))(dataset);
}

function createChange({ model, name }: Dataset, edit: ModelEdit): (dataset: Dataset) => Dataset {
  const after = editModel(model, edit);
  if ("problem" in after) return (dataset) => dataset;
  const editStore = createRowEditor(model, edit);
  return (dataset) => ({
    ...dataset,
    name: `${name} ${JSON.stringify(edit)}`,
    model: after,
    chain: (chainId) => {
      const chain = dataset.chain(chainId);
      return { ...chain, storeAt: (block) => editStore(chain.storeAt(block)) };
    },
  });
}

type Target = { readonly model: EntityModel; readonly store: RowStore };

/** Converts a value to a type; a value that cannot be converted becomes null or empty. */
function convertValue(value: RowValue, type: string, target: Target): RowValue {
  if (isList(type)) {
    if (value === null) return isRequired(type) ? [] : null;
    const items: readonly RowValue[] = Array.isArray(value) ? value : [value];
    return items.map((item) => convertValue(item, itemType(type), target));
  }
  const single = Array.isArray(value) ? ((value[0] as RowValue | undefined) ?? null) : value;
  const fitting = single === null ? null : fitTo(single, nullableType(type), target);
  return fitting === null && isRequired(type) ? emptyOf(baseTypeName(type), target) : fitting;
}

type Scalar = {
  /** The value of a required field without one. */
  readonly empty: RowValue;
  /** Returns null if a value cannot be converted. */
  readonly fit: (text: string) => RowValue;
};

const TEXT: Scalar = { empty: "", fit: (text) => text };
const INTEGER: Scalar = { empty: "0", fit: (text) => (/^-?\d+$/.test(text) ? text : null) };

const SCALARS: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ["ID", TEXT],
  ["String", TEXT],
  ["Bytes", { empty: "0x", fit: (text) => storeHex(text) ?? `0x${Buffer.from(text).toString("hex")}` }],
  ["Boolean", { empty: false, fit: (text) => text === "true" || Boolean(Number(text)) }],
  [
    "Int",
    {
      empty: 0,
      fit: (text) =>
        Number.isInteger(Number(text)) && Math.abs(Number(text)) < 2 ** 31 ? Number(text) : null,
    },
  ],
  ["Float", { empty: 0, fit: (text) => (Number.isFinite(Number(text)) ? Number(text) : null) }],
  ["Int8", INTEGER],
  ["Timestamp", INTEGER],
  ["BigInt", INTEGER],
  ["BigDecimal", { empty: "0", fit: (text) => (/^-?\d+(?:\.\d+)?$/.test(text) ? text : null) }],
]);

/** Returns null if the value cannot be converted. */
function fitTo(value: RowValue, name: string, { model, store }: Target): RowValue {
  const text = String(value);
  const scalar = SCALARS.get(name);
  if (scalar !== undefined) return scalar.fit(text);
  const definition = findNamed(model.definitions, name);
  const fits =
    definition?.kind === "enum"
      ? definition.values?.some((member) => member.name === text)
      : store.find(name, text) !== undefined;
  return fits ? text : null;
}

function emptyOf(name: string, { model, store }: Target): RowValue {
  const scalar = SCALARS.get(name);
  if (scalar !== undefined) return scalar.empty;
  const definition = findNamed(model.definitions, name);
  if (definition?.kind === "enum") return definition.values?.[0]?.name ?? null;
  // A required reference needs an existing target.
  return store.rows(name)[0]?.["id"] ?? null;
}
