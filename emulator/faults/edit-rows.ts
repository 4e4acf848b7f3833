import { baseTypeName, isList } from "../../src/base/type-expression.ts";
import type { EntityModel } from "../../src/schema/entity-model.ts";
import { type IndexedTable, indexTable } from "../dataset/rows/index-table.ts";
import type { Row, RowStore, RowValue } from "../styles/read-view.ts";
import { convertValue } from "./convert-value.ts";
import { holdersOf, type ModelEdit, membersOf } from "./edit-model.ts";

/** What an edit does to the rows of one entity. */
type RowChange = {
  /** Fields whose values are other ones now. */
  readonly touched: readonly string[];
  /** A field that keeps its values under another name. */
  readonly renamed: { readonly from: string; readonly to: string } | null;
  readonly change: (row: Row, store: RowStore) => Row;
};

/**
 * Creates what makes rows follow an edit of their model. Rows are changed when they are read, each once, and a
 * table of which nothing changed stays the same array.
 *
 * @param model the entities before the edit.
 */
export function createRowEditor(model: EntityModel, edit: ModelEdit): (store: RowStore) => RowStore {
  const changes = new Map<string, Editor>();
  for (const entity of model.definitions) {
    const change = entity.kind === "entity" ? changeOf(model, edit, entity.name) : null;
    if (change) changes.set(entity.name, createEditor(entity.name, change));
  }
  const edited = new WeakMap<RowStore, RowStore>();
  return function editStore(store) {
    if (changes.size === 0) return store;
    let known = edited.get(store);
    if (known === undefined) {
      known = {
        rows: (entity) => changes.get(entity)?.table(store).rows() ?? store.rows(entity),
        find: (entity, id) => {
          const row = store.find(entity, id);
          return row && (changes.get(entity)?.row(row, store) ?? row);
        },
        matching: (entity, field, value) =>
          changes.get(entity)?.matching(store, field, value) ?? store.matching(entity, field, value),
        writtenAt: store.writtenAt,
      };
      edited.set(store, known);
    }
    return known;
  };
}

type Editor = {
  readonly row: (row: Row, store: RowStore) => Row;
  readonly table: (store: RowStore) => IndexedTable;
  readonly matching: (store: RowStore, field: string, value: RowValue) => readonly Row[];
};

function createEditor(entity: string, { touched, renamed, change }: RowChange): Editor {
  const rows = new WeakMap<Row, Row>();
  const tables = new WeakMap<readonly Row[], IndexedTable>();

  function row(before: Row, store: RowStore): Row {
    let after = rows.get(before);
    if (after === undefined) {
      after = change(before, store);
      rows.set(before, after);
    }
    return after;
  }

  function table(store: RowStore): IndexedTable {
    const before = store.rows(entity);
    let after = tables.get(before);
    if (after === undefined) {
      after = indexTable(() => before.map((one) => row(one, store)));
      tables.set(before, after);
    }
    return after;
  }

  return {
    row,
    table,
    matching: (store, field, value) => {
      if (touched.includes(field)) return table(store).matching(field, value);
      const stored = field === renamed?.to ? renamed.from : field;
      return store.matching(entity, stored, value).map((one) => row(one, store));
    },
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
      const change = ({ [field]: value = null, ...rest }: Row) => ({ ...rest, [to]: value });
      return { touched: [], renamed: { from: field, to }, change };
    }
    case "retype-field":
    case "add-field": {
      const { type } = edit;
      const isNew = edit.kind === "add-field";
      return {
        touched: [field],
        renamed: null,
        change: (row, store) => {
          const value = isNew ? null : (row[field] ?? null);
          return { ...row, [field]: convertValue(value, type, model, store) };
        },
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
  return {
    touched: fields.map((field) => field.name),
    renamed: null,
    change: (row, store) =>
      row["id"] === store.rows(entity)[0]?.["id"] ? { ...row, ...Object.fromEntries(values) } : row,
  };
}

function fieldsOf(model: EntityModel, entity: string) {
  const definition = model.definitions.find(({ name }) => name === entity);
  return definition?.kind === "entity" ? definition.fields : [];
}
