import type { Row, RowValue } from "../../../model/rows.ts";
import { compileColumn, type Filter, isListValue } from "./column-filter.ts";
import { parseFilterKey } from "./filter-key.ts";
import { messages } from "./messages.ts";
import { printQueryValue, type QueryValue } from "./query-value.ts";
import { refuse } from "./refusal.ts";
import type { Attribute, EntityFacts, SchemaIndex } from "./schema-index.ts";
import { type Entry, idOf, type Tables } from "./tables.ts";

export type FilterContext = {
  readonly index: SchemaIndex;
  readonly tables: Tables;
  /** Every row counts as written at this block: rows have no history. */
  readonly writtenAt: number;
};

/**
 * Compiles a `where` argument (B.4). SQL's three-valued logic comes down to one rule here: a comparison
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
