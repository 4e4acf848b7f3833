import type { Row, RowValue } from "../../read-view.ts";
import { decodeValue } from "./decode-value.ts";
import type { ColumnOperator } from "./filter-key.ts";
import { likeTest } from "./like.ts";
import { listTest } from "./list-filter.ts";
import { type Lookup, valuesLookup } from "./lookup.ts";
import { messages } from "./messages.ts";
import { patternKind } from "./pattern-kind.ts";
import { QueryError, refuse } from "./query-error.ts";
import type { QueryValue } from "./query-value.ts";
import type { Quirks } from "./quirks.ts";
import { compareValues } from "./scalars.ts";
import type { Attribute } from "./schema-index.ts";
import { decimalOf, isListValue, showStored, type ValueTest } from "./stored-value.ts";
import type { Tables } from "./tables.ts";

/** A compiled filter: a test, and what of it can be looked up instead of going through all rows. */
export type Filter = {
  readonly matches: (row: Row, type: string) => boolean;
  /** Each of them finds all matching rows and more. */
  readonly lookups: readonly Lookup[];
};

/** Compiles a comparison of one stored field (B.4). */
export function compileColumn(
  attribute: Attribute,
  operator: ColumnOperator,
  value: QueryValue,
  { tables, quirks }: { readonly tables: Tables; readonly quirks: Quirks },
): Filter {
  const { name } = attribute;
  const decoded = decodeValue(value, attribute);
  if (quirks.panicsOnEmptyList && (operator === "_in" || operator === "_not_in") && isEmptyList(decoded)) {
    throw new QueryError([messages.panic("index out of bounds: the len is 0 but the index is 0")], true);
  }
  const test = attribute.list
    ? listTest(attribute, operator, decoded)
    : singleTest(attribute, operator, decoded);
  const sought = soughtValues(attribute, operator, decoded);
  return {
    matches: (row) => test(row[name] ?? null),
    lookups: sought === null ? [] : [valuesLookup(tables, name, sought)],
  };
}

/** The values of which every matching row has one, in its field or in the list there; null when there are none. */
function soughtValues(
  attribute: Attribute,
  operator: ColumnOperator,
  value: RowValue,
): readonly RowValue[] | null {
  // A decimal can be stored in several notations, which the store does not see through.
  if (attribute.valueType === "BigDecimal") return null;
  if (attribute.list) {
    const [first] = isListValue(value) && (operator === "" || operator === "_contains") ? value : [];
    return first === undefined || first === null ? null : [first];
  }
  if (operator === "" && value !== null) return [value];
  return operator === "_in" && isListValue(value) ? value : null;
}

const COMPARISONS: Readonly<
  Record<string, { readonly sign: string; readonly holds: (order: number) => boolean }>
> = {
  _gt: { sign: ">", holds: (order) => order > 0 },
  _lt: { sign: "<", holds: (order) => order < 0 },
  _gte: { sign: ">=", holds: (order) => order >= 0 },
  _lte: { sign: "<=", holds: (order) => order <= 0 },
};

/** The database takes 32,767 parameters, and the block is one of them. */
const MOST_MEMBERS = 32_766;

function singleTest(attribute: Attribute, operator: ColumnOperator, value: RowValue): ValueTest {
  const { valueType } = attribute;
  const decimal = valueType === "BigDecimal";
  switch (operator) {
    case "":
      if (value === null) return (stored) => stored === null;
      return decimal ? (stored) => decimalOf(stored) === value : (stored) => stored === value;
    case "_not":
      if (value === null) return (stored) => stored !== null;
      return decimal
        ? (stored) => stored !== null && decimalOf(stored) !== value
        : (stored) => stored !== null && stored !== value;
    case "_gt":
    case "_lt":
    case "_gte":
    case "_lte": {
      const comparison = COMPARISONS[operator];
      if (comparison === undefined || value === null || typeof value === "boolean" || isListValue(value)) {
        return refuse(messages.unsupportedFilter(comparison?.sign ?? operator, showStored(value)));
      }
      return (stored) => stored !== null && comparison.holds(compareValues(valueType, stored, value));
    }
    case "_in":
    case "_not_in": {
      if (!isListValue(value)) return refuse(messages.notAList(operator));
      if (value.length > MOST_MEMBERS) refuse(messages.store("value too large to transmit"));
      const members = new Set<RowValue>(value);
      // An empty list matches nothing, negated too (B.4).
      if (members.size === 0) return () => false;
      const wanted = operator === "_in";
      return decimal
        ? (stored) => stored !== null && members.has(decimalOf(stored)) === wanted
        : (stored) => stored !== null && members.has(stored) === wanted;
    }
    default:
      return patternTest(attribute, operator, value);
  }
}

function patternTest(attribute: Attribute, operator: ColumnOperator, value: RowValue): ValueTest {
  const { negated, nocase, kind } = patternKind(operator);
  const bytes = attribute.valueType === "Bytes";
  if (typeof value !== "string") {
    // The database's own names for what it cannot do: `contains` stands for every case.
    const sql = `${negated ? " not" : ""} ${nocase ? "ilike" : "like"} `;
    const filter = kind === "contains" ? `${negated ? "not_" : ""}contains` : sql;
    return refuse(messages.unsupportedFilter(filter, showStored(value)));
  }
  if (bytes && nocase && kind === "contains") {
    return refuse(messages.unsupportedFilter(operator.slice(1), value));
  }
  if (bytes) {
    if (kind !== "contains") refuse(messages.store("operator does not exist: bytea ~~ text"));
    return (stored) => typeof stored === "string" && containsBytes(stored, value) !== negated;
  }
  const matches = likeTest(kind, value, nocase);
  return (stored) => typeof stored === "string" && matches(stored) !== negated;
}

/** Whether hex `0x…` holds the bytes of another: at a whole byte, not between two of them. */
function containsBytes(stored: string, value: string): boolean {
  const part = value.slice(2);
  for (let at = stored.indexOf(part, 2); at >= 0; at = stored.indexOf(part, at + 1)) {
    if (at % 2 === 0) return true;
  }
  return false;
}

function isEmptyList(value: RowValue): boolean {
  return isListValue(value) && value.length === 0;
}
