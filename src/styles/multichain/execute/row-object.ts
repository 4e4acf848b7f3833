import type { Row } from "../../../model/rows.ts";
import { isList } from "../../../utils/type-expression.ts";
import { planAggregateObject } from "./aggregate-object.ts";
import type { Column, Table } from "./catalog.ts";
import { followJsonPath, parseJsonPath } from "./jsonb.ts";
import { jsonPathInvalid } from "./messages.ts";
import { aggregatedRelation, relatedRow, relatedRows } from "./related.ts";
import { storedJson, textOperand } from "./scalar-kinds.ts";
import type { Scope } from "./scope.ts";
import { planSelect, selectRows } from "./select.ts";
import {
  argument,
  planObject,
  type Resolver,
  type SelectedField,
  type Selection,
  selectionOf,
} from "./selection.ts";

/** Plans the object that is made of a row (B.3): columns, relationships and aggregates of related rows. */
export function planRow(scope: Scope, table: Table, selection: Selection): Resolver<Row> {
  return planObject<Row>(scope, table.name, selection, (selected) => {
    const { name, type } = selected.field;
    const column = table.columns.get(name);
    if (column) return planColumn(column, selected);
    const relation = table.relations.get(name);
    if (!relation) return planAggregate(scope, table, selected);
    const target = scope.catalog.table(relation.target);
    if (isList(type)) {
      const list = planRows(scope, target, selected);
      const related = relatedRows(scope, table, name);
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
export function planRows(
  scope: Scope,
  table: Table,
  selected: SelectedField,
): Resolver<readonly Row[] | null> {
  const select = planSelect(scope, table, selected);
  const object = planRow(scope, table, selectionOf(selected));
  return (within) => selectRows(select, within, scope.rowCap).map(object);
}

function planColumn({ field, kind }: Column, selected: SelectedField): Resolver<Row> {
  const given = argument(selected, "path");
  if (!given) {
    return (row) => {
      const value = row[field] ?? null;
      return value === null ? null : kind.serialize(value);
    };
  }
  const path = textOperand(given.value, given.type, given.path);
  const steps = parseJsonPath(path);
  if (steps === null) throw jsonPathInvalid(`${selected.path}.args`, path);
  return (row) => {
    const value = row[field] ?? null;
    return value === null ? null : followJsonPath(storedJson(value), steps);
  };
}

function planAggregate(scope: Scope, table: Table, selected: SelectedField): Resolver<Row> {
  const relation = aggregatedRelation(selected.field.name);
  const related = relatedRows(scope, table, relation);
  const target = scope.catalog.table(table.relations.get(relation)?.target ?? "");
  const aggregate = planAggregateObject(scope, target, selected);
  return (row) => aggregate(related(row));
}
