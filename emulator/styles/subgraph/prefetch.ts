import { cached } from "../../../src/base/collections.ts";
import type { Row } from "../read-view.ts";
import { type Collection, type CollectionContext, checkBuckets, readCollection } from "./collection.ts";
import type { Filter } from "./column-filter.ts";
import { decodeId, holdsValue, idsOf } from "./decode-value.ts";
import type { FilterContext } from "./filter.ts";
import { searchFulltext } from "./fulltext.ts";
import { messages } from "./messages.ts";
import { type ErrorEntry, QueryError, refuse } from "./query-error.ts";
import type { Attribute, EntityFacts } from "./schema-index.ts";
import type { SelectedField, Selection } from "./select.ts";
import { type Entry, idOf, lookUp, type Tables, valuesLookup } from "./tables.ts";

/** An entity of the answer with its nested entities. Equal entities under one field share a node. */
export type Node = {
  readonly type: string;
  readonly row: Row;
  readonly children: Map<SelectedField, readonly Node[]>;
};

/**
 * Fetches the entities of a root field, level by level. Each field is read once for all its parents, so arguments are
 * only validated if there is a parent, and an error is reported once.
 *
 * @throws QueryError with all errors of the level that failed first.
 */
export function prefetchRoot(field: SelectedField, context: CollectionContext): readonly Node[] {
  const entity = context.index.entity(field.field.base);
  if (entity === undefined) return refuse(messages.unknownType(field.field.base));
  const nodes = nodesOf(fetchRoot(field, entity, context), new Map());
  prefetchChildren(nodes, field.selection, context);
  return nodes;
}

const ALL: Scope = { kind: "all" };

function fetchRoot(field: SelectedField, entity: EntityFacts, context: CollectionContext): readonly Entry[] {
  if (field.field.list) {
    const collection = readCollection(entity, field.args, context, "nothing");
    const search = context.index.searched(field.name);
    const text = field.args.get("text");
    return search && text?.kind === "String"
      ? searchFulltext(text.value, search, collection, context)
      : pageOf(collection, ALL, context);
  }
  const id = field.args.get("id");
  if (id?.kind !== "String") return [];
  const decoded = decodeId(entity.attribute("id")?.valueType ?? "ID", id.value);
  const entry = context.tables.find(entity.name, String(decoded));
  return entry ? [entry] : [];
}

function prefetchChildren(parents: readonly Node[], selection: Selection, context: CollectionContext): void {
  const errors: ErrorEntry[] = [];
  for (const [type, fields] of selection) {
    const ofType = parents.filter((parent) => parent.type === type);
    if (ofType.length === 0) continue;
    for (const field of fields) {
      if (field.field.leaf || field.hollow) continue;
      checkBuckets(field, context.index);
      try {
        const known = new Map<string, Node>();
        const fetch = childFetcher(type, field, ofType, context);
        for (const parent of ofType) {
          const entries = fetch(parent.row);
          context.budget.spend(PAGE + entries.length);
          parent.children.set(field, nodesOf(entries, known));
        }
        prefetchChildren([...known.values()], field.selection, context);
      } catch (cause) {
        if (!(cause instanceof QueryError) || cause.isFatal) throw cause;
        errors.push(...cause.errors);
      }
    }
  }
  if (errors.length > 0) throw new QueryError(errors);
}

/** Finding the nested entities of one entity costs as much as this many rows. */
const PAGE = 4;

function nodesOf(entries: readonly Entry[], known: Map<string, Node>): readonly Node[] {
  return entries.map(({ type, row }) =>
    cached(known, idOf(row), (): Node => ({ type, row, children: new Map() })),
  );
}

function childFetcher(
  type: string,
  field: SelectedField,
  parents: readonly Node[],
  context: CollectionContext,
): (parent: Row) => readonly Entry[] {
  const { index, tables } = context;
  const attribute = index.entity(type)?.attribute(field.name);
  const target = index.entity(field.field.base);
  if (attribute === undefined || target === undefined) return refuse(messages.unknownType(field.field.base));
  const { derivedFrom } = attribute;
  const hasIds = derivedFrom !== null || parents.some(({ row }) => idsOf(row[field.name]).length > 0);
  if (!attribute.list) {
    const idType = NO_TEXT[index.entity(type)?.attribute("id")?.valueType ?? ""];
    // With several tables, ids are not compared as text with those of the parents.
    if (!hasIds && idType !== undefined && index.concreteTypes(attribute.base).length > 1) {
      refuse(messages.store(`operator does not exist: text = ${idType}`));
    }
    return derivedFrom === null
      ? (parent) => referred(parent, attribute, tables)
      : (parent) => pointing(parent, attribute.base, derivedFrom, context);
  }
  const collection = readCollection(target, field.args, context, hasIds ? "ids" : "no ids");
  return (parent) =>
    pageOf(
      collection,
      derivedFrom === null
        ? { kind: "some", entries: referred(parent, attribute, tables) }
        : { kind: "pointing", field: derivedFrom, id: idOf(parent) },
      context,
    );
}

/** PostgreSQL's names of id types other than text. */
const NO_TEXT: Readonly<Record<string, string>> = { Bytes: "bytea", Int8: "bigint" };

/** The existing entities that a stored field refers to, without duplicates or order. */
function referred(parent: Row, { base, name }: Attribute, tables: Tables): readonly Entry[] {
  const entries: Entry[] = [];
  for (const id of new Set(idsOf(parent[name]))) {
    const entry = tables.find(base, id);
    if (entry) entries.push(entry);
  }
  return entries;
}

/** The entities that refer back to a row, unordered. */
function pointing(
  parent: Row,
  base: string,
  derivedFrom: string,
  { index, tables }: CollectionContext,
): readonly Entry[] {
  return index
    .concreteTypes(base)
    .flatMap((type) => tables.matching(type, derivedFrom, idOf(parent)).map((row) => ({ type, row })));
}

/** The candidates of a collection: all of its type, those that refer back to a row, or some. */
export type Scope =
  | { readonly kind: "all" }
  | { readonly kind: "pointing"; readonly field: string; readonly id: string }
  | { readonly kind: "some"; readonly entries: readonly Entry[] };

/** The page in a collection's range. */
export function pageOf(collection: Collection, scope: Scope, context: FilterContext): readonly Entry[] {
  const { entity, first, skip, order } = collection;
  const types = context.index.concreteTypes(entity.name);
  const pages = types.map((type) =>
    topOfType(type, collection, scope, context.tables).map((row) => ({ type, row })),
  );
  const [only = []] = pages;
  if (pages.length < 2) return only.slice(skip, skip + first);
  const merged = context.tables.sortEntries(order.key, pages.flat());
  return (order.descending ? merged.toReversed() : merged).slice(skip, skip + first);
}

/** The first matches of one object type, in order: as many as the page can need. */
function topOfType(type: string, collection: Collection, scope: Scope, tables: Tables): readonly Row[] {
  const { filter } = collection;
  switch (scope.kind) {
    case "all":
      return topOf(type, collection, filter, tables);
    case "pointing": {
      const { field, id } = scope;
      const pointing = {
        matches: (row: Row, of: string) => holdsValue(row[field], id) && filter.matches(row, of),
        lookups: [valuesLookup(tables, field, [id]), ...filter.lookups],
      };
      return topOf(type, collection, pointing, tables);
    }
    case "some": {
      const rows = scope.entries.filter((entry) => entry.type === type).map(({ row }) => row);
      return sorted(rows, type, collection, filter, tables);
    }
  }
}

/** Fewer rows are sorted directly, not found in the order of all rows. */
const FEW = 500;

/**
 * Finds the first rows: few candidates are sorted; many are found in the order of all rows, or sorted if that takes
 * too long.
 */
function topOf(type: string, collection: Collection, filter: Filter, tables: Tables): readonly Row[] {
  const candidates = lookUp(filter.lookups, type);
  if (candidates === null) return walked(Number.MAX_SAFE_INTEGER, type, collection, filter, tables) ?? [];
  const met =
    candidates.length > FEW ? walked(candidates.length * 2, type, collection, filter, tables) : null;
  return met ?? sorted(candidates, type, collection, filter, tables);
}

/** Walks all rows in order until the page is full; null after too many rows. */
function walked(
  most: number,
  type: string,
  { order: { key, descending }, first, skip }: Collection,
  filter: Filter,
  tables: Tables,
): readonly Row[] | null {
  const rows = tables.ordered(type, key);
  const found: Row[] = [];
  for (let place = 0; place < rows.length && found.length < first + skip; place++) {
    if (place >= most) return null;
    const row = rows[descending ? rows.length - 1 - place : place] as Row;
    if (filter.matches(row, type)) found.push(row);
  }
  return found;
}

function sorted(
  rows: readonly Row[],
  type: string,
  { order: { key, descending }, first, skip }: Collection,
  filter: Filter,
  tables: Tables,
): readonly Row[] {
  const ascending = tables.sort(
    type,
    key,
    rows.filter((row) => filter.matches(row, type)),
  );
  return (descending ? ascending.toReversed() : ascending).slice(0, first + skip);
}
