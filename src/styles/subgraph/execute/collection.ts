import type { Arguments } from "./coerce.ts";
import type { Filter } from "./column-filter.ts";
import { compileFilter, type FilterContext } from "./filter.ts";
import { messages } from "./messages.ts";
import { type Order, readOrder } from "./order.ts";
import { refuse } from "./refusal.ts";
import type { EntityFacts } from "./schema-index.ts";
import type { Entry } from "./tables.ts";

/** The limits hosted services run with, at every level (B.3). */
const MAX_FIRST = 1000;
const MAX_SKIP = 5000;
const DEFAULT_FIRST = 100;

/** What the arguments of a list field ask for. */
export type Collection = {
  readonly entity: EntityFacts;
  readonly first: number;
  readonly skip: number;
  readonly filter: Filter;
  readonly order: Order;
};

/**
 * Reads the arguments of a list field, on `Query` or on an entity.
 *
 * @throws Refusal for a range, order or filter the server refuses.
 */
export function readCollection(
  entity: EntityFacts,
  args: Arguments,
  context: FilterContext,
  nested: boolean,
): Collection {
  const first = readRange(args, "first", 1, MAX_FIRST, DEFAULT_FIRST);
  const skip = readRange(args, "skip", 0, MAX_SKIP, 0);
  const filter = compileFilter(args.get("where"), entity, context);
  const order = readOrder(entity, args, context.index, nested);
  return { entity, first, skip, filter, order };
}

function readRange(args: Arguments, name: string, least: number, most: number, fallback: number): number {
  const value = args.get(name);
  if (value?.kind !== "Int") return fallback;
  if (value.value < BigInt(least) || value.value > BigInt(most))
    refuse(messages.range(name, most, value.value));
  return Number(value.value);
}

/** The page of a collection over everything stored under its type. */
export function pageOfAll(collection: Collection, { tables }: FilterContext): readonly Entry[] {
  const { entity, order } = collection;
  const all = tables.ordered(entity.name, order.key);
  const found = lookUp(collection, tables, all.length);
  return page(found === null ? all : tables.sort(entity.name, order.key, found), collection);
}

/** The page of a collection over some entries. */
export function pageOfSome(
  entries: readonly Entry[],
  collection: Collection,
  { tables }: FilterContext,
): readonly Entry[] {
  const { entity, order } = collection;
  return page(tables.sort(entity.name, order.key, entries), collection);
}

/** The entries that an equality narrows the collection to, or null when going through all is no dearer. */
function lookUp(
  { entity, filter }: Collection,
  tables: FilterContext["tables"],
  size: number,
): readonly Entry[] | null {
  for (const { field, values } of filter.lookups) {
    if (values.length * 4 > size) continue;
    const entries = values.flatMap((value) => {
      if (field !== "id") return tables.matching(entity.name, field, value);
      const entry = tables.find(entity.name, String(value));
      return entry ? [entry] : [];
    });
    if (entries.length * 4 > size) continue;
    // One value may be given twice.
    return values.length < 2 ? entries : distinct(entries);
  }
  return null;
}

function distinct(entries: readonly Entry[]): readonly Entry[] {
  return [...new Map(entries.map((entry) => [entry.row, entry])).values()];
}

/** Walks entries in ascending order, backwards for a descending one, and stops when the page is full. */
function page(ascending: readonly Entry[], { first, skip, filter, order }: Collection): readonly Entry[] {
  const found: Entry[] = [];
  let left = skip;
  for (let index = 0; index < ascending.length && found.length < first; index++) {
    const entry = ascending[order.descending ? ascending.length - 1 - index : index];
    if (entry === undefined || !filter.matches(entry.row)) continue;
    if (left > 0) left--;
    else found.push(entry);
  }
  return found;
}
