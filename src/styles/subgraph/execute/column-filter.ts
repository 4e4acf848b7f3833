import type { Row, RowValue } from "../../../model/rows.ts";
import { decodeValue } from "./decode-value.ts";
import type { Operator } from "./filter-key.ts";
import { containsPattern, foldAscii, matchesLike } from "./like.ts";
import { messages } from "./messages.ts";
import type { QueryValue } from "./query-value.ts";
import { refuse } from "./refusal.ts";
import { compareValues, normalizeDecimal } from "./scalars.ts";
import type { Attribute } from "./schema-index.ts";

/** A compiled filter: a test, and what of it the store can look up. */
export type Filter = {
  readonly matches: (row: Row) => boolean;
  /** Equalities that every matching row meets, each of which the store can look up. */
  readonly lookups: readonly Lookup[];
};

export type Lookup = { readonly field: string; readonly values: readonly RowValue[] };

/** The operators that compare a stored value. */
export type ColumnOperator = Exclude<Operator, "_" | "and" | "or">;

/** Compiles a comparison of one stored field (B.4). */
export function compileColumn(attribute: Attribute, operator: ColumnOperator, value: QueryValue): Filter {
  const { name } = attribute;
  const decoded = decodeValue(value, attribute);
  const test = attribute.list
    ? listTest(attribute, operator, decoded)
    : singleTest(attribute, operator, decoded);
  return {
    matches: (row) => test(row[name] ?? null),
    lookups: attribute.list ? [] : lookupsOf(attribute, operator, decoded),
  };
}

function lookupsOf(attribute: Attribute, operator: ColumnOperator, value: RowValue): readonly Lookup[] {
  // A decimal can be stored in several notations, which the store does not see through.
  if (attribute.valueType === "BigDecimal") return [];
  if (operator === "" && value !== null) return [{ field: attribute.name, values: [value] }];
  if (operator === "_in" && isListValue(value)) return [{ field: attribute.name, values: value }];
  return [];
}

type Test = (stored: RowValue) => boolean;

const COMPARISONS: Readonly<
  Record<string, { readonly sign: string; readonly holds: (order: number) => boolean }>
> = {
  _gt: { sign: ">", holds: (order) => order > 0 },
  _lt: { sign: "<", holds: (order) => order < 0 },
  _gte: { sign: ">=", holds: (order) => order >= 0 },
  _lte: { sign: "<=", holds: (order) => order <= 0 },
};

function singleTest(attribute: Attribute, operator: ColumnOperator, value: RowValue): Test {
  const { valueType } = attribute;
  const normalize = valueType === "BigDecimal" ? decimalOf : (stored: RowValue) => stored;
  switch (operator) {
    case "":
      return value === null ? (stored) => stored === null : (stored) => normalize(stored) === value;
    case "_not":
      return value === null
        ? (stored) => stored !== null
        : (stored) => stored !== null && normalize(stored) !== value;
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
      const members = new Set<RowValue>(value);
      // An empty list matches nothing, negated too (B.4).
      if (members.size === 0) return () => false;
      const wanted = operator === "_in";
      return (stored) => stored !== null && members.has(normalize(stored)) === wanted;
    }
    default:
      return patternTest(attribute, operator, value);
  }
}

function decimalOf(stored: RowValue): RowValue {
  return stored === null ? null : (normalizeDecimal(String(stored)) ?? stored);
}

function patternTest(attribute: Attribute, operator: ColumnOperator, value: RowValue): Test {
  const { negated, nocase, kind } = patternKind(operator);
  const bytes = attribute.valueType === "Bytes";
  if (typeof value !== "string" || (bytes && nocase && kind === "contains")) {
    return refuse(messages.unsupportedFilter(operator.slice(1), showStored(value)));
  }
  if (bytes) {
    if (kind !== "contains") refuse(messages.store("operator does not exist: bytea ~~ text"));
    return (stored) => typeof stored === "string" && containsBytes(stored, value) !== negated;
  }
  const pattern =
    kind === "contains" ? containsPattern(value) : kind === "starts_with" ? `${value}%` : `%${value}`;
  const matches = nocase ? matchesLike(foldAscii(pattern)) : matchesLike(pattern);
  return (stored) => typeof stored === "string" && matches(nocase ? foldAscii(stored) : stored) !== negated;
}

function patternKind(operator: ColumnOperator): {
  readonly negated: boolean;
  readonly nocase: boolean;
  readonly kind: "contains" | "starts_with" | "ends_with";
} {
  return {
    negated: operator.startsWith("_not_"),
    nocase: operator.endsWith("_nocase"),
    kind: operator.includes("contains")
      ? "contains"
      : operator.includes("starts_with")
        ? "starts_with"
        : "ends_with",
  };
}

/** Whether hex `0x…` holds the bytes of another: at a whole byte, not between two of them. */
function containsBytes(stored: string, value: string): boolean {
  const part = value.slice(2);
  for (let at = stored.indexOf(part, 2); at >= 0; at = stored.indexOf(part, at + 1)) {
    if (at % 2 === 0) return true;
  }
  return false;
}

function listTest(attribute: Attribute, operator: ColumnOperator, value: RowValue): Test {
  const normalize = attribute.valueType === "BigDecimal" ? decimalOf : (stored: RowValue) => stored;
  const listOf = (stored: RowValue) => (isListValue(stored) ? stored.map(normalize) : null);
  if (operator === "" || operator === "_not") {
    const wanted = operator === "";
    if (value === null) return (stored) => (stored === null) === wanted;
    const items = isListValue(value) ? value : [value];
    return (stored) => {
      const list = listOf(stored);
      if (list === null) return false;
      return (list.length === items.length && list.every((item, at) => item === items[at])) === wanted;
    };
  }
  if (!isListValue(value)) return refuse(messages.unsupportedFilter(operator.slice(1), showStored(value)));
  const { negated, nocase } = patternKind(operator);
  if (nocase) {
    // No `%` is put around: `nocase` asks whether ANY element is like ANY of these.
    const patterns = value.map((item) => matchesLike(foldAscii(String(item))));
    return (stored) => {
      const list = listOf(stored);
      if (list === null) return false;
      return list.some((item) => patterns.some((matches) => matches(foldAscii(String(item))))) !== negated;
    };
  }
  return (stored) => {
    const list = listOf(stored);
    if (list === null) return false;
    return negated ? !value.some((item) => list.includes(item)) : value.every((item) => list.includes(item));
  };
}

function showStored(value: RowValue): string {
  return isListValue(value) ? `[${value.map(showStored).join(", ")}]` : String(value);
}

/** Whether a stored value is a list. */
export function isListValue(value: RowValue): value is readonly RowValue[] {
  return Array.isArray(value);
}
