import { isList } from "../../../../src/dialects/api-schema.ts";
import type { Row, RowValue } from "../../read-view.ts";
import { planAggregateObject } from "./aggregate-object.ts";
import { strictString } from "./coerce.ts";
import { planSelect, selectRows } from "./collection.ts";
import type { RowsHolding } from "./data.ts";
import { followJsonPath, parseJsonPath } from "./json-path.ts";
import { plainJson, storedJson } from "./jsonb.ts";
import { messages } from "./messages.ts";
import { aggregatedRelation, relatedRow, relatedSet } from "./related.ts";
import type { Scope } from "./scope.ts";
import {
  LONG_TEXT,
  planObject,
  type Resolver,
  type SelectedField,
  type Selection,
  selectionOf,
} from "./select.ts";
import type { Column, Table } from "./table.ts";

/** How often the object of a row comes in a list, where that is not once. */
export type Copies = ((row: Row) => number)[];

/**
 * Plans the object that is made of a row (B.3): columns, relationships and aggregates of related rows.
 *
 * @param copies takes what the object's degenerate aggregates do to the list it is in (C.6).
 */
export function planRow(
  scope: Scope,
  table: Table,
  selection: Selection,
  copies: Copies = [],
): Resolver<Row> {
  return planObject<Row>(scope, table.name, selection, (selected) => {
    const { name, type } = selected.field;
    const column = table.columns.get(name);
    if (column) return planColumn(scope, column, selected);
    const relation = table.relations.get(name);
    if (!relation) return planAggregate(scope, table, selected, copies);
    const target = scope.index.table(relation.target);
    if (isList(type)) {
      const list = planRows(scope, target, selected);
      const related = relatedSet(scope, table, name);
      return (row) => list(related(row));
    }
    const object = planRow(scope, target, selectionOf(selected));
    const related = relatedRow(scope, table, name);
    return (row) => {
      const other = related(row);
      return other === undefined ? null : object(other);
    };
  });
}

/** Plans a list of rows, of the whole table (null) or of the rows it is given. The row cap applies (C.1). */
export function planRows(scope: Scope, table: Table, selected: SelectedField): Resolver<RowsHolding | null> {
  const select = planSelect(scope, table, selected);
  const copies: Copies = [];
  const object = planRow(scope, table, selectionOf(selected), copies);
  return (within) => {
    const rows = selectRows(scope.data, select, within, scope.rowCap);
    if (copies.length === 0) return rows.map(object);
    return rows.flatMap((row) => {
      const count = copies.reduce((product, copy) => product * copy(row), 1);
      return Array.from({ length: count }, () => object(row));
    });
  };
}

function planColumn({ budget }: Scope, { field, kind }: Column, selected: SelectedField): Resolver<Row> {
  const given = selected.args.find((arg) => arg.name === "path");
  if (!given) {
    return (row) => {
      const value = row[field] ?? null;
      if (value === null) return null;
      if (typeof value !== "number" && typeof value !== "boolean") budget.spend(sizeOf(value));
      return kind.serialize(value);
    };
  }
  const path = strictString(given.value, given.path);
  const steps = parseJsonPath(path);
  if (steps === null) throw messages.jsonPathInvalid(`${selected.path}.args`, path);
  return (row) => {
    const value = row[field] ?? null;
    return value === null ? null : plainJson(followJsonPath(storedJson(value), steps));
  };
}

/** What it costs to send a value, beside being one. */
function sizeOf(value: RowValue): number {
  if (typeof value === "string") return value.length / LONG_TEXT;
  return Array.isArray(value) ? value.reduce((sum, item) => sum + 1 + sizeOf(item), 0) : 0;
}

function planAggregate(scope: Scope, table: Table, selected: SelectedField, copies: Copies): Resolver<Row> {
  const relation = aggregatedRelation(selected.field.name);
  const related = relatedSet(scope, table, relation);
  const target = scope.index.table(table.relations.get(relation)?.target ?? "");
  const aggregate = planAggregateObject(scope, target, selected, planRow);
  if (!aggregate.degenerate) return (row) => aggregate.answer(aggregate.rows(related(row)));
  copies.push((row) => Math.max(1, aggregate.rows(related(row)).length));
  return (row) => {
    const rows = aggregate.rows(related(row));
    return rows.length === 0 ? null : aggregate.answer(rows);
  };
}
