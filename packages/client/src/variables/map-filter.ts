import { refuseValue } from "../client/indexer-error.ts";
import type { Reader } from "../client/portable-operation.ts";
import { own } from "../client/values.ts";
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
    const kind = own(columns, name) ?? "refused";
    const scalar = kind.slice(kind.lastIndexOf(" ") + 1);
    const isList = kind.startsWith("list ");
    const column = kind.startsWith("reference ") ? `${name}_id` : name;
    const by = (word: string, operand: unknown, read = operand): Condition =>
      isSubgraph ? [key, read] : [column, { [`_${word}`]: operand }];
    const isEquality = operator === "" || operator === "not";
    if (value === null && isEquality && isFilterable(kind)) return by("is_null", !operator, value);
    if (!takesOperator(kind, operator)) refuseValue(at, "a filter that both styles support");
    const word = isEquality ? (operator ? "neq" : "eq") : operator;
    // Enums and text are read alike.
    const reader = READERS[scalar] ?? text;
    if (isList) {
      const list = readList(value, at, reader);
      if (!not || isSubgraph) return by(word, list);
      const shared = list.map((item) => ({ [column]: { _contains: [item] } }));
      return ["_and", [{ [column]: { _is_null: false } }, { _not: { _or: shared } }]];
    }
    if (operator.endsWith("in")) {
      const list = readList(value, at, reader);
      // For an empty `not_in`, a subgraph returns no row, and a multichain indexer every row.
      return by(not && list.length > 0 ? "nin" : "in", list);
    }
    const read = reader(value, at);
    if (!place) return by(word, read);
    const [before, after, like] =
      scalar === "bytes"
        ? ["^0x(..)*", "", "regex"]
        : [place[0] === "s" ? "" : "%", place[0] === "e" ? "" : "%", parts?.[5] ? "ilike" : "like"];
    return by((not && "n") + like, pattern(before, read, after, at), read);
  });
  return isSubgraph ? Object.fromEntries(conditions) : merge(conditions);
}

/** An integer whose column in the other style has 32 bits. */
function int32(value: unknown, path: string): string {
  const read = bigInt(value, path);
  return Number(read) >> 0 === Number(read) ? read : refuseValue(path, "an integer of 32 bits", value);
}

const READERS: Readonly<Record<string, Reader>> = {
  bigInt,
  boolean: flag,
  bytes,
  decimal,
  id,
  idWithBytes,
  int,
  int32,
  textWithBytes,
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
  if (!isFilterable(kind) || kind.endsWith("timestamp")) return false;
  const isList = kind.startsWith("list ");
  const isText = !isList && /\btext/.test(kind);
  if (/with|nocase/.test(operator)) return isText;
  // Bytes have whole bytes in lower case, lists have items.
  if (operator.endsWith("contains")) return isText || isList || kind.endsWith("bytes");
  if (/^[gl]t/.test(operator)) return !isList && !/boolean|enum/.test(kind);
  return !isList || !operator.endsWith("in");
}

/** Whether rows can be filtered by a column at all. */
function isFilterable(kind: string): boolean {
  return !/^(refused|orderOnly )/.test(kind);
}

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
  if (!isOwn && !(isOfReference && own(columns, field)?.startsWith("reference ") && more.length === 0)) {
    return refuseValue(path, "a column that both styles can order by", order);
  }
  if (isSubgraph) return order;
  const by = { [field]: inner === undefined ? d : { [inner]: d } };
  return order === "id" ? [by] : [by, { id: d }];
}

/** Enums, lists and references have no order. */
function isOrdered(columns: Columns | undefined, name: string): boolean {
  return !/refused|reference|list|enum/.test((columns && own(columns, name)) ?? "refused");
}

/** What a value of a column is. */
export type Scalar =
  | "bigInt"
  | "boolean"
  | "bytes"
  | "decimal"
  | "enum"
  | "id"
  | "idWithBytes"
  | "int"
  /** A BigInt of 32 bits. */
  | "int32"
  | "text"
  | "textWithBytes"
  | "timestamp";

/**
 * What a column holds, for example `bytes`, `reference bytes` or `list bytes`. The name of a column that is `orderOnly` reads
 * as an operator; a `refused` name means two columns.
 */
export type ColumnKind = `${"" | "orderOnly "}${"" | "list " | "reference "}${Scalar}` | "refused";

/** The columns of an entity by name. */
export type Columns = Readonly<Record<string, ColumnKind>>;

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
