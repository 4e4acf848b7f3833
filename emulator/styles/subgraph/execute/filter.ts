import type { Budget } from "../../budget.ts";
import { childFilter } from "./child-filter.ts";
import { compileColumn, type Filter } from "./column-filter.ts";
import { parseFilterKey } from "./filter-key.ts";
import { messages } from "./messages.ts";
import { refuse } from "./query-error.ts";
import { printQueryValue, type QueryValue } from "./query-value.ts";
import type { Quirks } from "./quirks.ts";
import type { Attribute, EntityFacts, SchemaIndex } from "./schema-index.ts";
import { idOf, type Tables } from "./tables.ts";

/** What filters are compiled for: the rows of one block. */
export type FilterContext = {
  readonly budget: Budget;
  readonly index: SchemaIndex;
  readonly tables: Tables;
  readonly quirks: Quirks;
};

/**
 * Compiles a `where` argument (B.4). SQL's three-valued logic comes down to one rule here: a comparison
 * with a null is not true, negated or not, because only single comparisons can be negated.
 *
 * @throws QueryError where the server refuses the filter.
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
const MATCH_NONE: Filter = { matches: () => false, lookups: [() => []] };

type Entries = ReadonlyMap<string, QueryValue>;

/** The keys of one object, which are ANDed. */
function compileObject(
  entries: Entries,
  entity: EntityFacts,
  context: FilterContext,
  inChild: boolean,
): Filter {
  if (context.quirks.explainsMixedOr && entries.has("or")) {
    const columns = [...entries.keys()].filter((key) => !BOOLEAN_KEYS.has(key));
    if (columns.length > 0) refuse(messages.mixedOr(columns));
  }
  return allOf([...entries].map(([key, value]) => compileKey(key, value, entries, entity, context, inChild)));
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
    case "or":
      return anyOf(flatten(siblings, entity, context, inChild));
  }
  const attribute = entity.attribute(name);
  if (attribute === undefined) {
    const isChild = operator === "_" && value.kind === "Object";
    return refuse(isChild ? messages.filterNotObject : messages.noAttribute(entity.name, name));
  }
  if (operator === "_") return compileChild(attribute, value, entity, context, inChild);
  return compileColumn(attribute, operator, value, context);
}

function allOf(filters: readonly Filter[]): Filter {
  const [first, second, ...more] = filters;
  if (first === undefined) return MATCH_ALL;
  if (second === undefined) return first;
  const both: Filter = {
    matches: (row, type) => first.matches(row, type) && second.matches(row, type),
    lookups: [...first.lookups, ...second.lookups],
  };
  return more.length === 0 ? both : allOf([both, ...more]);
}

function anyOf(filters: readonly Filter[]): Filter {
  const [first, second] = filters;
  if (first === undefined) return MATCH_NONE;
  if (second === undefined) return first;
  return {
    matches: (row, type) => {
      for (const filter of filters) if (filter.matches(row, type)) return true;
      return false;
    },
    lookups: [],
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

/** Asks of a row when it became what it is at the queried block. */
function compileChangeBlock(value: QueryValue, { tables }: FilterContext): Filter {
  const least = value.kind === "Object" ? value.entries.get("number_gte") : undefined;
  if (least?.kind !== "Int") return refuse(messages.filterNotObject);
  const block = Number(least.value);
  return {
    matches: (row, type) => tables.store.writtenAt(type, idOf(row)) >= block,
    lookups: [],
  };
}

function compileChild(
  attribute: Attribute,
  value: QueryValue,
  entity: EntityFacts,
  context: FilterContext,
  inChild: boolean,
): Filter {
  if (value.kind !== "Object") {
    return refuse(messages.wrongValueType(printQueryValue(value), attribute.type));
  }
  const target = context.index.entity(attribute.base);
  if (target === undefined) return refuse(messages.filterNotObject);
  const filter = compileObject(value.entries, target, context, true);
  // The store refuses what it is given, hence after everything in it was read.
  if (inChild) {
    const on = attribute.derivedFrom ?? attribute.name;
    const shown = [...value.entries].map(([key, item]) => `${key} = ${printQueryValue(item)}`).join(" and ");
    refuse(messages.childNesting(on, `join on ${on} with ${target.name}(${shown})`));
  }
  return childFilter(attribute.name, entity, target, filter, context);
}
