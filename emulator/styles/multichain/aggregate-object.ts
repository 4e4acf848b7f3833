import { baseTypeName } from "../../../src/dialects/api-schema.ts";
import type { Row } from "../read-view.ts";
import { aggregateExtreme, aggregateNumber, countRows, isNumericOperator } from "./aggregate.ts";
import { planSelect, selectRows } from "./collection.ts";
import { messages } from "./messages.ts";
import type { Column, Table } from "./schema-index.ts";
import type { RowsHolding, Scope } from "./scope.ts";
import {
  argument,
  planObject,
  type Resolver,
  type SelectedField,
  type Selection,
  selectionOf,
} from "./select.ts";
import { enumValues, strictBoolean } from "./variables.ts";

export type AggregateObject = {
  /** The aggregated rows, of the whole table (null) or of the given ones. */
  readonly rows: (within: RowsHolding | null) => readonly Row[];
  readonly answer: Resolver<readonly Row[]>;
  /** True if no aggregate is selected: Hasura then returns one object per row (C.6). */
  readonly degenerate: boolean;
};

type PlanRow = (scope: Scope, table: Table, selection: Selection) => Resolver<Row>;

/** Plans a `T_aggregate` (B.8). The arguments choose the aggregated rows; the row cap only shortens `nodes` (C.1). */
export function planAggregateObject(
  scope: Scope,
  table: Table,
  selected: SelectedField,
  planRow: PlanRow,
): AggregateObject {
  const select = planSelect(scope, table, selected);
  let aggregates = false;
  const note = (): void => {
    aggregates = true;
  };
  const answer = planObject<readonly Row[]>(
    scope,
    baseTypeName(selected.field.type),
    selectionOf(selected),
    (member) => {
      if (member.field.name === "aggregate") return planValues(scope, table, member, note);
      note();
      const row = planRow(scope, table, selectionOf(member));
      return (rows) => rows.slice(0, scope.rowCap ?? rows.length).map(row);
    },
    note,
  );
  return {
    rows: (within) => {
      const rows = selectRows(scope.data, select, within, null);
      scope.budget.spend(rows.length);
      return rows;
    },
    answer,
    degenerate: !aggregates,
  };
}

/** Plans the aggregate of a whole table at the root, where a degenerate one fails unless exactly one row matches. */
export function planRootAggregate(
  scope: Scope,
  table: Table,
  selected: SelectedField,
  planRow: PlanRow,
): Resolver<null> {
  const { rows, answer, degenerate } = planAggregateObject(scope, table, selected, planRow);
  return () => {
    const found = rows(null);
    if (degenerate && found.length !== 1) throw messages.databaseFailed();
    return answer(found);
  };
}

/** @param note called for every function that aggregates. */
function planValues(
  scope: Scope,
  table: Table,
  selected: SelectedField,
  note: () => void,
): Resolver<readonly Row[]> {
  const typeName = baseTypeName(selected.field.type);
  return planObject<readonly Row[]>(scope, typeName, selectionOf(selected), (member) => {
    if (member.field.name === "count") {
      note();
      return planCount(scope, table, member);
    }
    const operator = member.field.name;
    return planObject<readonly Row[]>(
      scope,
      baseTypeName(member.field.type),
      selectionOf(member),
      ({ field }) => {
        note();
        const column = table.columns.get(field.name) as Column;
        return (rows) => aggregateColumn(operator, column, rows);
      },
    );
  });
}

function planCount(scope: Scope, table: Table, selected: SelectedField): Resolver<readonly Row[]> {
  const given = argument(selected, "columns");
  const columns = given ? enumValues(scope, given).map((name) => table.columns.get(name) as Column) : [];
  const flag = argument(selected, "distinct");
  const distinct = flag ? strictBoolean(flag.value, flag.path) : false;
  return (rows) => countRows(rows, columns, distinct);
}

/** An aggregate is serialized like its column (C.6): as a string if numbers are stringified. */
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
