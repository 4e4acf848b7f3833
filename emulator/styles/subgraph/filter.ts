import { cached } from "../../../src/base/collections.ts";
import type { Row } from "../read-view.ts";
import type { Budget } from "../served-style.ts";
import {
  type Condition,
  type Filter,
  type LateErrors,
  parseColumn,
  parseFilterKey,
} from "./column-filter.ts";
import { idsOf } from "./decode-value.ts";
import { messages, refuse } from "./messages.ts";
import { NULL, printQueryValue, type QueryValue } from "./query-value.ts";
import type { Quirks } from "./quirks.ts";
import type { Attribute, EntityFacts, SchemaIndex } from "./schema-index.ts";
import { type Entry, idOf, type Tables } from "./tables.ts";

/** The rows of one block. */
export type FilterContext = {
  readonly budget: Budget;
  readonly index: SchemaIndex;
  readonly tables: Tables;
  readonly quirks: Quirks;
};

type CompileContext = FilterContext & { readonly late: LateErrors };

/** The context of one object of a filter. */
type Scope = CompileContext & { readonly entity: EntityFacts };

/**
 * Compiles a `where` argument, which is parsed completely before the store validates it. SQL's three-valued
 * logic reduces to one rule here: a comparison with a null is not true, negated or not, because only single
 * comparisons can be negated.
 *
 * @throws QueryError where the server refuses the filter.
 */
export function compileFilter(
  where: QueryValue | undefined,
  entity: EntityFacts,
  context: CompileContext,
): Filter {
  if (where === undefined || where.kind === "Null") return MATCH_ALL;
  if (where.kind !== "Object") return refuse(messages.filterNotObject);
  return parseObject(where.entries, { ...context, entity }).build(false);
}

const MATCH_ALL: Filter = { matches: () => true, lookups: [] };
const MATCH_NONE: Filter = { matches: () => false, lookups: [() => []] };

type Entries = ReadonlyMap<string, QueryValue>;

/** The conditions of one object, ANDed. */
function parseObject(entries: Entries, scope: Scope): Condition {
  if (scope.quirks.explainsMixedOr && entries.has("or")) {
    const columns = [...entries.keys()].filter((key) => !BOOLEAN_KEYS.has(key));
    if (columns.length > 0) refuse(messages.mixedOr(columns));
  }
  return joined(
    [...entries.keys()].map((key) => parseKey(key, entries, scope)),
    "and",
  );
}

const BOOLEAN_KEYS: ReadonlySet<string> = new Set(["and", "or", "_change_block"]);

function parseKey(key: string, entries: Entries, scope: Scope): Condition {
  const { entity } = scope;
  const value = entries.get(key) ?? NULL;
  if (key === "_change_block") return parseChangeBlock(value, scope);
  const { name, operator } = parseFilterKey(key);
  if (operator === "and" || operator === "or") return joined(flatten(entries, scope), operator);
  const attribute = entity.attribute(name);
  if (attribute === undefined) {
    const isChild = operator === "_" && value.kind === "Object";
    return refuse(isChild ? messages.filterNotObject : messages.noAttribute(entity.name, name));
  }
  if (operator === "_") return parseChild(attribute, value, scope);
  return parseColumn({ attribute, operator }, value, scope);
}

function joined(conditions: readonly Condition[], word: "and" | "or"): Condition {
  const join = word === "and" ? allOf : anyOf;
  return {
    shown: () => conditions.map(({ shown }) => shown()).join(` ${word} `),
    build: (inChild) => join(conditions.map(({ build }) => build(inChild))),
  };
}

function allOf(filters: readonly Filter[]): Filter {
  const [first = MATCH_ALL, ...others] = filters;
  if (others.length === 0) return first;
  return {
    matches: (row, type) => filters.every(({ matches }) => matches(row, type)),
    lookups: filters.flatMap(({ lookups }) => lookups),
  };
}

function anyOf(filters: readonly Filter[]): Filter {
  const [first = MATCH_NONE, ...others] = filters;
  if (others.length === 0) return first;
  return { matches: (row, type) => filters.some(({ matches }) => matches(row, type)), lookups: [] };
}

/** `and` and `or` each take the elements of EVERY list of their object, so they cannot be mixed. */
function flatten(entries: Entries, scope: Scope): readonly Condition[] {
  return [...entries.values()].flatMap((list) => {
    if (list.kind !== "List") return refuse(messages.filterNotObject);
    return list.values.map((item) => {
      if (item.kind !== "Object") return refuse(messages.filterNotObject);
      return parseObject(item.entries, scope);
    });
  });
}

/** Compares the block at which a row got its value. */
function parseChangeBlock(value: QueryValue, { tables }: FilterContext): Condition {
  const least = value.kind === "Object" ? value.entries.get("number_gte") : undefined;
  if (least?.kind !== "Int") return refuse(messages.filterNotObject);
  const block = Number(least.value);
  const filter: Filter = {
    matches: (row, type) => tables.store.writtenAt(type, idOf(row)) >= block,
    lookups: [],
  };
  return { shown: () => `block >= ${block}`, build: () => filter };
}

function parseChild(attribute: Attribute, value: QueryValue, scope: Scope): Condition {
  if (value.kind !== "Object") {
    return refuse(messages.wrongValueType(printQueryValue(value), attribute.type));
  }
  const target = scope.index.entity(attribute.base);
  if (target === undefined || target.kind === "aggregation") return refuse(messages.filterNotObject);
  const inside = parseObject(value.entries, { ...scope, entity: target });
  const on = attribute.derivedFrom ?? attribute.name;
  // The store joins each type of an interface, and refuses the first; none if the interface has no types. It joins an
  // entity once for each type of the interface that has the field.
  const types = scope.index.concreteTypes(target.name);
  const owners = scope.index.concreteTypes(scope.entity.name);
  const tables = target.kind === "interface" ? types : owners.map(() => target.name);
  const shownOf = (table: string) => `join on ${on} with ${table}(${inside.shown()})`;
  return {
    shown: () => tables.map(shownOf).join(" or "),
    build: (inChild) => {
      const [first] = tables;
      if (first === undefined) return MATCH_NONE;
      if (inChild) refuse(messages.childNesting(on, shownOf(first)));
      return childFilter({ attribute, target }, inside.build(true), scope);
    },
  };
}

type Child = { readonly attribute: Attribute; readonly target: EntityFacts };

/** Matches rows if any referenced entity matches a filter. Each entity is tested once. */
function childFilter(
  { attribute: { name: field, derivedFrom: declared }, target }: Child,
  filter: Filter,
  { index, tables }: Scope,
): Filter {
  const matchesById = new Map<string, boolean>();
  const childMatches = ({ type, row }: Entry): boolean =>
    cached(matchesById, idOf(row), () => filter.matches(row, type));
  // A field of an interface is derived as its implementers declare it.
  const sources = new Map<string, string | null>();
  const sourceOf = (type: string): string | null =>
    cached(sources, type, () => {
      const implemented = index.entity(type)?.attribute(field);
      return implemented === undefined ? declared : implemented.derivedFrom;
    });
  const targets = index.concreteTypes(target.name);

  function matches(row: Row, type: string): boolean {
    const derivedFrom = sourceOf(type);
    const id = row[field];
    if (derivedFrom === null) return typeof id === "string" ? idMatches(id) : idsOf(id).some(idMatches);
    for (const each of targets) {
      for (const child of tables.matching(each, derivedFrom, row["id"] ?? null)) {
        if (childMatches({ type: each, row: child })) return true;
      }
    }
    return false;
  }

  function idMatches(id: string): boolean {
    return cached(matchesById, id, () => {
      const child = tables.find(target.name, id);
      return child !== undefined && filter.matches(child.row, child.type);
    });
  }

  return { matches, lookups: [] };
}
