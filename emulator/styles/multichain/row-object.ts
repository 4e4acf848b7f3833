import { isList } from "../../../src/dialects/api-schema.ts";
import type { Row, RowValue } from "../read-view.ts";
import { aggregateExtreme, aggregateNumber, countRows, isNumericOperator } from "./aggregate.ts";
import { planSelect, selectRows } from "./collection.ts";
import { followJsonPath, parseJsonPath, plainJson, storedJson } from "./jsonb.ts";
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
  selectsTypename,
} from "./select.ts";
import { enumValues, strictBoolean, strictString } from "./variables.ts";

/** How often each row's object is repeated in a list, if not once. */
type Copies = ((row: Row) => number)[];

/**
 * Plans the object of a row: columns, relationships and aggregates of related rows.
 *
 * @param copies gets the effect of degenerate aggregates in the object on the list it is in.
 */
export function planRow(scope: Scope, selection: Selection, copies: Copies = []): Resolver<Row> {
  const table = scope.index.table(selection.type);
  return planObject<Row>(scope, selection, (selected) => {
    const { name, type } = selected.field;
    const column = table.columns.get(name);
    if (column) return planColumn(scope, column, selected);
    const relation = table.relations.get(name);
    if (!relation) {
      const { resolve, copy } = planRelatedAggregate(scope, table, selected);
      if (copy) copies.push(copy);
      return resolve;
    }
    if (isList(type)) {
      const list = planRows(scope, scope.index.table(relation.target), selected);
      const related = relatedSet(scope, table, name);
      return (row) => list(related(row));
    }
    const object = planRow(scope, selectionOf(selected));
    const related = relatedRow(scope, table, name);
    return (row) => {
      const other = related(row);
      return other === undefined ? null : object(other);
    };
  });
}

/** Plans a list of rows, of the whole table (null) or of the given rows. The row cap applies. */
export function planRows(scope: Scope, table: Table, selected: SelectedField): Resolver<RowsHolding | null> {
  const select = planSelect(scope, table, selected);
  const copies: Copies = [];
  const object = planRow(scope, selectionOf(selected), copies);
  return (within) => {
    const rows = selectRows(select, within, scope.rowCap);
    if (copies.length === 0) return rows.map(object);
    return rows.flatMap((row) => {
      const count = copies.reduce((product, copy) => product * copy(row), 1);
      return Array.from({ length: count }, () => object(row));
    });
  };
}

function planColumn({ budget }: Scope, { field, kind }: Column, selected: SelectedField): Resolver<Row> {
  const pathArgument = selected.args.find((arg) => arg.name === "path");
  if (!pathArgument) {
    return (row) => {
      const value = row[field] ?? null;
      if (value === null) return null;
      if (typeof value !== "number" && typeof value !== "boolean") budget.spend(sizeOf(value));
      return kind.serialize(value);
    };
  }
  const path = strictString(pathArgument);
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

type RelatedAggregate = { readonly resolve: Resolver<Row>; readonly copy?: (row: Row) => number };

function planRelatedAggregate(scope: Scope, table: Table, selected: SelectedField): RelatedAggregate {
  const relation = aggregatedRelation(selected.field.name);
  const related = relatedSet(scope, table, relation);
  const target = scope.index.table(table.relations.get(relation)?.target ?? "");
  const aggregate = planAggregate(scope, target, selected);
  if (!aggregate.degenerate) return { resolve: (row) => aggregate.answer(aggregate.rows(related(row))) };
  return {
    copy: (row) => Math.max(1, aggregate.rows(related(row)).length),
    resolve: (row) => {
      const rows = aggregate.rows(related(row));
      return rows.length === 0 ? null : aggregate.answer(rows);
    },
  };
}

/** Plans the aggregate of a whole table at the root, where a degenerate one fails unless exactly one row matches. */
export function planRootAggregate(scope: Scope, table: Table, selected: SelectedField): Resolver<null> {
  const { rows, answer, degenerate } = planAggregate(scope, table, selected);
  return () => {
    const aggregated = rows(null);
    if (degenerate && aggregated.length !== 1) throw messages.databaseFailed();
    return answer(aggregated);
  };
}

type AggregatePlan = {
  /** The aggregated rows, of the whole table (null) or of the given ones. */
  readonly rows: (within: RowsHolding | null) => readonly Row[];
  readonly answer: Resolver<readonly Row[]>;
  /** True if no aggregate is selected: Hasura then returns one object per row. */
  readonly degenerate: boolean;
};

/** Plans a `T_aggregate`. The arguments choose the aggregated rows; the row cap only shortens `nodes`. */
function planAggregate(scope: Scope, table: Table, selected: SelectedField): AggregatePlan {
  const select = planSelect(scope, table, selected);
  const selection = selectionOf(selected);
  let aggregates = false;
  const answer = planObject<readonly Row[]>(scope, selection, (member) => {
    if (member.field.name === "aggregate") {
      const values = planValues(scope, table, selectionOf(member));
      aggregates ||= values.aggregates;
      return values.answer;
    }
    aggregates = true;
    const row = planRow(scope, selectionOf(member));
    return (rows) => rows.slice(0, scope.rowCap ?? rows.length).map(row);
  });
  return {
    rows: (within) => {
      const rows = selectRows(select, within, null);
      scope.budget.spend(rows.length);
      return rows;
    },
    answer,
    degenerate: !aggregates && !selectsTypename(scope, selection),
  };
}

type ValuesPlan = { readonly answer: Resolver<readonly Row[]>; readonly aggregates: boolean };

function planValues(scope: Scope, table: Table, selection: Selection): ValuesPlan {
  let aggregates = false;
  const answer = planObject<readonly Row[]>(scope, selection, (member) => {
    const operator = member.field.name;
    if (operator === "count") {
      aggregates = true;
      return planCount(scope, table, member);
    }
    return planObject<readonly Row[]>(scope, selectionOf(member), ({ field }) => {
      aggregates = true;
      const column = table.columns.get(field.name) as Column;
      return (rows) => aggregateColumn(operator, column, rows);
    });
  });
  return { answer, aggregates };
}

function planCount(scope: Scope, table: Table, selected: SelectedField): Resolver<readonly Row[]> {
  const columnsArgument = argument(selected, "columns");
  const columns = columnsArgument
    ? enumValues(scope, columnsArgument).map((name) => table.columns.get(name) as Column)
    : [];
  const flag = argument(selected, "distinct");
  const distinct = flag ? strictBoolean(flag) : false;
  return (rows) => countRows(rows, columns, distinct);
}

/** An aggregate is serialized like its column: as a string if numbers are stringified. */
function aggregateColumn(operator: string, column: Column, rows: readonly Row[]): unknown {
  if (!isNumericOperator(operator)) {
    const extreme = aggregateExtreme(operator === "max" ? "max" : "min", column, rows);
    return extreme === null ? null : column.kind.serialize(extreme);
  }
  const text = aggregateNumber(operator, column, rows);
  if (text === null || column.kind.stringified) return text;
  // Non-finite numbers stay strings.
  return Number.isFinite(Number(text)) ? Number(text) : text;
}
