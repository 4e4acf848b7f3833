import { cached } from "../../../src/base/collections.ts";
import type { Row, RowStore } from "../read-view.ts";
import { type Budget, createMemo, type Memo } from "../served-style.ts";
import { tupleText } from "./aggregate.ts";
import { showScientific } from "./decimal.ts";
import { type Condition, planCondition } from "./filter.ts";
import { numberOperand, type Reading } from "./kinds.ts";
import { messages } from "./messages.ts";
import { ascending, type ColumnTerm, isOfColumns, type OrderTerm, planOrder, sortRows } from "./order.ts";
import type { Column, Table } from "./schema-index.ts";
import type { Data, Holding, RowsHolding, Scope } from "./scope.ts";
import { argument, type SelectedField } from "./select.ts";
import { type Entry, enumValues } from "./variables.ts";

type Select = {
  readonly table: Table;
  readonly data: Data;
  readonly budget: Budget;
  readonly condition: Condition | null;
  readonly order: readonly OrderTerm[];
  readonly distinctOn: readonly Column[];
  readonly offset: number;
  /** Null without one. */
  readonly limit: number | null;
};

/** Plans the arguments of a list or an aggregate. A null argument counts as absent. */
export function planSelect(scope: Scope, table: Table, selected: SelectedField): Select {
  const where = argument(selected, "where");
  const orderBy = argument(selected, "order_by");
  const distinct = argument(selected, "distinct_on");
  const limit = argument(selected, "limit");
  const offset = argument(selected, "offset");
  const columns = distinct
    ? enumValues(scope, distinct).map((name) => table.columns.get(name) as Column)
    : [];
  const distinctOn = [...new Set(columns)];
  const order = orderBy ? planOrder(scope, table, orderBy) : [];
  if (columns.length > 0 && order.length > 0) {
    checkDistinctOrder(columns, order, `${selected.path}.args`);
  }
  return {
    table,
    data: scope.data,
    budget: scope.budget,
    condition: where ? planCondition(scope, table, where) : null,
    order: distinctOn.length > 0 && order.length === 0 ? distinctOn.map(ascending) : order,
    distinctOn,
    offset: offset ? planOffset(scope, offset) : 0,
    limit: limit ? planLimit(limit) : null,
  };
}

/**
 * Selects rows.
 *
 * @param within the rows to choose from; null for the whole table.
 * @param cap the most rows to give, applied after `offset`; null for no other limit than the client's.
 */
export function selectRows(select: Select, within: RowsHolding | null, cap: number | null): readonly Row[] {
  const { budget, condition, distinctOn, offset } = select;
  const limit = Math.min(select.limit ?? Number.POSITIVE_INFINITY, cap ?? Number.POSITIVE_INFINITY);
  if (limit === 0) return [];
  const rows = candidateRows(select, within);
  const end = offset + limit;
  if (condition === null && distinctOn.length === 0) return rows.slice(offset, end);
  const selected: Row[] = [];
  const tuples = new Set<string>();
  for (const row of rows) {
    budget.spend(1);
    if (condition && condition.test(row) !== true) continue;
    if (distinctOn.length > 0) {
      const tuple = tupleText(row, distinctOn);
      if (tuples.has(tuple)) continue;
      tuples.add(tuple);
    }
    selected.push(row);
    if (selected.length >= end) break;
  }
  return selected.slice(offset);
}

/** Returns at least all selected rows, in their order. */
function candidateRows(select: Select, within: RowsHolding | null): readonly Row[] {
  const { table, data, budget, condition, order } = select;
  const narrow = within ?? narrowest(select);
  const isKept = narrow === null || (narrow.holding !== null && narrow.rows.length > SMALL);
  if (table.isEntity && isKept && order.length > 0 && isOfColumns(order)) {
    const rows = orderedRows(select, narrow?.holding ?? null, order);
    return rows.slice(findStart(rows, order, condition));
  }
  const candidates = narrow?.rows ?? data.rows(table);
  if (order.length === 0) return candidates;
  // Rows are only sorted if they are selected.
  budget.spend(candidates.length);
  const wanted = condition ? candidates.filter((row) => condition.test(row) === true) : candidates;
  budget.spend(wanted.length * Math.log2(wanted.length + 1) * order.length);
  return sortRows(wanted, order);
}

/** Fewer rows than this are sorted on every request; the order of more is cached. */
const SMALL = 256;

/** Sorted rows by store. */
const ORDERS = new WeakMap<RowStore, Memo<string, readonly Row[]>>();

/** Cached orders per store; clients use few. */
const MOST_ORDERS = 24;

/** Sorts the rows of a table, or those that hold a value; the order is cached with the store for the next page. */
function orderedRows(
  { table: { name }, data: { store } }: Select,
  holding: Holding | null,
  terms: readonly ColumnTerm[],
): readonly Row[] {
  const orders = cached(ORDERS, store, () => createMemo<string, readonly Row[]>(MOST_ORDERS));
  const key = JSON.stringify([
    name,
    holding?.field,
    holding?.value,
    terms.map((term) => [term.column.field, term.descending, term.nullsFirst]),
  ]);
  return orders.get(key, () =>
    sortRows(holding === null ? store.rows(name) : store.matching(name, holding.field, holding.value), terms),
  );
}

/** Bisects the order for the bounds of its first term: each page of a large table would visit all earlier rows. */
function findStart(rows: readonly Row[], [term]: readonly ColumnTerm[], condition: Condition | null): number {
  const side = term?.descending ? "upper" : "lower";
  const bounds = condition?.bounds.filter((bound) => bound.side === side && bound.column === term?.column);
  if (!term || !bounds?.length) return 0;
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = rows[middle]?.[term.column.field] ?? null;
    // Bounds exclude nulls.
    const isWithin = value === null ? !term.nullsFirst : bounds.every(({ test }) => test(value) === true);
    if (isWithin) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The fewest rows that an index can narrow the choice to; null if no index helps. */
function narrowest(select: Select): RowsHolding | null {
  const { table, data, condition, order } = select;
  const isSmall = () => table.isEntity && data.store.rows(table.name).length < SCANNED_BELOW;
  let best: RowsHolding | null = null;
  for (const { field, values } of condition?.lookups ?? []) {
    // A small table is scanned, and its rows are in order of writing.
    if (values.length > 1 && order.length === 0 && isSmall()) continue;
    const parts: (readonly Row[])[] = [];
    for (const value of values) {
      const rows = data.matching(table, field, value);
      if (rows === null) return null;
      parts.push(rows);
    }
    const count = parts.reduce((sum, rows) => sum + rows.length, 0);
    if (best !== null && count >= best.rows.length) continue;
    const [value] = values;
    best =
      value !== undefined && values.length === 1
        ? { rows: parts[0] ?? [], holding: { field, value } }
        : { rows: parts.flat(), holding: null };
  }
  return best;
}

/** Smaller tables are scanned as quickly as lists of rows are merged. */
const SCANNED_BELOW = 2000;

/** The first entries, in any order, must be plain columns and exactly the distinct ones. */
function checkDistinctOrder(distinctOn: readonly Column[], order: readonly OrderTerm[], path: string): void {
  const initial = new Set(order.slice(0, distinctOn.length).map((term) => term.column));
  if (initial.has(null) || !distinctOn.every((column) => initial.has(column))) {
    throw messages.distinctOnMismatch(path);
  }
}

/** Plans `limit`, which is not negative. */
function planLimit(entry: Entry): number {
  const { value } = entry;
  const isNumber = value.kind === "integer" || (value.kind === "float" && value.json);
  if (!isNumber || value.text.startsWith("-")) {
    throw messages.kindMismatch(entry, "a non-negative 32-bit integer");
  }
  return wholeNumber(value.text, entry, 32);
}

/** An offset may also be digits in a string. The database refuses a negative one. */
function planOffset(reading: Reading, entry: Entry): number {
  const { value } = entry;
  if (value.kind === "string" && /^\d+$/.test(value.value)) {
    return Number(BigInt.asIntN(64, BigInt(value.value)));
  }
  const isNumber = value.kind === "integer" || (value.kind === "float" && value.json);
  if (!isNumber) {
    throw messages.kindMismatch(entry, "a 32-bit integer, or a 64-bit integer represented as a string");
  }
  const number = wholeNumber(value.text, entry, 64);
  if (number < 0) reading.postpone(messages.offsetNegative());
  return Math.max(number, 0);
}

function wholeNumber(text: string, entry: Entry, bits: 32 | 64): number {
  const number = Number(text);
  const isWithin = Number.isInteger(number) && BigInt.asIntN(bits, BigInt(number)) === BigInt(number);
  // Of many digits a number is not exact.
  if (/^-?\d+$/.test(text) ? BigInt.asIntN(bits, BigInt(text)) === BigInt(text) : isWithin) return number;
  throw messages.integerOutside(entry.path, showScientific(numberOperand(entry, "Int")));
}
