import type { Row } from "../../../model/rows.ts";
import { baseTypeName } from "../../../utils/type-expression.ts";
import { aggregateExtreme, aggregateNumber, countRows, isNumericOperator } from "./aggregate.ts";
import type { Column, Table } from "./catalog.ts";
import { enumValues, strictBoolean } from "./coerce.ts";
import { planRow } from "./row-object.ts";
import type { Scope } from "./scope.ts";
import { planSelect, selectRows } from "./select.ts";
import { argument, planObject, type Resolver, type SelectedField, selectionOf } from "./selection.ts";

/**
 * Plans a `T_aggregate` (B.8), of the whole table (null) or of the rows it is given. The arguments choose the
 * rows that are aggregated; the row cap only shortens `nodes` (C.1).
 */
export function planAggregateObject(
  scope: Scope,
  table: Table,
  selected: SelectedField,
): Resolver<readonly Row[] | null> {
  const select = planSelect(scope, table, selected);
  const object = planObject<readonly Row[]>(
    scope,
    baseTypeName(selected.field.type),
    selectionOf(selected),
    (member) => {
      if (member.field.name === "aggregate") return planValues(scope, table, member);
      const row = planRow(scope, table, selectionOf(member));
      return (rows) => rows.slice(0, scope.rowCap).map(row);
    },
  );
  return (within) => object(selectRows(select, within, null));
}

function planValues(scope: Scope, table: Table, selected: SelectedField): Resolver<readonly Row[]> {
  const typeName = baseTypeName(selected.field.type);
  return planObject<readonly Row[]>(scope, typeName, selectionOf(selected), (member) => {
    if (member.field.name === "count") return planCount(scope, table, member);
    const operator = member.field.name;
    return planObject<readonly Row[]>(
      scope,
      baseTypeName(member.field.type),
      selectionOf(member),
      ({ field }) => {
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

/** An aggregate travels as its column does (C.6): a string where numbers are stringified. */
function aggregateColumn(operator: string, column: Column, rows: readonly Row[]): unknown {
  if (!isNumericOperator(operator)) {
    const extreme = aggregateExtreme(operator === "max" ? "max" : "min", column, rows);
    return extreme === null ? null : column.kind.serialize(extreme);
  }
  const text = aggregateNumber(operator, column, rows);
  return text === null || column.kind.stringified ? text : Number(text);
}
