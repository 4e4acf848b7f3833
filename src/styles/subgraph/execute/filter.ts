import type { Row, RowValue } from "../../../model/rows.ts";
import { decodeValue } from "./decode-value.ts";
import { containsPattern, foldAscii, matchesLike } from "./like.ts";
import { messages } from "./messages.ts";
import { printQueryValue, type QueryValue } from "./query-value.ts";
import { refuse } from "./refusal.ts";
import { compareValues, normalizeDecimal } from "./scalars.ts";
import type { Attribute, EntityFacts, SchemaIndex } from "./schema-index.ts";
import { type Entry, idOf, type Tables } from "./tables.ts";

export type Filter = {
  readonly matches: (row: Row) => boolean;
  /** Equalities that every matching row meets, each of which the store can look up. */
  readonly lookups: readonly Lookup[];
};

export type Lookup = { readonly field: string; readonly values: readonly RowValue[] };

export type FilterContext = {
  readonly index: SchemaIndex;
  readonly tables: Tables;
  /** Every row counts as written at this block: rows have no history. */
  readonly writtenAt: number;
};

/**
 * Compiles a `where` argument (spec B.4). SQL's three-valued logic comes down to one rule here: a comparison
 * with a null is not true, negated or not, because only single comparisons can be negated.
 *
 * @throws Refusal where the server refuses the filter.
 */
export function compileFilter(
  where: QueryValue | undefined,
  entity: EntityFacts,
  context: FilterContext,
): Filter {
  if (where === undefined || where.kind === "Null") return MATCH_ALL;
  if (where.kind !== "Object") return refuse(messages.filterNotObject);
  return compileObject(where.entries, entity, context, false);
}

const MATCH_ALL: Filter = { matches: () => true, lookups: [] };

type Entries = ReadonlyMap<string, QueryValue>;

/** The keys of one object, which are ANDed. */
function compileObject(
  entries: Entries,
  entity: EntityFacts,
  context: FilterContext,
  inChild: boolean,
): Filter {
  if (entries.has("or")) {
    const columns = [...entries.keys()].filter((key) => !BOOLEAN_KEYS.has(key));
    if (columns.length > 0) refuse(messages.mixedOr(columns));
  }
  const filters = [...entries].map(([key, value]) =>
    compileKey(key, value, entries, entity, context, inChild),
  );
  if (filters.length === 1 && filters[0] !== undefined) return filters[0];
  return allOf(filters);
}

const BOOLEAN_KEYS: ReadonlySet<string> = new Set(["and", "or", "_change_block"]);

function compileKey(
  key: string,
  value: QueryValue,
  siblings: Entries,
  entity: EntityFacts,
  context: FilterContext,
  inChild: boolean,
): Filter {
  if (key === "_change_block") return compileChangeBlock(value, context);
  const { name, operator } = parseFilterKey(key);
  switch (operator) {
    case "and":
      return allOf(flatten(siblings, entity, context, inChild));
    case "or": {
      const filters = flatten(siblings, entity, context, inChild);
      return { matches: (row) => filters.some((filter) => filter.matches(row)), lookups: [] };
    }
  }
  const attribute = entity.attribute(name);
  if (attribute === undefined) return refuse(messages.noAttribute(entity.name, name));
  if (operator === "_") return compileChild(attribute, value, context, inChild);
  return compileColumn(attribute, operator, value);
}

function allOf(filters: readonly Filter[]): Filter {
  return {
    matches: (row) => filters.every((filter) => filter.matches(row)),
    lookups: filters.flatMap((filter) => filter.lookups),
  };
}

/** `and` and `or` each take the elements of EVERY list of their object, which is why they do not mix. */
function flatten(
  siblings: Entries,
  entity: EntityFacts,
  context: FilterContext,
  inChild: boolean,
): readonly Filter[] {
  return [...siblings.values()].flatMap((list) => {
    if (list.kind !== "List") return refuse(messages.filterNotObject);
    return list.values.map((item) => {
      if (item.kind !== "Object") return refuse(messages.filterNotObject);
      return compileObject(item.entries, entity, context, inChild);
    });
  });
}

function compileChangeBlock(value: QueryValue, { writtenAt }: FilterContext): Filter {
  const least = value.kind === "Object" ? value.entries.get("number_gte") : undefined;
  if (least?.kind !== "Int") return refuse(messages.filterNotObject);
  const written = BigInt(writtenAt) >= least.value;
  return { matches: () => written, lookups: [] };
}

const OPERATORS = [
  "_not",
  "_gt",
  "_lt",
  "_gte",
  "_lte",
  "_not_in",
  "_in",
  "_not_contains",
  "_not_contains_nocase",
  "_contains",
  "_contains_nocase",
  "_not_starts_with",
  "_not_starts_with_nocase",
  "_not_ends_with",
  "_not_ends_with_nocase",
  "_starts_with",
  "_starts_with_nocase",
  "_ends_with",
  "_ends_with_nocase",
  "_",
] as const;

type Operator = (typeof OPERATORS)[number] | "and" | "or" | "";

/** Reads a key as the server does: the first suffix that fits, in this order, stripped as often as it is there. */
function parseFilterKey(key: string): { readonly name: string; readonly operator: Operator } {
  for (const operator of OPERATORS) {
    if (!key.endsWith(operator)) continue;
    let name = key;
    while (name.endsWith(operator)) name = name.slice(0, -operator.length);
    return { name, operator };
  }
  if (key === "and" || key === "or") return { name: key, operator: key };
  return { name: key, operator: "" };
}

function compileChild(
  attribute: Attribute,
  value: QueryValue,
  context: FilterContext,
  inChild: boolean,
): Filter {
  const { index, tables } = context;
  if (value.kind !== "Object") {
    return refuse(messages.wrongValueType(printQueryValue(value), attribute.type));
  }
  const target = index.entity(attribute.base);
  if (target === undefined) return refuse(messages.filterNotObject);
  const { derivedFrom } = attribute;
  if (inChild) {
    const shown = [...value.entries].map(([key, item]) => `${key} = ${printQueryValue(item)}`).join(" and ");
    refuse(
      messages.childNesting(
        derivedFrom ?? attribute.name,
        `join on ${derivedFrom ?? attribute.name} with ${target.name}(${shown})`,
      ),
    );
  }
  const filter = compileObject(value.entries, target, context, true);
  const known = new Map<string, boolean>();
  const childMatches = (child: Entry) => {
    const id = idOf(child.row);
    const before = known.get(id);
    if (before !== undefined) return before;
    const matched = filter.matches(child.row);
    known.set(id, matched);
    return matched;
  };
  const matches =
    derivedFrom !== null
      ? (row: Row) => tables.matching(target.name, derivedFrom, row["id"] ?? null).some(childMatches)
      : (row: Row) =>
          idsOf(row[attribute.name]).some((id) => {
            const before = known.get(id);
            if (before !== undefined) return before;
            const child = tables.find(target.name, id);
            return child !== undefined && childMatches(child);
          });
  return { matches, lookups: [] };
}

/** The ids a stored reference, or list of references, holds. */
export function idsOf(value: RowValue | undefined): readonly string[] {
  if (value === null || value === undefined) return [];
  return isListValue(value) ? value.map(String) : [String(value)];
}

function isListValue(value: RowValue): value is readonly RowValue[] {
  return Array.isArray(value);
}

type ColumnOperator = Exclude<Operator, "_" | "and" | "or">;

function compileColumn(attribute: Attribute, operator: ColumnOperator, value: QueryValue): Filter {
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
      // An empty list matches nothing, negated too (spec B.4).
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
