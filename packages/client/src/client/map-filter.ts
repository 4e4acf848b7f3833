import { refuseValue } from "./indexer-error.ts";
import type { Reader } from "./portable-operation.ts";
import {
  bigInt,
  bytes,
  decimal,
  direction as directionOf,
  flag,
  id,
  idWithBytes,
  int,
  pattern,
  readList,
  text,
  textWithBytes,
} from "./readers.ts";
import { own } from "./values.ts";

/**
 * Maps a portable filter to that of a style.
 *
 * @param isSubgraph false for the multichain indexers, the default: for other GraphQL clients that query them.
 * @throws IndexerError `invalid-variables` for filters that the styles answer differently, whatever the style.
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
  // A deeper filter could overflow the stack.
  if (depth > 99) return refuseValue(path, "a filter of at most 99 levels");
  if ({}.toString.call(where) !== "[object Object]") return refuseValue(path, "a filter", where);
  const entries = Object.entries(where as object).filter(([, value]) => value !== undefined);
  const conditions = entries.map(([key, value]: [string, unknown]): Condition => {
    const at = `${path}.${key}`;
    const isColumn = own(columns, key) !== undefined;
    if (/^(and|or)$/.test(key) && !isColumn) {
      if (entries.length > 1) refuseValue(at, "the only key of its filter");
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
    if (!takesOperator(kind, operator)) refuseValue(at, "a filter that both styles support");
    const word = isEquality ? (operator ? "neq" : "eq") : operator;
    if (kind.startsWith("[")) {
      const list = readList(value, at, readerOf(kind.slice(1)));
      if (!not || isSubgraph) return by(word, list);
      const shared = list.map((item) => ({ [column]: { _contains: [item] } }));
      return ["_and", [{ [column]: { _is_null: false } }, { _not: { _or: shared } }]];
    }
    if (operator.endsWith("in")) {
      const list = readList(value, at, readerOf(kind));
      // For an empty `not_in`, a subgraph returns no row, and a multichain indexer every row.
      return by(not && list.length > 0 ? "nin" : "in", list);
    }
    const read = readerOf(kind)(value, at);
    if (!place) return by(word, read);
    const [before, after, like] =
      kind === "x"
        ? ["^0x(..)*", "", "regex"]
        : [place[0] === "s" ? "" : "%", place[0] === "e" ? "" : "%", parts?.[5] ? "ilike" : "like"];
    return by((not && "n") + like, pattern(before, read, after, at), read);
  });
  return isSubgraph ? Object.fromEntries(conditions) : merge(conditions);
}

/** Returns the reader of the values of a kind; enums and every other kind are read as text. */
function readerOf(kind: string): Reader {
  return READERS[kind] ?? text;
}

/** An integer whose column in the other style has 32 bits. */
function int32(value: unknown, path: string): string {
  const read = bigInt(value, path);
  return Number(read) >> 0 === Number(read) ? read : refuseValue(path, "an integer of 32 bits", value);
}

const READERS: Readonly<Record<string, Reader>> = {
  "#": int,
  b: flag,
  d: decimal,
  I: idWithBytes,
  i: id,
  N: int32,
  n: bigInt,
  S: textWithBytes,
  x: bytes,
};

type MapInner = (
  table: FilterTable,
  where: unknown,
  isSubgraph: boolean,
  path: string,
  depth: number,
) => unknown;

/** A condition on a column or relation: a multichain one, or a subgraph one as it was given. */
type Condition = readonly [key: string, value: unknown];

/** Merges the conditions on a column into one object; a repeated operator goes into `_and`. */
function merge(conditions: readonly Condition[]): object {
  // Without a prototype, columns may have any names.
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

/**
 * Splits the key of a filter: `name_not_contains` has the column `name`, the operator `not_contains` and its parts `not_`,
 * `contains` and `_nocase`, if it ignores case.
 */
export function splitKey(key: string): RegExpExecArray | null {
  return KEY.exec(key);
}

const KEY = /^(.+?)_(not|[gl]te?|(not_)?(?:in|(contains|starts_with|ends_with)(_nocase)?))$/;

/** Whether both styles have an operator for a kind of column: a reference counts as its id. */
export function takesOperator(kind: string, operator: string): boolean {
  return !REFUSED.test(`${kind.slice(0, 1)} ${operator}`);
}

/**
 * Timestamps, and columns whose names read as operators, have no operators. Booleans, enums and lists have no order. Only
 * text has parts; bytes have whole bytes in lower case, lists have items. Lists cannot be in a list.
 */
const REFUSED = /^([?t]|[be[] [gl]|[bediInN#] .*(ns|th)|[x[] .*(th|se)|\[ .*in$)/;

/**
 * Maps a portable order to that of a style. Ties, and rows without an order, are ordered by id, as in subgraphs.
 *
 * @throws IndexerError `invalid-variables` for columns that the styles order differently, whatever the style.
 */
export function mapOrder(
  { columns, related }: Pick<FilterTable, "columns" | "related">,
  order: unknown,
  direction: unknown,
  isSubgraph: boolean,
  path = "orderBy",
): unknown {
  const d = directionOf(direction, path);
  if (order === undefined) return isSubgraph ? order : [{ id: "asc" }];
  const [field = "", inner, ...more] = typeof order === "string" ? order.split("__") : [];
  const isOwn = inner === undefined && isOrdered(columns, field);
  const isOfReference = inner !== undefined && inner !== "id" && isOrdered(own(related, field), inner);
  if (!isOwn && !(isOfReference && own(columns, field)?.startsWith(">") && more.length === 0)) {
    return refuseValue(path, "a column that both styles can order by", order);
  }
  if (isSubgraph) return order;
  const by = { [field]: inner === undefined ? d : { [inner]: d } };
  return order === "id" ? [by] : [by, { id: d }];
}

/** Enums, lists and references have no order. */
function isOrdered(columns: Columns | undefined, name: string): boolean {
  return /^\??[^?[>e]?$/.test((columns && own(columns, name)) ?? "e");
}

/**
 * The kinds of the columns of an entity, by name: `x` bytes, `n` BigInt, `N` BigInt of 32 bits, `d` BigDecimal, `i` ID, `#`
 * Int, `b` Boolean, `e` enums, `t` timestamps; `I` an ID and `S` a text that contain bytes; anything else is text.
 */
// `>` is a reference, `[` a list of the kind after it; `?` marks a name that reads as an operator.
export type Columns = Readonly<Record<string, string>>;

/** The columns of an entity that both styles can filter and order by. */
export type FilterTable<Where = never, Mapped = unknown> = {
  readonly columns: Columns;
  /** The columns of related entities, by the field that leads to them. */
  readonly related: Readonly<Record<string, Columns>>;
  /** A table with ids that differ between the styles is for `mapIdFilter`. */
  readonly ids?: undefined;
  /** Type only; absent at run time. */
  readonly __types?: (where: Where) => Mapped;
};
