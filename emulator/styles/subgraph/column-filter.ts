import { compileLikePattern } from "../like.ts";
import type { Row, RowValue } from "../read-view.ts";
import {
  decimalOf,
  decodeIds,
  decodeValue,
  isListValue,
  showStored,
  type ValueTest,
} from "./decode-value.ts";
import { type ErrorEntry, messages, QueryError, refuse } from "./messages.ts";
import type { QueryValue } from "./query-value.ts";
import type { Quirks } from "./quirks.ts";
import { compareValues } from "./scalars.ts";
import type { Attribute } from "./schema-index.ts";
import { type Lookup, type Tables, valuesLookup } from "./tables.ts";

/** A compiled filter: a test, and lookups that avoid a scan. */
export type Filter = {
  readonly matches: (row: Row, type: string) => boolean;
  /** Each returns all matching rows, and maybe others. */
  readonly lookups: readonly Lookup[];
};

/** A parsed part of a filter. */
export type Condition = {
  /** In the store's notation, which some messages contain. */
  readonly shown: () => string;
  /** Validates it as the store does, and compiles it. */
  readonly build: (inChild: boolean) => Filter;
};

/** Errors of the database query, found when its SQL is written, when the database parses it, and when it reads the values. */
export type LateErrors = {
  readonly written: ErrorEntry[];
  readonly parsed: ErrorEntry[];
  readonly bound: ErrorEntry[];
};

type ColumnContext = { readonly tables: Tables; readonly quirks: Quirks; readonly late: LateErrors };

/** A stored field and the operator that compares it. */
type Column = { readonly attribute: Attribute; readonly operator: ColumnOperator };

/** Parses a comparison of one stored field. */
export function parseColumn(column: Column, value: QueryValue, context: ColumnContext): Condition {
  const { attribute, operator } = column;
  const operand = decodeValue(value, attribute);
  if ((operator === "_in" || operator === "_not_in") && !isListValue(operand)) {
    refuse(messages.notAList(operator));
  }
  return {
    shown: () => showComparison(attribute.name, operator, operand),
    build: () => buildColumn(column, operand, context),
  };
}

function buildColumn(
  { attribute, operator }: Column,
  operand: RowValue,
  { tables, quirks, late }: ColumnContext,
): Filter {
  const { name } = attribute;
  const isEmpty = isListValue(operand) && operand.length === 0;
  if (quirks.panicsOnEmptyList && isEmpty && (operator === "_in" || operator === "_not_in")) {
    throw new QueryError([messages.panic("index out of bounds: the len is 0 but the index is 0")], true);
  }
  if (operator.endsWith("contains_nocase") && attribute.valueType === "Bytes" && !isListValue(operand)) {
    refuse(messages.unsupportedFilter(operator.slice(1), showStored(operand)));
  }
  if (operator.includes("contains") && operand === null) {
    const negation = patternKind(operator).negated ? "not_" : "";
    late.written.push(messages.store(`unsupported filter \`${negation}contains\` for value \`null\``));
    return { matches: () => false, lookups: [] };
  }
  const failure = findFailure(attribute, operator, operand);
  if (failure !== null) {
    late.parsed.push(messages.store(failure));
    return { matches: () => false, lookups: [] };
  }
  const decoded = decodeIds(operand, attribute, late.parsed);
  if (holdsZero(decoded)) late.bound.push(messages.store(ZERO_BYTE));
  const test = attribute.list
    ? listTest(attribute, operator, decoded)
    : singleTest(attribute, operator, decoded);
  const sought = soughtValues(attribute, operator, decoded);
  return {
    matches: (row) => test(row[name] ?? null),
    lookups: sought === null ? [] : [valuesLookup(tables, name, sought)],
  };
}

/** The database has no texts with this character. */
export function holdsZero(value: RowValue): boolean {
  return isListValue(value) ? value.some(holdsZero) : typeof value === "string" && value.includes("\0");
}

export const ZERO_BYTE = 'invalid byte sequence for encoding "UTF8": 0x00';

/** The database cannot compare the bytes of an id with a text. */
function findFailure({ kind, valueType }: Attribute, operator: string, value: RowValue): string | null {
  if (kind !== "reference" || valueType !== "Bytes" || value === null || !operator.includes("s_with"))
    return null;
  const { negated, nocase } = patternKind(operator);
  return `operator does not exist: bytea ${negated ? "!" : ""}~~${nocase ? "*" : ""} text`;
}

/** The comparison in the store's notation. */
function showComparison(name: string, operator: ColumnOperator, value: RowValue): string {
  const shown = showStored(value);
  const sign = SIGNS[operator];
  if (sign !== undefined) return `${name} ${sign} ${shown}`;
  if (isListValue(value) && operator.endsWith("in")) {
    return `${name} ${operator === "_in" ? "in" : "not in"} (${value.map(showStored).join(",")})`;
  }
  const { negated, nocase, kind } = patternKind(operator);
  const pattern = `${kind === "starts_with" ? "^" : "*"}${shown}${kind === "ends_with" ? "$" : "*"}`;
  return `${name} ${negated ? "!" : ""}~ ${pattern}${nocase ? "i" : ""}`;
}

const SIGNS: Readonly<Partial<Record<ColumnOperator, string>>> = {
  "": "=",
  _not: "!=",
  _gt: ">",
  _lt: "<",
  _gte: ">=",
  _lte: "<=",
};

/** Values: every matching row holds one, in its field or in the list there. Null if they cannot be listed. */
function soughtValues(
  attribute: Attribute,
  operator: ColumnOperator,
  value: RowValue,
): readonly RowValue[] | null {
  // A decimal can be stored in several notations, which the store does not normalize.
  if (attribute.valueType === "BigDecimal") return null;
  if (attribute.list) {
    const [first] = isListValue(value) && (operator === "" || operator === "_contains") ? value : [];
    return first === undefined || first === null ? null : [first];
  }
  if (operator === "" && value !== null) return [value];
  return operator === "_in" && isListValue(value) ? value : null;
}

/** The database accepts 32,767 parameters, and the block is one of them. */
const MOST_MEMBERS = 32_766;

function singleTest(attribute: Attribute, operator: ColumnOperator, value: RowValue): ValueTest {
  const { valueType } = attribute;
  const storedOf = valueType === "BigDecimal" ? decimalOf : (stored: RowValue) => stored;
  switch (operator) {
    case "":
      return (stored) => storedOf(stored) === value;
    case "_not":
      return (stored) => stored !== null && storedOf(stored) !== value;
    case "_gt":
    case "_lt":
    case "_gte":
    case "_lte": {
      if (value === null || typeof value === "boolean" || isListValue(value)) {
        return refuse(messages.unsupportedFilter(SIGNS[operator] ?? "", showStored(value)));
      }
      const wanted = operator.startsWith("_g") ? 1 : -1;
      const orEqual = operator.endsWith("e");
      return (stored) => {
        if (stored === null) return false;
        const order = compareValues(valueType, stored, value) * wanted;
        return order > 0 || (orEqual && order === 0);
      };
    }
    case "_in":
    case "_not_in": {
      if (!isListValue(value)) return () => false;
      if (value.length > MOST_MEMBERS) refuse(messages.store("value too large to transmit"));
      const members = new Set<RowValue>(value);
      // An empty list matches nothing, negated too.
      if (members.size === 0) return () => false;
      const wanted = operator === "_in";
      return (stored) => stored !== null && members.has(storedOf(stored)) === wanted;
    }
    default:
      return patternTest(attribute, operator, value);
  }
}

function patternTest(attribute: Attribute, operator: ColumnOperator, value: RowValue): ValueTest {
  const { negated, nocase, kind } = patternKind(operator);
  if (typeof value !== "string") {
    // The SQL operator.
    const sql = `${negated ? " not" : ""} ${nocase ? "ilike" : "like"} `;
    return refuse(messages.unsupportedFilter(sql, showStored(value)));
  }
  if (attribute.valueType === "Bytes") {
    return (stored) => typeof stored === "string" && containsBytes(stored, value) !== negated;
  }
  const pattern =
    kind === "contains" ? containsPattern(value) : kind === "starts_with" ? `${value}%` : `%${value}`;
  const matches = matchesLike(pattern, nocase);
  return (stored) => typeof stored === "string" && matches(stored) !== negated;
}

/** The pattern of "contains": a value with its own `%` at either end stays unchanged. */
function containsPattern(value: string): string {
  return value.startsWith("%") || value.endsWith("%") ? value : `%${value}%`;
}

/** Values of filters are patterns because the server never escapes them. */
function matchesLike(pattern: string, nocase: boolean): (text: string) => boolean {
  const fold = nocase ? foldAscii : (text: string) => text;
  const matches = compileLikePattern(fold(pattern), () =>
    refuse(messages.store("LIKE pattern must not end with escape character")),
  );
  return (text) => matches(fold(text));
}

/** Lower-cases ASCII letters only, like `ILIKE` in the `C` locale. */
function foldAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Whether hex `0x…` contains other bytes, at a byte boundary. */
function containsBytes(stored: string, value: string): boolean {
  const part = value.slice(2);
  for (let at = stored.indexOf(part, 2); at >= 0; at = stored.indexOf(part, at + 1)) {
    if (at % 2 === 0) return true;
  }
  return false;
}

/** Compiles a comparison of a stored list. */
function listTest(attribute: Attribute, operator: ColumnOperator, value: RowValue): ValueTest {
  const decimal = attribute.valueType === "BigDecimal";
  const listOf = (stored: RowValue): readonly RowValue[] | null => {
    if (!isListValue(stored)) return null;
    return decimal ? stored.map(decimalOf) : stored;
  };
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
  const { negated, nocase } = patternKind(operator);
  if (!isListValue(value)) return () => false;
  if (nocase) {
    // No `%` is added: `nocase` tests whether any element is like any of these.
    const patterns = value.map((item) => matchesLike(String(item), true));
    return (stored) => {
      // A null list has no elements to match.
      const list = listOf(stored) ?? [];
      return list.some((item) => patterns.some((matches) => matches(String(item)))) !== negated;
    };
  }
  return (stored) => {
    const list = listOf(stored);
    if (list === null) return false;
    return negated ? !value.some((item) => list.includes(item)) : value.every((item) => list.includes(item));
  };
}

/** The operators on text and lists. */
type Pattern = `${"" | "_not"}_${"contains" | "starts_with" | "ends_with"}${"" | "_nocase"}`;

/** The operators that compare a stored value; empty for equality. */
type ColumnOperator = Pattern | "" | `_${"not" | "gt" | "lt" | "gte" | "lte" | "not_in" | "in"}`;

/** The operator of a filter key. */
type Operator = ColumnOperator | "_" | "and" | "or";

/** The suffixes of filter keys; the server takes the longest match. */
const OPERATOR = /(?:_not)?_(?:contains|starts_with|ends_with)(?:_nocase)?$|_(?:not|gte?|lte?|not_in|in)?$/;

/** Parses a key like the server, which strips the suffix repeatedly. */
export function parseFilterKey(key: string): { readonly name: string; readonly operator: Operator } {
  if (key === "and" || key === "or") return { name: key, operator: key };
  const [operator = ""] = OPERATOR.exec(key) ?? [];
  let name = key;
  while (operator !== "" && name.endsWith(operator)) name = name.slice(0, -operator.length);
  return { name, operator: operator as Operator };
}

type PatternKind = {
  readonly negated: boolean;
  readonly nocase: boolean;
  readonly kind: "contains" | "starts_with" | "ends_with";
};

/** Parses an operator: `_not_contains_nocase` negates, ignores case and contains. */
function patternKind(operator: string): PatternKind {
  return {
    negated: operator.startsWith("_not_"),
    nocase: operator.endsWith("_nocase"),
    kind: KINDS.find((kind) => operator.includes(kind)) ?? "ends_with",
  };
}

const KINDS = ["contains", "starts_with"] as const;
