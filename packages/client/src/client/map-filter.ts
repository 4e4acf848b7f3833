import { refuseValue } from "./indexer-error.ts";
import { readList, readValue, readValues, wrapPattern } from "./map-variables.ts";
import { own } from "./values.ts";

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

/**
 * Splits the key of a filter: `name_not_contains` is the column `name` and the operator `not_contains`, of which the
 * parts come third: `not_`, `contains` and, where case does not matter, `_nocase`.
 */
export function splitKey(key: string): RegExpExecArray | null {
  return KEY.exec(key);
}

const KEY = /^(.+?)_(not|[gl]te?|(not_)?(?:in|(contains|starts_with|ends_with)(_nocase)?))$/;

/** Whether both styles know an operator of a column, by what it holds: a reference counts as its id. */
export function takesOperator(kind: string, operator: string): boolean {
  return !REFUSED.test(`${kind.slice(0, 1)} ${operator}`);
}

/**
 * Moments and names that read as operators take none; booleans, enums and lists have no order; there is no part of what
 * is no text, of bytes only whole ones in one case, of lists only items; and no list of lists.
 */
const REFUSED = /^([?t]|[be[] [gl]|[bediInN#] .*(ns|th)|[x[] .*(th|se)|\[ .*in$)/;

/**
 * Maps what rows are ordered by to a style: a subgraph orders ties by id, and everything by id where nothing is said.
 *
 * @throws IndexerError `invalid-variables` for what the styles do not order alike, whatever the style.
 */
export function mapOrder(
  { columns, related }: Pick<FilterTable, "columns" | "related">,
  order: unknown,
  direction: unknown,
  isSubgraph: boolean,
  path = "orderBy",
): unknown {
  const d = readValue("o", direction, path);
  if (order === undefined) return isSubgraph ? order : [{ id: "asc" }];
  const [field = "", inner, ...more] = typeof order === "string" ? order.split("__") : [];
  const isOwn = inner === undefined && isOrdered(columns, field);
  const isOfReference = inner !== undefined && inner !== "id" && isOrdered(own(related, field), inner);
  if (!isOwn && !(isOfReference && own(columns, field)?.startsWith(">") && more.length === 0)) {
    return refuseValue(path, "a column by which both styles can order", order);
  }
  if (isSubgraph) return order;
  const by = { [field]: inner === undefined ? d : { [inner]: d } };
  return order === "id" ? [by] : [by, { id: d }];
}

/** Enums, lists and references have no order. */
function isOrdered(columns: Columns | undefined, name: string): boolean {
  return /^\??[^?[>e]?$/.test((columns && own(columns, name)) ?? "e");
}

/** What the columns of an entity hold, by name: see `readValue`, and besides them `e` enums and `t` timestamps. */
// `>` is a reference, `[` a list of what follows; `?` says that the name itself reads as an operator.
export type Columns = Readonly<Record<string, string>>;

/** What rows of an entity can be filtered and ordered by in both styles. */
export type FilterTable<Where = never, Mapped = unknown> = {
  readonly columns: Columns;
  /** The columns of related entities, by the field that leads to them. */
  readonly related: Readonly<Record<string, Columns>>;
  /** A table with ids that the styles write differently is for `mapIdFilter`. */
  readonly ids?: undefined;
  /** Is never there: it only holds the types. */
  readonly __types?: (where: Where) => Mapped;
};
