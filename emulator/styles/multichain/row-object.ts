import { baseTypeName, isList } from "../../../src/dialects/api-schema.ts";
import type { Row, RowValue } from "../read-view.ts";
import { JsonNumber } from "../served-style.ts";
import { planAggregateObject } from "./aggregate-object.ts";
import { planLimit, planSelect, selectRows } from "./collection.ts";
import { planCondition } from "./filter.ts";
import { type Json, plainJson, storedJson } from "./jsonb.ts";
import { messages } from "./messages.ts";
import type { Column, Table } from "./schema-index.ts";
import { aggregatedRelation, type RowsHolding, relatedRow, relatedSet, type Scope } from "./scope.ts";
import {
  argument,
  LONG_TEXT,
  planObject,
  type Resolver,
  type SelectedField,
  type Selection,
  selectionOf,
} from "./select.ts";
import { type Entry, enumValue, listItems, objectEntries, strictString } from "./variables.ts";

/** How often each row's object is repeated in a list, if not once. */
export type Copies = ((row: Row) => number)[];

/**
 * Plans the object of a row (B.3): columns, relationships and aggregates of related rows.
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

/** Plans a list of rows, of the whole table (null) or of the given rows. The row cap applies (C.1). */
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

/** The cost of sending a value, beyond one unit. */
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

/**
 * Parses a `path` argument, `$.a.b[0]` (C.6); null if malformed. The `$` is optional, and names may have letters of
 * any script.
 */
export function parseJsonPath(path: string): string[] | null {
  if (path === "$") return [];
  const steps: string[] = [];
  let rest = path.replace(/^\$/, "");
  while (rest !== "") {
    const match = STEP.exec(rest);
    if (!match) return null;
    const [whole, name, index, double, single] = match;
    steps.push(name ?? index ?? (double ?? single ?? "").replaceAll(/\\(.)/gs, "$1"));
    rest = rest.slice(whole.length);
  }
  return steps.length === 0 ? null : steps;
}

const STEP = /^\.?(?:([\p{L}\p{N}_-]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]|\['((?:[^'\\]|\\.)*)'\])/su;

/** The value at the end of the path; null without one. */
export function followJsonPath(value: Json, steps: readonly string[]): Json {
  return steps.reduce<Json>((at, step) => {
    if (Array.isArray(at))
      return /^-?\d+$/.test(step) ? ((at as readonly Json[]).at(Number(step)) ?? null) : null;
    if (typeof at !== "object" || at === null || at instanceof JsonNumber) return null;
    const object = at as { readonly [key: string]: Json };
    return Object.hasOwn(object, step) ? (object[step] ?? null) : null;
  }, value);
}

/** Checks a `T_stream` (B.2), which is refused over HTTP like any subscription, but after validation. */
export function checkStream(scope: Scope, table: Table, selected: SelectedField): void {
  const size = argument(selected, "batch_size");
  if (size) planLimit(size);
  const cursor = argument(selected, "cursor");
  const columns = cursor
    ? listItems(scope, cursor).flatMap((item) => cursorColumns(scope, table, cursor, item))
    : [];
  if (columns.length === 0) throw messages.cursorMissing(`${selected.path}.args`);
  if (columns.length > 1) throw messages.cursorsMany(`${selected.path}.args`);
  const where = argument(selected, "where");
  if (where) planCondition(scope, table, where.value, where.path);
  planRow(scope, table, selectionOf(selected));
}

/** The columns of a cursor; null cursors do not count. */
function cursorColumns(
  scope: Scope,
  table: Table,
  { type }: Entry,
  { value, path }: Pick<Entry, "value" | "path">,
): string[] {
  if (value.kind === "null") return [];
  return objectEntries(scope, value, baseTypeName(type), path).flatMap((entry) => {
    if (entry.name === "ordering") {
      if (entry.value.kind !== "null") enumValue(scope, entry.value, baseTypeName(entry.type), entry.path);
      return [];
    }
    return objectEntries(scope, entry.value, baseTypeName(entry.type), entry.path).map((initial) => {
      const { kind } = table.columns.get(initial.name) as Column;
      if (initial.value.kind !== "null") {
        kind.operand(scope, initial.value, baseTypeName(initial.type), initial.path);
      }
      return initial.name;
    });
  });
}
