import { cached } from "../../../src/base/collections.ts";
import type { Row } from "../read-view.ts";
import { type Collection, type CollectionContext, checkBuckets, readCollection } from "./collection.ts";
import { holdsZero, ZERO_BYTE } from "./column-filter.ts";
import { decodeId, holdsValue, idsOf } from "./decode-value.ts";
import { searchFulltext } from "./fulltext.ts";
import { type ErrorEntry, messages, QueryError, refuse } from "./messages.ts";
import type { Attribute, EntityFacts, SchemaIndex } from "./schema-index.ts";
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
    const collection = readCollection({ entity, args: field.args, below: "nothing" }, context);
    const search = context.index.search(field.name);
    const text = field.args.get("text");
    return search && text?.kind === "String"
      ? searchFulltext({ text: text.value, search }, collection, context)
      : pageOf(collection, ALL, context.index);
  }
  const id = field.args.get("id");
  if (id?.kind !== "String") return [];
  const decoded = decodeId(entity.attribute("id")?.valueType ?? "ID", id.value);
  if (holdsZero(decoded)) refuse(messages.store(ZERO_BYTE));
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
        const nodesById = new Map<string, Node>();
        const fetch = childFetcher(field, ofType, context);
        for (const parent of ofType) {
          const entries = fetch(parent.row);
          context.budget.spend(PAGE + entries.length);
          parent.children.set(field, nodesOf(entries, nodesById));
        }
        prefetchChildren([...nodesById.values()], field.selection, context);
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

function nodesOf(entries: readonly Entry[], nodesById: Map<string, Node>): readonly Node[] {
  return entries.map(({ type, row }) =>
    cached(nodesById, idOf(row), (): Node => ({ type, row, children: new Map() })),
  );
}

/** @param parents of one type. */
function childFetcher(
  field: SelectedField,
  parents: readonly Node[],
  context: CollectionContext,
): (parent: Row) => readonly Entry[] {
  const { index, tables } = context;
  const type = parents[0]?.type ?? "";
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
    if (derivedFrom === null) return (parent) => referred(parent, attribute, tables);
    const types = index.concreteTypes(attribute.base);
    return (parent) =>
      types.flatMap((of) => tables.matching(of, derivedFrom, idOf(parent)).map((row) => ({ type: of, row })));
  }
  const below = hasIds ? "ids" : "no ids";
  const collection = readCollection({ entity: target, args: field.args, below }, context);
  return (parent) =>
    pageOf(
      collection,
      derivedFrom === null
        ? { kind: "some", entries: referred(parent, attribute, tables) }
        : { kind: "pointing", field: derivedFrom, id: idOf(parent) },
      index,
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

/** The candidates of a collection: all of its type, those that refer back to a row, or some. */
type Scope =
  | { readonly kind: "all" }
  | { readonly kind: "pointing"; readonly field: string; readonly id: string }
  | { readonly kind: "some"; readonly entries: readonly Entry[] };

/** The page in a collection's range. */
function pageOf(collection: Collection, scope: Scope, index: SchemaIndex): readonly Entry[] {
  const { entity, tables, first, skip, order } = collection;
  const types = index.concreteTypes(entity.name);
  const pages = types.map((type) => topOfType(type, collection, scope).map((row) => ({ type, row })));
  const [only = []] = pages;
  if (pages.length < 2) return only.slice(skip, skip + first);
  const merged = tables.sortEntries(order.key, pages.flat());
  return (order.descending ? merged.toReversed() : merged).slice(skip, skip + first);
}

/** The first matches of one object type, in order: as many as the page can need. */
function topOfType(type: string, collection: Collection, scope: Scope): readonly Row[] {
  const { filter, tables } = collection;
  switch (scope.kind) {
    case "all":
      return topOf(type, collection);
    case "pointing": {
      const { field, id } = scope;
      const pointing = {
        matches: (row: Row, of: string) => holdsValue(row[field], id) && filter.matches(row, of),
        lookups: [valuesLookup(tables, field, [id]), ...filter.lookups],
      };
      return topOf(type, { ...collection, filter: pointing });
    }
    case "some":
      return sorted(
        scope.entries.filter((entry) => entry.type === type).map(({ row }) => row),
        type,
        collection,
      );
  }
}

/** Fewer rows are sorted directly, not found in the order of all rows. */
const FEW = 500;

/**
 * Finds the first rows: few candidates are sorted; many are found in the order of all rows, or sorted if that takes
 * too long.
 */
function topOf(type: string, collection: Collection): readonly Row[] {
  const candidates = lookUp(collection.filter.lookups, type);
  if (candidates === null) return walked(Number.MAX_SAFE_INTEGER, type, collection) ?? [];
  const rows = candidates.length > FEW ? walked(candidates.length * 2, type, collection) : null;
  return rows ?? sorted(candidates, type, collection);
}

/** Walks all rows in order until the page is full; null after too many rows. */
function walked(
  most: number,
  type: string,
  { order: { key, descending }, first, skip, filter, tables }: Collection,
): readonly Row[] | null {
  const rows = tables.ordered(type, key);
  const matches: Row[] = [];
  for (let place = 0; place < rows.length && matches.length < first + skip; place++) {
    if (place >= most) return null;
    const row = rows[descending ? rows.length - 1 - place : place] as Row;
    if (filter.matches(row, type)) matches.push(row);
  }
  return matches;
}

function sorted(
  rows: readonly Row[],
  type: string,
  { order: { key, descending }, first, skip, filter, tables }: Collection,
): readonly Row[] {
  const ascending = tables.sort(
    type,
    key,
    rows.filter((row) => filter.matches(row, type)),
  );
  return (descending ? ascending.toReversed() : ascending).slice(0, first + skip);
}
