import type { Row } from "../../read-view.ts";
import type { Collection } from "./collection.ts";
import type { Filter } from "./column-filter.ts";
import type { FilterContext } from "./filter.ts";
import { lookUp, valuesLookup } from "./lookup.ts";
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

/** So few rows are sorted rather than looked for in the order of all. */
const FEW = 500;

/** Finds the top rows: few candidates are sorted; many are soon met in the order of all rows, or sorted after all. */
function topOf(type: string, collection: Collection, filter: Filter, tables: Tables): readonly Row[] {
  const candidates = lookUp(filter.lookups, type);
  if (candidates === null) return walked(Number.MAX_SAFE_INTEGER, type, collection, filter, tables) ?? [];
  const met =
    candidates.length > FEW ? walked(candidates.length * 2, type, collection, filter, tables) : null;
  return met ?? sorted(candidates, type, collection, filter, tables);
}

/** Walks all rows in order until the page is full; null when it is not after so many rows. */
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

/** Sorts what matches of some rows. */
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
