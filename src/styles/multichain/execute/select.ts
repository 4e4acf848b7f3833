import type { Row } from "../../../model/rows.ts";
import { tupleText } from "./aggregate.ts";
import { type Condition, planCondition } from "./bool-exp.ts";
import type { Column, Table } from "./catalog.ts";
import { type Entry, enumValues } from "./coerce.ts";
import { describeInput } from "./input.ts";
import { distinctOnMismatch, kindMismatch, offsetNegative } from "./messages.ts";
import { ascending, type OrderTerm, planOrder, sortRows } from "./order-by.ts";
import type { Scope } from "./scope.ts";
import { argument, type SelectedField } from "./selection.ts";

/** The five select arguments (B.2), planned. */
export type Select = {
  readonly table: Table;
  readonly condition: Condition | null;
  readonly order: readonly OrderTerm[];
  readonly distinctOn: readonly Column[];
  readonly offset: number;
  /** Null when the client set none. */
  readonly limit: number | null;
};

/** Plans the arguments of a list or an aggregate. A null argument counts as absent (C.1). */
export function planSelect(scope: Scope, table: Table, selected: SelectedField): Select {
  const where = argument(selected, "where");
  const orderBy = argument(selected, "order_by");
  const distinct = argument(selected, "distinct_on");
  const limit = argument(selected, "limit");
  const offset = argument(selected, "offset");
  const distinctOn = distinct
    ? [...new Set(enumValues(scope, distinct))].map((name) => table.columns.get(name) as Column)
    : [];
  const order = orderBy ? planOrder(scope, table, orderBy) : [];
  if (distinctOn.length > 0 && order.length > 0) {
    checkDistinctOrder(distinctOn, order, `${selected.path}.args`);
  }
  return {
    table,
    condition: where ? planCondition(scope, table, where.value, where.path) : null,
    order: distinctOn.length > 0 && order.length === 0 ? distinctOn.map(ascending) : order,
    distinctOn,
    offset: offset ? planOffset(scope, offset) : 0,
    limit: limit ? planLimit(limit) : null,
  };
}

/**
 * The rows a select gives.
 *
 * @param within the rows to choose from; null for the whole table.
 * @param cap the most rows to give, applied after `offset`; null for no other limit than the client's.
 */
export function selectRows(
  select: Select,
  within: readonly Row[] | null,
  cap: number | null,
): readonly Row[] {
  const { table, condition, order, distinctOn, offset } = select;
  const end = offset + Math.min(select.limit ?? Number.POSITIVE_INFINITY, cap ?? Number.POSITIVE_INFINITY);
  const found = within ?? indexedRows(select);
  const sorted = found ? null : sortedTable(table, order);
  const rows = found ?? sorted ?? table.rows();
  const inOrder = order.length === 0 || sorted !== null;
  if (inOrder && distinctOn.length === 0) return firstRows(rows, condition, offset, end);
  const matching = condition ? rows.filter((row) => condition.test(row) === true) : rows;
  const ordered = inOrder ? matching : sortRows(matching, order);
  return firstOfEach(ordered, distinctOn).slice(offset, end);
}

/** In whatever order, the first entries are plain columns and just those that are to be distinct (C.3). */
function checkDistinctOrder(distinctOn: readonly Column[], order: readonly OrderTerm[], path: string): void {
  const initial = new Set(order.slice(0, distinctOn.length).map((term) => term.column));
  if (!distinctOn.every((column) => initial.has(column))) {
    throw distinctOnMismatch(path);
  }
}

const INT32_MAX = 2_147_483_647;

function planLimit({ value, path }: Entry): number {
  const number = value.kind === "integer" ? Number(value.text) : Number.NaN;
  if (number >= 0 && number <= INT32_MAX) return number;
  throw kindMismatch(path, "a non-negative 32-bit integer", "Int", describeInput(value));
}

/** A negative offset is for the database to refuse. */
function planOffset(scope: Scope, { value, path }: Entry): number {
  const number = value.kind === "integer" ? Number(value.text) : Number.NaN;
  if (!(Math.abs(number) <= INT32_MAX)) {
    throw kindMismatch(path, "a 32-bit integer", "Int", describeInput(value));
  }
  if (number < 0) scope.postpone(offsetNegative());
  return number;
}

/** The fewest rows an index can narrow the choice to; null when no index helps. */
function indexedRows({ table, condition }: Select): readonly Row[] | null {
  let fewest: readonly Row[] | null = null;
  if (!table.matching) return null;
  for (const { field, value } of condition?.equalities ?? []) {
    const rows = table.matching(field, value);
    if (fewest === null || rows.length < fewest.length) fewest = rows;
  }
  return fewest;
}

/** Whole tables in the orders that were asked for, as long as their rows are served. */
const SORTED = new WeakMap<readonly Row[], Map<string, readonly Row[]>>();

/** So many orders of one table are kept; clients use few. */
const SORTED_LIMIT = 16;

/** The table in order, kept for the next page; null where the order reaches into relationships. */
function sortedTable(table: Table, order: readonly OrderTerm[]): readonly Row[] | null {
  if (order.length === 0 || order.some((term) => term.column === null)) return null;
  const rows = table.rows();
  const orders = SORTED.get(rows) ?? new Map<string, readonly Row[]>();
  SORTED.set(rows, orders);
  const name = JSON.stringify(order.map((term) => [term.column?.name, term.descending, term.nullsFirst]));
  const kept = orders.get(name);
  if (kept) return kept;
  if (orders.size >= SORTED_LIMIT) orders.clear();
  const sorted = sortRows(rows, order);
  orders.set(name, sorted);
  return sorted;
}

function firstRows(
  rows: readonly Row[],
  condition: Condition | null,
  offset: number,
  end: number,
): readonly Row[] {
  if (!condition) return rows.slice(offset, end);
  const found: Row[] = [];
  let count = 0;
  for (const row of rows) {
    if (count >= end) break;
    if (condition.test(row) !== true) continue;
    if (count >= offset) found.push(row);
    count++;
  }
  return found;
}

function firstOfEach(rows: readonly Row[], columns: readonly Column[]): readonly Row[] {
  if (columns.length === 0) return rows;
  const seen = new Set<string>();
  return rows.filter((row) => {
    const tuple = tupleText(row, columns);
    if (seen.has(tuple)) return false;
    seen.add(tuple);
    return true;
  });
}
