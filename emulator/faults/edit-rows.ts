import { cached } from "../../src/base/collections.ts";
import { baseTypeName, isList } from "../../src/dialects/api-schema.ts";
import type { EntityModel } from "../../src/dialects/entity-model.ts";
import { type IndexedTable, indexTable } from "../dataset/rows/index-table.ts";
import type { Row, RowStore } from "../styles/read-view.ts";
import { convertValue } from "./convert-value.ts";
import { holdersOf, type ModelEdit, membersOf } from "./edit-model.ts";

/** What an edit makes of a row of one entity. */
type RowChange = (row: Row, store: RowStore) => Row;

/**
 * Creates what makes rows follow an edit of their model. A table is changed when it is first read, and one of which
 * nothing changed stays the same array.
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
    return cached(tables, store.rows(entity), (before) =>
      indexTable(() => before.map((row) => change(row, store))),
    );
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

/** Null where the rows stay as they are; what nobody can ask for any more may stay in them. */
function changeOf(model: EntityModel, edit: ModelEdit, entity: string): RowChange | null {
  if (edit.kind === "add-enum-member") return memberChange(model, edit.member, entity);
  const [owner, field] = membersOf(edit.field);
  if (!holdersOf(model, owner).includes(entity)) return null;
  switch (edit.kind) {
    case "drop-field":
      return null;
    case "rename-field": {
      const { to } = edit;
      if (fieldsOf(model, entity).some((one) => one.name === field && one.derived)) return null;
      return ({ [field]: value = null, ...rest }) => ({ ...rest, [to]: value });
    }
    case "retype-field":
    case "add-field": {
      const { type } = edit;
      const isNew = edit.kind === "add-field";
      return (row, store) => {
        const value = isNew ? null : (row[field] ?? null);
        return { ...row, [field]: convertValue(value, type, model, store) };
      };
    }
  }
}

/** The first row has the new member, wherever the entity has the enum. */
function memberChange(model: EntityModel, path: string, entity: string): RowChange | null {
  const [name, member] = membersOf(path);
  const fields = fieldsOf(model, entity).filter(
    (field) => baseTypeName(field.type) === name && !field.derived,
  );
  if (fields.length === 0) return null;
  const values = fields.map((field) => [field.name, isList(field.type) ? [member] : member] as const);
  return (row, store) =>
    row["id"] === store.rows(entity)[0]?.["id"] ? { ...row, ...Object.fromEntries(values) } : row;
}

function fieldsOf(model: EntityModel, entity: string) {
  const definition = model.definitions.find(({ name }) => name === entity);
  return definition?.kind === "entity" ? definition.fields : [];
}
