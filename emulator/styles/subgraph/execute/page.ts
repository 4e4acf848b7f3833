import type { Row } from "../../read-view.ts";
import { LARGEST_BUCKET } from "./bucket-cache.ts";
import type { Collection } from "./collection.ts";
import type { Filter } from "./column-filter.ts";
import type { FilterContext } from "./filter.ts";
import { type Lookup, leastLookup, lookUp, rangeLookup, valueLookup } from "./lookup.ts";
import { type OrderedRows, type Part, partOf, sizeOf, walkRows, wholeOf } from "./ordered-rows.ts";
import { holdsValue } from "./stored-value.ts";
import type { Entry, Tables } from "./tables.ts";

/** The entities a collection is of: all of its type, the ones that point back at a row, or some. */
export type Scope =
  | { readonly kind: "all" }
  | { readonly kind: "pointing"; readonly field: string; readonly id: string }
  | { readonly kind: "some"; readonly entries: readonly Entry[] };

/** The page of a collection that its range asks for. */
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

/** What matches of one object type, in order, no more than the page can need. */
function topOfType(type: string, collection: Collection, scope: Scope, tables: Tables): readonly Row[] {
  const search = createSearch(type, collection, tables);
  const { filter } = collection;
  switch (scope.kind) {
    case "all":
      return topOf(search, filter);
    case "pointing": {
      const { field, id } = scope;
      return topOf(search, {
        matches: (row, of) => holdsValue(row[field], id) && filter.matches(row, of),
        lookups: [valueLookup(tables, field, id), ...filter.lookups],
        ranges: filter.ranges,
      });
    }
    case "some":
      return search.sorted(
        scope.entries.filter((entry) => entry.type === type).map(({ row }) => row),
        filter,
      );
  }
}

/** The ways to find the top rows of one object type. */
type Search = {
  readonly type: string;
  /** How many rows of the type lie in the filter's ranges of the field that orders. */
  readonly size: (filter: Filter) => number;
  /** Walks in order until the page is full; null when it is not after so many rows. */
  readonly walked: (filter: Filter, most: number) => readonly Row[] | null;
  /** Sorts what matches of some rows. */
  readonly sorted: (rows: readonly Row[], filter: Filter) => readonly Row[];
  /** Walks in order the rows that a lookup gives, if they are kept in this order; null while they are not. */
  readonly bucket: (filter: Filter, lookup: Lookup) => readonly Row[] | null;
  readonly byRange: (filter: Filter) => readonly Lookup[];
  readonly wanted: number;
};

function createSearch(type: string, { order, first, skip }: Collection, tables: Tables): Search {
  const { key, descending } = order;
  const wanted = first + skip;

  function part({ ranges }: Filter): { readonly rows: OrderedRows; readonly part: Part } {
    const rows = tables.ordered(type, key);
    const bounds = key.child === null ? ranges.filter(({ field }) => field === key.field) : [];
    return { rows, part: bounds.length === 0 ? wholeOf(rows) : partOf(rows, bounds) };
  }

  return {
    type,
    wanted,
    size: (filter) => sizeOf(part(filter).part),
    walked: (filter, most) => {
      const found: Row[] = [];
      let left = most;
      const within = part(filter);
      walkRows(within.rows, within.part, descending, (row) => {
        if (left-- <= 0) return false;
        if (filter.matches(row, type)) found.push(row);
        return found.length < wanted;
      });
      return left < 0 ? null : found;
    },
    sorted: (rows, filter) => {
      const matching = rows.filter((row) => filter.matches(row, type));
      const ascending = tables.sort(type, key, matching);
      return (descending ? ascending.toReversed() : ascending).slice(0, wanted);
    },
    bucket: (filter, { bucket }) => {
      const rows = bucket && tables.bucket({ ...bucket, type }, key);
      return rows && firstMatching(rows, descending, wanted, (row) => filter.matches(row, type));
    },
    byRange: ({ ranges }) => ranges.map((range) => rangeLookup(tables, range)),
  };
}

/** The first rows that match, or the last ones backwards. */
function firstMatching(
  rows: readonly Row[],
  descending: boolean,
  wanted: number,
  matches: (row: Row) => boolean,
): readonly Row[] {
  const found: Row[] = [];
  for (let place = 0; place < rows.length && found.length < wanted; place++) {
    const row = rows[descending ? rows.length - 1 - place : place] as Row;
    if (matches(row)) found.push(row);
  }
  return found;
}

/** So few rows are sorted rather than looked for in the order of all. */
const FEW = 500;
/** More rows than these are not gathered: so many matches are soon met in the order of all. */
const MOST = 50_000;
/** So many rows are walked before the range of another field is looked up. */
const PATIENCE = 2000;

/**
 * Finds the top rows by what is cheapest: few candidates are sorted; many lie close together in the order of all
 * rows, which is walked; and where they turn out not to, the range of another field narrows them down.
 */
function topOf(search: Search, filter: Filter): readonly Row[] {
  const { type, walked, sorted } = search;
  const least = leastLookup(filter.lookups, type);
  if (least !== null && least.size > FEW) {
    const kept = least.size > LARGEST_BUCKET ? null : search.bucket(filter, least.lookup);
    const soon = kept ?? walked(filter, least.size * 2);
    if (soon !== null) return soon;
  }
  const candidates = lookUp(filter.lookups, type, MOST);
  if (candidates !== null) {
    const met = candidates.length > FEW && least === null ? walked(filter, candidates.length * 2) : null;
    return met ?? sorted(candidates, filter);
  }
  const met = walked(filter, filter.ranges.length > 0 ? PATIENCE + search.wanted * 4 : ALL);
  if (met !== null) return met;
  const inRange = lookUp(search.byRange(filter), type, Math.floor(search.size(filter) / 2));
  return inRange === null ? (walked(filter, ALL) ?? []) : sorted(inRange, filter);
}

const ALL = Number.MAX_SAFE_INTEGER;
