import type { FilterTable } from "./filter-table.ts";
import { own } from "./own.ts";
import { readList, readValue, readValues } from "./read-value.ts";
import { refuseValue } from "./refuse-value.ts";
import { splitKey, takesOperator } from "./takes-operator.ts";
import { wrapPattern } from "./wrap-pattern.ts";

/**
 * Maps a portable filter to that of a style.
 *
 * @param isSubgraph by default it is for the multichain indexers: for clients that ask them by themselves.
 * @throws IndexerError `invalid-variables` for what the styles do not answer alike, whatever the style.
 */
export function mapFilter<Where, Mapped>(table: FilterTable<Where, Mapped>, where: Where): Mapped;
export function mapFilter(table: FilterTable, where: unknown, isSubgraph: boolean, path?: string): unknown;
export function mapFilter(
  table: FilterTable,
  where: unknown,
  isSubgraph = false,
  path = "where",
  depth = 0,
): unknown {
  const { columns, related } = table;
  const map = (inner: unknown, at: string, of: FilterTable): unknown =>
    (mapFilter as MapInner)(of, inner, isSubgraph, at, depth + 1);
  // Deeper than anybody asks, and than a stack holds.
  if ({}.toString.call(where) !== "[object Object]" || depth > 99) return refuseValue(path, "filter");
  const entries = Object.entries(where as object).filter(([, value]) => value !== undefined);
  const conditions = entries.map(([key, value]: [string, unknown]): Condition => {
    const at = `${path}.${key}`;
    const isColumn = own(columns, key) !== undefined;
    if (/^(and|or)$/.test(key) && !isColumn) {
      if (entries.length > 1) refuseValue(at, "filter beside others");
      return [isSubgraph ? key : `_${key}`, readList(value, at, (item) => map(item, at, table))];
    }
    const field = key.replace(/_$/, "");
    const inner = isColumn || field === key ? undefined : own(related, field);
    if (inner) return [isSubgraph ? key : field, map(value, at, { columns: inner, related: {} })];
    const parts = isColumn ? null : splitKey(key);
    const name = parts?.[1] ?? key;
    const operator = parts?.[2] ?? "";
    const not = parts?.[3] ?? "";
    const place = parts?.[4];
    const held = own(columns, name) ?? "?";
    const kind = held.replace(">", "");
    const column = kind === held ? name : `${name}_id`;
    const by = (word: string, operand: unknown, read = operand): Condition =>
      isSubgraph ? [key, read] : [column, { [`_${word}`]: operand }];
    const isEquality = operator === "" || operator === "not";
    if (value === null && isEquality && !kind.startsWith("?")) return by("is_null", !operator, value);
    if (!takesOperator(kind, operator)) refuseValue(at, "filter of both styles");
    const word = isEquality ? (operator ? "neq" : "eq") : operator;
    if (kind.startsWith("[")) {
      const list = readValues(kind.slice(1), value, at);
      if (!not || isSubgraph) return by(word, list);
      const shared = list.map((item) => ({ [column]: { _contains: [item] } }));
      return ["_and", [{ [column]: { _is_null: false } }, { _not: { _or: shared } }]];
    }
    if (operator.endsWith("in")) {
      const list = readValues(kind, value, at);
      // Where nothing is left out, a subgraph gives no row, and an indexer of all chains every row.
      return by(not && list.length > 0 ? "nin" : "in", list);
    }
    const read = readValue(kind, value, at);
    if (!place) return by(word, read);
    const [before, after, like] =
      kind === "x"
        ? ["^0x(..)*", "", "regex"]
        : [place[0] === "s" ? "" : "%", place[0] === "e" ? "" : "%", parts?.[5] ? "ilike" : "like"];
    return by((not && "n") + like, wrapPattern(before, read as string, after, at), read);
  });
  return isSubgraph ? Object.fromEntries(conditions) : merge(conditions);
}

type MapInner = (
  table: FilterTable,
  where: unknown,
  isSubgraph: boolean,
  path: string,
  depth: number,
) => unknown;

/** A condition: of a column or a relation, by an operator; or what a subgraph takes. */
type Condition = readonly [key: string, value: unknown];

/** Several conditions on a column stand in one object, but no operator stands twice in one. */
function merge(conditions: readonly Condition[]): object {
  // It inherits nothing, so that columns may have any names.
  const first: Record<string, unknown> = Object.create(null);
  const more: object[] = [];
  for (const [key, value] of conditions) {
    const before = first[key] as object | undefined;
    const isTwice = before && Object.keys(value as object).some((operator) => operator in before);
    if (isTwice) more.push({ [key]: value });
    else first[key] = before ? { ...before, ...(value as object) } : value;
  }
  return more.length > 0 ? { _and: [first, ...more] } : first;
}
